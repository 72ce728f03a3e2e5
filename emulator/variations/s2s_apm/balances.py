"""Variations of what an account has to pay out: no line promises its money."""

from decimal import Decimal, InvalidOperation
from typing import Final

from emulator.changes import s2s_apm as apm
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal

_BALANCE: Final = Decimal(20_000)
_INSUFFICIENT: Final = Refusal(Kind.APM_FIELDS, "Insufficient balance of the merchant.")


def _beyond_the_balance(attempt: ApmAttempt) -> Refusal | None:
    try:
        return _INSUFFICIENT if Decimal(attempt.form.get("order_amount", "")) > _BALANCE else None
    except InvalidOperation:
        return None


VARIATIONS: Final = (
    Variation(
        "apm-payouts-within-a-balance",
        "Payouts of more than an account has are refused.",
        apm.last(_beyond_the_balance, "CREDIT2VIRTUAL"),
    ),
)
