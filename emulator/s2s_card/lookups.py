"""GET_TRANS_STATUS, GET_TRANS_STATUS_BY_ORDER and GET_TRANS_DETAILS."""

from typing import TYPE_CHECKING, Final

from emulator.payments import attributes
from emulator.payments.model import Payment, State, Transaction
from emulator.replies import Kind, Reply
from emulator.s2s_card import options
from emulator.s2s_card.afterwards import shown
from emulator.s2s_card.answers import chain_members, named, wallet_members
from emulator.s2s_card.conduct import CardAttempt
from emulator.s2s_card.record import record_of
from emulator.values import Object

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_TYPES: Final = {
    "challenge": "3DS",
    "capture": "CAPTURE",
    "release": "REVERSAL",
    "void": "VOID",
    "refund": "REFUND",
    "charge back": "CHARGEBACK",
}
_CREDIT: Final = "CREDIT2CARD"


def status_members(gateway: "Gateway", payment: Payment) -> Object:
    """What a look-up tells beside the status."""
    body: Object = {}
    record = record_of(payment)
    if payment.state is State.DECLINED:
        body["decline_reason"] = payment.decline_reason
    body |= chain_members(gateway, payment) | wallet_members(record)
    arn = options.arn_of(gateway, payment)
    if arn and options.has_arn(gateway, payment):
        body["ARN"] = arn
    if payment.account.status_card_data and payment.card is not None and gateway.design.release >= "6.7.0":
        body["card"] = payment.card.masked
        if payment.card.month:
            body["card_expiration_date"] = payment.card.expiry
    return body | attributes.payer_members(gateway, payment) | attributes.cof_members(gateway, payment, record)


def status(attempt: CardAttempt) -> Reply:
    """Tell the status of a payment."""
    gateway, payment = attempt.gateway, attempt.payment
    if payment is None:
        return gateway.design.answers.refuse(attempt.conduct.unknown)
    body = named(payment, attempt.action, "SUCCESS", payment.status)
    return Reply(Kind.CARD_ACTION, 200, body | status_members(gateway, payment))


def _step(gateway: "Gateway", payment: Payment, step: Transaction) -> Object:
    first = "CREDIT" if payment.action == _CREDIT else "AUTH" if payment.intended is State.AUTHORIZED else "SALE"
    return {
        "type": _TYPES.get(step.type, first),
        "status": "fail" if step.type == "decline" else step.status,
        "date": step.date.strftime("%Y-%m-%d %H:%M:%S"),
        "amount": shown(step.amount, payment, gateway),
    }


def details(attempt: CardAttempt) -> Reply:
    """Tell all about a payment and what happened to it."""
    gateway, payment = attempt.gateway, attempt.payment
    if payment is None:
        return gateway.design.answers.refuse(attempt.conduct.unknown)
    payer = payment.payer
    name = " ".join(filter(None, (payer.get("payer_first_name"), payer.get("payer_last_name"))))
    body = named(payment, attempt.action, "SUCCESS", payment.status)
    told: Object = {
        "name": name or (payment.card.holder if payment.card else ""),
        "mail": payment.email,
        "ip": payer.get("payer_ip", ""),
        "amount": payment.amount_text,
        "currency": payment.currency,
        "card": payment.card.masked if payment.card else "",
    }
    body |= {member: value for member, value in told.items() if value}
    body |= status_members(gateway, payment)
    body["transactions"] = [_step(gateway, payment, step) for step in payment.transactions]
    return Reply(Kind.CARD_ACTION, 200, body)
