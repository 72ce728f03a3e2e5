"""Faults of card credits that refund a payment."""

from typing import Final

from emulator.changes.checkout import Handler, around, in_state, instead, last, worded
from emulator.changes.stages import refusal_if
from emulator.design import Change
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import card_credits
from emulator.protocols.checkout.behaviour import PostAttempt, refundable
from emulator.wire.replies import Kind, Refusal, Reply

_NAME: Final = "card_credit"
_CREDIT: Final = Kind.CHECKOUT_CREDIT
_STATE: Final = Kind.STATE
_REFUSED: Final = Refusal(_STATE, "Credits are not possible.")


def _is_refund(attempt: PostAttempt) -> bool:
    return attempt.payment is not None


def _unsettled(handler: Handler, attempt: PostAttempt) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is State.SETTLED:
        return handler(attempt)
    return Reply(_CREDIT, 200, {"payment_id": payment.id, "result": "accepted"})


def _more_than_is_left(handler: Handler, attempt: PostAttempt) -> Reply:
    reply, payment = handler(attempt), attempt.payment
    if payment is None or payment.state is not State.SETTLED or not payment.refunded or not reply.is_error:
        return reply
    payment.state = State.REFUNDED
    return Reply(_CREDIT, 200, {"payment_id": payment.id, "result": "accepted"})


def _more_than_was_captured(handler: Handler, attempt: PostAttempt) -> Reply:
    reply, payment = handler(attempt), attempt.payment
    if payment is None or payment.protocol is not Protocol.CHECKOUT or not reply.is_error:
        return reply
    if payment.state is not State.SETTLED or payment.captured == payment.amount:
        return reply
    payment.state = State.REFUNDED
    return Reply(_CREDIT, 200, {"payment_id": payment.id, "result": "accepted"})


def _allowed_to_all(attempt: PostAttempt) -> Refusal | None:
    refusal = card_credits.find_refunded(attempt)
    return None if refusal is attempt.gateway.checkout.no_refunds else refusal


def _connector_takes(attempt: PostAttempt) -> Refusal | None:
    refusal = card_credits.find_refunded(attempt)
    return None if refusal is attempt.gateway.checkout.connector_refunds else refusal


def _by_purchase(payment: Payment) -> bool:
    return refundable(payment) and "DEBIT" not in payment.action.upper()


def _in_checkout(**changes: object) -> Change:
    return lambda design: design.in_checkout(**changes)


FAULTS: Final = faults(
    {
        "checkout-credit-refund-refused": breaks(
            "CHK-RFD-01", "No refund by card credit.", last(refusal_if(_is_refund, _REFUSED), _NAME)
        ),
        "checkout-credit-refund-of-unsettled": breaks(
            "CHK-RFD-02", "What is not settled is refunded.", around(_unsettled, _NAME)
        ),
        "checkout-credit-refund-of-more-than-is-left": breaks(
            "CHK-RFD-24", "After a refund in part a card credit refunds the whole.", around(_more_than_is_left, _NAME)
        ),
        "checkout-credit-refund-of-more-than-was-captured": breaks(
            "CHK-RFD-24",
            "After a capture of a part a card credit refunds what was authorized.",
            around(_more_than_was_captured, _NAME),
        ),
        "checkout-credit-refund-of-debit-paid-out": breaks(
            "CHK-RFD-02",
            "A credit that names a debit is a payout, whatever became of the debit.",
            _in_checkout(refundable=_by_purchase),
        ),
        "checkout-credit-refund-of-unsettled-100000": breaks(
            "CHK-RFD-02",
            "A refund of what is not settled is refused with 100000.",
            worded(_NAME, WRONG_STATE=Refusal(_STATE, "Refund is not possible.")),
        ),
        "checkout-credit-refund-of-pending-100000": breaks(
            "CHK-RFD-02",
            "A refund of an authorization is refused with 100000.",
            last(refusal_if(in_state(State.AUTHORIZED), Refusal(_STATE, "Refund is not possible.")), _NAME),
        ),
        "checkout-credit-refunds-for-all": breaks(
            "CHK-RFD-03",
            "Accounts without refunds refund.",
            instead(card_credits.find_refunded, _allowed_to_all, _NAME),
        ),
        "checkout-credit-no-refunds-other-text": breaks(
            "CHK-RFD-03",
            "Refunds that are off are refused with other words.",
            _in_checkout(no_refunds=Refusal(_STATE, "Refunds are off")),
        ),
        "checkout-credit-no-refunds-208005": breaks(
            "CHK-RFD-03",
            "Refunds that are off are refused with 208005.",
            _in_checkout(no_refunds=Refusal(_STATE, "Refund is not allowed", code=208005)),
        ),
        "checkout-credit-connector-refunds-taken": breaks(
            "CHK-RFD-04",
            "Refunds go to an acquirer that takes none.",
            instead(card_credits.find_refunded, _connector_takes, _NAME),
        ),
        "checkout-credit-connector-refunds-100000": breaks(
            "CHK-RFD-04",
            "Refunds in the acquirer's portal are refused with 100000.",
            _in_checkout(
                connector_refunds=Refusal(
                    _STATE, "Refund via API is not supported. Only from the connector admin portal."
                )
            ),
        ),
    }
)
