"""Schedules of S2S CARD: what they say, and when they charge."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from emulator.engine.calendar import anchor_day, first_due, following_due, weekday_of
from tests.unit.emulator.probes.card_posts import Merchant, digest
from tests.unit.emulator.probes.probe import MAIN, Gateway

DAY = 86_400
_UNKNOWN = "5c4ed01e-0000-4000-8000-0000000000ff"


def charged(merchant: Merchant) -> list[dict[str, str]]:
    return [callback for callback in merchant.callbacks() if callback["action"] == "RECURRING_SALE"]


def after(merchant: Merchant, days: float) -> int:
    """How many scheduled charges were notified, that many days later."""
    merchant.gateway.advance(days * DAY)
    merchant.callbacks()
    return len(charged(merchant))


def test_a_schedule_charges_as_often_as_it_says() -> None:
    merchant = Merchant()
    schedule = merchant.new_schedule()
    first = merchant.sale(recurring_init="Y", schedule_id=schedule, payment_schedule_amount="2.00")

    assert first["schedule_id"] == schedule
    assert after(merchant, 0.9) == 0
    assert after(merchant, 0.2) == 1
    assert after(merchant, 1) == 2
    assert after(merchant, 20) == 3
    assert {received["amount"] for received in charged(merchant)} == {"2.00"}
    assert {received["order_id"] for received in charged(merchant)} == {first["order_id"]}


def test_a_paused_schedule_waits_until_it_runs() -> None:
    merchant = Merchant()
    schedule = merchant.new_schedule()
    merchant.sale(recurring_init="Y", schedule_id=schedule)

    assert merchant.schedule("PAUSE", schedule).body["result"] == "SUCCESS"
    assert merchant.schedule("SCHEDULE_INFO", schedule).body["paused"] == "Y"
    assert after(merchant, 3) == 0
    assert merchant.schedule("RUN_SCHEDULE", schedule).body["result"] == "SUCCESS"
    assert after(merchant, 1.1) == 1
    assert merchant.schedule("SCHEDULE_INFO", schedule).body["paused"] == "N"


def test_a_deleted_schedule_and_a_payer_taken_off_one_are_left_in_peace() -> None:
    merchant = Merchant()
    deleted, left = merchant.new_schedule(), merchant.new_schedule()
    merchant.sale(recurring_init="Y", schedule_id=deleted)
    first = merchant.sale(recurring_init="Y", schedule_id=left)

    assert merchant.schedule("DELETE_SCHEDULE", deleted).body["result"] == "SUCCESS"
    assert merchant.schedule("SCHEDULE_INFO", deleted).body["error_message"] == "Schedule not found"
    token = first["recurring_token"]
    assert merchant.schedule("DESCHEDULE", left, recurring_token=token).body["result"] == "SUCCESS"
    assert after(merchant, 5) == 0


def test_the_first_charge_comes_on_the_day_that_was_asked_for() -> None:
    merchant = Merchant()
    schedule = merchant.new_schedule(interval_length="10")
    day = (datetime.now(UTC).date() + timedelta(days=2)).isoformat()
    first = merchant.sale(recurring_init="Y", schedule_id=schedule, schedule_start_date=day)

    assert first["first_recurring_date"] == day
    assert after(merchant, 1) == 0
    assert after(merchant, 1.1) == 1


def test_a_schedule_is_read_and_changed() -> None:
    merchant = Merchant()
    schedule = merchant.new_schedule(schedule_id=_UNKNOWN)

    assert schedule == _UNKNOWN
    assert merchant.schedule("UPDATE_SCHEDULE", schedule, name="Other").body["result"] == "SUCCESS"
    received = merchant.schedule("SCHEDULE_INFO", schedule).body
    assert (received["name"], received["interval_length"], received["delays"]) == ("Other", "1", None)


@pytest.mark.parametrize(
    "action", ["UPDATE_SCHEDULE", "DELETE_SCHEDULE", "SCHEDULE_INFO", "PAUSE", "RUN", "PAUSE_SCHEDULE"]
)
def test_schedules_that_there_are_none_of(action: str) -> None:
    merchant = Merchant()

    assert merchant.schedule(action, "nonsense").body["error_message"] == "This is not a valid UUID."
    unknown = merchant.schedule(action, _UNKNOWN)
    assert (unknown.status, unknown.body["error_code"]) == (400, 100000)
    assert unknown.body["error_message"] == "Schedule not found"
    assert merchant.schedule(action).named() == ["schedule_id"]


def test_delays_were_retired() -> None:
    terms = {"name": "a", "interval_length": "1", "interval_unit": "day", "payments_count": "2", "delays": "1"}

    refused = Merchant().schedule("CREATE_SCHEDULE", **terms)
    assert (refused.status, refused.body["error_message"]) == (400, "Parameter is deprecated.")
    earlier = Merchant(gateway=Gateway(release="6.6.5", control=True))
    schedule = earlier.new_schedule(delays="1")
    earlier.sale(recurring_init="Y", schedule_id=schedule)
    assert after(earlier, 1.5) == 0
    assert after(earlier, 1) == 1


@pytest.mark.parametrize(
    ("terms", "fields"),
    [
        ({"name": ""}, ["name"]),
        ({"interval_length": "0"}, ["interval_length"]),
        ({"interval_unit": "year"}, ["interval_unit"]),
        ({"payments_count": "many"}, ["payments_count"]),
        ({"delayed_first_payment": "by_interval"}, ["first_payment_interval_length", "first_payment_interval_unit"]),
        ({"delayed_first_payment": "later"}, ["delayed_first_payment"]),
        ({"delayed_first_payment": "to_day_of_week", "first_payment_day_of_week": "8"}, ["first_payment_day_of_week"]),
        (
            {"delayed_first_payment": "to_day_of_month", "first_payment_day_of_month": "32"},
            ["first_payment_day_of_month"],
        ),
    ],
)
def test_terms_that_no_schedule_has(terms: dict[str, str], fields: list[str]) -> None:
    given = {"name": "a", "interval_length": "1", "interval_unit": "day", "payments_count": "2"} | terms

    assert Merchant().schedule("CREATE_SCHEDULE", **given).named() == fields


def test_a_schedule_that_is_paused_or_unknown_starts_nothing() -> None:
    merchant = Merchant()
    schedule = merchant.new_schedule()
    merchant.schedule("PAUSE", schedule)

    assert merchant.sale(recurring_init="Y", schedule_id=schedule)["result"] == "ERROR"
    assert merchant.sale(recurring_init="Y", schedule_id=_UNKNOWN)["error_message"] == "Schedule not found"
    assert merchant.sale(recurring_init="Y", schedule_id="x")["error_message"] == "This is not a valid UUID."
    assert merchant.send("DESCHEDULE", digest(MAIN.password[::-1])).status == 400


_MONTHLY = {"interval_length": "1", "interval_unit": "month"}


def _weekly(day: str) -> dict[str, str]:
    return {"delayed_first_payment": "to_day_of_week", "first_payment_day_of_week": day}


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
