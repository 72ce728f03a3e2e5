"""The actions on a payment that was made: CAPTURE, CREDITVOID, VOID and GET_TRANS_STATUS."""

from decimal import Decimal
from typing import cast

from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway
from emulator.protocols.s2s_apm.callback_bodies import date_of, notify
from emulator.protocols.s2s_apm.outcomes import number_of
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object


def _found(attempt: ApmAttempt) -> Payment:
    return cast("Payment", attempt.payment)


def _amount(attempt: ApmAttempt) -> Decimal | None:
    text = attempt.form.get("amount")
    return number_of(text) if text else None


def _named(attempt: ApmAttempt, payment: Payment, result: str) -> Object:
    return {
        "action": attempt.action,
        "result": result,
        "status": payment.status,
        "order_id": payment.order_number,
        "trans_id": payment.trans_id,
    }


def _refused(attempt: ApmAttempt, gateway: ApmGateway, obstacle: Obstacle) -> Reply:
    return gateway.answers.refuse(gateway.apm.obstacle_refusals[attempt.action, obstacle])


def capture(attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Settle an authorization, wholly or in part, once."""
    payment = _found(attempt)
    obstacle = gateway.moves.make(payment, Move.CAPTURE, _amount(attempt), gateway.clock.now())
    if obstacle is not None:
        return _refused(attempt, gateway, obstacle)
    members = {
        "trans_date": date_of(gateway),
        "amount": attempt.form.get("amount") or payment.amount_text,
        "currency": payment.currency,
    }
    notify(gateway, payment, "CAPTURE", "SUCCESS", members)
    return Reply(Kind.APM_CAPTURE, 200, _named(attempt, payment, "SUCCESS") | members)


def credit_void(attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Release an authorization, or give back a settled payment wholly or in part; the outcome comes by callback."""
    payment, moves, now = _found(attempt), gateway.moves, gateway.clock.now()
    all_there_is = payment.amount_text if payment.state is State.AUTHORIZED else str(payment.held)
    if payment.state is State.AUTHORIZED:
        obstacle = moves.make(payment, Move.RELEASE, _amount(attempt), now)
    else:
        refusal = _refuses_refund(gateway, payment)
        if refusal is not None:
            return gateway.answers.refuse(refusal)
        obstacle = moves.make(payment, Move.REFUND, _amount(attempt), now)
    if obstacle is not None:
        return _refused(attempt, gateway, obstacle)
    members = {"creditvoid_date": date_of(gateway), "amount": attempt.form.get("amount") or all_there_is}
    notify(gateway, payment, "CREDITVOID", "SUCCESS", members)
    body = _named(attempt, payment, "ACCEPTED")
    del body["status"]
    return Reply(Kind.APM_CREDITVOID, 200, body)


def _refuses_refund(gateway: ApmGateway, payment: Payment) -> Refusal | None:
    behaviour = gateway.apm
    if payment.action != "SALE":
        return behaviour.obstacle_refusals["CREDITVOID", Obstacle.WRONG_STATE]
    if payment.state is not State.SETTLED:
        return None
    if not payment.account.refunds:
        return behaviour.no_refunds
    return behaviour.connector_refunds if payment.account.connector_refunds_only else None


def void(attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Cancel a sale that was settled on the same financial day."""
    payment, now = _found(attempt), gateway.clock.now()
    late = payment.state is State.SETTLED and not gateway.apm.same_financial_day(payment, now)
    if late or payment.action != "SALE":
        return _refused(attempt, gateway, Obstacle.WRONG_STATE)
    obstacle = gateway.moves.make(payment, Move.VOID, None, now)
    if obstacle is not None:
        return _refused(attempt, gateway, obstacle)
    members = {"trans_date": date_of(gateway)}
    notify(gateway, payment, "VOID", "SUCCESS", members)
    return Reply(Kind.APM_VOID, 200, _named(attempt, payment, "SUCCESS") | members)


def look_up(attempt: ApmAttempt, _gateway: ApmGateway) -> Reply:
    """Report where a payment or payout stands."""
    payment = _found(attempt)
    body = _named(attempt, payment, "SUCCESS")
    if payment.state is State.DECLINED:
        body["decline_reason"] = payment.decline_reason
    return Reply(Kind.APM_STATUS, 200, body)
