"""Schedules that something else started than a plain SALE: who is charged by them, when, how much, and who is not.

All of them are watched in the one passage of time that :mod:`test_scheduled_charges` looks at.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from fixtures.deferred import waits
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.s2s_card.courses import (
    in_words,
    must_be_charged_on,
    must_charge,
    must_have_charged,
    must_not_be_charged,
    must_not_be_charged_more_often,
)
from fixtures.protocols.s2s_card.subscription_kinds import (
    COUNTED_OF,
    DELETED_AND_CREATED_AGAIN,
    DESCHEDULED_BY_ANOTHER,
    DESCHEDULED_OF,
    DESCHEDULED_WHILE_PAUSED_OF,
    KINDS,
    PAUSED,
    UNPAID,
)
from fixtures.protocols.s2s_card.subscription_plans import COUNT
from fixtures.protocols.s2s_card.subscriptions import A_DAY_OFF, Course, Subscriptions
from fixtures.requirement import requirement
from fixtures.run import Run

pytestmark = waits(0, looks_at="subscriptions of S2S CARD")

DECLINED_SALE = "a sale that is declined"
of_every_kind = pytest.mark.parametrize("kind", KINDS)


@pytest.fixture
def subscriptions(run: Run) -> Subscriptions:
    """Subscriptions of the main account, watched while the clock is moved."""
    return run.subscriptions


def counted(kind: str, subscriptions: Subscriptions) -> Course:
    """Return the course of the subscription of a kind that ends by itself, once others were charged."""
    with where_it_comes_about(f"a schedule of {kind}"):
        course = subscriptions.course(COUNTED_OF.format(kind))
    must_have_charged(subscriptions.course("counted"), subscriptions, f"the schedule of {COUNT} payments")
    return course


@requirement("S2C-SCP-05")
@of_every_kind
def test_schedule_charges_whatever_started_it(kind: str, subscriptions: Subscriptions) -> None:
    course = counted(kind, subscriptions)

    if not course.charges:
        subscriptions.must_show_absence()
        must(
            Finding("charges by the schedule", in_words(course), "Payers of plain SALEs are charged, and this is not.")
        )


@requirement("S2C-SCP-10")
@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if kind.has_own_terms])
def test_start_date_counts_whatever_names_it(kind: str, subscriptions: Subscriptions) -> None:
    course = counted(kind, subscriptions)
    must_have_charged(course, subscriptions, "the schedule")

    must_be_charged_on(course, KINDS[kind].dues(subscriptions.payments)[:1], subscriptions)


@requirement("S2C-SCP-14")
@of_every_kind
def test_schedule_charges_the_amount_that_was_said_whatever_started_it(kind: str, subscriptions: Subscriptions) -> None:
    course, payments = counted(kind, subscriptions), subscriptions.payments
    with where_it_comes_about(f"a charge by a schedule of {kind}"):
        must_have_charged(course, subscriptions, "the schedule")

    must_charge(course, KINDS[kind].amount(payments), subscriptions, KINDS[kind].currency_of(payments))


@requirement("S2C-SCP-06")
@of_every_kind
def test_schedule_charges_as_many_times_as_it_says_whatever_started_it(kind: str, subscriptions: Subscriptions) -> None:
    course = counted(kind, subscriptions)
    with where_it_comes_about(f"a charge by a schedule of {kind}"):
        must_have_charged(course, subscriptions, "the schedule")

    must_not_be_charged_more_often(course, COUNT)
    if len(course.charges) < COUNT - 1:
        subscriptions.must_show_absence()
        # One less where what starts the schedule is the first of them.
        expected = f"{COUNT} charges, as payments_count says, or {COUNT - 1}"
        must(Finding(expected, in_words(course), "There are fewer."))


@requirement("S2C-SCH-54")
@of_every_kind
def test_descheduled_payer_is_charged_no_more_whatever_started_the_schedule(
    kind: str, subscriptions: Subscriptions
) -> None:
    with where_it_comes_about(f"DESCHEDULE of {kind}"):
        course = subscriptions.course_after_the_start(DESCHEDULED_OF.format(kind))

    must_not_be_charged(course, subscriptions)


@requirement("S2C-SCH-54")
@pytest.mark.parametrize("kind", PAUSED)
def test_payer_who_was_taken_off_a_paused_schedule_is_not_charged_when_it_runs(
    kind: str, subscriptions: Subscriptions
) -> None:
    with where_it_comes_about("DESCHEDULE while the schedule is paused"):
        course = subscriptions.course_after_the_start(DESCHEDULED_WHILE_PAUSED_OF.format(kind))

    must_not_be_charged(course, subscriptions)


@requirement("S2C-SCH-56")
def test_payer_stays_though_another_merchant_asked_for_deschedule(subscriptions: Subscriptions) -> None:
    course = subscriptions.course_after_the_start(DESCHEDULED_BY_ANOTHER)
    must_have_charged(subscriptions.course("usual"), subscriptions, "the usual schedule")

    if not course.charges:
        subscriptions.must_show_absence()
        must(Finding("charges by a schedule that continues", in_words(course), "Another merchant ended it."))


@requirement("S2C-SCP-07")
def test_payer_of_a_deleted_schedule_is_not_charged_by_a_new_one_of_its_id(subscriptions: Subscriptions) -> None:
    with where_it_comes_about("a schedule with the id of one that was deleted"):
        course = subscriptions.course_after_the_start(DELETED_AND_CREATED_AGAIN)

    must_not_be_charged(course, subscriptions)


@requirement("S2C-SCP-21")
def test_schedule_charges_nobody_whose_sale_was_declined(subscriptions: Subscriptions) -> None:
    must_never_be_charged(subscriptions.course(DECLINED_SALE), subscriptions)


@requirement("S2C-SCP-21")
@pytest.mark.parametrize("name", [name for name in UNPAID if name != DECLINED_SALE])
def test_schedule_charges_nobody_who_has_not_paid(name: str, subscriptions: Subscriptions) -> None:
    with where_it_comes_about(f"a schedule of {name}"):
        course = subscriptions.course(name)

    must_never_be_charged(course, subscriptions)


def must_never_be_charged(course: Course, subscriptions: Subscriptions) -> None:
    """No payment comes but the first one, which never settled; that it was declined may be said again, or late."""
    opening = course.subscription.payment.opening.get("action") or ""
    others = [charge for charge in course.charges if not charge.callback.has(action=opening, result="DECLINED")]
    later = tuple(charge for charge in others if charge.day > A_DAY_OFF)

    must_not_be_charged(replace(course, charges=later), subscriptions)
