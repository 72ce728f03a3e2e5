"""Rows of the requests that create, change and use schedules."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from emulator.engine.calendar import weekday_of
from emulator.rules.model import Condition, Context, JsonObject, Rule
from emulator.rules.s2s_card.actions import required

_COUNT: Final = "[0-9]{1,4}"
_LENGTH: Final = "[1-9][0-9]{0,2}"
_DAY: Final = "[1-9]|[12][0-9]|3[01]"
_MODES: Final = ("none", "by_interval", "to_day_of_week", "to_day_of_month")
_COMPANIONS: Final = {
    "first_payment_interval_length": "by_interval",
    "first_payment_interval_unit": "by_interval",
    "first_payment_day_of_week": "to_day_of_week",
    "first_payment_day_of_month": "to_day_of_month",
}


def _delayed(mode: str) -> Condition:
    return lambda _context, parent: parent.get("delayed_first_payment") == mode


def _monthly(_context: Context, parent: JsonObject) -> bool:
    return parent.get("interval_unit") == "month"


def _weekday(value: object, _parent: JsonObject, _context: Context) -> bool:
    return not isinstance(value, str) or weekday_of(value) is not None


def _values() -> Iterator[Rule]:
    yield Rule("name", "maxLength", 100, requirement="S2C-SCH-07")
    yield Rule("interval_length", "pattern", _LENGTH, requirement="S2C-SCH-08")
    yield Rule("interval_unit", "enum", ("day", "month"), requirement="S2C-SCH-11")
    yield Rule("payments_count", "pattern", _COUNT, requirement="S2C-SCH-09")
    yield Rule("day_of_month", "pattern", _DAY, requirement="S2C-SCH-12", when=_monthly)
    yield Rule("delays", "pattern", "[0-9]{1,2}", until="6.6.5")
    yield Rule("delays", "accepted", requirement="S2C-SCH-18", until="6.6.5")
    yield Rule("delayed_first_payment", "enum", _MODES, requirement="S2C-SCH-23", accepts="S2C-SCH-22", since="6.7.0")
    for name, mode in _COMPANIONS.items():
        yield Rule(name, "required", when=_delayed(mode), since="6.7.0")
    yield Rule("first_payment_interval_length", "pattern", _LENGTH, since="6.7.0")
    yield Rule("first_payment_interval_unit", "enum", ("day", "week", "month"), since="6.7.0")
    yield Rule("first_payment_day_of_week", "combination", _weekday, since="6.7.0")
    yield Rule("first_payment_day_of_month", "pattern", _DAY, requirement="S2C-SCH-27", since="6.7.0")


CREATE_SCHEDULE: Final = (
    *required("", "client_key"),
    *required("S2C-SCH-03", "name"),
    *required("S2C-SCH-04", "interval_length"),
    *required("S2C-SCH-05", "interval_unit"),
    *required("S2C-SCH-06", "payments_count"),
    *_values(),
)


def _of_update(row: Rule) -> str:
    """The requirement of a rule, which came with the action; before, no rule of it is one."""
    if not row.requirement or row.until:
        return ""
    return row.requirement if row.path == "name" else "S2C-SCH-34"


UPDATE_SCHEDULE: Final = (
    *required("", "client_key"),
    *required("S2C-SCH-44", "schedule_id"),
    *(Rule(name, "notBlank") for name in ("name", "interval_length", "interval_unit", "payments_count")),
    *(replace(row, requirement=_of_update(row), accepts="") for row in _values()),
)
USED_SCHEDULE: Final = (*required("", "client_key"), *required("S2C-SCH-44", "schedule_id"))
DESCHEDULE: Final = (*required("", "client_key"), *required("S2C-SCH-55", "recurring_token", "schedule_id"))
