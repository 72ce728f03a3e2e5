"""Monthly schedules: they charge once a month, whether they begin by themselves or on a start date."""

from __future__ import annotations

import itertools
from datetime import date, timedelta

import pytest

from fixtures.deferred import waits
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.protocols.s2s_card.subscriptions import Course, Subscriptions
from fixtures.requirement import requirement
from fixtures.run import Run

pytestmark = waits(0, looks_at="monthly subscriptions of S2S CARD")

DAYS_OF_A_MONTH = range(27, 33)
"""A month has 28 to 31 days, and a charge may be dated a day off."""


@pytest.fixture
def monthly(run: Run) -> Subscriptions:
    """Monthly subscriptions of the main account, watched for more than two months."""
    return run.monthly_subscriptions


@requirement("S2C-SCP-20")
@pytest.mark.parametrize("name", ["monthly", "monthly from a date"])
def test_monthly_schedule_charges_once_a_month(name: str, monthly: Subscriptions) -> None:
    dates = must_charge_once_a_month(monthly.course(name), monthly)

    note_reading("S2C-SCP-20", "calendar" if len({one.day for one in dates}) == 1 else "fixed")


@requirement("S2C-SCP-11")
def test_later_charges_follow_the_start_date_and_not_the_day_of_the_month_of_the_schedule(
    monthly: Subscriptions,
) -> None:
    with where_it_comes_about("a schedule with a start date and a day of the month"):
        course = monthly.course("monthly from a date, not a day of the month")

    must_charge_once_a_month(course, monthly)


def must_charge_once_a_month(course: Course, monthly: Subscriptions) -> list[date]:
    monthly.control()
    dates = [course.subscription.started + timedelta(days=charge.day) for charge in course.charges]
    received = f"charges on {', '.join(map(str, dates))}" if dates else "no charge"
    if len(dates) < 2 and not monthly.is_prompt:
        inconclusive(received, decides="a clock in [run] of the profile that lets what falls due happen at once")
    if len(dates) < 2:
        monthly.must_show_absence()
        must(Finding("two charges within seventy days", received, "Others are charged daily."))
    if wrong := [gap for gap in gaps(dates) if gap not in DAYS_OF_A_MONTH]:
        if not monthly.is_prompt:
            inconclusive(received, decides="a clock in [run] of the profile that lets what falls due happen at once")
        must(Finding("charges a month apart", received, f"Between two of them are {wrong[0]} days."))
    return dates


def gaps(dates: list[date]) -> list[int]:
    return [(later - earlier).days for earlier, later in itertools.pairwise(dates)]
