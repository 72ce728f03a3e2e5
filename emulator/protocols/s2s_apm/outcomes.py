"""Payments on their way: how they are made, and how they end."""

from decimal import Decimal
from typing import Final, cast

from emulator.accounts import Account
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway
from emulator.protocols.s2s_apm.callback_bodies import date_of, notify
from emulator.rules.keywords import DECIMAL
from emulator.wire.values import Object

_DECLINED: Final = "Declined by processing"
_SECRET: Final = frozenset({"hash", "client_key"})


def number_of(text: str) -> Decimal:
    """An amount as a number; nothing for a text that is none, which only faults let through."""
    return Decimal(text) if DECIMAL.fullmatch(text) else Decimal(0)


def new_payment(attempt: ApmAttempt, intended: State) -> Payment:
    """A payment that was just asked for, remembered by the gateway."""
    gateway, form = attempt.gateway, attempt.form
    amount = form.get("order_amount", "")
    payment = Payment(
        id=gateway.apm.new_id(),
        protocol=Protocol.S2S_APM,
        account=cast("Account", attempt.account),
        action=attempt.action,
        order_number=form.get("order_id", ""),
        amount=number_of(amount),
        amount_text=amount,
        currency=form.get("order_currency", ""),
        description=form.get("order_description", ""),
        created=gateway.clock.now(),
        state=State.PREPARED,
        intended=intended,
        email=form.get("payer_email", ""),
        payer={name: value for name, value in form.items() if name.startswith("payer_")},
        request={name: value for name, value in attempt.body.items() if name not in _SECRET},
        brand=form.get("brand", ""),
    )
    gateway.payments.add(payment)
    gateway.apm_window.take(form.get("client_key", ""), payment.order_number, gateway.clock.seconds())
    return payment


def approve(gateway: ApmGateway, payment: Payment) -> None:
    """Let a payment that waits be paid or held, and notify the merchant; nothing happens to one that waits no more."""
    if gateway.moves.make(payment, Move.APPROVE, None, gateway.clock.now()) is None:
        notify(gateway, payment, payment.action, "SUCCESS", facts(gateway, payment))


def decline(gateway: ApmGateway, payment: Payment, reason: str = _DECLINED) -> None:
    """Let a payment that waits be declined, and notify the merchant; nothing happens to one that waits no more."""
    if gateway.moves.make(payment, Move.DECLINE, None, gateway.clock.now()) is None:
        payment.decline_reason = reason
        notify(gateway, payment, payment.action, "DECLINED", facts(gateway, payment))


def leave_open(gateway: ApmGateway, payment: Payment) -> None:
    """Notify that nobody knows yet, and let the payment be paid a little later."""
    notify(gateway, payment, payment.action, "UNDEFINED", facts(gateway, payment))
    gateway.agenda.after(gateway.apm.settling, lambda: approve(gateway, payment))


def facts(gateway: ApmGateway, payment: Payment) -> dict[str, str]:
    """What answers and callbacks of a payment report beside its ids; empty texts have no value."""
    found = {
        "trans_date": date_of(gateway),
        "descriptor": "emulator" if payment.action == "SALE" else "",
        "amount": payment.amount_text,
        "currency": payment.currency,
        "decline_reason": payment.decline_reason,
    }
    if payment.action == "CREDIT2VIRTUAL":
        found["type"] = "credit"
    return found


def answer(gateway: ApmGateway, payment: Payment, result: str) -> Object:
    """The body of the answer to a sale or payout."""
    members = {name: value for name, value in facts(gateway, payment).items() if value and name != "type"}
    return {
        "action": payment.action,
        "result": result,
        "status": payment.status,
        "order_id": payment.order_number,
        "trans_id": payment.trans_id,
        **members,
    }
