"""Faults of card credits that give back more than there is, and leave the payment SETTLED."""

from collections.abc import Callable
from decimal import ROUND_FLOOR, Decimal
from typing import Final

from emulator.changes.checkout import Handler, around
from emulator.design import Change, Design, all_of
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import notify
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import Object

_GIVEN_BACK: Final = "given back beyond what there was"


def _captured_in_part(payment: Payment) -> bool:
    return payment.captured < payment.amount


def _given_back_in_part(payment: Payment) -> bool:
    return payment.refunded > 0


def _more(applies: Callable[[Payment], bool], *, says: Object, notifies: bool) -> Change:
    """What is refused for its amount is given back all the same."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply, payment = handler(attempt), attempt.payment
        if payment is None or payment.protocol is not Protocol.CHECKOUT or not reply.is_error:
            return reply
        if payment.state is not State.SETTLED or not applies(payment):
            return reply
        payment.extras[_GIVEN_BACK] = payment.amount_text
        if notifies:
            notify(attempt.gateway, payment, "refund", "success")
        return Reply(Kind.CHECKOUT_CREDIT, 200, {"payment_id": payment.id, "result": "accepted", **says})

    return around(act, "card_credit")


def _shown(design: Design) -> Design:
    """Look-ups say how much was given back."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply, wanted = handler(attempt), str(attempt.body.get("payment_id"))
        payment = attempt.gateway.payments.find(attempt.account, wanted) if attempt.account else None
        if payment is not None and _GIVEN_BACK in payment.extras:
            reply.body["refunded_amount"] = str(payment.extras[_GIVEN_BACK])
        return reply

    return around(act, "status")(design)


def _cents_lost(handler: Handler, attempt: PostAttempt) -> Reply:
    """Of what a card credit gives back whole units are added up."""
    payment = attempt.payment
    before = payment.refunded if payment is not None else None
    reply = handler(attempt)
    if payment is not None and before is not None and payment.refunded > before:
        payment.refunded = before + (payment.refunded - before).quantize(Decimal(1), ROUND_FLOOR)
    return reply


def _booked_though_refused(handler: Handler, attempt: PostAttempt) -> Reply:
    """A card credit of more than is left is refused, and what is left counts as given back."""
    reply, payment = handler(attempt), attempt.payment
    if reply.is_error and payment is not None and _given_back_in_part(payment):
        payment.refunded = payment.captured or payment.amount
    return reply


FAULTS: Final = faults(
    {
        "more-than-was-captured-by-callback": breaks(
            "CHK-RFD-24",
            "A card credit of what was authorized is reported as a refund, though a part of it was captured.",
            _more(_captured_in_part, says={}, notifies=True),
        ),
        "more-than-was-captured-by-answer": breaks(
            "CHK-RFD-24",
            "A card credit of what was authorized is answered as a refund, though a part of it was captured.",
            _more(_captured_in_part, says={"result": "SUCCESS", "type": "refund"}, notifies=False),
        ),
        "more-than-was-captured-by-look-up": breaks(
            "CHK-RFD-24",
            "Look-ups say that a card credit gave back what was authorized, though a part of it was captured.",
            all_of(_more(_captured_in_part, says={}, notifies=False), _shown),
        ),
        "more-than-is-left-by-callback": breaks(
            "CHK-RFD-24",
            "After a refund in part a card credit of the whole is reported as a refund, and the payment stays SETTLED.",
            _more(_given_back_in_part, says={}, notifies=True),
        ),
        "a-part-counts-no-cents": breaks(
            "CHK-RFD-09 CHK-RFD-24",
            "The cents of a part that a card credit gave back can be given back again.",
            around(_cents_lost, "card_credit"),
        ),
        "more-than-is-left-refused-and-booked": breaks(
            "CHK-RFD-24",
            "A card credit of more than is left is refused, and what is left cannot be given back any more.",
            around(_booked_though_refused, "card_credit"),
        ),
    },
    prefix="checkout-credit-of-",
)
