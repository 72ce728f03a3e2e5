"""Faults of closed lists: a word that is close to those of the list is taken as well."""

from dataclasses import replace
from typing import Final, cast

from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.rules.model import Rule

_PAYMENTS: Final = "parameters.card.cart.payments[]"


def _also(name: str, word: str) -> Change:
    def changed(row: Rule) -> Rule:
        if row.path != f"{_PAYMENTS}.{name}" or row.keyword != "enum":
            return row
        return replace(row, bound=(*cast("tuple[str, ...]", row.bound), word))

    return lambda design: design.with_rows(changed)


FAULTS: Final = faults(
    {
        "type-voucher-accepted": breaks(
            "CHK-CPM-02", "The type VOUCHER is taken beside those of the list.", _also("type", "VOUCHER")
        ),
        "status-settled-accepted": breaks(
            "CHK-CPM-05", "The status settled is taken beside those of the list.", _also("status", "settled")
        ),
    },
    prefix="cart-payment-",
)
