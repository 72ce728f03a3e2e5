"""Which brands S2S APM takes, and what a payment by each becomes.

A sale's outcome is chosen by its ``identifier``, a payout's by ``parameters[customer_email]``.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from emulator.accounts import METHODS

TEST_BRAND: Final = "vcard"
PAYOUT_BRAND: Final = "mobile-money"
# Brand and family of each method that a sale can name.
SALES: Final[Mapping[str, str]] = {
    TEST_BRAND: "test",
    **{method: family for method, family in METHODS.items() if family != "card"},
}
PAYOUTS: Final[Mapping[str, str]] = {PAYOUT_BRAND: "mobile_money"}
CRYPTO: Final = frozenset({"crypto_wallet", "crypto_deposit"})
INSTANT_QR: Final = "instant_qr"


class Outcome(Enum):
    """What becomes of a sale or payout."""

    PAID = "paid"
    DECLINED = "declined"
    REDIRECTED = "redirected"
    UNDEFINED = "undefined"
    CRYPTO = "waits for coins"
    QR_CODE = "waits for a scan"


IDENTIFIERS: Final[Mapping[str, Outcome]] = {
    "success@gmail.com": Outcome.PAID,
    "fail@gmail.com": Outcome.DECLINED,
    "redirect@gmail.com": Outcome.REDIRECTED,
    "undefined@gmail.com": Outcome.UNDEFINED,
}
# What the bank reports of an instant QR payment, by identifier, in the words of the bank.
BANK_REPORTS: Final[Mapping[str, str]] = {
    "executed@bank.example": "ACSC",
    "rejected@bank.example": "RJCT",
    "pending@bank.example": "PDNG",
}


def sale_outcome(family: str, identifier: str) -> Outcome:
    """What becomes of a sale; identifiers that mean nothing to the test engine pay, with coins once they come in."""
    if family == INSTANT_QR:
        return Outcome.QR_CODE
    outcome = IDENTIFIERS.get(identifier, Outcome.PAID)
    return Outcome.CRYPTO if family in CRYPTO and outcome is Outcome.PAID else outcome


def payout_outcome(email: str) -> Outcome:
    """What becomes of a payout; nobody is sent elsewhere for one."""
    outcome = IDENTIFIERS.get(email, Outcome.PAID)
    return Outcome.PAID if outcome is Outcome.REDIRECTED else outcome
