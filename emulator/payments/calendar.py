"""When scheduled charges fall due. Every charge comes at the time of day at which its chain was started."""

from calendar import monthrange
from collections.abc import Mapping
from datetime import MAXYEAR, date, datetime, timedelta
from typing import Final

Terms = Mapping[str, str]

_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_ABBREVIATED: Final = 3


def weekday_of(text: str) -> int | None:
    """The weekday, Monday being 0, of a name, its first three letters, or a number: 1 is Monday, 7 and 0 Sunday."""
    if text.isascii() and text.isdigit() and int(text) <= len(_WEEKDAYS):
        return (int(text) - 1) % len(_WEEKDAYS)
    found = [index for index, name in enumerate(_WEEKDAYS) if text.lower() in {name, name[:_ABBREVIATED]}]
    return found[0] if found else None


def months_later(moment: datetime, months: int, day: int) -> datetime:
    """That many months later, on ``day`` or on the last day of a month that is shorter."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    year = min(year, MAXYEAR)
    return moment.replace(year=year, month=month + 1, day=min(day, monthrange(year, month + 1)[1]))


def later(moment: datetime, length: str, unit: str, day: int) -> datetime:
    """One interval later; ``day`` is the day of the month to come back to where the unit is a month."""
    if unit == "month":
        return months_later(moment, int(length), day)
    return moment + timedelta(days=int(length) * (7 if unit == "week" else 1))


def _day_of_month(terms: Terms, otherwise: int) -> int:
    return int(terms.get("day_of_month") or otherwise) if terms["interval_unit"] == "month" else otherwise


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
            unit = terms["first_payment_interval_unit"]
            return later(start, terms["first_payment_interval_length"], unit, start.day)
        case "to_day_of_week":
            weekday = weekday_of(terms["first_payment_day_of_week"]) or 0
            return start + timedelta(days=(weekday - start.weekday() - 1) % 7 + 1)
        case "to_day_of_month":
            return _next_day_of_month(start, int(terms["first_payment_day_of_month"]))
        case _:
            length = int(terms["interval_length"]) * (1 + int(terms.get("delays") or 0))
            return later(start, str(length), terms["interval_unit"], _day_of_month(terms, start.day))


def anchor_day(terms: Terms, start: datetime, due: datetime) -> int:
    """The day of the month that charges come back to after a month that is too short for it."""
    match terms.get("delayed_first_payment"):
        case "to_day_of_month":
            wanted = int(terms["first_payment_day_of_month"])
        case "by_interval" | "to_day_of_week":
            wanted = due.day
        case _:
            wanted = _day_of_month(terms, start.day)
    return wanted if due.day == min(wanted, monthrange(due.year, due.month)[1]) else due.day


def following_due(terms: Terms, previous: datetime, anchor: int) -> datetime:
    """When the charge after one at ``previous`` falls due; ``anchor`` is the day of the month of the first one."""
    return later(previous, terms["interval_length"], terms["interval_unit"], _day_of_month(terms, anchor))
