"""The faults of the field tables of Checkout payments and of Hosted Payment Fields."""

from collections.abc import Callable
from typing import Final

from emulator.design import Design
from emulator.faults.derived import derived
from emulator.rules.checkout_payments import ROWS
from emulator.rules.hosted_fields import PAYMENT, TOKEN
from emulator.rules.model import Rule


def _changing(name: str) -> Callable[[Design, Callable[[Rule], Rule | None]], Design]:
    return lambda design, change: design.with_checkout_rows(name, change)


FAULTS: Final = (
    *(fault for name, rows in ROWS.items() for fault in derived(rows, _changing(name), f"checkout-{name}.")),
    *derived((row for row in TOKEN if row.requirement.startswith("HPF-")), Design.with_token_rows, "hosted-token."),
    *derived(PAYMENT, Design.with_hosted_payment_rows, "hosted-payment."),
)
