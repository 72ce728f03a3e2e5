"""Variations of what decides that the later charges of a chain are declined: a card, or an amount."""

from collections.abc import Callable
from typing import Final

from emulator.design import Design
from emulator.engine.payments import Payment
from emulator.variations.model import Variation

_LAST_FOUR: Final = "6519"
"""Of a card that pays, and whose later charges are declined."""
_AMOUNT: Final = "6.66"
"""Of a charge that is declined."""


def _by_card(initial: Payment, _amount: str) -> bool:
    return initial.card is not None and initial.card.last_four == _LAST_FOUR


def _by_amount(_initial: Payment, amount: str) -> bool:
    return amount == _AMOUNT


def _declined(declines: Callable[[Payment, str], bool]) -> Callable[[Design], Design]:
    return lambda design: design.in_card(declines_charge=declines).in_checkout(declines_charge=declines)


VARIATIONS: Final = (
    Variation(
        "charges-are-declined-by-card",
        "A card decides that later charges of its chain are declined, and no account does.",
        _declined(_by_card),
    ),
    Variation(
        "charges-are-declined-by-amount",
        "An amount decides that a later charge of a chain is declined, and no account does.",
        _declined(_by_amount),
    ),
)
