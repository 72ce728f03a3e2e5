"""What callbacks of S2S CARD payments say."""

from collections.abc import Mapping
from typing import Final, cast

from emulator.engine import attributes
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_card import account_options
from emulator.protocols.s2s_card.behaviour import CardGateway
from emulator.protocols.s2s_card.messages.answers import (
    DESCRIPTOR,
    named,
    now,
    redirect_members,
    result_of,
    wallet_members,
    written,
)
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.wire.values import Object, text_of

PAYOUT: Final = "CREDIT2CARD"
_WITH_TOKEN: Final = ("DEBIT", "RECURRING_DEBIT")


def as_value(value: object) -> Value:
    """A value of an answer or of custom data as text, or as texts below names."""
    if isinstance(value, Mapping):
        return {str(name): as_value(below) for name, below in cast("Object", value).items()}
    if isinstance(value, list):
        return [as_value(below) for below in cast("list[object]", value)]
    return text_of(value)


def _fields(body: Object) -> Fields:
    return {name: as_value(value) for name, value in body.items()}


def _card(payment: Payment) -> Fields:
    if payment.card is None:
        return {}
    fields: Fields = {"card": payment.card.masked}
    return fields | ({"card_expiration_date": payment.card.expiry} if payment.card.month else {})


def _custom_data(payment: Payment) -> Fields:
    custom_data = record_of(payment).custom_data
    return {"custom_data": as_value(custom_data)} if custom_data else {}


def _tokens(gateway: CardGateway, payment: Payment) -> Fields:
    record = record_of(payment)
    always = payment.action in _WITH_TOKEN and gateway.release >= "6.7.0"
    wanted = always or (record.wants_token and payment.state is not State.DECLINED)
    return {"card_token": payment.card_token} if payment.card_token and wanted else {}


def _chain(gateway: CardGateway, payment: Payment) -> Fields:
    token = payment.recurring_token or str(payment.extras.get("recurring_token", ""))
    fields: Fields = {"recurring_token": token} if token else {}
    if payment.schedule_id and token:
        fields["schedule_id"] = payment.schedule_id
    first = record_of(payment).first_recurring_date
    if first and gateway.release >= "6.7.0":
        fields["first_recurring_date"] = first
    return fields


def _dated(payment: Payment, when: str, amount: str) -> Fields:
    return {"trans_date": when, "descriptor": DESCRIPTOR, "amount": amount, "currency": payment.currency}


def _options(gateway: CardGateway, payment: Payment) -> Fields:
    record = record_of(payment)
    return {
        **attributes.brand_member(gateway, payment),
        **attributes.three_ds_members(gateway, payment, record),
        **account_options.browser_members(gateway, payment),
        **attributes.payer_members(gateway, payment),
        **attributes.cof_members(gateway, payment, record),
    }


def _short(gateway: CardGateway, payment: Payment) -> Fields:
    token = _tokens(gateway, payment) if payment.action in _WITH_TOKEN else {}
    return {**_card(payment), **token, **_custom_data(payment)}


def _common(gateway: CardGateway, payment: Payment) -> Fields:
    return {
        **_card(payment),
        **_tokens(gateway, payment),
        **_custom_data(payment),
        **_fields(wallet_members(record_of(payment))),
        **_options(gateway, payment),
    }


def notify_redirect(gateway: CardGateway, payment: Payment) -> None:
    """Notify that the payer was sent to the issuer."""
    fields = _fields(named(payment, payment.action, result_of(payment), payment.status))
    fields |= _dated(payment, written(payment), payment.amount_text)
    parameters = _fields(redirect_members(gateway, payment, gateway.address))
    fields |= {name: value for name, value in parameters.items() if value}
    gateway.callbacks.notify(Notice(payment, payment.status, fields | _common(gateway, payment)))


def notify_payment(gateway: CardGateway, payment: Payment, action: str = "") -> None:
    """Notify how a payment ended, or that this is not known yet; ``action`` names another one than the payment's."""
    fields = _fields(named(payment, action or payment.action, result_of(payment), payment.status))
    if payment.state is State.DECLINED:
        fields |= {"trans_date": written(payment), "decline_reason": payment.decline_reason}
    else:
        fields |= _dated(payment, written(payment), payment.amount_text) | _chain(gateway, payment)
        fields |= account_options.extended_members(payment) if payment.state is not State.PREPARED else {}
        fields |= account_options.arn_member(gateway, payment)
    if payment.action == PAYOUT:
        fields["type"] = "credit"
    gateway.callbacks.notify(Notice(payment, action or payment.action, fields | _common(gateway, payment)))


def notify_capture(gateway: CardGateway, payment: Payment, result: str, amount: str) -> None:
    """Notify of a capture."""
    fields = _fields(named(payment, "CAPTURE", result, payment.status))
    if result == "DECLINED":
        fields["decline_reason"] = payment.decline_reason
    else:
        fields |= _dated(payment, now(gateway), amount) | account_options.extended_members(payment)
        fields |= account_options.arn_member(gateway, payment)
    gateway.callbacks.notify(Notice(payment, "CAPTURE", fields | _short(gateway, payment)))


def notify_void(gateway: CardGateway, payment: Payment) -> None:
    """Notify of a void."""
    fields = _fields(named(payment, "VOID", "SUCCESS", payment.status)) | {"trans_date": now(gateway)}
    fields |= account_options.extended_members(payment)
    gateway.callbacks.notify(Notice(payment, "VOID", fields | _short(gateway, payment)))


def notify_creditvoid(gateway: CardGateway, payment: Payment, amount: str) -> None:
    """Notify that money was given back, or that an authorization was released."""
    fields = _fields(named(payment, "CREDITVOID", "SUCCESS", payment.status))
    fields |= {"creditvoid_date": now(gateway), "amount": amount, **account_options.extended_members(payment)}
    fields |= account_options.arn_member(gateway, payment)
    gateway.callbacks.notify(Notice(payment, "CREDITVOID", fields | _short(gateway, payment)))


def notify_refused_creditvoid(gateway: CardGateway, payment: Payment) -> None:
    """Notify that nothing was given back."""
    fields = _fields(named(payment, "CREDITVOID", "DECLINED", payment.status)) | {
        "decline_reason": "Declined by processing"
    }
    gateway.callbacks.notify(Notice(payment, "CREDITVOID", fields | _short(gateway, payment)))
