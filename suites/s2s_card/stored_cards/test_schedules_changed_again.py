"""What an UPDATE_SCHEDULE leaves as it was."""

from __future__ import annotations

import uuid

import pytest

from fixtures.judging.must import must_accept, must_be_same, must_hold, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.s2s_card.payment import must_be_taken
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.schedules import DELAYING, DELAYS, PARAMETERS, Schedules, creation, delayed, shown_in
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest


@pytest.fixture
def schedules(payments: Payments) -> Schedules:
    """Schedules of the main account."""
    return payments.schedules


@requirement("S2C-SCH-32")
@pytest.mark.parametrize(
    ("name", "value"),
    [("interval_unit", "month"), ("interval_length", "7"), ("payments_count", "9"), ("name", "Another fee")],
)
def test_parameter_that_is_not_sent_stays(name: str, value: str, schedules: Schedules) -> None:
    schedule = schedules.fresh()
    before = shown_in(schedules.info_of(schedule), *(other for other in PARAMETERS if other != name))
    schedules.carry_out(schedule.update(**{name: value}))

    reply = schedules.info_of(schedule)

    for other, shown in before.items():
        must_be_same(reply, other, str(reply.object.get(other)), str(shown))


@requirement("S2C-SCH-32")
def test_parameters_stay_when_the_delay_is_changed(schedules: Schedules) -> None:
    schedule = schedules.fresh()
    before = shown_in(schedules.info_of(schedule), *PARAMETERS)
    schedules.carry_out(schedule.update(delayed_first_payment="by_interval", **DELAYS["by_interval"]))

    reply = schedules.info_of(schedule)

    changed = [each for each, shown in before.items() if str(reply.object.get(each)) != str(shown)]
    must_hold(not changed, "the delay alone changed", reply, f"{', '.join(changed)} changed as well.")


@requirement("S2C-SCH-48")
def test_retired_delays_are_null_after_a_change_as_well(schedules: Schedules) -> None:
    schedule = schedules.fresh()
    schedules.carry_out(schedule.update(payments_count="9"))

    must_have_no_delays(schedules.info_of(schedule))


@requirement("S2C-SCH-48")
@pytest.mark.parametrize(
    ("mode", "changed"),
    [
        ("by_interval", "none"),
        ("to_day_of_month", "none"),
        ("none", "by_interval"),
        ("to_day_of_month", "to_day_of_week"),
        ("to_day_of_week", "to_day_of_month"),
    ],
)
def test_retired_delays_are_null_after_a_change_of_what_took_their_place(
    mode: str, changed: str, schedules: Schedules
) -> None:
    with where_it_comes_about(f"a change of delayed_first_payment from {mode} to {changed}"):
        schedule = schedules.create(delayed(mode))
        schedules.carry_out(schedule.update(delayed_first_payment=changed, **DELAYS[changed]))
        reply = schedules.info_of(schedule)

    must_have_no_delays(reply)


def must_have_no_delays(reply: Reply) -> None:
    value = reply.object.get("delays")
    must_hold(value is None, "delays null, or none", reply, f"delays are {value!r}.")


@requirement("S2C-SCH-48")
@pytest.mark.parametrize("mode", ["by_interval", "to_day_of_week", "to_day_of_month"])
def test_retired_delays_are_null_where_the_first_payment_is_delayed(mode: str, schedules: Schedules) -> None:
    reply = schedules.info_of(schedules.create(delayed(mode)))

    is_null = "delays" in reply.object and reply.object["delays"] is None
    must_hold(is_null, "delays null", reply, f"delays is {reply.object.get('delays', 'missing')!r}.")


@requirement("S2C-SCH-32")
@pytest.mark.parametrize(
    ("mode", "name", "value"),
    [
        ("by_interval", "name", "Another fee"),
        ("by_interval", "interval_length", "7"),
        ("by_interval", "payments_count", "9"),
        ("to_day_of_week", "interval_unit", "day"),
        ("to_day_of_month", "interval_length", "7"),
        ("to_day_of_month", "payments_count", "9"),
    ],
)
def test_delay_of_the_first_payment_stays(mode: str, name: str, value: str, schedules: Schedules) -> None:
    schedule = schedules.create(delayed(mode))
    before = shown_in(schedules.info_of(schedule), *DELAYING)
    schedules.carry_out(schedule.update(**{name: value}))

    reply = schedules.info_of(schedule)

    changed = [each for each, shown in before.items() if reply.object.get(each) != shown]
    must_hold(not changed, f"{name} alone changed", reply, f"{', '.join(changed)} changed as well.")


@requirement("S2C-SCH-32")
@pytest.mark.parametrize(
    ("mode", "other"),
    [("to_day_of_month", "by_interval"), ("by_interval", "to_day_of_week")],
    ids=["month", "interval"],
)
def test_delay_stays_when_a_companion_of_another_is_sent(mode: str, other: str, schedules: Schedules) -> None:
    schedule = schedules.create(delayed(mode))
    with where_it_comes_about("an update with a companion of another delay, and the delay shown"):
        before = shown_in(schedules.info_of(schedule), "delayed_first_payment")["delayed_first_payment"]
        schedules.carry_out(schedule.update(**DELAYS[other]))

    reply = schedules.info_of(schedule)

    must_be_same(reply, "delayed_first_payment", reply.object.get("delayed_first_payment"), before)


@pytest.mark.parametrize(
    "action",
    [
        pytest.param("CREATE_SCHEDULE", marks=requirement("S2C-SCH-16")),
        pytest.param("UPDATE_SCHEDULE", marks=requirement("S2C-SCH-17")),
    ],
)
def test_delays_are_refused_beside_what_took_their_place(action: str, schedules: Schedules) -> None:
    creating = delayed("by_interval")
    schedule = schedules.create(creating)
    changes = {"delayed_first_payment": "by_interval", **DELAYS["by_interval"]}
    request = creating if action == "CREATE_SCHEDULE" else schedule.update(**changes)
    must_be_taken(schedules.merchant.post(request), request)

    must_refuse(schedules.merchant.post(request.with_("delays", "1")))


@requirement("S2C-SCH-17")
def test_update_that_is_refused_for_delays_changes_nothing(schedules: Schedules) -> None:
    schedule = schedules.fresh()
    before = schedules.info_of(schedule).object.get("name")

    reply = schedules.merchant.post(schedule.update(name="Another fee", delays="1"))

    must_refuse(reply)
    if before is None:
        not_applicable("line 363 shows no answer of SCHEDULE_INFO, and the target's shows no name that could change")
    shown = schedules.info_of(schedule)
    must_be_same(shown, "name", shown.object.get("name"), before)


@requirement("S2C-SCH-13")
def test_uuid_in_capitals_is_a_uuid(schedules: Schedules) -> None:
    must_accept(schedules.merchant.post(creation(schedule_id=str(uuid.uuid4()).upper())))


@requirement("S2C-SCH-15")
def test_schedule_goes_by_an_id_in_capitals_as_it_was_given(schedules: Schedules) -> None:
    given = str(uuid.uuid4()).upper()
    schedules.info_of(schedules.fresh(schedule_id=given))

    must_accept(schedules.merchant.post(FormRequest({"action": "SCHEDULE_INFO", "schedule_id": given})))


@requirement("S2C-SCH-32")
def test_paused_schedule_stays_paused_when_its_name_is_changed(schedules: Schedules) -> None:
    schedule = schedules.paused()
    before = schedules.info_of(schedule).object.get("paused")
    if before is None:
        inconclusive("SCHEDULE_INFO does not show whether it is paused", decides="a target that shows paused")
    schedules.carry_out(schedule.update(name="Another fee"))

    reply = schedules.info_of(schedule)

    must_be_same(reply, "paused", reply.object.get("paused"), before)
