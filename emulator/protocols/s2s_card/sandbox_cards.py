"""Test cards of the sandbox: what becomes of a payment by card number and expiry date."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from emulator.engine.payments import Card, State

CARD: Final = "4111111111111111"
ALWAYS_GOOD: Final = "4601541833776519"
_PAYOUT_DECLINED: Final = "4917484589897107"
_PAYOUT_WAITS: Final = "4000000000000002"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a card does to a payment.

    ``approved`` is what the issuer says, once the payer has come back where ``challenge`` is the state that waits for
    the payer; ``captures`` says whether a capture succeeds.
    """

    approved: bool
    captures: bool = True
    challenge: State | None = None
    waits: bool = False


DECLINED: Final = Outcome(approved=False)
GOOD: Final = Outcome(approved=True)
_OUTCOMES: Final = {
    (CARD, "01", "2038"): GOOD,
    (CARD, "02", "2038"): DECLINED,
    (CARD, "03", "2038"): Outcome(approved=True, captures=False),
    (CARD, "05", "2038"): Outcome(approved=True, challenge=State.CHALLENGED),
    (CARD, "06", "2038"): Outcome(approved=False, challenge=State.CHALLENGED),
    (CARD, "12", "2038"): Outcome(approved=True, challenge=State.REDIRECTED),
    (CARD, "12", "2039"): Outcome(approved=False, challenge=State.REDIRECTED),
}
_PAYOUTS: Final = {_PAYOUT_DECLINED: DECLINED, _PAYOUT_WAITS: Outcome(approved=True, waits=True)}
# The card behind wallet tokens that are decrypted.
WALLET_CARD: Final = Card("411111", "1111", "01", "2038", "", "VISA")


def outcome_of(number: str, month: str, year: str) -> Outcome:
    """The outcome of a payment by card; a card that the sandbox does not know is declined."""
    if number == ALWAYS_GOOD:
        return GOOD
    return _OUTCOMES.get((number, month, year), DECLINED)


def payout_outcome(number: str) -> Outcome:
    """The outcome of a payout to a card."""
    return _PAYOUTS.get(number, GOOD)


def expired(month: str, year: str, today: date) -> bool:
    """Whether a card is past the end of its month of expiry; a month or year that is no number is none."""
    if not (month.isdecimal() and year.isdecimal()):
        return False
    return (int(year), int(month)) < (today.year, today.month)


_BRANDS: Final = (
    ("34", "AMEX"),
    ("37", "AMEX"),
    ("35", "JCB"),
    ("6011", "DISCOVER"),
    ("65", "DISCOVER"),
    ("4", "VISA"),
    ("5", "MASTERCARD"),
    ("2", "MASTERCARD"),
)


def brand_of(number: str) -> str:
    """The brand of a card by the first digits of its number; empty for one that nobody knows."""
    return next((brand for start, brand in _BRANDS if number.startswith(start)), "")


def stored(number: str, month: str, year: str, holder: str = "") -> Card:
    """What is kept of a card."""
    return Card(number[:6], number[-4:], month, year, holder, brand_of(number))
