"""What is done to payments after they were made: CAPTURE, VOID, CREDITVOID, RETRY."""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardGateway
from emulator.protocols.s2s_card.charging import DECLINE_REASON, amount_of
from emulator.protocols.s2s_card.messages import callback_bodies
from emulator.protocols.s2s_card.messages.answers import DESCRIPTOR, named, now
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.rules.amounts import allowed_decimals, well_formed
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

_BAD_AMOUNT: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("amount", "This value is not valid."),))
_STATE: Final = Kind.STATE

CAPTURE_REFUSALS: Final = {
    Obstacle.WRONG_STATE: Refusal(
        _STATE, "Not acceptable to request the capture for payment not in pending status", code=208003
    ),
    Obstacle.TOO_MUCH: Refusal(
        _STATE, "Not acceptable to request the capture for amount bigger than auth amount.", code=208004
    ),
}
VOID_REFUSALS: Final = {Obstacle.WRONG_STATE: Refusal(_STATE, "Void is not allowed.")}
REFUND_REFUSALS: Final = {
    Obstacle.WRONG_STATE: Refusal(
        _STATE, "Not acceptable to request the refund for payment not in settled or pending status.", code=208005
    ),
    Obstacle.TOO_MUCH: Refusal(
        _STATE, "Not acceptable to request the refund for amount bigger than payment amount.", code=208006
    ),
}
RELEASE_REFUSALS: Final = {
    Obstacle.TOO_MUCH: Refusal(
        _STATE, "Not acceptable to request the reversal for amount bigger than payment amount.", code=208008
    ),
    Obstacle.PARTIAL: Refusal(_STATE, "Not acceptable to request the reversal for partial amount.", code=208009),
}
RETRY_REFUSALS: Final = {Obstacle.WRONG_STATE: Refusal(_STATE, "Retry is not allowed.")}


def _refused(attempt: CardAttempt, refusal: Refusal) -> Reply:
    return attempt.gateway.answers.refuse(refusal)


def _worded(attempt: CardAttempt, obstacle: Obstacle) -> Refusal:
    return attempt.behaviour.refusals.get(obstacle, _BAD_AMOUNT)


def _amount(attempt: CardAttempt, payment: Payment) -> Decimal | None:
    """The amount that was asked for, None for all there is; raises ValueError for a wrong number of decimals."""
    text = attempt.form.get("amount")
    if not text:
        return None
    if not well_formed(text, payment.currency, attempt.gateway.amounts):
        raise ValueError
    return amount_of(text)


def shown(amount: Decimal, payment: Payment, gateway: CardGateway) -> str:
    """An amount as text, with the decimals of its currency."""
    decimals = allowed_decimals(payment.currency, gateway.amounts)
    return f"{amount:.{decimals[0]}f}" if decimals else str(amount)


def capture(attempt: CardAttempt) -> Reply:
    """Settle an authorization, wholly or a part of it, once."""
    gateway, payment = attempt.gateway, attempt.payment
    if payment is None:
        return _refused(attempt, attempt.behaviour.unknown)
    try:
        amount = _amount(attempt, payment)
    except ValueError:
        return _refused(attempt, _BAD_AMOUNT)
    if not payment.captures and payment.state is State.AUTHORIZED:
        return _capture_declined(attempt, payment)
    obstacle = gateway.moves.make(payment, Move.CAPTURE, amount, gateway.clock.now())
    if obstacle is not None:
        return _refused(attempt, _worded(attempt, obstacle))
    captured = attempt.form.get("amount") or shown(payment.captured, payment, gateway)
    callback_bodies.notify_capture(gateway, payment, "SUCCESS", captured)
    return _capture_answer(attempt, payment, "SUCCESS", captured)


def _capture_declined(attempt: CardAttempt, payment: Payment) -> Reply:
    gateway = attempt.gateway
    payment.decline_reason = DECLINE_REASON
    payment.note(Move.CAPTURE.value, "fail", gateway.clock.now(), payment.amount)
    callback_bodies.notify_capture(gateway, payment, "DECLINED", payment.amount_text)
    return _capture_answer(attempt, payment, "DECLINED", attempt.form.get("amount") or payment.amount_text)


def _capture_answer(attempt: CardAttempt, payment: Payment, result: str, amount: str) -> Reply:
    body = named(payment, "CAPTURE", result, payment.status) | {
        "amount": amount,
        "trans_date": now(attempt.gateway),
        "descriptor": DESCRIPTOR,
        "currency": payment.currency,
    }
    if result == "DECLINED":
        body["decline_reason"] = payment.decline_reason
    return Reply(Kind.CARD_ACTION, 200, body)


def void(attempt: CardAttempt) -> Reply:
    """Take back the whole of a settled payment on the day of its settlement."""
    gateway, payment = attempt.gateway, attempt.payment
    if payment is None:
        return _refused(attempt, attempt.behaviour.unknown)
    if gateway.card.day_is_over(payment, gateway.clock.now()):
        return _refused(attempt, _worded(attempt, Obstacle.WRONG_STATE))
    obstacle = gateway.moves.make(payment, Move.VOID, None, gateway.clock.now())
    if obstacle is not None:
        return _refused(attempt, _worded(attempt, obstacle))
    callback_bodies.notify_void(gateway, payment)
    body = named(payment, "VOID", "SUCCESS", payment.status) | {"trans_date": now(gateway)}
    return Reply(Kind.CARD_ACTION, 200, body)


def creditvoid(attempt: CardAttempt) -> Reply:
    """Give a settled payment back, wholly or in part, or release an authorization; the outcome is reported later."""
    gateway, payment = attempt.gateway, attempt.payment
    if payment is None:
        return _refused(attempt, attempt.behaviour.unknown)
    try:
        amount = _amount(attempt, payment)
    except ValueError:
        return _refused(attempt, _BAD_AMOUNT)
    move = Move.RELEASE if payment.state is State.AUTHORIZED else Move.REFUND
    obstacle = gateway.moves.hindrance(payment, move, amount)
    words = RELEASE_REFUSALS if move is Move.RELEASE else {}
    refusal = None if obstacle is None else words.get(obstacle) or _worded(attempt, obstacle)
    refusal = refusal or gateway.card.refund_refusal(payment)
    if refusal is not None:
        return _refused(attempt, refusal)
    _soon(gateway, lambda: _give_back(gateway, payment, move, amount))
    return Reply(Kind.CARD_ACTION, 200, named(payment, "CREDITVOID", "ACCEPTED"))


def _soon(gateway: CardGateway, job: Callable[[], None]) -> None:
    wait = gateway.card.outcome_after
    if wait:
        gateway.agenda.after(wait, job)
    else:
        job()


def _give_back(gateway: CardGateway, payment: Payment, move: Move, amount: Decimal | None) -> None:
    before = payment.refunded
    if gateway.moves.make(payment, move, amount, gateway.clock.now()) is not None:
        return
    gateway.card.after_refund(payment)
    returned = payment.refunded - before if move is Move.REFUND else payment.amount
    callback_bodies.notify_creditvoid(gateway, payment, shown(returned, payment, gateway))


def retry(attempt: CardAttempt) -> Reply:
    """Try a recurring payment again that was declined for a reason that may pass; the outcome is reported later."""
    gateway, payment = attempt.gateway, attempt.payment
    if payment is None:
        return _refused(attempt, attempt.behaviour.unknown)
    obstacle = gateway.moves.hindrance(payment, Move.RETRY, None)
    if obstacle is not None or not record_of(payment).soft:
        return _refused(attempt, _worded(attempt, obstacle or Obstacle.WRONG_STATE))
    _soon(gateway, lambda: _try_again(gateway, payment))
    return Reply(Kind.CARD_ACTION, 200, named(payment, "RETRY", "ACCEPTED"))


def _try_again(gateway: CardGateway, payment: Payment) -> None:
    if gateway.moves.make(payment, Move.RETRY, None, gateway.clock.now()) is None:
        payment.decline_reason = ""
        callback_bodies.notify_payment(gateway, payment, gateway.card.retried_action)
