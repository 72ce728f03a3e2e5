"""What is done to a schedule: pausing, running, deleting; unknown schedules and those of other merchants."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from contract.errors import HASH_NOT_VALID, SCHEDULE_NOT_FOUND
from fixtures.judging.matchers import Answer, answer_of, same_message
from fixtures.judging.must import (
    must_accept,
    must_answer_properly,
    must_be_same,
    must_equal,
    must_have_code,
    must_hold,
    must_refuse,
    must_reject,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import note_reading
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.schedules import PARAMETERS, Schedule, Schedules, must_show_what_changes, shown_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]
CHANGES: dict[str, Callable[[Schedule], FormRequest]] = {
    "UPDATE_SCHEDULE": lambda schedule: schedule.update(name="Another fee"),
    "DELETE_SCHEDULE": Schedule.delete,
    "SCHEDULE_INFO": Schedule.info,
    "PAUSE": Schedule.pause,
    "RUN": Schedule.run,
}


@pytest.fixture
def schedules(payments: Payments) -> Schedules:
    """Schedules of the main account."""
    return payments.schedules


def of_nobody(schedules: Schedules, action: str) -> FormRequest:
    """Return the action on a schedule that is there, with the id of one that is not."""
    return CHANGES[action](schedules.shared()).with_("schedule_id", str(uuid.uuid4()))


@requirement("S2C-SCH-49")
def test_info_shows_whether_the_schedule_is_paused(schedules: Schedules) -> None:
    must_equal(schedules.info_of(schedules.fresh()), "paused", "N")
    must_equal(schedules.info_of(schedules.paused()), "paused", "Y")


@requirement("S2C-SCH-50")
def test_paused_schedule_is_shown_as_paused(s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    schedule = schedules.fresh()

    reply = s2s_card.post(schedule.pause())

    must_accept(reply)
    must_state(reply, result="SUCCESS")
    must_equal(schedules.info_of(schedule), "paused", "Y")


@requirement("S2C-SCH-51")
def test_schedule_that_runs_again_is_shown_as_running(s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    schedule = schedules.paused()

    reply = s2s_card.post(schedule.run())

    must_accept(reply)
    must_state(reply, result="SUCCESS")
    must_equal(schedules.info_of(schedule), "paused", "N")


@requirement("S2C-SCH-52")
@pytest.mark.parametrize("action", ["PAUSE", "RUN"])
def test_pausing_or_running_again_is_refused_or_changes_nothing(
    action: str, s2s_card: S2SCardMerchant, schedules: Schedules
) -> None:
    schedule = schedules.paused() if action == "PAUSE" else schedules.fresh()
    before = schedules.info_of(schedule).object.get("paused")

    reply = s2s_card.post(CHANGES[action](schedule))

    must_answer_properly(reply, "S2C-SCH-52", accepted="no-effect", refused="refused")
    received = schedules.info_of(schedule)
    if answer_of(reply) is Answer.ACCEPTED:
        shown_in(received, "paused")
    must_be_same(received, "paused", received.object.get("paused"), before)


@pytest.mark.parametrize(
    "action",
    [
        pytest.param("UPDATE_SCHEDULE", marks=requirement("S2C-SCH-35")),
        pytest.param("DELETE_SCHEDULE", marks=requirement("S2C-SCH-36")),
        pytest.param("SCHEDULE_INFO", marks=requirement("S2C-SCH-37")),
        pytest.param("PAUSE", marks=requirement("S2C-SCH-37")),
        pytest.param("RUN", marks=requirement("S2C-SCH-37")),
    ],
)
def test_schedule_of_nobody_is_not_found(action: str, s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    must_reject(s2s_card.post(of_nobody(schedules, action)), SCHEDULE_NOT_FOUND)


@requirement("S2C-SCH-38")
@pytest.mark.parametrize("action", ["SCHEDULE_INFO", "PAUSE", "RUN"])
def test_schedule_of_nobody_has_the_code_of_schedules(
    action: str, s2s_card: S2SCardMerchant, schedules: Schedules
) -> None:
    must_be_refused_with_the_code_of_schedules(s2s_card.post(of_nobody(schedules, action)))


@requirement("S2C-SCH-39")
def test_descheduling_from_a_schedule_of_nobody_has_the_code_of_schedules(payments: Payments) -> None:
    payment = payments.shared("with_schedule")
    request = payments.schedules.shared().deschedule(payment.recurring_token)

    reply = payments.merchant.post(request.with_("schedule_id", str(uuid.uuid4())))

    must_be_refused_with_the_code_of_schedules(reply)


def must_be_refused_with_the_code_of_schedules(reply: Reply) -> None:
    must_refuse(reply)
    by_hash = same_message(reply.object.get("error_message"), HASH_NOT_VALID.message or "")
    must_hold(not by_hash, "a refusal for a schedule that is not there", reply, "The hash is complained of.")
    must_have_code(reply, int(SCHEDULE_NOT_FOUND.code or 0))


@requirement("S2C-SCH-43")
@pytest.mark.parametrize("is_paused", [False, True], ids=["running", "paused"])
def test_deleted_schedule_is_gone_or_of_no_use(is_paused: bool, payments: Payments) -> None:
    schedule = payments.schedules.paused() if is_paused else payments.schedules.fresh()
    running = payments.schedules.info_of(schedule).object

    must_accept(payments.merchant.post(schedule.delete()))

    reply = payments.merchant.post(schedule.info())
    if answer_of(reply) is Answer.REFUSED or reply.object != running:
        return
    # What was deleted may be shown unchanged, but it is cancelled: nobody can start it any more.
    must_offer(payments.requests.profile, ("capability:recurring",))
    if is_paused:
        payments.merchant.post(schedule.run())
    sale = payments.requests.baseline("initial_sale").with_("schedule_id", schedule.id)
    started = answer_of(payments.merchant.post(sale)) is Answer.ACCEPTED
    must_hold(not started, "a schedule that is cancelled", reply, "It is shown unchanged, and a SALE can start it.")


@pytest.mark.parametrize(
    "action",
    [
        pytest.param("UPDATE_SCHEDULE", marks=requirement("S2C-SCH-32")),
        pytest.param("DELETE_SCHEDULE", marks=requirement("S2C-SCH-43")),
        pytest.param("PAUSE", marks=requirement("S2C-SCH-50")),
    ],
)
def test_other_schedules_stay_as_they_are(action: str, schedules: Schedules) -> None:
    other = schedules.fresh()
    info = schedules.info_of(other)
    must_show_what_changes(info, action)
    before = state_of(info)

    schedules.carry_out(CHANGES[action](schedules.fresh()))

    reply = schedules.merchant.post(other.info())
    must_accept(reply)
    must_be_same(reply, "the other schedule", state_of(reply), before)


@requirement("S2C-SCH-45")
def test_deleted_schedule_starts_no_payments(payments: Payments) -> None:
    schedule = payments.schedules.fresh()
    payments.shared("with_schedule")
    payments.schedules.carry_out(schedule.delete())

    must_refuse(payments.merchant.post(payments.requests.baseline("initial_sale").with_("schedule_id", schedule.id)))


@requirement("S2C-SCH-46")
def test_second_deletion_finds_nothing_or_does_no_harm(s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    schedule = schedules.fresh()
    schedules.carry_out(schedule.delete())

    reply = s2s_card.post(schedule.delete())

    if answer_of(reply) is Answer.ACCEPTED:
        must_accept(reply)
        note_reading("S2C-SCH-46", "again")
    else:
        must_reject(reply, SCHEDULE_NOT_FOUND)
        note_reading("S2C-SCH-46", "unknown")


@requirement("S2C-SCH-56")
@pytest.mark.parametrize("action", CHANGES)
def test_schedule_of_another_merchant_is_out_of_reach(
    action: str, payments_of: PaymentsOf, s2s_card: S2SCardMerchant
) -> None:
    theirs = payments_of("second_merchant").schedules
    schedule = theirs.paused() if action == "RUN" else theirs.fresh()
    before = state_of(theirs.info_of(schedule))

    must_refuse(s2s_card.post(CHANGES[action](schedule)))

    reply = theirs.info_of(schedule)
    must_be_same(reply, "the schedule", state_of(reply), before)


@requirement("S2C-SCH-56")
@pytest.mark.parametrize("action", ["UPDATE_SCHEDULE", "PAUSE", "RUN", "DELETE_SCHEDULE"])
def test_schedule_stays_though_another_merchant_changes_its_own_of_that_id(
    action: str, payments_of: PaymentsOf, schedules: Schedules
) -> None:
    theirs = payments_of("second_merchant").schedules
    schedule = schedules.paused() if action == "RUN" else schedules.fresh()
    with where_it_comes_about("a schedule of another merchant with the same id"):
        same = theirs.fresh(schedule_id=schedule.id)
        if action == "RUN":
            theirs.carry_out(same.pause())
        before = schedules.info_of(schedule)
        must_show_what_changes(before, action)
        theirs.carry_out(CHANGES[action](same))

    reply = schedules.merchant.post(schedule.info())

    must_accept(reply)
    must_be_same(reply, "the schedule", state_of(reply), state_of(before))


def state_of(reply: Reply) -> tuple[object, ...]:
    return tuple(reply.object.get(name) for name in (*PARAMETERS, "paused"))


@requirement("S2C-SCH-56")
def test_subscription_of_another_merchant_is_out_of_reach(payments_of: PaymentsOf, s2s_card: S2SCardMerchant) -> None:
    payment = payments_of("second_merchant").shared("with_schedule")
    schedule = payments_of("second_merchant").schedules.shared()

    must_refuse(s2s_card.post(schedule.deschedule(payment.recurring_token)))


@requirement("S2C-SCH-56")
def test_schedule_of_another_merchant_starts_no_payments(payments_of: PaymentsOf, payments: Payments) -> None:
    schedule = payments_of("second_merchant").schedules.shared()
    payments.shared("with_schedule")

    must_refuse(payments.merchant.post(payments.requests.baseline("initial_sale").with_("schedule_id", schedule.id)))
