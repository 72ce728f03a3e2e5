"""What is done to Checkout payments after they were made: capture, void, refund, retry."""

from decimal import Decimal
from typing import Final

from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import WORDS, notify, notify_outcome, written
from emulator.protocols.checkout.charging import start_chain
from emulator.protocols.checkout.lookups import order_of_payment
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.checkout.requests import named_payment
from emulator.protocols.s2s_card.messages.callback_bodies import notify_creditvoid
from emulator.rules.amounts import well_formed
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object, text_of

_BAD_AMOUNT: Final = Refusal(Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("amount", "This value is not valid."),))


def _refused(attempt: PostAttempt, refusal: Refusal) -> Reply:
    return attempt.gateway.answers.refuse(refusal)


def _worded(attempt: PostAttempt, obstacle: Obstacle) -> Refusal:
    return attempt.operation.refusals.get(obstacle, _BAD_AMOUNT)


def _amount(attempt: PostAttempt, payment: Payment) -> Decimal | None:
    """The amount that was asked for, None for all there is; raises ValueError for a wrong number of decimals."""
    given = attempt.body.get("amount")
    if given is None:
        return None
    text = text_of(given)
    if not well_formed(text, payment.currency, attempt.gateway.amounts):
        raise ValueError
    return Decimal(text)


def _move(attempt: PostAttempt, move: Move) -> Refusal | None:
    gateway, payment = attempt.gateway, named_payment(attempt)
    try:
        amount = _amount(attempt, payment)
    except ValueError:
        return _BAD_AMOUNT
    obstacle = gateway.moves.make(payment, move, amount, gateway.clock.now())
    return _worded(attempt, obstacle) if obstacle is not None else None


def capture(attempt: PostAttempt) -> Reply:
    """Settle an authorization, wholly or a part of it, once."""
    gateway, payment = attempt.gateway, named_payment(attempt)
    refusal = _move(attempt, Move.CAPTURE)
    if refusal is not None:
        return _refused(attempt, refusal)
    start_chain(gateway, payment)
    notify(gateway, payment, "capture", "success")
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
    late = payment.state is State.SETTLED and not gateway.checkout.same_financial_day(payment, now)
    obstacle = Obstacle.WRONG_STATE if late else gateway.moves.make(payment, Move.VOID, None, now)
    if obstacle is not None:
        return _refused(attempt, attempt.operation.refusals.get(obstacle, _BAD_AMOUNT))
    notify(gateway, payment, "void", "success")
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
    behaviour, account = attempt.gateway.checkout, payment.account
    if not account.refunds:
        return behaviour.no_refunds
    if account.connector_refunds_only:
        return behaviour.connector_refunds
    return None if behaviour.refundable(payment) else _worded(attempt, Obstacle.WRONG_STATE)


def refund(attempt: PostAttempt) -> Reply:
    """Give a settled payment back, wholly or in part; the outcome is reported by callback."""
    payment = named_payment(attempt)
    refusal = refuses_refund(attempt, payment) or _move(attempt, Move.REFUND)
    if refusal is not None:
        return _refused(attempt, refusal)
    notify_refund(attempt, payment, text_of(attempt.body.get("amount") or payment.amount_text))
    return Reply(Kind.CHECKOUT_REFUND, 200, {"payment_id": payment.id, "result": "accepted"})


def notify_refund(attempt: PostAttempt, payment: Payment, amount: str) -> None:
    """Notify the merchant of a refund, in the way of the protocol that the payment was made by."""
    if payment.protocol is Protocol.CHECKOUT:
        notify(attempt.gateway, payment, "refund", "success")
    else:
        notify_creditvoid(attempt.gateway, payment, amount)


def retry(attempt: PostAttempt) -> Reply:
    """Try a softly declined secondary charge again; the outcome is reported by callback."""
    gateway, payment = attempt.gateway, named_payment(attempt)
    record = record_of(payment)
    obstacle: Obstacle | None = Obstacle.WRONG_STATE
    if record.soft:
        obstacle = gateway.moves.make(payment, Move.RETRY, None, gateway.clock.now())
    if obstacle is not None:
        return _refused(attempt, attempt.operation.refusals.get(obstacle, _BAD_AMOUNT))
    record.soft = False
    payment.decline_reason = ""
    notify_outcome(gateway, payment)
    return Reply(Kind.CHECKOUT_RETRY, 200, {"payment_id": payment.id, "result": "accepted"})
