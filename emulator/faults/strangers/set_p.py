"""Faults of another author that the suite did not notice at first (set P), and others of their classes.

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.rules.amounts import is_zero
from emulator.rules.model import Check, Context, JsonObject, Rule

Asked = Callable[[JsonObject], bool]

_NEW: Final = "6.7.0"
_SAYING_YES: Final = (True, "Y")


# --- amounts of nothing where the provider takes none ---


def _both(*names: str) -> Asked:
    return lambda asked: all(asked.get(name) in _SAYING_YES for name in names)


def _debited(asked: JsonObject) -> bool:
    return asked.get("operation") == "debit" and asked.get("recurring_init") is True


def _scheduled(asked: JsonObject) -> bool:
    return bool(asked.get("schedule_id")) and asked.get("recurring_init") is True


def _by_wallet(asked: JsonObject) -> bool:
    return bool(asked.get("payment_token")) and asked.get("auth") == "Y"


def _free(path: str, fits: Asked) -> Callable[[Rule], Rule]:
    """Nobody looks whether the provider takes amounts of nothing where a request asks for something."""

    def change(row: Rule) -> Rule:
        if (row.path, row.keyword) != (path, "positive") or not callable(row.bound):
            return row
        check: Check = row.bound

        def bound(value: object, parent: JsonObject, context: Context) -> bool:
            is_missed = isinstance(value, str) and is_zero(value) and fits(context.body)
            return is_missed or check(value, parent, context)

        return replace(row, bound=bound)

    return change


def _session_of_nothing(fits: Asked) -> Change:
    return lambda design: design.with_rows(_free("order.amount", fits))


def _sale_of_nothing(fits: Asked) -> Change:
    return lambda design: design.with_sale_rows(_free("order_amount", fits))


FAULTS: Final = faults(
    {
        **{
            f"p-zero-without-provider-{name}": breaks(
                requirements,
                f"Of a provider without zero-value transactions a session of nothing is accepted {when} (line 71).",
                _session_of_nothing(fits),
                since=_NEW,
            )
            for name, requirements, when, fits in (
                (
                    "where-both-are-asked-for",
                    "CHK-ORD-22 CHK-ORD-23",
                    "that authorizes and starts a chain",
                    _both("auth", "recurring_init"),
                ),
                ("held-with-token", "CHK-ORD-22", "that holds it and asks for a token", _both("auth", "req_token")),
                ("held-with-vat", "CHK-ORD-22", "that holds it and has VAT calculated", _both("auth", "vat_calc")),
                (
                    "chain-with-token",
                    "CHK-ORD-23",
                    "that starts a chain and asks for a token",
                    _both("recurring_init", "req_token"),
                ),
                ("chain-of-debits", "CHK-ORD-23", "that starts a chain of debits", _debited),
                ("chain-by-schedule", "CHK-ORD-23", "that starts a schedule", _scheduled),
            )
        },
        **{
            f"p-card-zero-without-provider-{name}": breaks(
                "S2C-AMT-07",
                f"Of a provider without zero-value transactions a SALE of nothing is accepted {when} (line 352).",
                _sale_of_nothing(fits),
                since=_NEW,
            )
            for name, when, fits in (
                (
                    "where-both-are-asked-for",
                    "that authorizes and starts a chain",
                    _both("auth", "recurring_init"),
                ),
                ("held-with-token", "that holds it and asks for a token", _both("auth", "req_token")),
                ("chain-with-token", "that starts a chain and asks for a token", _both("recurring_init", "req_token")),
                ("held-by-wallet", "that holds it by a wallet", _by_wallet),
            )
        },
    }
)
