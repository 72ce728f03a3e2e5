"""Variations of what decides that the later charges of a chain are declined: a card, or an amount."""

from collections.abc import Callable
from typing import Final

from emulator.changes import checkout, s2s_card
from emulator.changes.stages import refusal_if
from emulator.design import Design, all_of
from emulator.engine.payments import Payment, State
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal

_LAST_FOUR: Final = "6519"
"""Of a card that pays, and whose later charges are declined."""
_AMOUNT: Final = "6.66"
"""Of a charge that is declined."""
_UNSUPPORTED: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)


def _by_card(initial: Payment, _amount: str) -> bool:
    return initial.card is not None and initial.card.last_four == _LAST_FOUR


def _by_amount(_initial: Payment, amount: str) -> bool:
    return amount == _AMOUNT


def _declined(declines: Callable[[Payment, str], bool]) -> Callable[[Design], Design]:
    return lambda design: design.in_card(declines_charge=declines).in_checkout(declines_charge=declines)


def _is_settled(attempt: PostAttempt | CardAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.state is State.SETTLED


VARIATIONS: Final = (
    Variation(
        "retry-of-settled-unsupported",
        "A retry of a settled payment is refused as an action that there is not.",
        all_of(
            checkout.last(refusal_if(_is_settled, _UNSUPPORTED), "retry"),
            s2s_card.last(refusal_if(_is_settled, _UNSUPPORTED), "RETRY"),
        ),
    ),
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
