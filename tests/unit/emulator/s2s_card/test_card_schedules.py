"""Schedules of S2S CARD: when they charge, and which start nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from emulator.engine.calendar import anchor_day, first_due, following_due, weekday_of
from tests.unit.emulator.probes.card_posts import Merchant, digest
from tests.unit.emulator.probes.probe import MAIN

_UNKNOWN = "5c4ed01e-0000-4000-8000-0000000000ff"


def test_a_schedule_that_is_paused_or_unknown_starts_nothing() -> None:
    merchant = Merchant()
    schedule = merchant.new_schedule()
    merchant.schedule("PAUSE", schedule)

    assert merchant.sale(recurring_init="Y", schedule_id=schedule)["result"] == "ERROR"
    assert merchant.sale(recurring_init="Y", schedule_id=_UNKNOWN)["error_message"] == "Schedule not found"
    assert merchant.sale(recurring_init="Y", schedule_id="x")["error_message"] == "This is not a valid UUID."
    assert merchant.send("DESCHEDULE", digest(MAIN.password[::-1])).status == 400


_MONTHLY = {"interval_length": "1", "interval_unit": "month"}


_START = datetime(2027, 1, 31, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    ("terms", "start", "day", "due"),
    [
        ({}, _START, None, date(2027, 2, 28)),
        ({"day_of_month": "15"}, _START, None, date(2027, 2, 15)),
        ({"interval_length": "13"}, _START, None, date(2028, 2, 29)),
        ({}, _START, date(2027, 3, 1), date(2027, 3, 1)),
        ({}, _START, date(2020, 3, 1), date(2027, 1, 31)),
        (
            {"delayed_first_payment": "to_day_of_week", "first_payment_day_of_week": "sun"},
            _START,
            None,
            date(2027, 2, 7),
        ),
        ({"delayed_first_payment": "to_day_of_week", "first_payment_day_of_week": "1"}, _START, None, date(2027, 2, 1)),
        (
            {"delayed_first_payment": "to_day_of_month", "first_payment_day_of_month": "30"},
            _START,
            None,
            date(2027, 2, 28),
        ),
        (
            {
                "delayed_first_payment": "by_interval",
                "first_payment_interval_length": "2",
                "first_payment_interval_unit": "week",
            },
            _START,
            None,
            date(2027, 2, 14),
        ),
    ],
)
def test_when_the_first_charge_falls_due(terms: dict[str, str], start: datetime, day: date | None, due: date) -> None:
    assert first_due({**_MONTHLY, **terms}, start, day).date() == due


def test_charges_come_back_to_their_day_after_a_short_month() -> None:
    february = first_due(_MONTHLY, _START, None)

    anchor = anchor_day(_MONTHLY, _START, february)
    assert following_due(_MONTHLY, february, anchor).date() == date(2027, 3, 31)


def test_weekdays_by_name_and_number() -> None:
    assert [weekday_of(text) for text in ("monday", "SUN", "7", "0", "1", "someday", "9")] == [
        0,
        6,
        6,
        6,
        0,
        None,
        None,
    ]
