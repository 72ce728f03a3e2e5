"""Test cards of the sandbox: what becomes of a payment by card number and expiry date."""

from dataclasses import dataclass
from datetime import date
from typing import Final

CARD: Final = "4111111111111111"
ALWAYS_GOOD: Final = "4601541833776519"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a card does to a sale: whether it is approved, and whether it starts a recurring chain."""

    approved: bool
    recurring: bool = False


DECLINED: Final = Outcome(approved=False)
_OUTCOMES: Final = {
    (CARD, "01", "2038"): Outcome(approved=True, recurring=True),
    (CARD, "02", "2038"): DECLINED,
    (CARD, "03", "2038"): Outcome(approved=True),
}
TOKEN_OUTCOME: Final = Outcome(approved=True, recurring=True)


def outcome_of(number: str, month: str, year: str) -> Outcome:
    """The outcome of a payment by card; a card that the sandbox does not know is declined."""
    if number == ALWAYS_GOOD:
        return Outcome(approved=True)
    return _OUTCOMES.get((number, month, year), DECLINED)


def expired(month: str, year: str, today: date) -> bool:
    """Tell whether a card is past the end of its month of expiry; a month or year that is no number is none."""
    if not (month.isdecimal() and year.isdecimal()):
        return False
    return (int(year), int(month)) < (today.year, today.month)
