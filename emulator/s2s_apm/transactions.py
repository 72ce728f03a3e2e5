"""The actions on a payment that was made: CAPTURE, CREDITVOID, VOID and GET_TRANS_STATUS."""

from decimal import Decimal
from typing import TYPE_CHECKING, cast

from emulator.payments.model import Payment, State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import Kind, Refusal, Reply
from emulator.s2s_apm.conduct import ApmAttempt
from emulator.s2s_apm.notices import date_of, tell
from emulator.s2s_apm.outcomes import number_of
from emulator.values import Object

if TYPE_CHECKING:
    from emulator.gateway import Gateway


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


def _hindered(attempt: ApmAttempt, gateway: "Gateway", obstacle: Obstacle) -> Reply:
    return gateway.design.answers.refuse(gateway.design.apm.hindered[attempt.action, obstacle])


def capture(attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    """Settle an authorization, wholly or in part, once."""
    payment = _found(attempt)
    obstacle = gateway.design.moves.make(payment, Move.CAPTURE, _amount(attempt), gateway.clock.now())
    if obstacle is not None:
        return _hindered(attempt, gateway, obstacle)
    told = {
        "trans_date": date_of(gateway),
        "amount": attempt.form.get("amount") or payment.amount_text,
        "currency": payment.currency,
    }
    tell(gateway, payment, "CAPTURE", "SUCCESS", told)
    return Reply(Kind.APM_CAPTURE, 200, _named(attempt, payment, "SUCCESS") | told)


def credit_void(attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    """Release an authorization, or give back a settled payment wholly or in part; the outcome comes by callback."""
    payment, moves, now = _found(attempt), gateway.design.moves, gateway.clock.now()
    all_there_is = payment.amount_text if payment.state is State.AUTHORIZED else str(payment.held)
    if payment.state is State.AUTHORIZED:
        obstacle = moves.make(payment, Move.RELEASE, _amount(attempt), now)
    else:
        refusal = _refuses_refund(gateway, payment)
        if refusal is not None:
            return gateway.design.answers.refuse(refusal)
        obstacle = moves.make(payment, Move.REFUND, _amount(attempt), now)
    if obstacle is not None:
        return _hindered(attempt, gateway, obstacle)
    told = {"creditvoid_date": date_of(gateway), "amount": attempt.form.get("amount") or all_there_is}
    tell(gateway, payment, "CREDITVOID", "SUCCESS", told)
    body = _named(attempt, payment, "ACCEPTED")
    del body["status"]
    return Reply(Kind.APM_CREDITVOID, 200, body)


def _refuses_refund(gateway: "Gateway", payment: Payment) -> Refusal | None:
    conduct = gateway.design.apm
    if payment.action != "SALE":
        return conduct.hindered["CREDITVOID", Obstacle.WRONG_STATE]
    if payment.state is not State.SETTLED:
        return None
    if not payment.account.refunds:
        return conduct.no_refunds
    return conduct.connector_refunds if payment.account.connector_refunds_only else None


def void(attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    """Cancel a sale that was settled on the same financial day."""
    payment, now = _found(attempt), gateway.clock.now()
    late = payment.state is State.SETTLED and not gateway.design.apm.same_financial_day(payment, now)
    if late or payment.action != "SALE":
        return _hindered(attempt, gateway, Obstacle.WRONG_STATE)
    obstacle = gateway.design.moves.make(payment, Move.VOID, None, now)
    if obstacle is not None:
        return _hindered(attempt, gateway, obstacle)
    told = {"trans_date": date_of(gateway)}
    tell(gateway, payment, "VOID", "SUCCESS", told)
    return Reply(Kind.APM_VOID, 200, _named(attempt, payment, "SUCCESS") | told)


def look_up(attempt: ApmAttempt, _gateway: "Gateway") -> Reply:
    """Tell where a payment or payout stands."""
    payment = _found(attempt)
    body = _named(attempt, payment, "SUCCESS")
    if payment.state is State.DECLINED:
        body["decline_reason"] = payment.decline_reason
    return Reply(Kind.APM_STATUS, 200, body)
