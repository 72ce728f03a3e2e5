"""Variations of look-ups that read a copy, which knows a payment a moment after it was made."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from emulator.changes import s2s_apm as apm
from emulator.changes import s2s_card as card
from emulator.changes.checkout import Handler, around
from emulator.engine.payments import Payment, Protocol
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal, Reply

_COPIED_AFTER: Final = 0.15
_SUCCESS: Final = 200
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
    if by_id:
        found = gateway.payments.find(account, str(body["payment_id"]))
        is_missed = _is_young(found, gateway.clock.now())
        return gateway.answers.refuse(attempt.operation.not_found) if is_missed else handler(attempt)
    of_order = [one for one in gateway.payments.of_order(account, str(body.get("order_id"))) if _is_of_checkout(one)]
    copied = [one for one in of_order if not _is_young(one, gateway.clock.now())]
    if len(copied) == len(of_order):
        return handler(attempt)
    return _without_the_youngest(handler(attempt), attempt, copied)


def _without_the_youngest(reply: Reply, attempt: PostAttempt, copied: Sequence[Payment]) -> Reply:
    gateway = attempt.gateway
    if reply.kind is not Kind.CHECKOUT_STATUS or reply.status != _SUCCESS:
        return reply
    if not copied:
        return gateway.answers.refuse(gateway.checkout.order_not_found)
    shown = tuple(payment_object(gateway, one) for one in copied)
    return replace(reply, listed=shown[: len(reply.listed)]) if reply.listed else replace(reply, body=shown[0])


def _is_of_checkout(payment: Payment) -> bool:
    return payment.protocol is Protocol.CHECKOUT


VARIATIONS: Final = (
    Variation("apm-look-ups-lag", _SENTENCE, apm.last(_apm_not_copied, "GET_TRANS_STATUS")),
    Variation("card-look-ups-lag", _SENTENCE, card.last(_card_not_copied, *_OF_CARD)),
    Variation("checkout-look-ups-lag", _SENTENCE, around(_checkout_from_a_copy, "status")),
)
