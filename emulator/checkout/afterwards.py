"""What is done to Checkout payments after they were made: capture, void, refund, retry."""

from decimal import Decimal
from typing import Final

from emulator.checkout.charging import start_chain
from emulator.checkout.conduct import PostAttempt
from emulator.checkout.lookups import order_of_payment
from emulator.checkout.posts import named_payment
from emulator.checkout.record import record_of
from emulator.checkout.telling import WORDS, tell, tell_outcome, written
from emulator.payments.model import Payment, Protocol, State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.rules.amounts import well_formed
from emulator.s2s_card.telling import tell_creditvoid
from emulator.values import Object, text_of

_BAD_AMOUNT: Final = Refusal(Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("amount", "This value is not valid."),))


def _refused(attempt: PostAttempt, refusal: Refusal) -> Reply:
    return attempt.gateway.design.answers.refuse(refusal)


def _worded(attempt: PostAttempt, obstacle: Obstacle) -> Refusal:
    return attempt.operation.refusals.get(obstacle, _BAD_AMOUNT)


def _amount(attempt: PostAttempt, payment: Payment) -> Decimal | None:
    """The amount that was asked for, None for all there is; raises ValueError for a wrong number of decimals."""
    given = attempt.body.get("amount")
    if given is None:
        return None
    text = text_of(given)
    if not well_formed(text, payment.currency, attempt.gateway.design.amounts):
        raise ValueError
    return Decimal(text)


def _move(attempt: PostAttempt, move: Move) -> Refusal | None:
    gateway, payment = attempt.gateway, named_payment(attempt)
    try:
        amount = _amount(attempt, payment)
    except ValueError:
        return _BAD_AMOUNT
    obstacle = gateway.design.moves.make(payment, move, amount, gateway.clock.now())
    return _worded(attempt, obstacle) if obstacle is not None else None


def capture(attempt: PostAttempt) -> Reply:
    """Settle an authorization, wholly or a part of it, once."""
    gateway, payment = attempt.gateway, named_payment(attempt)
    refusal = _move(attempt, Move.CAPTURE)
    if refusal is not None:
        return _refused(attempt, refusal)
    start_chain(gateway, payment)
    tell(gateway, payment, "capture", "success")
    body: Object = {
        "payment_id": payment.id,
        "result": "accepted",
        "status": WORDS[payment.state],
        "date": written(gateway.clock.now()),
        "order": order_of_payment(payment),
    }
    return Reply(Kind.CHECKOUT_CAPTURE, 200, body)


def void(attempt: PostAttempt) -> Reply:
    """Take back the whole of a settled payment on the day of its settlement."""
    gateway, payment = attempt.gateway, named_payment(attempt)
    now = gateway.clock.now()
    late = payment.state is State.SETTLED and not gateway.design.checkout.same_financial_day(payment, now)
    obstacle = Obstacle.WRONG_STATE if late else gateway.design.moves.make(payment, Move.VOID, None, now)
    if obstacle is not None:
        return _refused(attempt, attempt.operation.refusals.get(obstacle, _BAD_AMOUNT))
    tell(gateway, payment, "void", "success")
    body: Object = {
        "status": WORDS[payment.state],
        "payment_status": WORDS[payment.state],
        "payment_id": payment.id,
        "date": written(now),
        "order": order_of_payment(payment),
    }
    return Reply(Kind.CHECKOUT_VOID, 200, body)


def refuses_refund(attempt: PostAttempt, payment: Payment) -> Refusal | None:
    """Why a payment cannot be refunded whatever the amount, or None where it can."""
    conduct, account = attempt.gateway.design.checkout, payment.account
    if not account.refunds:
        return conduct.no_refunds
    if account.connector_refunds_only:
        return conduct.connector_refunds
    return None if conduct.refundable(payment) else _worded(attempt, Obstacle.WRONG_STATE)


def refund(attempt: PostAttempt) -> Reply:
    """Give a settled payment back, wholly or in part; the outcome is told by callback."""
    payment = named_payment(attempt)
    refusal = refuses_refund(attempt, payment) or _move(attempt, Move.REFUND)
    if refusal is not None:
        return _refused(attempt, refusal)
    tell_refund(attempt, payment, text_of(attempt.body.get("amount") or payment.amount_text))
    return Reply(Kind.CHECKOUT_REFUND, 200, {"payment_id": payment.id, "result": "accepted"})


def tell_refund(attempt: PostAttempt, payment: Payment, amount: str) -> None:
    """Tell the merchant of a refund, in the way of the protocol that the payment was made by."""
    if payment.protocol is Protocol.CHECKOUT:
        tell(attempt.gateway, payment, "refund", "success")
    else:
        tell_creditvoid(attempt.gateway, payment, amount)


def retry(attempt: PostAttempt) -> Reply:
    """Try a softly declined secondary charge again; the outcome is told by callback."""
    gateway, payment = attempt.gateway, named_payment(attempt)
    record = record_of(payment)
    obstacle: Obstacle | None = Obstacle.WRONG_STATE
    if record.soft:
        obstacle = gateway.design.moves.make(payment, Move.RETRY, None, gateway.clock.now())
    if obstacle is not None:
        return _refused(attempt, attempt.operation.refusals.get(obstacle, _BAD_AMOUNT))
    record.soft = False
    payment.decline_reason = ""
    tell_outcome(gateway, payment)
    return Reply(Kind.CHECKOUT_RETRY, 200, {"payment_id": payment.id, "result": "accepted"})
