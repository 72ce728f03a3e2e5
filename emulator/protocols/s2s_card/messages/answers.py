"""What S2S CARD answers at once: members in the order and with the words of the platform."""

from typing import Final

from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_card.behaviour import CardGateway
from emulator.protocols.s2s_card.payment_record import CardRecord, record_of
from emulator.wire.values import Object

DESCRIPTOR: Final = "emulator"
_DATE: Final = "%Y-%m-%d %H:%M:%S"
_AWAY: Final = (State.CHALLENGED, State.REDIRECTED)
_PAN_TYPE: Final = "DPAN"


def result_of(payment: Payment) -> str:
    """The word for how a payment request ended."""
    if payment.state in _AWAY:
        return "REDIRECT"
    if payment.state is State.PREPARED:
        return "UNDEFINED"
    return "DECLINED" if payment.state is State.DECLINED else "SUCCESS"


def written(payment: Payment) -> str:
    """The date and time of a payment in UTC."""
    return payment.created.strftime(_DATE)


def now(gateway: CardGateway) -> str:
    """The date and time of the gateway in UTC."""
    return gateway.clock.now().strftime(_DATE)


def named(payment: Payment, action: str, result: str, status: str = "") -> Object:
    """What every answer starts with."""
    body: Object = {"action": action, "result": result}
    if status:
        body["status"] = status
    return body | {"order_id": payment.order_number, "trans_id": payment.trans_id}


def wallet_members(record: CardRecord) -> Object:
    """Wallet of a payment by wallet, and the kind of its card number."""
    return {"digital_wallet": record.wallet, "pan_type": _PAN_TYPE} if record.wallet else {}


def redirect_members(gateway: CardGateway, payment: Payment, base: str) -> Object:
    """Where the payer is sent, by which method and with which parameters."""
    record = record_of(payment)
    address = gateway.card.issuer_address(base, record.challenge)
    if not record.challenged:
        return {"redirect_url": address, "redirect_params": [], "redirect_method": "GET"}
    parameters = {"PaReq": record.three_ds_ids[2], "MD": payment.trans_id, "TermUrl": f"{address}/outcome"}
    return {"redirect_url": address, "redirect_params": parameters, "redirect_method": "POST"}


def chain_members(gateway: CardGateway, payment: Payment) -> Object:
    """Recurring token and schedule of a payment that started them."""
    body: Object = {}
    if payment.recurring_token:
        body["recurring_token"] = payment.recurring_token
    if payment.schedule_id:
        body["schedule_id"] = payment.schedule_id
    first = record_of(payment).first_recurring_date
    if first and gateway.release >= "6.7.0":
        body["first_recurring_date"] = first
    return body


def payment_answer(gateway: CardGateway, payment: Payment, base: str) -> Object:
    """The answer to a payment request."""
    record = record_of(payment)
    body = named(payment, payment.action, result_of(payment), payment.status) | {
        "trans_date": written(payment),
        "descriptor": DESCRIPTOR,
        "amount": payment.amount_text,
        "currency": payment.currency,
    }
    if payment.state is State.DECLINED:
        body["decline_reason"] = payment.decline_reason
    elif payment.state in _AWAY:
        body |= redirect_members(gateway, payment, base)
    else:
        body |= chain_members(gateway, payment)
        if record.wants_token and payment.card_token:
            body["card_token"] = payment.card_token
    return body | wallet_members(record)
