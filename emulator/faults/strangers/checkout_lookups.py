"""Faults of look-ups, captures and card credits of Checkout that show after another request, or with many payments.

Numbers of lines are those of the interface description.
"""

import re
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES, Handler, around, by_payment, in_state
from emulator.changes.interleaving import on_obstacle
from emulator.design import Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import NO_PAYMENT, NOT_CORRECT, PostAttempt
from emulator.protocols.checkout.lookups import payment_object
from emulator.rules.checkout.payments import size_of
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_FRESH_SECONDS: Final = 30.0
_REFUNDED: Final = Refusal(
    Kind.STATE, "Not acceptable to request the capture for payment not in pending state", code=208003
)
_VOIDED: Final = Refusal(
    Kind.STATE, "Not acceptable to request the refund for payment not in settled status.", code=208003
)


def _own_payments(attempt: PostAttempt) -> list[Payment]:
    account = attempt.account
    found = attempt.gateway.payments.of_order(account, str(attempt.body.get("order_id"))) if account else []
    return [payment for payment in found if payment.protocol is Protocol.CHECKOUT]


def _newest_paid(handler: Handler, attempt: PostAttempt) -> Reply:
    paid = [payment for payment in _own_payments(attempt) if payment.state is State.SETTLED]
    if by_payment(attempt) or attempt.body.get("size") is not None or not paid:
        return handler(attempt)
    return Reply(Kind.CHECKOUT_STATUS, 200, payment_object(attempt.gateway, paid[0]))


def _sorted_as_texts(handler: Handler, attempt: PostAttempt) -> Reply:
    reply, found = handler(attempt), _own_payments(attempt)
    if reply.listed is None or len(found) <= 10:
        return reply
    places = sorted(range(len(found)), key=str)[: size_of(attempt.body.get("size"))]
    return replace(reply, listed=tuple(payment_object(attempt.gateway, found[place]) for place in places))


def _ten_at_most(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    return reply if reply.listed is None else replace(reply, listed=reply.listed[:10])


def _remembered(design: Design) -> Design:
    """What was listed for an order is answered again for half a minute."""
    kept: dict[tuple[str, str, str], tuple[float, Reply]] = {}

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        body, now = attempt.body, attempt.gateway.clock.seconds()
        key = (str(body.get("merchant_key")), str(body.get("order_id")), str(body.get("size")))
        known = kept.get(key)
        if known is not None and now - known[0] < _FRESH_SECONDS:
            return known[1]
        reply = handler(attempt)
        if reply.listed is not None:
            kept[key] = now, reply
        return reply

    return around(act, "status")(design)


def _order_as_payment(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    misses = reply.is_error and attempt.body.get("size") is not None and not by_payment(attempt)
    return attempt.gateway.answers.refuse(NO_PAYMENT) if misses else reply


def _not_correct_unless_uuid(handler: Handler, attempt: PostAttempt) -> Reply:
    if by_payment(attempt) and _UUID.fullmatch(str(attempt.body["payment_id"])) is None:
        return attempt.gateway.answers.refuse(NOT_CORRECT)
    return handler(attempt)


def _capture_of_refunded(handler: Handler, attempt: PostAttempt) -> Reply:
    return attempt.gateway.answers.refuse(_REFUNDED) if in_state(State.REFUNDED)(attempt) else handler(attempt)


def _refund_of_voided(handler: Handler, attempt: PostAttempt) -> Reply:
    return attempt.gateway.answers.refuse(_VOIDED) if in_state(State.VOIDED)(attempt) else handler(attempt)


def _released_by_too_much(payment: Payment, move: Move, obstacle: Obstacle) -> None:
    if payment.protocol is Protocol.CHECKOUT and move is Move.CAPTURE and obstacle is Obstacle.TOO_MUCH:
        payment.state = State.RELEASED


def _payee_of_credit_before(design: Design) -> Design:
    """A name that was sent once for a token stays with the token."""
    named: dict[str, str] = {}

    def change(notice: Notice) -> list[Notice]:
        card, fields = notice.payment.card, notice.fields
        name, token = fields.get("payee_name"), notice.payment.card_token
        if notice.event != "credit" or card is None or not token or not isinstance(name, str):
            return [notice]
        if name != card.holder:
            named[token] = name
        return [replace(notice, fields={**fields, "payee_name": named.get(token, name)})]

    return NOTICES.changed(change)(design)


FAULTS: Final = faults(
    {
        "look-up-of-order-newest-paid": breaks(
            "CHK-STA-04",
            "A look-up by order reports the newest settled payment, though a newer one was declined (line 344).",
            around(_newest_paid, "status"),
        ),
        "look-up-list-sorted-as-texts": breaks(
            "CHK-STA-07",
            "Of an order with more than ten payments a list leaves recent ones out for old ones (line 344).",
            around(_sorted_as_texts, "status"),
            since=_NEW,
        ),
        "look-up-list-of-ten-at-most": breaks(
            "CHK-STA-06",
            "A list holds ten payments at most, whatever size is (line 344).",
            around(_ten_at_most, "status"),
            since=_NEW,
        ),
        "look-up-list-remembered": breaks(
            "CHK-STA-06",
            "A list of payments is answered again for 30 seconds, whatever happened since (line 344).",
            _remembered,
            since=_NEW,
        ),
        "look-up-with-size-unknown-order-as-payment": breaks(
            "CHK-STA-23",
            "An unknown order is refused as an unknown payment where size is sent (line 449).",
            around(_order_as_payment, "status"),
            since=_NEW,
        ),
        "look-up-of-no-uuid-not-correct": breaks(
            "CHK-STA-22",
            "A payment_id that is no UUID is refused as it was before 6.7.0 (lines 448 and 451).",
            around(_not_correct_unless_uuid, "status"),
            since=_NEW,
        ),
        "capture-of-refunded-slightly-other-words": breaks(
            "CHK-CAP-05",
            "The capture of a refunded payment is refused with state in the place of status (line 455).",
            around(_capture_of_refunded, "capture"),
            since="6.6.3",
        ),
        "refund-of-voided-with-code-of-captures": breaks(
            "CHK-RFD-02",
            "The card credit of a voided payment is refused with 208003 in the place of 208005 (line 456).",
            around(_refund_of_voided, "card_credit"),
        ),
        "capture-of-too-much-releases": breaks(
            "CHK-CAP-01",
            "After a capture of more than was held is refused, the payment is not pending any more (line 315).",
            on_obstacle(_released_by_too_much),
            since="6.6.3",
        ),
        "credit-payee-of-credit-before": breaks(
            "CHK-CRD-15",
            "The names sent with one card credit are reported with the next one by the same token (line 281).",
            _payee_of_credit_before,
        ),
    }
)
