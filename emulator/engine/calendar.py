"""When scheduled charges fall due. Every charge comes at the time of day at which its chain was started."""

from calendar import monthrange
from collections.abc import Mapping
from datetime import MAXYEAR, date, datetime, timedelta
from typing import Final

Terms = Mapping[str, str]

_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ABBREVIATED: Final = 3
_LONGEST: Final = 4


def weekday_of(text: str) -> int | None:
    """The weekday, Monday being 0, of a name, its first three letters, or a number: 1 is Monday, 7 and 0 Sunday."""
    if text.isascii() and text.isdigit() and int(text) <= len(_WEEKDAYS):
        return (int(text) - 1) % len(_WEEKDAYS)
    found = [index for index, name in enumerate(_WEEKDAYS) if text.lower() in {name, name[:_ABBREVIATED]}]
    return found[0] if found else None


def number(terms: Terms, name: str, otherwise: int) -> int:
    """A term that is a number; what is none counts as not given."""
    text = terms.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST else otherwise


def months_later(moment: datetime, months: int, day: int) -> datetime:
    """That many months later, on ``day`` or on the last day of a month that is shorter."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    year = min(year, MAXYEAR)
    return moment.replace(year=year, month=month + 1, day=min(max(1, day), monthrange(year, month + 1)[1]))


def later(moment: datetime, length: int, unit: str, day: int) -> datetime:
    """One interval later; ``day`` is the day of the month to come back to where the unit is a month."""
    if unit == "month":
        return months_later(moment, length, day)
    return moment + timedelta(days=length * (7 if unit == "week" else 1))


def _day_of_month(terms: Terms, otherwise: int) -> int:
    return number(terms, "day_of_month", otherwise) if terms.get("interval_unit") == "month" else otherwise


def _next_day_of_month(start: datetime, day: int) -> datetime:
    this_month = months_later(start, 0, day)
    return this_month if this_month > start else months_later(start, 1, day)


def first_due(terms: Terms, start: datetime, day: date | None) -> datetime:
    """When the first charge of a chain falls due that is started at ``start``.

    A ``day`` that was asked for wins over the delay of the schedule; a day that has passed is today.
    """
    if day is not None:
        return max(start, start.replace(year=day.year, month=day.month, day=day.day))
    match terms.get("delayed_first_payment"):
        case "by_interval":
            unit = terms.get("first_payment_interval_unit", "day")
            return later(start, number(terms, "first_payment_interval_length", 1), unit, start.day)
        case "to_day_of_week":
            weekday = weekday_of(terms.get("first_payment_day_of_week", "")) or 0
            return start + timedelta(days=(weekday - start.weekday() - 1) % 7 + 1)
        case "to_day_of_month":
            return _next_day_of_month(start, number(terms, "first_payment_day_of_month", 1))
        case _:
            length = number(terms, "interval_length", 1) * (1 + number(terms, "delays", 0))
            return later(start, length, terms.get("interval_unit", "day"), _day_of_month(terms, start.day))


def anchor_day(terms: Terms, start: datetime, due: datetime) -> int:
    """The day of the month that charges come back to after a month that is too short for it."""
    match terms.get("delayed_first_payment"):
        case "to_day_of_month":
            wanted = number(terms, "first_payment_day_of_month", 1)
        case "by_interval" | "to_day_of_week":
            wanted = due.day
        case _:
            wanted = _day_of_month(terms, start.day)
    return wanted if due.day == min(max(1, wanted), monthrange(due.year, due.month)[1]) else due.day


def following_due(terms: Terms, previous: datetime, anchor: int) -> datetime:
    """When the charge after one at ``previous`` falls due; ``anchor`` is the day of the month of the first one."""
    length, unit = number(terms, "interval_length", 1), terms.get("interval_unit", "day")
    return later(previous, max(1, length), unit, _day_of_month(terms, anchor))
