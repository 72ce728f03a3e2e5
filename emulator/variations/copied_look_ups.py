"""Variations of look-ups that read a copy, which knows a payment a moment after it was made."""

from datetime import datetime
from typing import Final

from emulator.changes import s2s_apm as apm
from emulator.changes import s2s_card as card
from emulator.changes.checkout import Handler, around
from emulator.engine.payments import Payment
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Refusal, Reply

_COPIED_AFTER: Final = 0.15
_OF_CARD: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")
_SENTENCE: Final = "Look-ups read a copy, which knows a payment a moment after it was made."


def _is_young(payment: Payment | None, now: datetime) -> bool:
    return payment is not None and (now - payment.created).total_seconds() < _COPIED_AFTER


def _card_not_copied(attempt: CardAttempt) -> Refusal | None:
    return attempt.behaviour.unknown if _is_young(attempt.payment, attempt.gateway.clock.now()) else None


def _apm_not_copied(attempt: ApmAttempt) -> Refusal | None:
    gateway = attempt.gateway
    return gateway.apm.not_found[attempt.action] if _is_young(attempt.payment, gateway.clock.now()) else None


def _checkout_from_a_copy(handler: Handler, attempt: PostAttempt) -> Reply:
    gateway, body, account = attempt.gateway, attempt.body, attempt.account
    if account is None:
        return handler(attempt)
    by_id = body.get("payment_id") is not None
    of_order = [] if by_id else gateway.payments.of_order(account, str(body.get("order_id")))
    oldest = gateway.payments.find(account, str(body["payment_id"])) if by_id else next(reversed(of_order), None)
    if not _is_young(oldest, gateway.clock.now()):
        return handler(attempt)
    return gateway.answers.refuse(attempt.operation.not_found if by_id else gateway.checkout.order_not_found)


VARIATIONS: Final = (
    Variation("apm-look-ups-lag", _SENTENCE, apm.last(_apm_not_copied, "GET_TRANS_STATUS")),
    Variation("card-look-ups-lag", _SENTENCE, card.last(_card_not_copied, *_OF_CARD)),
    Variation("checkout-look-ups-lag", _SENTENCE, around(_checkout_from_a_copy, "status")),
)
