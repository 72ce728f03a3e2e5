"""A SALE that starts a schedule: what it takes, what is refused, and what answers say of it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from fixtures.deferred import waits
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must,
    must_accept,
    must_apply,
    must_carry,
    must_equal,
    must_have_accepted,
    must_hold,
    must_not_be,
    must_refuse,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.hours import BESIDE_MIDNIGHT, move_to
from fixtures.protocols.long_after import A_DAY, must_be_moved
from fixtures.protocols.s2s_card.days import date_in, day_of
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.schedules import DELAYS, Schedule, creation, delayed
from fixtures.protocols.s2s_card.states import must_be_sent_away
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.clock import Clock
from fixtures.wire.exchange import Reply
from fixtures.wire.hostile import day_in, is_amount
from fixtures.wire.requests import FormRequest

DAYS = 10
DAYS_AT_THE_CHALLENGE = 4
LAST_OF_MONTH = 31
LAST_OF_EVERY_MONTH = 28
DAYS_OF_A_WEEK = 7
SUNDAY = "7"
BESIDE = (-1, 0, 1)
ONE_DAY = timedelta(days=1)
"""Merchant and target may count dates in other time zones."""
NO_FIRST_DATE = "no answer about the SALE shows first_recurring_date, and S2C-SCP-16 says so"


def replies_about(payments: Payments, payment: Payment) -> list[Reply]:
    """Return the answer to the SALE and the look-ups of it, where what it started may be shown."""
    return [payment.reply, payments.look_up(payment), payments.merchant.post(payment.details())]


def first_with(replies: list[Reply], name: str) -> Reply:
    """Return the first reply that carries the member, or the last of all."""
    return next((reply for reply in replies if reply.object.get(name)), replies[-1])


@requirement("S2C-SCP-01")
def test_sale_may_start_a_schedule(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], payments: Payments
) -> None:
    card_actions.accepted("initial_sale")
    sale = card_actions.build("initial_sale").with_("schedule_id", payments.schedules.shared().id)

    reply = s2s_card.post(sale)

    must_accept(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@requirement("S2C-SCP-18")
@pytest.mark.parametrize(
    ("first", "second"), [("initial_sale", "initial_debit"), ("initial_debit", "initial_sale")], ids=["sale", "debit"]
)
def test_schedule_of_one_operation_is_started_by_the_other_too(first: str, second: str, payments: Payments) -> None:
    def post(name: str, schedule_id: str) -> Reply:
        return payments.merchant.post(payments.requests.baseline(name).with_("schedule_id", schedule_id))

    shared, of_second = payments.schedules.fresh().id, payments.schedules.fresh().id
    must_have_accepted(post(first, shared))
    must_have_accepted(post(second, of_second))
    must_apply(post(second, of_second), "second payer of a schedule")

    reply = post(second, shared)

    must_accept(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@requirement("S2C-SCP-03")
def test_sale_with_a_schedule_of_nobody_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_refuse(s2s_card.post(card_actions("sale_with_schedule").with_("schedule_id", str(uuid.uuid4()))))


@requirement("S2C-SCP-04")
def test_schedule_of_a_sale_is_shown(payments: Payments) -> None:
    payment = payments.shared("with_schedule")
    wanted = payment.opening.get("schedule_id")

    reply = first_with(replies_about(payments, payment), "schedule_id")

    must_equal(reply, "schedule_id", wanted or "")


@requirement("S2C-SCP-12")
@pytest.mark.parametrize(("name", "value"), [("schedule_start_date", "2037-01-31"), ("payment_schedule_amount", None)])
def test_detail_of_a_schedule_without_schedule_is_refused(
    name: str, value: str | None, payments: Payments, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale_with_schedule").with_(name, value or payments.requests.part)
    payments.carry_out(sale)

    again = card_actions.build("sale_with_schedule").with_(name, value or payments.requests.part)

    must_refuse(payments.merchant.post(again.without("schedule_id")))


@requirement("S2C-SCP-14")
def test_first_payment_is_not_of_the_scheduled_amount(payments: Payments, card_actions: Baselines[FormRequest]) -> None:
    sale = card_actions("sale_with_schedule").with_("payment_schedule_amount", payments.requests.part)

    payment = payments.open(sale)

    value = payment.reply.object.get("amount")
    must_hold(
        value is None or is_amount(value, payment.amount),
        f"amount {payment.amount}, as the SALE asks for",
        payment.reply,
        f"amount is {value!r}.",
    )


@requirement("S2C-SCP-15")
def test_scheduled_payments_of_nothing_are_refused(payments: Payments, card_actions: Baselines[FormRequest]) -> None:
    nothing = payments.requests.amount(0)

    must_refuse(payments.merchant.post(card_actions("sale_with_schedule").with_("payment_schedule_amount", nothing)))


@requirement("S2C-SCP-22")
@pytest.mark.parametrize("change", [lambda amount: amount[:-1], lambda amount: f"{amount}0"], ids=["fewer", "more"])
def test_scheduled_amount_with_other_decimals_than_its_currency_is_refused(
    change: Callable[[str], str], payments: Payments, card_actions: Baselines[FormRequest]
) -> None:
    amount = payments.requests.part
    if "." not in amount:
        not_applicable("amounts of the currency that most checks pay in are written without decimals")
    # A gateway may schedule no other amount than the first one, and refuse each.
    sale = card_actions("sale_with_schedule").with_("payment_schedule_amount", amount)
    must_apply(payments.merchant.post(sale), "payment_schedule_amount")

    sale = card_actions("sale_with_schedule").with_("payment_schedule_amount", change(amount))
    must_refuse(payments.merchant.post(sale))


@requirement("S2C-SCP-16")
def test_date_of_the_first_charge_is_shown(payments: Payments, clock: Clock) -> None:
    schedule = payments.schedules.create(creation(interval_length=str(DAYS)))
    sale = payments.requests.baseline("initial_sale").with_("schedule_id", schedule.id)

    # Line 60: what a chain is known by comes once its first payment has settled.
    payment = payments.confirmed(payments.open(sale), "SETTLED")

    # Line 299: what is not delayed may fall due at once, or an interval later.
    today = day_of(payment, clock)
    must_have_first_date(payments, payment, today + timedelta(days=DAYS), today)


@requirement("S2C-SCP-16", "S2C-SCP-10")
def test_start_date_is_shown_as_the_date_of_the_first_charge(payments: Payments, clock: Clock) -> None:
    day = day_of(payments.fresh("with_schedule"), clock) + timedelta(days=DAYS)
    sale = payments.requests.baseline("initial_sale").with_("schedule_id", payments.schedules.shared().id)

    payment = payments.confirmed(payments.open(sale.with_("schedule_start_date", day.isoformat())), "SETTLED")

    must_show_start_date_if_any(payments, payment, day)


@requirement("S2C-SCP-10")
@waits(0)
def test_start_date_is_shown_as_it_was_sent_whatever_the_hour(payments: Payments, clock: Clock) -> None:
    schedule = payments.schedules.shared()
    for hour in BESIDE_MIDNIGHT:
        day = move_to(hour, clock).date() + timedelta(days=DAYS)
        sale = payments.requests.baseline("initial_sale").with_("schedule_id", schedule.id)

        payment = payments.confirmed(payments.open(sale.with_("schedule_start_date", day.isoformat())), "SETTLED")

        must_show_start_date_if_any(payments, payment, day)


@requirement("S2C-SCP-10")
@pytest.mark.parametrize("mode", DELAYS)
def test_start_date_at_the_end_of_a_month_wins_over_every_delay(mode: str, payments: Payments, clock: Clock) -> None:
    day = next_31st(day_of(payments.fresh("with_schedule"), clock) + timedelta(days=DAYS))
    with where_it_comes_about(f"a schedule with delayed_first_payment={mode}"):
        schedule = payments.schedules.create(delayed(mode))
    sale = payments.requests.baseline("initial_sale").with_("schedule_id", schedule.id)

    payment = payments.confirmed(payments.open(sale.with_("schedule_start_date", day.isoformat())), "SETTLED")

    must_show_start_date_if_any(payments, payment, day)


def next_31st(day: date) -> date:
    """Return the first 31st of a month from a day on."""
    while day.day != LAST_OF_MONTH:
        day += ONE_DAY
    return day


@requirement("S2C-SCP-16")
@waits(0)
def test_date_of_the_first_charge_is_to_come_though_days_passed_at_the_challenge(
    payments: Payments, clock: Clock
) -> None:
    must_be_moved(clock)
    with where_it_comes_about("a SALE that starts a schedule, and whose payer passes the challenge days later"):
        must_offer(payments.requests.profile, ("capability:three_ds", "test_data:cards.three_ds_success"), "s2s_card")
        schedule = payments.schedules.create(creation(interval_length="1"))
        sale = payments.requests.baseline("initial_sale").with_("schedule_id", schedule.id)
        payment = must_be_sent_away(payments, sale, "three_ds_success")
        clock.elapse(DAYS_AT_THE_CHALLENGE * A_DAY)
        payment = payments.passed(payment, "SETTLED")

    reply = first_with(replies_about(payments, payment)[1:], "first_recurring_date")
    first = day_in(reply.object.get("first_recurring_date"))
    if first is None:
        not_applicable(NO_FIRST_DATE)
    day = day_of(payment, clock) + timedelta(days=DAYS_AT_THE_CHALLENGE)
    expected = f"first_recurring_date not before {day}, the day of the challenge"
    must_hold(first >= day - ONE_DAY, expected, reply, f"first_recurring_date is {first}.")


def must_have_first_date(payments: Payments, payment: Payment, wanted: date, *others: date) -> None:
    """Answer or look-up carry first_recurring_date; it is one of the dates, or beside it in another time zone."""
    reply = first_with(replies_about(payments, payment), "first_recurring_date")
    value = reply.object.get("first_recurring_date")
    dates = (wanted, *others)
    expected = f"first_recurring_date {' or '.join(map(str, dates))} in the answer or in a look-up"
    must_carry(reply, "first_recurring_date")
    is_one = any(abs(date_in(str(value)) - each) <= ONE_DAY for each in dates)
    must_hold(is_one, expected, reply, f"first_recurring_date is {value!r}.")


def must_show_start_date_if_any(payments: Payments, payment: Payment, wanted: date) -> None:
    """The start date is that of the first charge where one is shown: line 363 shows no body of these answers.

    A date alone is of no zone: only one with its time may be of the day beside.
    """
    reply = first_with(replies_about(payments, payment), "first_recurring_date")
    value = reply.object.get("first_recurring_date")
    if not value:
        not_applicable(NO_FIRST_DATE)
    beside = ONE_DAY if ":" in str(value) else timedelta()
    expected = f"first_recurring_date {wanted}, the schedule_start_date"
    must_hold(abs(date_in(str(value)) - wanted) <= beside, expected, reply, f"first_recurring_date is {value!r}.")


@requirement("S2C-SCH-28")
@pytest.mark.parametrize("length", [1, DAYS])
def test_first_interval_of_another_length_is_shown_in_the_date_of_the_first_charge(
    length: int, payments: Payments, clock: Clock
) -> None:
    schedule = payments.schedules.create(delayed("by_interval", first_payment_interval_length=str(length)))

    payment, first = started(payments, schedule)

    day = day_of(payment, clock) + timedelta(days=length)
    expected = f"first_recurring_date {day}, {length} days after the SALE"
    must_hold(abs(first - day) <= ONE_DAY, expected, payment.reply, f"first_recurring_date is {first}.")


@requirement("S2C-SCH-28")
@pytest.mark.parametrize(
    ("unit", "first_unit", "days"),
    [pytest.param("month", "day", range(3, 4), id="days"), pytest.param("day", "month", range(89, 93), id="months")],
)
def test_first_interval_of_another_unit_is_shown_in_the_date_of_the_first_charge(
    unit: str, first_unit: str, days: range, payments: Payments, clock: Clock
) -> None:
    of_its_own = delayed("by_interval", interval_unit=unit, first_payment_interval_unit=first_unit)
    with where_it_comes_about(f"a schedule by {unit} whose first charge comes after an interval by {first_unit}"):
        schedule = payments.schedules.create(of_its_own)

    payment, first = started(payments, schedule)

    day = day_of(payment, clock)
    is_due = any(abs(first - day - timedelta(days=each)) <= ONE_DAY for each in days)
    expected = f"first_recurring_date {of_its_own.get('first_payment_interval_length')} {first_unit}s after {day}"
    must_hold(is_due, expected, payment.reply, f"first_recurring_date is {first}.")


@requirement("S2C-SCH-29")
def test_every_day_of_the_week_is_that_of_the_first_charge(payments: Payments) -> None:
    dates = {day: first for day in "1234567" if (first := first_on(day, payments))}
    off = {day: days_beside(first, day) for day, first in dates.items()}
    usual = max(off.values(), key=list(off.values()).count)
    # A day may begin between two of the payments: what differs is asked for once more.
    again = {day: first_on(day, payments) for day, days in off.items() if days != usual}

    # In which time zone a date is shown is open, and so is from which day on days are numbered; all have it alike.
    wrong = {day: first for day, first in again.items() if first and days_beside(first, day) != usual}
    shown = "; ".join(f"{first:%A} {first} for {day}" for day, first in (dates | wrong).items())
    expected = "first_recurring_date on the day of the week that first_payment_day_of_week names, 1 being Monday"
    explanation = f"That of {', '.join(wrong or dates)} falls on another day."
    must(Finding(expected, shown, explanation) if wrong or usual not in BESIDE else None)


def first_on(day: str, payments: Payments) -> date | None:
    """Return when the first charge comes that waits for a day of the week, or ``None``: there is no Sunday as 7."""
    wanted = delayed("to_day_of_week", first_payment_day_of_week=day)
    if day == SUNDAY and answer_of(payments.merchant.post(wanted)) is Answer.REFUSED:
        return None
    return started(payments, payments.schedules.create(wanted))[1]


def days_beside(first: date, day: str) -> int:
    """Return by how many days a date comes after the nearest day of the week of this number."""
    return (first.isoweekday() - int(day) + 3) % DAYS_OF_A_WEEK - 3


@requirement("S2C-SCH-30")
@pytest.mark.parametrize("ahead", [-4, 4], ids=["passed", "to-come"])
def test_day_of_the_month_is_that_of_the_first_charge(ahead: int, payments: Payments, clock: Clock) -> None:
    near = day_of(payments.fresh("with_schedule"), clock) + timedelta(days=ahead)
    wanted = min(near.day, LAST_OF_EVERY_MONTH)
    schedule = payments.schedules.create(delayed("to_day_of_month", first_payment_day_of_month=str(wanted)))

    payment, first = started(payments, schedule)

    day = day_of(payment, clock)
    is_on_it = any((first + timedelta(days=days)).day == wanted for days in BESIDE)
    is_to_come = first >= day - ONE_DAY
    expected = f"first_recurring_date on day {wanted} of a month, and after {day}, the day of the SALE"
    must_hold(is_on_it and is_to_come, expected, payment.reply, f"first_recurring_date is {first}.")


def started(payments: Payments, schedule: Schedule) -> tuple[Payment, date]:
    """Start a schedule with a SALE; return that, and the date of the first charge where it is shown."""
    sale = payments.requests.baseline("initial_sale").with_("schedule_id", schedule.id)
    payment = payments.confirmed(payments.open(sale), "SETTLED")
    first = day_in(
        first_with(replies_about(payments, payment), "first_recurring_date").object.get("first_recurring_date")
    )
    if first is None:
        not_applicable(NO_FIRST_DATE)
    return payment, first


@requirement("S2C-SCP-17")
@pytest.mark.parametrize(
    ("name", "value"), [("schedule_start_date", "2037-01-31"), ("payment_schedule_amount", "4.00")]
)
def test_details_of_schedules_mean_nothing_early(
    name: str, value: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_accept(s2s_card.post(card_actions("sale_with_schedule").with_(name, value)))
