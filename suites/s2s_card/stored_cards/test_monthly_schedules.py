"""Monthly schedules: they charge on the same day of each month, whether they begin by themselves or on a start date."""

from __future__ import annotations

from datetime import timedelta

import pytest

from fixtures.deferred import waits
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.s2s_card.subscriptions import Subscriptions
from fixtures.requirement import requirement
from fixtures.run import Run

pytestmark = waits(0, looks_at="monthly subscriptions of S2S CARD")

LAST_DAY_OF_EVERY_MONTH = 28


@pytest.fixture
def monthly(run: Run) -> Subscriptions:
    """Monthly subscriptions of the main account, watched for more than two months."""
    return run.monthly_subscriptions


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("monthly", marks=requirement("S2C-SCP-05")),
        pytest.param("monthly from a date", marks=requirement("S2C-SCP-11")),
    ],
)
def test_monthly_schedule_charges_on_the_same_day_of_each_month(name: str, monthly: Subscriptions) -> None:
    with where_it_comes_about("more than two months"):
        course = monthly.course(name)
        monthly.control()
    started = course.subscription.started
    dates = [started + timedelta(days=charge.day) for charge in course.charges]
    if any(one.day > LAST_DAY_OF_EVERY_MONTH for one in (started, *dates[:1])):
        not_applicable("on which day a month is charged that is shorter, no line says")
    received = ", ".join(map(str, dates)) or "no charge"
    if len(dates) < 2:
        monthly.say_unknown_charges()
        inconclusive(f"within 70 days: {received}", decides="a target whose monthly schedules charge each month")
    if len({one.day for one in dates}) == 1:
        return
    if not monthly.is_prompt:
        inconclusive(
            f"the charges are of {received}, and not every daily one came on its day",
            decides="a clock in [run] of the profile that lets what falls due happen before it answers",
        )
    must(Finding("charges on the same day of each month", f"charges on {received}", "An interval is not a month."))
