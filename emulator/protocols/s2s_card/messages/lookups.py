"""GET_TRANS_STATUS, GET_TRANS_STATUS_BY_ORDER and GET_TRANS_DETAILS."""

from typing import Final

from emulator.engine import attributes
from emulator.engine.payments import Payment, State, Transaction
from emulator.protocols.s2s_card import account_options
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardGateway
from emulator.protocols.s2s_card.captures_and_refunds import shown
from emulator.protocols.s2s_card.messages.answers import chain_members, named, wallet_members
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import Object

_TYPES: Final = {
    "challenge": "3DS",
    "capture": "CAPTURE",
    "release": "REVERSAL",
    "void": "VOID",
    "refund": "REFUND",
    "charge back": "CHARGEBACK",
}
_CREDIT: Final = "CREDIT2CARD"


def status_members(gateway: CardGateway, payment: Payment) -> Object:
    """What a look-up reports beside the status."""
    body: Object = {}
    record = record_of(payment)
    if payment.state is State.DECLINED:
        body["decline_reason"] = payment.decline_reason
    body |= chain_members(gateway, payment) | wallet_members(record)
    arn = account_options.arn_of(gateway, payment)
    if arn and account_options.has_arn(gateway, payment):
        body["ARN"] = arn
    if payment.account.status_card_data and payment.card is not None and gateway.release >= "6.7.0":
        body["card"] = payment.card.masked
        if payment.card.month:
            body["card_expiration_date"] = payment.card.expiry
    return body | attributes.payer_members(gateway, payment) | attributes.cof_members(gateway, payment, record)


def status(attempt: CardAttempt) -> Reply:
    """Report the status of a payment."""
    gateway, payment = attempt.gateway, attempt.payment
    if payment is None:
        return gateway.answers.refuse(attempt.behaviour.unknown)
    body = named(payment, attempt.action, "SUCCESS", payment.status)
    return Reply(Kind.CARD_ACTION, 200, body | status_members(gateway, payment))


def _step(gateway: CardGateway, payment: Payment, step: Transaction) -> Object:
    first = "CREDIT" if payment.action == _CREDIT else "AUTH" if payment.intended is State.AUTHORIZED else "SALE"
    return {
        "type": _TYPES.get(step.type, first),
        "status": "fail" if step.type == "decline" else step.status,
        "date": step.date.strftime("%Y-%m-%d %H:%M:%S"),
        "amount": shown(step.amount, payment, gateway),
    }


def details(attempt: CardAttempt) -> Reply:
    """Report all about a payment and what happened to it."""
    gateway, payment = attempt.gateway, attempt.payment
    if payment is None:
        return gateway.answers.refuse(attempt.behaviour.unknown)
    payer = payment.payer
    name = " ".join(filter(None, (payer.get("payer_first_name"), payer.get("payer_last_name"))))
    body = named(payment, attempt.action, "SUCCESS", payment.status)
    members: Object = {
        "name": name or (payment.card.holder if payment.card else ""),
        "mail": payment.email,
        "ip": payer.get("payer_ip", ""),
        "amount": payment.amount_text,
        "currency": payment.currency,
        "card": payment.card.masked if payment.card else "",
    }
    body |= {member: value for member, value in members.items() if value}
    body |= status_members(gateway, payment)
    body["transactions"] = [_step(gateway, payment, step) for step in payment.transactions]
    return Reply(Kind.CARD_ACTION, 200, body)
