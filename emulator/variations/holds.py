"""Variations of how long an authorization holds: line 316 says it of S2S APM, and nothing of cards."""

from datetime import timedelta
from typing import Final

from emulator.changes import checkout, s2s_card
from emulator.design import all_of
from emulator.engine.payments import State
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.variations.model import Variation

_HOLDS_FOR: Final = timedelta(days=4)


def _give_up(attempt: CardAttempt | PostAttempt) -> None:
    payment = attempt.payment
    if payment is None or payment.state is not State.AUTHORIZED:
        return
    if attempt.gateway.clock.now() - payment.created > _HOLDS_FOR:
        payment.state = State.RELEASED


VARIATIONS: Final = (
    Variation(
        "card-holds-end",
        "An authorization of S2S CARD that nobody captured for four days is released.",
        all_of(
            *(
                s2s_card.last(_give_up, action)
                for action in ("CAPTURE", "CREDITVOID", "VOID", "GET_TRANS_STATUS", "GET_TRANS_DETAILS")
            )
        ),
    ),
    Variation(
        "checkout-holds-end",
        "An authorization of Checkout that nobody captured for four days is released.",
        all_of(*(checkout.last(_give_up, name) for name in ("capture", "void", "refund", "status"))),
    ),
)
