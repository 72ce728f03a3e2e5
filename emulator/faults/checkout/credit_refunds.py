"""Faults of card credits that refund a payment."""

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal
from typing import Final, cast

from emulator.accounts import Account
from emulator.changes.checkout import Handler, around, in_state, instead, last, worded
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design
from emulator.engine.moves import Move
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


def _refused_and_made(attempt: PostAttempt) -> Refusal | None:
    refusal, payment = card_credits.find_refunded(attempt), attempt.payment
    if payment is None or payment.state is not State.DECLINED:
        return refusal
    payment.state = State.REFUNDED
    return Refusal(Kind.WRONG_CARD, "Token does not match the payment.", code=205007)


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


def _answered_anyway(applies: Callable[[Account], bool]) -> Change:
    """The refund endpoint takes refunds on some accounts on which it must not."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        payment = attempt.payment
        if payment is None or not applies(payment.account):
            return handler(attempt)
        return Reply(Kind.CHECKOUT_REFUND, 200, {"payment_id": payment.id, "result": "accepted"})

    return around(act, "refund")


def _credits_forgotten(design: Design) -> Design:
    """The refund endpoint does not know what card credits gave back."""

    def credited(handler: Handler, attempt: PostAttempt) -> Reply:
        reply, payment = handler(attempt), attempt.payment
        if payment is not None and not reply.is_error:
            payment.extras["credited"] = Decimal(str(attempt.body.get("order_amount")))
        return reply

    def refunded(handler: Handler, attempt: PostAttempt) -> Reply:
        if attempt.payment is not None:
            attempt.payment.refunded -= cast("Decimal", attempt.payment.extras.pop("credited", Decimal(0)))
        return handler(attempt)

    return around(refunded, "refund")(around(credited, _NAME)(design))


def _third_unlimited(handler: Handler, attempt: PostAttempt) -> Reply:
    payment = attempt.payment
    if payment is not None and sum(step.type == Move.REFUND.value for step in payment.transactions) > 1:
        return Reply(Kind.CHECKOUT_REFUND, 200, {"payment_id": payment.id, "result": "accepted"})
    return handler(attempt)


def _paid_out(attempt: PostAttempt) -> Refusal | None:
    """A card credit that names a secondary charge is a payout under the number of its order."""
    refusal = card_credits.find_refunded(attempt)
    if attempt.payment is not None and attempt.payment.chain:
        attempt.payment = None
    return refusal


def _cents_only(design: Design) -> Design:
    """Refunds are summed up in cents, in every currency."""
    inner = design.moves.carry_out

    def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
        is_refund = move is Move.REFUND and payment.protocol is Protocol.CHECKOUT
        inner(payment, move, amount.quantize(Decimal("0.01"), ROUND_FLOOR) if is_refund else amount, after)

    return replace(design, moves=replace(design.moves, carry_out=carry_out))


FAULTS: Final = faults(
    {
        "checkout-credit-refund-refused": breaks(
            "CHK-RFD-01", "No refund by card credit.", last(refusal_if(_is_refund, _REFUSED), _NAME)
        ),
        "checkout-credit-refund-of-unsettled": breaks(
            "CHK-RFD-02", "What is not settled is refunded.", around(_unsettled, _NAME)
        ),
        "checkout-credit-refund-of-declined-refused-and-made": breaks(
            "CHK-RFD-02",
            "A refund of a declined payment is refused for its card token, and made all the same.",
            instead(card_credits.find_refunded, _refused_and_made, _NAME),
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
            "CHK-RFD-01 CHK-RFD-05",
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
        "checkout-refund-endpoint-of-no-refunds": breaks(
            "CHK-RFD-03",
            "The refund endpoint refunds on a MID without refunds.",
            _answered_anyway(lambda account: not account.refunds),
        ),
        "checkout-refund-endpoint-of-the-connector": breaks(
            "CHK-RFD-04",
            "The refund endpoint refunds what the acquirer takes in its portal only.",
            _answered_anyway(lambda account: account.connector_refunds_only),
        ),
        "checkout-refund-forgets-card-credits": breaks(
            "CHK-RFD-09", "What a card credit gave back is refunded once more.", _credits_forgotten
        ),
        "checkout-refund-third-unlimited": breaks(
            "CHK-RFD-09", "From the third refund on there is no limit.", around(_third_unlimited, "refund")
        ),
        "checkout-refund-in-cents": breaks("CHK-RFD-07", "Refunds are summed up in cents.", _cents_only),
        "checkout-credit-of-secondary-pays-out": breaks(
            "CHK-RFD-01",
            "A card credit of a secondary charge is a payout.",
            instead(card_credits.find_refunded, _paid_out, _NAME),
        ),
    }
)
