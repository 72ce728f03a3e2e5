"""Changes of single rows of the field tables."""

from dataclasses import replace
from typing import cast

from emulator.rules.keywords import DECIMAL
from emulator.rules.model import Check, Rule


def any_scheduled_decimals(row: Rule) -> Rule:
    """The row of the amount of scheduled payments looks at the number alone."""
    bound = cast("Check", row.bound)

    def whole(value: object) -> object:
        is_amount = isinstance(value, str) and DECIMAL.fullmatch(value) is not None
        return f"{cast('str', value).partition('.')[0]}.00" if is_amount else value

    if (row.path, row.keyword) != ("payment_schedule_amount", "decimals"):
        return row
    return replace(row, bound=lambda value, parent, context: bound(whole(value), parent, context))
