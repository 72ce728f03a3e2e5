"""Schedules: what CREATE_SCHEDULE and UPDATE_SCHEDULE take, and what SCHEDULE_INFO shows afterwards."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from contract.errors import ACTION_NOT_SUPPORTED_ROUTE, SCHEDULE_NOT_FOUND
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import (
    must_accept,
    must_answer_properly,
    must_apply,
    must_be_same,
    must_carry,
    must_equal,
    must_hold,
    must_reject,
)
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.profile import Profile
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.payment import must_be_taken
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.schedules import (
    DELAYS,
    EVERY_MONTH,
    PARAMETERS,
    Schedule,
    Schedules,
    creation,
    delayed,
    must_be_refused_in_creation,
    shown_in,
)
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

Json = Any

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
OF_A_SCHEDULE = {"name": "Rent of a flat", "interval_length": "3", "interval_unit": "day", "payments_count": "7"}


@pytest.fixture
def schedules(payments: Payments) -> Schedules:
    """Schedules of the main account."""
    return payments.schedules


def must_show(reply: Reply, parameters: Mapping[str, str | None]) -> None:
    """SCHEDULE_INFO shows these values, as texts or as numbers."""
    wrong = [name for name, value in parameters.items() if str(reply.object.get(name)) != value]
    wanted = ", ".join(f"{name} {parameters[name]}" for name in parameters)
    values = ", ".join(f"{name} is {reply.object.get(name)!r}" for name in wrong)
    must_hold(not wrong, wanted, reply, f"{values}.")


@requirement("S2C-SCH-01")
def test_schedule_is_created_with_the_four_parameters(s2s_card: S2SCardMerchant) -> None:
    must_accept(s2s_card.post(creation()))


@requirement("S2C-SCH-02")
def test_answer_to_create_schedule_names_the_schedule(schedules: Schedules) -> None:
    reply = schedules.shared().reply

    must_state(reply, result="SUCCESS")
    value = reply.object.get("schedule_id")
    is_uuid = isinstance(value, str) and UUID.fullmatch(value)
    must_hold(is_uuid, "schedule_id, a UUID", reply, f"schedule_id is {value!r}.")


@requirement("S2C-SCH-10")
def test_interval_unit_may_be_day(s2s_card: S2SCardMerchant) -> None:
    daily = s2s_card.post(creation(interval_unit="day"))

    if answer_of(daily) is Answer.REFUSED:
        # It is the unit that is refused, if everything is taken with another one.
        monthly = creation(**EVERY_MONTH)
        must_be_taken(s2s_card.post(monthly), monthly)
    must_accept(daily)


@requirement("S2C-SCH-11")
def test_interval_unit_may_be_month(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    card_actions.accepted("create_schedule")

    must_accept(s2s_card.post(creation(**EVERY_MONTH)))


@requirement("S2C-SCH-13")
def test_schedule_may_be_given_an_id(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    must_accept(s2s_card.post(card_actions("create_schedule").with_("schedule_id", str(uuid.uuid4()))))


@requirement("S2C-SCH-15")
def test_schedule_goes_by_the_id_that_it_was_given(s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    given = str(uuid.uuid4())
    schedule = schedules.fresh(schedule_id=given, **OF_A_SCHEDULE)

    value = schedule.reply.object.get("schedule_id")
    is_given = value is None or str(value).lower() == given
    must_hold(is_given, f"schedule_id {given}", schedule.reply, f"schedule_id is {value!r}.")
    reply = s2s_card.post(FormRequest({"action": "SCHEDULE_INFO", "schedule_id": given}))
    must_accept(reply)
    must_show(reply, shown_of(schedules.fresh(**OF_A_SCHEDULE), schedules))


@requirement("S2C-SCH-18")
def test_delays_are_taken_before_they_were_retired(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_accept(s2s_card.post(card_actions("create_schedule").with_("delays", "1")))


@pytest.mark.parametrize(
    "mode",
    [
        pytest.param(mode, marks=requirement(f"S2C-SCH-{number}"))
        for mode, number in (("none", 19), ("by_interval", 20), ("to_day_of_week", 21), ("to_day_of_month", 22))
    ],
)
def test_first_payment_may_be_delayed(
    mode: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    card_actions.accepted("create_schedule")

    reply = s2s_card.post(delayed(mode))

    if answer_of(reply) is Answer.REFUSED and mode.startswith("to_day"):
        # Line 297 names no unit but day: it may be the month that is refused.
        monthly = creation(**EVERY_MONTH)
        must_be_taken(s2s_card.post(monthly), monthly)
    must_accept(reply)


@requirement("S2C-SCH-33", "S2C-SCH-34")
@pytest.mark.parametrize("mode", DELAYS)
def test_delay_of_the_first_payment_may_be_updated(mode: str, s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    schedule = schedules.create(delayed(mode))
    schedules.carry_out(schedule.update(name="Another fee"))

    must_accept(s2s_card.post(schedule.update(delayed_first_payment=mode, **DELAYS[mode])))


@requirement("S2C-SCH-25")
@pytest.mark.parametrize("mode", ["by_interval", "to_day_of_week", "to_day_of_month"])
def test_delay_without_its_companions_is_refused_or_filled(
    mode: str, s2s_card: S2SCardMerchant, schedules: Schedules
) -> None:
    schedules.create(delayed(mode))

    reply = s2s_card.post(delayed(mode).without(*DELAYS[mode]))

    must_answer_properly(reply, "S2C-SCH-25", accepted="defaulted", refused="refused")


@requirement("S2C-SCH-26")
@pytest.mark.parametrize(
    ("mode", "other"), [("none", "by_interval"), ("by_interval", "to_day_of_week"), ("to_day_of_week", "by_interval")]
)
def test_companion_of_another_delay_is_ignored_or_refused(
    mode: str, other: str, s2s_card: S2SCardMerchant, schedules: Schedules
) -> None:
    schedules.create(delayed(mode))

    reply = s2s_card.post(delayed(mode, **DELAYS[other]))

    must_answer_properly(reply, "S2C-SCH-26", accepted="ignored", refused="refused")


@requirement("S2C-SCH-31")
@pytest.mark.parametrize(
    ("name", "value"),
    [("name", "Another fee"), ("interval_length", "9"), ("interval_unit", "month"), ("payments_count", "5")],
)
def test_update_changes_what_is_sent(name: str, value: str, s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    schedule = schedules.fresh(**OF_A_SCHEDULE)
    must_be_shown_as_given(schedules.info_of(schedule), name)
    if name == "interval_unit":
        # Line 297 names no unit but day.
        month = creation(**{**OF_A_SCHEDULE, name: value})
        must_apply(s2s_card.post(month), f"schedule with {name} {value}")

    must_accept(s2s_card.post(schedule.update(**{name: value})))

    must_show(schedules.info_of(schedule), {name: value})


@requirement("S2C-SCH-31")
def test_update_changes_several_parameters_and_may_be_repeated(s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    schedule = schedules.fresh(**OF_A_SCHEDULE)
    must_be_shown_as_given(schedules.info_of(schedule), "name", "interval_length", "payments_count")

    must_accept(s2s_card.post(schedule.update(interval_length="9", payments_count="5")))
    must_accept(s2s_card.post(schedule.update(name="Another fee", interval_length="8")))

    must_show(schedules.info_of(schedule), {"name": "Another fee", "interval_length": "8", "payments_count": "5"})


def must_be_shown_as_given(reply: Reply, *names: str) -> None:
    """End the check unless SCHEDULE_INFO shows these as they were given: the contract shows no body of it (line 363).

    What is shown otherwise, or elsewhere, before an update shows nothing of what the update does.
    """
    unlike = [name for name in names if str(reply.object.get(name)) != OF_A_SCHEDULE[name]]
    if unlike:
        inconclusive(
            f"SCHEDULE_INFO does not show {', '.join(unlike)} as given, and S2C-SCH-47 says so: {reply.summary}",
            decides=f"a target whose SCHEDULE_INFO has {', '.join(unlike)} as members, with the values that were given",
        )


def shown_of(schedule: Schedule, schedules: Schedules) -> dict[str, str]:
    """Return what SCHEDULE_INFO shows of the parameters of a schedule, in its own words."""
    found = schedules.info_of(schedule).object
    return {name: str(found[name]) for name in PARAMETERS if found.get(name) is not None}


@requirement("S2C-SCH-32")
@pytest.mark.parametrize(("sent", "value"), [("name", "Another fee"), ("interval_length", "9")])
def test_update_leaves_what_is_not_sent(sent: str, value: str, schedules: Schedules) -> None:
    schedule = schedules.fresh(**OF_A_SCHEDULE)
    before = shown_in(schedules.info_of(schedule), *(name for name in PARAMETERS if name != sent))
    schedules.carry_out(schedule.update(**{sent: value}))

    must_show(schedules.info_of(schedule), {name: str(shown) for name, shown in before.items() if shown is not None})


@requirement("S2C-SCH-34")
@pytest.mark.parametrize(
    ("name", "value"), [("interval_length", "0"), ("interval_unit", "century"), ("payments_count", "twelve")]
)
def test_refused_update_changes_nothing(name: str, value: str, s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    schedule = schedules.fresh(**OF_A_SCHEDULE)
    schedules.carry_out(schedule.update(name=OF_A_SCHEDULE["name"]))
    before = schedules.info_of(schedule)

    update = schedule.update(**{"name": "Another fee", name: value})
    reply = s2s_card.post(update)

    if answer_of(reply) is Answer.ACCEPTED:
        must_be_refused_in_creation(update, s2s_card)
    must_be_same(reply, "the answer", answer_of(reply), Answer.REFUSED)
    received = shown_in(before, *PARAMETERS)
    must_show(schedules.info_of(schedule), {each: str(shown) for each, shown in received.items() if shown is not None})


@requirement("S2C-SCH-31", "S2C-SCH-34")
@pytest.mark.parametrize(
    ("name", "value"),
    [("name", "a" * 100), ("interval_unit", "day"), ("interval_unit", "month")],
    ids=["name-of-100-characters", "day", "month"],
)
def test_update_takes_what_creation_takes(
    name: str, value: str, s2s_card: S2SCardMerchant, schedules: Schedules
) -> None:
    schedule = schedules.fresh(**{name: value})

    must_accept(s2s_card.post(schedule.update(**{name: value})))


@requirement("S2C-SCH-47")
def test_info_shows_the_parameters_of_a_schedule_that_was_there_before(
    s2s_card: S2SCardMerchant, profile: Profile
) -> None:
    must_offer(profile, ("test_data:schedule_id",))

    reply = s2s_card.post(FormRequest({"action": "SCHEDULE_INFO", "schedule_id": str(profile.test_data.schedule_id)}))

    if carries_message(reply, SCHEDULE_NOT_FOUND.message or ""):
        inconclusive(
            f"the target does not know the schedule of the profile: {reply.summary}",
            decides="schedule_id in [test_data] of the profile: a schedule that the target has",
        )
    must_carry(reply, *PARAMETERS)


@requirement("S2C-SCH-47")
def test_info_shows_the_parameters_as_they_were_given(s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    schedule = schedules.fresh(**OF_A_SCHEDULE)

    reply = s2s_card.post(schedule.info())

    must_carry(reply, *OF_A_SCHEDULE)
    must_show(reply, OF_A_SCHEDULE)


@requirement("S2C-SCH-48")
def test_info_shows_delays_as_null(schedules: Schedules) -> None:
    reply = schedules.info_of(schedules.shared())

    found = delays_in(reply.json)
    must_hold(found == [None], "delays null", reply, f"delays is {found[0] if found else 'missing'!r}.")


def delays_in(value: Json) -> list[Json]:
    """Return what members named delays hold, wherever they stand: the contract does not show where."""
    if isinstance(value, list):
        return [found for item in value for found in delays_in(item)]
    if not isinstance(value, dict):
        return []
    own = [value["delays"]] if "delays" in value else []
    return own + [found for item in value.values() for found in delays_in(item)]


@requirement("S2C-ACT-23")
def test_update_schedule_is_unknown_or_known_early(s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    schedule = schedules.fresh(**OF_A_SCHEDULE)

    reply = s2s_card.post(schedule.update(name="Another fee"))

    if answer_of(reply) is Answer.ACCEPTED:
        must_be_shown_as_given(schedules.info_of(schedules.fresh(**OF_A_SCHEDULE)), "name")
        must_show(schedules.info_of(schedule), {"name": "Another fee"})
        note_reading("S2C-ACT-23", "known")
    else:
        must_reject(reply, ACTION_NOT_SUPPORTED_ROUTE)
        note_reading("S2C-ACT-23", "unknown")


@requirement("S2C-ACT-24")
@pytest.mark.parametrize("action", ["PAUSE_SCHEDULE", "RUN_SCHEDULE"])
def test_longer_name_is_served_or_unknown(action: str, s2s_card: S2SCardMerchant, schedules: Schedules) -> None:
    begin: Callable[[], Schedule] = schedules.fresh if action == "PAUSE_SCHEDULE" else schedules.paused
    schedule = begin()

    reply = s2s_card.post(schedule.about(action))

    if answer_of(reply) is Answer.ACCEPTED:
        must_equal(schedules.info_of(schedule), "paused", "Y" if action == "PAUSE_SCHEDULE" else "N")
        note_reading("S2C-ACT-24", "served")
    else:
        must_reject(reply, ACTION_NOT_SUPPORTED_ROUTE)
        note_reading("S2C-ACT-24", "unknown")
