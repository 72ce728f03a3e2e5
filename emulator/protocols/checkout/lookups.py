"""POST /api/v1/payment/status: what a look-up says of payments."""

from typing import Final

from emulator.engine import attributes
from emulator.engine.payments import Payment, Protocol, State
from emulator.protocols.checkout import account_options
from emulator.protocols.checkout.behaviour import CheckoutGateway, PostAttempt
from emulator.protocols.checkout.callback_bodies import WORDS, chain_members, written
from emulator.protocols.checkout.payment_record import record_of
from emulator.rules.checkout.payments import size_of
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_HIDDEN_IN_LOOK_UPS: Final = ("first_recurring_date",)


def order_of_payment(payment: Payment) -> Object:
    """The order as the merchant sent it."""
    return {
        "number": payment.order_number,
        "amount": payment.amount_text,
        "currency": payment.currency,
        "description": payment.description,
    }


def customer_of_payment(payment: Payment) -> Object:
    """Name and e-mail address of the payer, as far as they are known."""
    known = record_of(payment).customer
    named = {"name": known.get("customer_name"), "email": known.get("customer_email")}
    return {name: value for name, value in named.items() if value}


def payment_object(gateway: CheckoutGateway, payment: Payment) -> Object:
    """What a look-up says of one payment."""
    record = record_of(payment)
    body: Object = {
        "payment_id": payment.id,
        "date": written(payment.created),
        "status": WORDS[payment.state],
    }
    if payment.state is State.DECLINED:
        body["reason"] = payment.decline_reason
    chain = chain_members(gateway, payment) if payment.state is not State.DECLINED else {}
    body |= {name: value for name, value in chain.items() if name not in _HIDDEN_IN_LOOK_UPS}
    if record.wallet:
        body["digital_wallet"] = record.wallet
    body["order"] = order_of_payment(payment)
    customer = customer_of_payment(payment)
    if customer:
        body["customer"] = customer
    arn = account_options.arn_of(gateway, payment) if account_options.has_arn(gateway, payment, record.event) else ""
    return {
        **body,
        **account_options.status_card_members(gateway, payment),
        **attributes.cof_members(gateway, payment, record),
        **attributes.payer_members(gateway, payment),
        **({"ARN": arn} if arn else {}),
    }


def look_up(attempt: PostAttempt) -> Reply:
    """Answer a look-up by payment, which wins, or by order."""
    gateway, body = attempt.gateway, attempt.body
    if body.get("payment_id") is not None:
        return _by_payment(attempt, str(body["payment_id"]))
    account = attempt.account
    found = gateway.payments.of_order(account, str(body.get("order_id"))) if account else []
    payments = [payment for payment in found if payment.protocol is Protocol.CHECKOUT]
    if not payments:
        return _refused(attempt, gateway.checkout.order_not_found)
    size = size_of(body["size"]) if body.get("size") is not None and attributes.is_new(gateway) else None
    if size is None:
        return Reply(Kind.CHECKOUT_STATUS, 200, payment_object(gateway, payments[0]))
    listed = tuple(payment_object(gateway, payment) for payment in payments[:size])
    return Reply(Kind.CHECKOUT_STATUS, 200, {}, listed=listed)


def _by_payment(attempt: PostAttempt, identifier: str) -> Reply:
    gateway = attempt.gateway
    payment = gateway.payments.find(attempt.account, identifier) if attempt.account else None
    if payment is None or payment.protocol is not Protocol.CHECKOUT:
        return _refused(attempt, attempt.operation.not_found)
    return Reply(Kind.CHECKOUT_STATUS, 200, payment_object(gateway, payment))


def _refused(attempt: PostAttempt, refusal: Refusal) -> Reply:
    return attempt.gateway.answers.refuse(refusal)
