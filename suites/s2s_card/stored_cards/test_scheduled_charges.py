"""When schedules charge, how often, how much, and when no more.

The target's clock is moved, or, where it cannot be, a first charge of today is looked at; see the subscriptions.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from contract.catalogue import load_catalogue
from fixtures.callbacks.judging import must_have
from fixtures.deferred import waits
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must, must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.protocols.s2s_card.courses import (
    first_counts,
    in_words,
    must_be_charged_as_often_as,
    must_be_charged_on,
    must_charge,
    must_have_charged,
    must_not_be_charged,
    must_not_be_charged_more_often,
)
from fixtures.protocols.s2s_card.subscription_plans import (
    CHANGED_FIRST_INTERVAL,
    COUNT,
    COUNTED,
    FIRST_BY_INTERVAL,
    IN_THREE_DECIMALS,
    INTERVAL_AFTER_START,
    INTERVAL_OF_COUNTED,
    RUN_ON,
    USUAL_INTERVAL,
    next_day_of_month,
    next_weekday,
    third_amount,
)
from fixtures.protocols.s2s_card.subscriptions import A_DAY_OFF, LENGTH, Course, Subscriptions
from fixtures.requirement import must_concern, requirement
from fixtures.run import Run
from fixtures.wire.hostile import day_in

pytestmark = waits(0, looks_at="subscriptions of S2S CARD")


@pytest.fixture
def subscriptions(run: Run) -> Subscriptions:
    """Subscriptions of the main account, watched while the clock is moved."""
    return run.subscriptions


@requirement("S2C-SCP-01")
def test_schedule_that_a_sale_names_charges(subscriptions: Subscriptions) -> None:
    course = subscriptions.charged_course("usual")

    if not course.charges:
        subscriptions.must_show_absence()
        must(Finding("charges by the schedule", in_words(course), "The SALE did not start it."))


@requirement("S2C-SCP-05")
def test_schedule_charges_by_its_interval(subscriptions: Subscriptions) -> None:
    dues = range(USUAL_INTERVAL, LENGTH, USUAL_INTERVAL)

    must_be_charged_on(subscriptions.course_after_the_start("usual"), dues, subscriptions)


@requirement("S2C-SCP-05")
def test_schedule_that_was_looked_at_charges_by_its_interval(subscriptions: Subscriptions) -> None:
    with where_it_comes_about("a look at a schedule and its first payment between two charges"):
        course = subscriptions.course_after_the_start("looked at")
        must_have_charged(subscriptions.course_after_the_start("usual"), subscriptions, "a schedule nobody looked at")

    must_be_charged_on(course, range(USUAL_INTERVAL, LENGTH, USUAL_INTERVAL), subscriptions)


@requirement("S2C-SCP-05")
def test_daily_schedule_charges_every_day(subscriptions: Subscriptions) -> None:
    must_be_charged_on(subscriptions.course("daily"), range(1, LENGTH - 1), subscriptions)


@requirement("S2C-SCH-24")
def test_schedule_that_says_nothing_of_a_delay_has_none(subscriptions: Subscriptions) -> None:
    usual, not_delayed = subscriptions.course("usual"), subscriptions.course("not delayed")
    must_have_charged(not_delayed, subscriptions, "the schedule with delayed_first_payment none")

    must_be_charged_on(usual, not_delayed.days[:1], subscriptions)


@requirement("S2C-SCP-06")
def test_schedule_charges_as_many_times_as_it_says(subscriptions: Subscriptions) -> None:
    must_be_charged_as_often_as("counted", dues_of(COUNT), subscriptions)
    not_at_once = "first-counts" if first_counts(subscriptions) else "charges-only"
    note_reading("S2C-SCP-06", "first-at-once" if subscriptions.charges_at_once else not_at_once)


@requirement("S2C-SCP-06")
@pytest.mark.parametrize("name", [name for name in COUNTED if name != "counted"])
def test_schedule_of_few_payments_charges_as_many_times_as_it_says(name: str, subscriptions: Subscriptions) -> None:
    with where_it_comes_about(f"a schedule with payments_count={COUNTED[name]}"):
        subscriptions.course(name)
    must_have_charged(subscriptions.course("counted"), subscriptions, f"the schedule of {COUNT} payments")

    must_be_charged_as_often_as(name, dues_of(COUNTED[name]), subscriptions)


def dues_of(count: int) -> list[int]:
    return [INTERVAL_OF_COUNTED * time for time in range(1, count + 1)]


@requirement("S2C-SCP-06")
@pytest.mark.parametrize(
    ("name", "since"), [("counted and run again", "RUN"), ("counted and renamed", "UPDATE_SCHEDULE")]
)
def test_schedule_that_was_changed_charges_no_more_often_than_it_says(
    name: str, since: str, subscriptions: Subscriptions, run: Run
) -> None:
    if since == "UPDATE_SCHEDULE":
        must_concern([load_catalogue()["S2C-SCH-31"]], run.profile, run.release)
    course = subscriptions.course(name)
    must_have_charged(course, subscriptions, "the schedule")

    must_not_be_charged_more_often(course, COUNT, since)


@requirement("S2C-SCH-28")
def test_first_charge_comes_after_an_interval_of_its_own(subscriptions: Subscriptions) -> None:
    must_be_charged_on(subscriptions.course("by interval"), [FIRST_BY_INTERVAL], subscriptions)


@requirement("S2C-SCH-29")
def test_first_charge_comes_on_a_day_of_the_week(subscriptions: Subscriptions) -> None:
    course = subscriptions.course("to day of week")

    must_be_charged_on(course, [next_weekday(course.subscription.started)[1]], subscriptions)


@requirement("S2C-SCH-30")
def test_first_charge_comes_on_a_day_of_the_month(subscriptions: Subscriptions) -> None:
    course = subscriptions.course("to day of month")

    must_be_charged_on(course, [next_day_of_month(course.subscription.started)[1]], subscriptions)


@requirement("S2C-SCP-10")
def test_start_date_is_the_date_of_the_first_charge(subscriptions: Subscriptions) -> None:
    subscriptions.control()

    course = subscriptions.charged_course("from a date")
    must_be_charged_on(course, [subscriptions.days_to_the_start], subscriptions)


@requirement("S2C-SCP-11")
def test_later_charges_follow_the_start_date(subscriptions: Subscriptions) -> None:
    course = subscriptions.course("from a date")
    must_have_charged(course, subscriptions, "the schedule with a start date")
    first = course.days[0]

    must_be_charged_on(course, range(first, LENGTH - A_DAY_OFF, INTERVAL_AFTER_START), subscriptions)


@requirement("S2C-SCH-31")
def test_payer_after_an_update_is_first_charged_as_it_says(subscriptions: Subscriptions) -> None:
    with where_it_comes_about("an update of a schedule that has a payer"):
        course = subscriptions.course("changed between two payers")
    must_have_charged(course, subscriptions, "the schedule that was changed")
    two_sales = subscriptions.course("of two sales")
    for one in (course, two_sales):
        subscriptions.must_have_settled(one)
    if charged_at_first(two_sales) < 2 or not course.subscription.further:
        not_applicable("the target takes no second payer of a schedule, and no line says that it must")
    subscriptions.must_be_prompt(in_words(course))
    # Whether the payer before the update is still charged by what was said then, no line says.
    early = [day for day in course.days if day < CHANGED_FIRST_INTERVAL - A_DAY_OFF]

    if len(early) > 1:
        expected = f"one charge at most before day {CHANGED_FIRST_INTERVAL}, that of the payer before the update"
        must(Finding(expected, in_words(course), "The payer after the update is charged by what was said before."))


@requirement("S2C-SCP-14")
def test_schedule_charges_the_first_amount(subscriptions: Subscriptions) -> None:
    must_charge(subscriptions.charged_course("usual"), subscriptions.payments.requests.usual, subscriptions)


@requirement("S2C-SCP-14")
def test_schedule_charges_an_amount_of_its_own(subscriptions: Subscriptions) -> None:
    must_charge(subscriptions.charged_course("of another amount"), subscriptions.payments.requests.part, subscriptions)


@requirement("S2C-SCP-14")
def test_second_schedule_of_a_payer_charges_an_amount_of_its_own(subscriptions: Subscriptions) -> None:
    amount = third_amount(subscriptions.payments)

    must_charge(subscriptions.charged_course("of a third amount"), amount, subscriptions)


@requirement("S2C-SCP-14")
def test_schedule_that_runs_again_charges_an_amount_of_its_own(subscriptions: Subscriptions) -> None:
    must_have_charged(subscriptions.course("of another amount"), subscriptions, "the schedule that was never paused")
    with where_it_comes_about("a schedule of an amount of its own that was paused and runs again"):
        course = subscriptions.course("paused, of another amount")
        must_have_charged(course, subscriptions, "the schedule")

    must_charge(course, subscriptions.payments.requests.part, subscriptions)


@requirement("S2C-SCP-14")
@pytest.mark.parametrize("name", ["of three decimals", "of a scheduled amount of three decimals"])
def test_schedule_charges_all_decimals_of_the_currency(name: str, subscriptions: Subscriptions) -> None:
    currency = str(subscriptions.payments.requests.profile.test_data.currencies.exponent_3)
    with where_it_comes_about(f"a schedule in {currency}"):
        course = subscriptions.course(name)
    must_have_charged(subscriptions.course("usual"), subscriptions, "the usual schedule")
    with where_it_comes_about(f"a charge by schedule in {currency}"):
        must_have_charged(course, subscriptions, "the schedule")

    must_charge(course, IN_THREE_DECIMALS, subscriptions, currency)


@requirement("S2C-SCP-07")
def test_deleted_schedule_charges_nobody(subscriptions: Subscriptions) -> None:
    must_not_be_charged(subscriptions.course_after_the_start("deleted"), subscriptions)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("deleted once charged", marks=requirement("S2C-SCP-07")),
        pytest.param("paused once charged", marks=requirement("S2C-SCH-53")),
        pytest.param("descheduled once charged", marks=requirement("S2C-SCH-54")),
    ],
)
def test_schedule_that_ends_charges_no_more_though_it_charged_before(name: str, subscriptions: Subscriptions) -> None:
    course = subscriptions.course(name)
    must_have_charged(course, subscriptions, "the schedule, before it ended,")
    subscriptions.control()

    if any(day > RUN_ON + A_DAY_OFF for day in course.days):
        expected = f"no charge after day {RUN_ON}, on which it ended"
        must(Finding(expected, in_words(course), "The payer was charged all the same."))
    subscriptions.must_have_settled(course)


@requirement("S2C-SCP-14")
def test_charge_by_hand_leaves_the_amount_of_the_schedule_as_it_is(subscriptions: Subscriptions) -> None:
    course = subscriptions.course("charged by hand")
    by_itself = tuple(charge for charge in course.charges if charge.day > A_DAY_OFF)

    must_charge(replace(course, charges=by_itself), subscriptions.payments.requests.usual, subscriptions)


@requirement("CBK-S2C-24")
def test_charge_of_a_debit_by_schedule_is_notified_with_a_card_token(subscriptions: Subscriptions) -> None:
    course = subscriptions.charged_course("of a debit")
    must_have_charged(course, subscriptions, "the schedule of a DEBIT")

    for charge in course.charges:
        must_have(charge.callback, ("card_token",))


@requirement("S2C-SCH-56")
def test_schedule_goes_on_though_another_merchant_deleted_one_of_that_id(subscriptions: Subscriptions) -> None:
    course = subscriptions.course_after_the_start("deleted by another")
    must_have_charged(subscriptions.course("usual"), subscriptions, "the usual schedule")

    if not course.charges:
        subscriptions.must_show_absence()
        must(Finding("charges by a schedule that continues", in_words(course), "Another merchant ended it."))


@requirement("S2C-SCH-53")
def test_paused_schedule_charges_nobody_until_it_runs(subscriptions: Subscriptions) -> None:
    course = subscriptions.course_after_the_start("paused")

    must_not_be_charged(course, subscriptions, before=RUN_ON - A_DAY_OFF)


@requirement("S2C-SCH-53")
def test_paused_schedule_charges_nobody_though_it_was_changed(subscriptions: Subscriptions, run: Run) -> None:
    with where_it_comes_about("UPDATE_SCHEDULE of a paused schedule"):
        must_concern([load_catalogue()["S2C-SCH-31"]], run.profile, run.release)
        course = subscriptions.course_after_the_start("paused and renamed")

    must_not_be_charged(course, subscriptions)


@requirement("S2C-SCH-53")
def test_schedule_that_runs_again_charges_again(subscriptions: Subscriptions) -> None:
    course = subscriptions.course("paused")
    subscriptions.control()

    # At once for what fell due meanwhile, or after the next interval: from when on is not stated.
    if not any(day >= RUN_ON - A_DAY_OFF for day in course.days):
        subscriptions.must_show_absence()
        must(Finding(f"a charge after RUN on day {RUN_ON}", in_words(course), "The schedule charges nobody any more."))


@requirement("S2C-SCH-54")
def test_descheduled_payer_is_charged_no_more(subscriptions: Subscriptions) -> None:
    must_not_be_charged(subscriptions.course_after_the_start("descheduled"), subscriptions)


@requirement("S2C-SCH-54")
def test_other_payer_of_a_schedule_is_charged_though_one_was_descheduled(subscriptions: Subscriptions) -> None:
    course = subscriptions.course_after_the_start("of two payers, one descheduled")
    two_sales = subscriptions.course("of two sales")
    must_have_charged(subscriptions.course("usual"), subscriptions, "the usual schedule")
    for one in (course, two_sales):
        subscriptions.must_have_settled(one)
    if charged_at_first(two_sales) < 2 or not course.subscription.further:
        not_applicable("the target takes no second payer of a schedule, and no line says that it must")

    if not course.charges:
        subscriptions.must_show_absence()
        must(Finding("charges of the other payer", in_words(course), "DESCHEDULE of one payer ended them all."))


@requirement("S2C-SCP-19")
@pytest.mark.parametrize("name", ["of a sale and a debit", "of a debit and a sale"])
def test_schedule_of_two_operations_charges_both_payers(name: str, subscriptions: Subscriptions) -> None:
    # A target that lets a schedule charge one payer only, whatever started it, has no such thing to judge.
    two_sales, alone = subscriptions.course("of two sales"), subscriptions.course("of a debit")
    must_have_charged(two_sales, subscriptions, "the schedule of two SALEs")
    must_have_charged(alone, subscriptions, "the schedule of a DEBIT")
    course = subscriptions.course(name)
    for one in (course, two_sales):
        subscriptions.must_have_settled(one)
    if charged_at_first(two_sales) < 2 or not course.subscription.further:
        not_applicable("the target takes no second payer of a schedule, and no line says that it must")

    if charged_at_first(course) < 2:
        subscriptions.must_show_absence()
        expected = f"two charges on day {USUAL_INTERVAL} after the start, one of each payer"
        must(Finding(expected, in_words(course), "The schedule charges the payers of one operation only."))


def charged_at_first(course: Course) -> int:
    """Return how many payers are charged on the first due date or on a day beside."""
    return course.payers_charged(USUAL_INTERVAL + A_DAY_OFF)


@requirement("S2C-SCP-16")
def test_date_of_the_first_charge_stays_when_others_follow(subscriptions: Subscriptions) -> None:
    course = subscriptions.charged_course("usual")
    must_have_charged(course, subscriptions, "the schedule")
    payments, payment = subscriptions.payments, course.subscription.payment
    replies = [payments.look_up(payment), payments.merchant.post(payment.details())]
    found = [reply for reply in replies if day_in(reply.object.get("first_recurring_date"))]
    if not found:
        not_applicable("look-ups of this target show no first_recurring_date; the answer to the SALE may")

    for reply in found:
        value = day_in(reply.object.get("first_recurring_date"))
        off = (value - course.subscription.started).days - course.days[0] if value else 0
        expected = f"first_recurring_date of day {course.days[0]} after the start, on which the first charge came"
        must_hold(abs(off) <= A_DAY_OFF, expected, reply, f"first_recurring_date is {value}.")
