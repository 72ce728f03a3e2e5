"""Schedules that a session starts: when their charges fall due, and what they charge."""

from __future__ import annotations

import calendar
import itertools
from datetime import date, timedelta

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.deferred import waits
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.checkout.callbacks import carrying
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.scheduled_sessions import (
    DAYS,
    DAYS_TO_THE_START,
    IN_THREE_DECIMALS,
    PAYMENTS_COUNT,
    STARTED,
)
from fixtures.protocols.checkout.schedules import SCHEDULED_CHARGES, Scheduled, Schedules
from fixtures.protocols.hours import BESIDE_MIDNIGHT, move_to
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.hostile import day_in, is_amount

SOON = 20.0
ZONES = timedelta(days=1)
"""By how much a point in time may be of another day than the same one elsewhere."""
of_each_operation = pytest.mark.parametrize("name", STARTED)


@pytest.fixture
def schedules(run: Run) -> Schedules:
    """What schedules charge by themselves."""
    return run.checkout_schedules


def with_the_date(payment: CheckoutPayment, callbacks: CallbackWatch) -> Callback:
    """Return a callback with the date; which optional attributes callbacks have is set by the mapping (line 288)."""
    found = callbacks.any_of(carrying(payment, "first_recurring_date"), seconds=callbacks.seconds)
    if not found:
        callbacks.must_show_absence("a callback with first_recurring_date")
        inconclusive(
            "no callback of the payment carries first_recurring_date",
            decides="a protocol mapping whose callbacks carry first_recurring_date",
        )
    return found[0]


def must_be_the_day(found: Callback, start: str) -> None:
    """The first automatic charge is announced for the day that was asked for, in whichever zone (line 288)."""
    value = found.get("first_recurring_date")
    day, asked = day_in(value), date.fromisoformat(start)
    if day is None:
        inconclusive(
            f"first_recurring_date is {value!r}, and no line says how a date is written there",
            decides="a target that writes dates as YYYY-MM-DD",
        )
    if abs((day - asked).days) > ZONES.days:
        must(Finding(f"first_recurring_date {start}", found.summary, f"It is {value}."))
    if day != asked and "T" not in str(value) and ":" not in str(value):
        must(Finding(f"first_recurring_date {start}", found.summary, f"It is {value}, a day of no zone."))


def leap_day_after(day: date) -> date:
    years = range(day.year + 1, day.year + 10)
    return next(date(year, 2, 29) for year in years if calendar.isleap(year))


def begun(name: str, schedules: Schedules) -> Scheduled:
    if name == "started":
        return schedules.of(name)
    must_offer(schedules.paid.profile, ("capability:debit",), "checkout")
    with where_it_comes_about("a debit that begins a schedule on a date"):
        return schedules.of(name)


def must_charge(scheduled: Scheduled, count: int = 1) -> None:
    found = len(scheduled.charges)
    if found < count and scheduled.unattributed:
        inconclusive(
            f"{scheduled.unattributed} callbacks of the schedule arrived, and nothing in them says of which chain",
            decides="callbacks of scheduled charges that carry the chain's token, first payment or order number",
        )
    if found < count:
        expected = f"the callback{'s' if count > 1 else ''} of {count} scheduled charge{'s' if count > 1 else ''}"
        must(Finding(expected, f"{found} within two months", f"The schedule of {scheduled.payment} does not charge."))


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param("schedule_id", marks=requirement("CHK-SCH-01")),
        pytest.param("schedule_id_delayed", marks=requirement("CHK-SCH-02")),
    ],
)
@pytest.mark.parametrize("asked", ["purchase, soon", "purchase, a leap day", "debit, soon"])
def test_first_recurring_date_is_the_start_date(
    schedule: str, asked: str, paid: CheckoutPayments, callbacks: CallbackWatch, run: Run
) -> None:
    operation, day = asked.split(", ")
    must_offer(paid.profile, ("capability:debit",) if operation == "debit" else ())
    today = run.checkout_schedules.sessions.today()
    start = (today + timedelta(days=SOON) if day == "soon" else leap_day_after(today)).isoformat()
    session = paid.requests.baseline("schedule").with_("schedule_id", paid.requests.schedule_id(schedule))
    session = session.with_("operation", operation).with_("schedule_start_date", start)
    payment = paid.pay(session, paid.card("success"))

    found = with_the_date(payment, callbacks)

    must_be_the_day(found, start)


@requirement("CHK-SCH-01")
@waits(0)
def test_first_recurring_date_is_the_start_date_whatever_the_hour(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    for hour in BESIDE_MIDNIGHT:
        start = (move_to(hour, paid.clock).date() + timedelta(days=SOON)).isoformat()
        session = paid.requests.baseline("schedule").with_("schedule_start_date", start)
        payment = paid.pay(session, paid.card("success"))

        must_be_the_day(with_the_date(payment, callbacks), start)


@requirement("CHK-SCH-01")
@pytest.mark.holds
def test_first_recurring_date_is_the_start_date_where_the_first_payment_is_captured(
    paid: CheckoutPayments, callbacks: CallbackWatch, run: Run
) -> None:
    must_offer(paid.profile, ("capability:dms",))
    start = (run.checkout_schedules.sessions.today() + timedelta(days=SOON)).isoformat()
    session = paid.requests.baseline("schedule").with_("schedule_start_date", start).with_("auth", value=True)
    payment = paid.confirmed(paid.pay(session, paid.card("success")), "PENDING")
    paid.moved(payment, "PENDING", payment.capture())

    found = with_the_date(payment, callbacks)

    must_be_the_day(found, start)


@requirement("CHK-SCH-03")
@waits(1, looks_at=SCHEDULED_CHARGES)
@of_each_operation
def test_first_charge_falls_on_the_start_date(name: str, schedules: Schedules) -> None:
    scheduled = begun(name, schedules)
    must_charge(scheduled)

    first = scheduled.charges[0]
    must_know_the_days(scheduled)
    if scheduled.start is None:
        inconclusive(
            "no start date was asked for: no payment shows which day it is for the target",
            decides="a main account whose payments can be looked up",
        )
    schedules.must_be_sure_of_the_day(first.day, scheduled.start)
    if first.day != scheduled.start:
        must(Finding(f"the first charge on {scheduled.start}", first.callback.summary, f"It was made on {first.day}."))


def must_know_the_days(scheduled: Scheduled) -> None:
    if any(charge.day is None for charge in scheduled.charges):
        inconclusive(
            "neither callbacks nor look-ups show on which day a charge was made",
            decides="a target that shows the date of a payment in look-ups",
        )


@requirement("CHK-SCH-04")
@waits(1, looks_at=SCHEDULED_CHARGES)
@of_each_operation
def test_later_charges_follow_at_the_interval_of_the_schedule(name: str, schedules: Schedules) -> None:
    schedules.must_see_days()
    scheduled = begun(name, schedules)
    must_know_the_days(scheduled)
    days = scheduled.days
    received = ", ".join(map(str, days)) or "none"
    if days and (due := schedules.steps(days[0], 3)):
        falls_due = [day for day in due if day <= days[0] + timedelta(days=DAYS - 2 * DAYS_TO_THE_START)]
        if days[: len(falls_due)] != falls_due:
            must_be_sure(schedules, days, falls_due)
            must(Finding(f"charges on {', '.join(map(str, falls_due))}", received, "The interval is not kept."))
    else:
        must_follow_regularly(days, received)


def must_be_sure(schedules: Schedules, days: list[date], due: list[date]) -> None:
    """End the check where each charge is some days off at most, or the last one may be under way still."""
    for day, wanted in zip(days, due, strict=False):
        schedules.must_be_sure_of_the_day(day, wanted)
    if days == due[: len(days)]:
        schedules.must_be_sure_of_the_day(due[-1] + timedelta(days=1), due[-1])


def must_follow_regularly(days: list[date], text: str) -> None:
    if len(days) < 3:
        inconclusive(
            f"only {len(days)} charges fell due in two months, so that the interval does not show",
            decides="schedule_id in [test_data] of the profile of a schedule with an interval of a month or less",
        )
    if not steps_of(days):
        must(Finding("charges at the same interval from the start date on", text, "They follow at different ones."))


def steps_of(days: list[date]) -> set[tuple[str, int]]:
    """Return the intervals, in days or in months, at which all the days follow each other; none: at different ones."""
    pairs = list(itertools.pairwise(days))
    in_days = {("days", (later - earlier).days) for earlier, later in pairs}
    in_months = {("months", months_between(earlier, later)) for earlier, later in pairs}
    is_monthly = len({day.day for day in days}) == 1
    return (in_days if len(in_days) == 1 else set()) | (in_months if is_monthly and len(in_months) == 1 else set())


def months_between(earlier: date, later: date) -> int:
    return (later.year - earlier.year) * 12 + later.month - earlier.month


@requirement("CHK-SCH-05")
@waits(1, looks_at=SCHEDULED_CHARGES)
def test_charges_have_the_amount_that_the_session_gave_them(schedules: Schedules) -> None:
    must_charge_the_amount(schedules.of("started"), schedules.amount)


@requirement("CHK-SCH-05")
@waits(1, looks_at=SCHEDULED_CHARGES)
def test_charges_of_a_debit_have_the_amount_that_the_session_gave_them(schedules: Schedules) -> None:
    must_charge_the_amount(schedules.of("debit"), schedules.amount)


@requirement("CHK-SCH-06")
@waits(1, looks_at=SCHEDULED_CHARGES)
def test_charges_have_the_amount_of_the_first_payment_otherwise(schedules: Schedules) -> None:
    scheduled = schedules.of("plain")

    must_charge_the_amount(scheduled, scheduled.payment.amount)


@requirement("CHK-SCH-06")
@waits(1, looks_at=SCHEDULED_CHARGES)
def test_charges_have_all_decimals_of_the_currency(schedules: Schedules) -> None:
    currency = schedules.paid.profile.test_data.currencies.exponent_3
    if currency is None or schedules.paid.clock.waits:
        not_applicable("the profile names no currency of three decimals, or the target's clock cannot be moved")
    with where_it_comes_about(f"a schedule in {currency}"):
        scheduled = schedules.of("three decimals")
    if not scheduled.charges:
        not_applicable(f"schedules charge nobody in {currency} here, and other checks decide the requirement")

    must_charge_the_amount(scheduled, scheduled.payment.amount)


def of_combination(name: str, schedules: Schedules) -> Scheduled:
    """Return a schedule that something else was asked for with; the plain one shows that schedules charge here."""
    must_charge(schedules.of("plain"))
    with where_it_comes_about(f"a schedule that is {name}"):
        return schedules.of(name)


@requirement("CHK-SCH-05")
@waits(1, looks_at=SCHEDULED_CHARGES)
@pytest.mark.parametrize("name", ["captured", "of nothing", "another amount in three decimals"])
def test_amount_of_the_session_is_charged_whatever_else_it_asks_for(name: str, schedules: Schedules) -> None:
    scheduled = of_combination(name, schedules)

    if name == "captured":
        must_charge_the_amount_at_last(scheduled, schedules.amount)
    else:
        must_charge_the_amount(scheduled, IN_THREE_DECIMALS if "decimals" in name else schedules.amount)


@requirement("CHK-SCH-05")
@waits(1, looks_at=SCHEDULED_CHARGES)
def test_amount_of_the_session_is_charged_once_a_paused_schedule_runs_again(schedules: Schedules) -> None:
    scheduled = of_combination("resumed", schedules)
    if not scheduled.charges:
        not_applicable("a schedule that S2S CARD paused and let run again charges no chain of Checkout here")

    must_charge_the_amount(scheduled, schedules.amount)


def must_charge_the_amount_at_last(scheduled: Scheduled, amount: str) -> None:
    """One of the charges has an amount: where operations have ids of their own, the capture looks like one as well."""
    must_charge(scheduled)
    values = [charge.callback.get("order_amount") for charge in scheduled.charges]
    if None not in values and not any(is_amount(value, amount) for value in values):
        last = scheduled.charges[-1].callback.summary
        must(Finding(f"order_amount {amount}", last, f"Those of all charges are {', '.join(map(str, values))}."))


@waits(1, looks_at=SCHEDULED_CHARGES)
@pytest.mark.parametrize(
    ("name", "most"),
    [
        pytest.param("counted", PAYMENTS_COUNT, marks=requirement("S2C-SCP-06")),
        pytest.param("paused", 0, marks=requirement("S2C-SCH-53")),
        pytest.param("deleted", 0, marks=requirement("S2C-SCP-07")),
    ],
)
def test_schedule_that_s2s_card_stops_charges_no_chain_of_checkout(name: str, most: int, schedules: Schedules) -> None:
    with where_it_comes_about("a schedule of S2S CARD that charges chains of Checkout"):
        shown = schedules.of("counted")
        if not shown.charges:
            not_applicable("schedules that S2S CARD creates charge no chain of Checkout here")
        scheduled = schedules.of(name)

    if len(scheduled.charges) > most:
        last = scheduled.charges[-1].callback
        must(Finding(f"{most or 'no'} scheduled charges", last.summary, f"{len(scheduled.charges)} were made."))


def must_charge_the_amount(scheduled: Scheduled, amount: str) -> None:
    must_charge(scheduled)
    for charge in scheduled.charges:
        value = charge.callback.get("order_amount")
        if value is None:
            inconclusive(
                f"the callback of a scheduled charge says no amount, as line 288 allows: {charge.callback.summary}",
                decides="a target whose callbacks carry order_amount",
            )
        if not is_amount(value, amount):
            must(Finding(f"order_amount {amount}", charge.callback.summary, f"order_amount is {value!r}."))


@requirement("CHK-SCH-07")
@waits(1, looks_at=SCHEDULED_CHARGES)
def test_schedule_charges_the_chain_of_a_debit(schedules: Schedules) -> None:
    scheduled = schedules.of("debit")
    must_charge(scheduled)

    first = scheduled.charges[0].callback
    if (first.get("status") or "").casefold() == "fail":
        must(Finding("a scheduled charge that succeeds", first.summary, "It failed."))
