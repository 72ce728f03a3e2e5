"""Variations of schedules: what the contract leaves open in when and how often they charge."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from emulator.accounts import ACCOUNTS, Account
from emulator.changes.s2s_card import answering
from emulator.engine.calendar import Terms, first_due
from emulator.engine.schedules import Schedule, Subscription, is_over, same_owner
from emulator.rules.model import Context, JsonObject, Rule
from emulator.variations.model import Variation
from emulator.wire.values import Object


def _first_payment_counts(subscription: Subscription) -> bool:
    return is_over(replace(subscription, made=subscription.made + 1))


def _later_today(terms: Terms, start: datetime, day: date | None) -> datetime:
    evening = start.replace(hour=23, minute=59, second=59)
    return min(start + timedelta(hours=1), evening) if day == start.date() else first_due(terms, start, day)


def _first_at_once(terms: Terms, start: datetime, day: date | None) -> datetime:
    is_delayed = terms.get("delayed_first_payment", "none") != "none"
    return first_due(terms, start, day) if day is not None or is_delayed else start


def _on_file_of_main(account: Account, schedule: Schedule) -> bool:
    is_on_file = schedule.created is None
    return same_owner(account, schedule) and (not is_on_file or account.key == ACCOUNTS[0].key)


_NAMES: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


_NESTED: Final = frozenset({"name", "interval_length", "interval_unit", "payments_count"})


def _named(value: object, _parent: JsonObject, _context: Context) -> bool:
    return not isinstance(value, str) or value in _NAMES


def _by_name(row: Rule) -> Rule:
    return (
        replace(row, bound=_named) if row.path == "first_payment_day_of_week" and row.keyword == "combination" else row
    )


def _nested(body: Object) -> Object:
    nested = {name: value for name, value in body.items() if name in _NESTED}
    return {name: value for name, value in body.items() if name not in _NESTED} | {"schedule": nested}


_ACTIONS: Final = ("CREATE_SCHEDULE", "UPDATE_SCHEDULE", "SCHEDULE_INFO", "PAUSE", "RUN", "DESCHEDULE")


def _with_a_status(body: Object) -> Object:
    return {**body, "status": "PAUSED" if body.get("paused") == "Y" else "ACTIVE"}


VARIATIONS: Final = (
    Variation(
        "schedules-on-file-are-of-one-account",
        "Schedules that were there before the first request are the main account's, and no other account knows them.",
        lambda design: design.in_schedules(owns=_on_file_of_main),
    ),
    Variation(
        "card-schedules-have-a-status",
        "Answers about a schedule say whether it is ACTIVE or PAUSED; lines 359 to 363 show no body.",
        answering(_with_a_status, *_ACTIONS),
    ),
    Variation(
        "card-schedule-info-nested",
        "SCHEDULE_INFO has the parameters in an object; line 363 shows no body.",
        answering(_nested, "SCHEDULE_INFO"),
    ),
    Variation(
        "card-weekdays-by-name",
        "first_payment_day_of_week is the name of a day; line 301 shows no form of it.",
        lambda design: design.with_post_rows(_by_name, "CREATE_SCHEDULE", "UPDATE_SCHEDULE"),
    ),
    Variation(
        "schedule-of-today-charges-later",
        "A schedule that is started on its schedule_start_date charges an hour later.",
        lambda design: design.in_schedules(first_due=_later_today),
    ),
    Variation(
        "first-charge-comes-at-once",
        "A schedule without delay makes its first charge as soon as it starts; line 299 does not say when.",
        lambda design: design.in_schedules(first_due=_first_at_once),
    ),
    Variation(
        "first-payment-counts",
        "The payment that starts a schedule is the first of payments_count.",
        lambda design: design.in_schedules(is_over=_first_payment_counts),
    ),
)
