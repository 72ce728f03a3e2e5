"""Variations of look-ups that read a copy, which knows what was made a moment later, or shows it as it began."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from emulator.changes import s2s_apm as apm
from emulator.changes import s2s_card as card
from emulator.changes.checkout import Handler, around, instead
from emulator.design import Design
from emulator.engine.payments import Payment, Protocol
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.checkout.requests import check_signature as check_checkout_signature
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.stages import check_signature
from emulator.protocols.s2s_apm.stages import find_payment as find_apm_payment
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt
from emulator.protocols.s2s_card.stages import find_payment as find_card_payment
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal, Reply

_COPIED_AFTER: Final = 0.04
_SECOND_COPY: Final = 0.4
_SUCCESS: Final = 200
_OF_CARD: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")
_BEGUN: Final = "Look-ups show a payment as PREPARE for a moment, before they show its status."
_SENTENCE: Final = "Look-ups read a copy, which knows a payment a moment after it was made."


def _is_young(payment: Payment | None, now: datetime) -> bool:
    return payment is not None and _is_since(payment.created, now)


def _is_since(created: datetime, now: datetime, seconds: float = _COPIED_AFTER) -> bool:
    return (now - created).total_seconds() < seconds


def _card_not_copied(attempt: CardAttempt) -> Refusal | None:
    """Of an order the newest payment that the copy knows is found."""
    gateway, found = attempt.gateway, attempt.payment
    if found is None or not _is_young(found, gateway.clock.now()):
        return None
    of_order = () if attempt.account is None else gateway.payments.of_order(attempt.account, found.order_number)
    copied = (one for one in of_order if one.protocol is found.protocol and not _is_young(one, gateway.clock.now()))
    attempt.payment = next(copied, None) if attempt.action == "GET_TRANS_STATUS_BY_ORDER" else None
    return attempt.behaviour.unknown if attempt.payment is None else None


def _of_two_copies(design: Design) -> Design:
    """Look-ups go to two copies in turn, one of which knows a payment a while after it was made."""
    asked: Counter[str] = Counter()

    def missed(attempt: CardAttempt) -> Refusal | None:
        found = attempt.payment
        if found is None:
            return None
        asked[found.id] += 1
        is_missed = asked[found.id] % 2 == 0 and _is_since(found.created, attempt.gateway.clock.now(), _SECOND_COPY)
        if is_missed:
            attempt.payment = None
        return attempt.behaviour.unknown if is_missed else None

    return card.last(missed, "GET_TRANS_STATUS")(design)


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


def _card_found_first(attempt: CardAttempt) -> Refusal | None:
    """The copy is asked before the signature is looked at."""
    refused = find_card_payment(attempt)
    return (
        attempt.behaviour.unknown if refused or _is_known_later(attempt.payment, attempt.gateway.clock.now()) else None
    )


def _checkout_found_first(attempt: PostAttempt) -> Refusal | None:
    """Asks the copy first: for the payment, or for the newest of the order."""
    gateway, body, account = attempt.gateway, attempt.body, attempt.account
    if account is None:
        return check_checkout_signature(attempt)
    if body.get("payment_id") is not None:
        found, refusal = gateway.payments.find(account, str(body["payment_id"])), attempt.operation.not_found
    else:
        of_order = filter(_is_of_checkout, gateway.payments.of_order(account, str(body.get("order_id"))))
        found, refusal = next(of_order, None), gateway.checkout.order_not_found
    return refusal if _is_young(found, gateway.clock.now()) else check_checkout_signature(attempt)


def _apm_found_first(attempt: ApmAttempt) -> Refusal | None:
    """Asks the copy first."""
    found = None if find_apm_payment(attempt) else attempt.payment
    is_missed = _is_known_later(found, attempt.gateway.clock.now())
    return attempt.gateway.apm.not_found[attempt.action] if is_missed else check_signature(attempt)


def _is_known_later(payment: Payment | None, now: datetime) -> bool:
    return payment is not None and _is_since(payment.created, now, _SECOND_COPY)


def _schedule_not_copied(attempt: CardAttempt) -> Refusal | None:
    created = attempt.schedule.created if attempt.schedule is not None else None
    is_young = created is not None and _is_since(created, attempt.gateway.clock.now())
    return attempt.behaviour.unknown if is_young else None


def _as_it_began(reply: Reply, payment: Payment | None, now: datetime) -> Reply:
    is_shown = reply.status == _SUCCESS and "status" in reply.body
    return replace(reply, body=reply.body | {"status": "PREPARE"}) if is_shown and _is_young(payment, now) else reply


def _apm_as_it_began(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    return _as_it_began(handler(attempt, gateway), attempt.payment, gateway.clock.now())


def _card_as_it_began(design: Design) -> Design:
    def began(behaviour: ActionBehaviour) -> ActionBehaviour:
        return replace(
            behaviour,
            perform=lambda attempt: _as_it_began(
                behaviour.perform(attempt), attempt.payment, attempt.gateway.clock.now()
            ),
        )

    return design.in_posts(began, *_OF_CARD)


VARIATIONS: Final = (
    Variation(
        "card-look-ups-of-two-copies",
        "Look-ups of S2S CARD read two copies in turn, one of which knows a payment later than the other.",
        _of_two_copies,
    ),
    Variation(
        "card-look-ups-lag-and-find-before-they-verify",
        "Look-ups of S2S CARD seek the payment in a copy, which knows it later, before they look at the hash.",
        card.instead(find_card_payment, _card_found_first, "GET_TRANS_STATUS", "GET_TRANS_DETAILS"),
    ),
    Variation(
        "apm-look-ups-lag-and-find-before-they-verify",
        "Look-ups of S2S APM seek the payment in a copy, which knows it later, before they look at the hash.",
        apm.instead(check_signature, _apm_found_first, "GET_TRANS_STATUS"),
    ),
    Variation(
        "checkout-look-ups-lag-and-find-before-they-verify",
        "Look-ups of Checkout seek the payment in a copy, which knows it a moment later, before they look at the hash.",
        instead(check_checkout_signature, _checkout_found_first, "status"),
    ),
    Variation("apm-look-ups-lag", _SENTENCE, apm.last(_apm_not_copied, "GET_TRANS_STATUS")),
    Variation("apm-look-ups-begin-with-prepare", _BEGUN, apm.around(_apm_as_it_began, "GET_TRANS_STATUS")),
    Variation("card-look-ups-begin-with-prepare", _BEGUN, _card_as_it_began),
    Variation(
        "card-schedule-reads-lag",
        "SCHEDULE_INFO reads a copy, which knows a schedule a moment after it was made.",
        card.last(_schedule_not_copied, "SCHEDULE_INFO"),
    ),
    Variation("card-look-ups-lag", _SENTENCE, card.last(_card_not_copied, *_OF_CARD)),
    Variation("checkout-look-ups-lag", _SENTENCE, around(_checkout_from_a_copy, "status")),
)
