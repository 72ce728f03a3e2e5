"""A variation of card credits: an account that pays nothing out gives back what was paid."""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout import Handler, around
from emulator.engine.payments import Protocol, State
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Reply

_LOOKED_AT: Final = 200


def _newest_given_back(handler: Handler, attempt: PostAttempt) -> Reply:
    """Refund the payment of the order, or the newest one by the card of the token."""
    gateway, account = attempt.gateway, attempt.account
    if account is None or attempt.payment is not None:
        return handler(attempt)
    card = gateway.vault.card(account, str(attempt.body.get("card_token") or ""))
    paid = [
        payment
        for payment in gateway.payments.latest(_LOOKED_AT)
        if (payment.protocol, payment.state, payment.account) == (Protocol.CHECKOUT, State.SETTLED, account)
        and card is not None
        and payment.card is not None
        and payment.card.fragment == card.fragment
    ]
    newest = max(paid, key=lambda one: one.created, default=None)
    return handler(replace(attempt, payment=newest))


VARIATIONS: Final = (
    Variation(
        "card-credit-gives-back-the-newest",
        "A card credit of an order of its own gives back the newest payment by the card of its token.",
        around(_newest_given_back, "card_credit"),
    ),
)
