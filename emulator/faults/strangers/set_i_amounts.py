"""Faults of amounts of nothing in other currencies, that the suite did not notice at first (set I).

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.rules.amounts import is_zero
from emulator.rules.model import Check, Context, JsonObject, Rule

_ZERO: Final = ("0", "0.00")
_RULES: Final = (("order_amount", "positive"), ("order.amount", "positive"), ("payment_schedule_amount", "decimals"))
_PAYING: Final = ("SALE", "DEBIT", "CARD2CARD", "CREDIT2CARD", "RECURRING_SALE")


def _known_by(texts: tuple[str, ...]) -> Callable[[Rule], Rule]:
    """Nothing is known by these texts only; any other is more than nothing."""

    def change(row: Rule) -> Rule:
        if (row.path, row.keyword) not in _RULES or not callable(row.bound):
            return row
        check: Check = row.bound

        def bound(value: object, parent: JsonObject, context: Context) -> bool:
            is_missed = isinstance(value, str) and is_zero(value) and value not in texts
            return is_missed or check(value, parent, context)

        return replace(row, bound=bound)

    return change


def _in_sessions(texts: tuple[str, ...], *operations: str) -> Change:
    """Nothing is known by these texts only where an operation is one of those."""
    known = _known_by(texts)

    def change(row: Rule) -> Rule:
        lax = known(row)
        if lax is row or not callable(row.bound) or not callable(lax.bound):
            return row
        strict_bound: Check = row.bound
        lax_bound: Check = lax.bound

        def bound(value: object, parent: JsonObject, context: Context) -> bool:
            return (lax_bound if context.operation in operations else strict_bound)(value, parent, context)

        return replace(row, bound=bound)

    def changed(design: Design) -> Design:
        return design.with_rows(change)

    return changed


FAULTS: Final = faults(
    {
        "i-zero-known-by-two-decimals-in-card-actions": breaks(
            "S2C-AMT-04 S2C-AMT-10 S2C-AMT-11 S2C-AMT-12 S2C-SCP-15",
            "Payments by S2S CARD take 0.000 in a currency of three decimals, and nothing with any more (line 352).",
            lambda design: design.with_post_rows(_known_by(_ZERO), *_PAYING),
            since="6.7.0",
        ),
        "i-zero-known-by-two-decimals-in-apm": breaks(
            "APM-SAL-15",
            "A SALE of S2S APM takes 0.000 in a currency of three decimals, and nothing with any more (line 447).",
            lambda design: design.with_apm_rows("SALE", _known_by(_ZERO)),
        ),
        "i-zero-of-a-crypto-currency-taken": breaks(
            "CHK-ORD-19",
            "Nothing with eight decimals is taken in a plain purchase; with up to four it is refused (line 71).",
            _in_sessions((*_ZERO, "0.000", "0.0000"), "purchase"),
        ),
        "i-zero-known-by-two-decimals-in-other-operations": breaks(
            "CHK-ORD-25",
            "A debit, a credit and a transfer take nothing that is written with three decimals or more (line 71).",
            _in_sessions(_ZERO, "debit", "credit", "transfer"),
        ),
    }
)
