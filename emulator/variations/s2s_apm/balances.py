"""Variations of what an account pays out, and in which currency: no line promises its money."""

from decimal import Decimal, InvalidOperation
from typing import Final

from emulator.changes import s2s_apm as apm
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal

_BALANCE: Final = Decimal(20_000)
_INSUFFICIENT: Final = Refusal(Kind.APM_FIELDS, "Insufficient balance of the merchant.")

_OTHER_CURRENCY: Final = Refusal(Kind.APM_FIELDS, "The account pays out in KES.")


def _beyond_the_balance(attempt: ApmAttempt) -> Refusal | None:
    try:
        return _INSUFFICIENT if Decimal(attempt.form.get("order_amount", "")) > _BALANCE else None
    except InvalidOperation:
        return None


def _elsewhere(attempt: ApmAttempt) -> Refusal | None:
    pays_in = attempt.form.get("order_currency") == "KES"
    is_restricted = attempt.account is not None and attempt.account.hash == "sha256"
    return _OTHER_CURRENCY if is_restricted and not pays_in else None


VARIATIONS: Final = (
    Variation(
        "apm-payouts-within-a-balance",
        "Payouts of more than an account has are refused.",
        apm.last(_beyond_the_balance, "CREDIT2VIRTUAL"),
    ),
    Variation(
        "apm-sha256-account-pays-out-in-kes",
        "The account with the SHA256 option pays out in one currency, which is not that of the first operator.",
        apm.last(_elsewhere, "CREDIT2VIRTUAL"),
    ),
)
