"""What callbacks of Checkout payments say."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, cast

from emulator.engine import attributes
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.payments import Payment, State
from emulator.protocols.checkout import account_options
from emulator.protocols.checkout.behaviour import CheckoutGateway
from emulator.protocols.checkout.payment_record import record_of
from emulator.wire.values import Object, text_of

# The word of a state in look-ups and callbacks of Checkout.
WORDS: Final[Mapping[State, str]] = {
    State.PREPARED: "prepare",
    State.CHALLENGED: "3ds",
    State.REDIRECTED: "redirect",
    State.AWAITING_BANK: "pending",
    State.AUTHORIZED: "pending",
    State.SETTLED: "settled",
    State.DECLINED: "decline",
    State.VOIDED: "void",
    State.RELEASED: "reversal",
    State.REFUNDED: "refund",
    State.CHARGED_BACK: "chargeback",
}
_UNDECIDED: Final = (State.CHALLENGED, State.REDIRECTED, State.PREPARED, State.AWAITING_BANK)
# Events that a card token is reported in beside the outcome of the payment itself.
_STEPS: Final = ("3ds", "redirect")


def written(moment: datetime) -> str:
    """Date and time as the protocol writes them."""
    return moment.strftime("%Y-%m-%d %H:%M:%S")


def as_value(value: object) -> Value:
    """A JSON value as text, or as texts below names."""
    if isinstance(value, Mapping):
        return {str(name): as_value(below) for name, below in cast("Object", value).items()}
    if isinstance(value, list):
        return [as_value(below) for below in cast("list[object]", value)]
    if value is None or isinstance(value, bool):
        return {None: "", True: "true", False: "false"}[value]
    return text_of(value)


def _order(payment: Payment) -> Fields:
    return {
        "id": payment.id,
        "order_number": payment.order_number,
        "order_amount": payment.amount_text,
        "order_currency": payment.currency,
        "order_description": payment.description,
        "order_status": WORDS[payment.state],
    }


def _tokens(gateway: CheckoutGateway, payment: Payment) -> Fields:
    record = record_of(payment)
    of_debit = payment.action == "debit" and attributes.is_new(gateway)
    asked_for = record.wants_token and payment.state is not State.DECLINED
    return {"card_token": payment.card_token} if payment.card_token and (of_debit or asked_for) else {}


def chain_members(gateway: CheckoutGateway, payment: Payment) -> Fields:
    """The recurring chain that a payment started or belongs to, and its schedule."""
    record = record_of(payment)
    fields: Fields = {}
    token = payment.recurring_token or record.chain_token
    if token:
        fields["recurring_token"] = token
    if payment.recurring_token and payment.action == "purchase":
        fields["recurring_init_trans_id"] = payment.id
    elif payment.chain:
        fields["recurring_init_trans_id"] = payment.chain
    if payment.schedule_id:
        fields["schedule_id"] = payment.schedule_id
    if record.first_recurring_date and attributes.is_new(gateway):
        fields["first_recurring_date"] = record.first_recurring_date
    return fields


def _of_card(gateway: CheckoutGateway, payment: Payment) -> Fields:
    token_debit = payment.action == "debit" and bool(record_of(payment).sent_token)
    return {} if token_debit and not attributes.is_new(gateway) else account_options.card_members(payment)


def _optional(gateway: CheckoutGateway, payment: Payment, event: str) -> Fields:
    record = record_of(payment)
    acquired = event not in _STEPS and payment.state not in _UNDECIDED
    return {
        **attributes.brand_member(gateway, payment),
        **account_options.method_member(gateway, payment),
        **attributes.three_ds_members(gateway, payment, record),
        **account_options.browser_members(gateway, payment),
        **attributes.payer_members(gateway, payment),
        **attributes.cof_members(gateway, payment, record),
        **(account_options.extended_members(payment) if acquired else {}),
        **(account_options.arn_member(gateway, payment, event) if event not in _STEPS else {}),
    }


def _merchant_data(payment: Payment) -> Fields:
    custom_data = record_of(payment).custom_data
    return {"custom_data": as_value(custom_data)} if custom_data else {}


def notify(gateway: CheckoutGateway, payment: Payment, event: str, status: str) -> None:
    """Notify the merchant of an event; order and amount are those of the payment, also where a part is refunded."""
    record = record_of(payment)
    fields = _order(payment)
    fields |= {"type": event, "status": status}
    if status == "fail":
        fields["reason"] = payment.decline_reason
    fields |= {"date": written(gateway.clock.now()), **record.customer, **record.payee}
    fields |= _of_card(gateway, payment) | _tokens(gateway, payment)
    if payment.state not in (*_UNDECIDED, State.DECLINED):
        fields |= chain_members(gateway, payment)
    if record.wallet:
        fields["digital_wallet"] = record.wallet
    if record.vat_amount:
        fields["vat_amount"] = record.vat_amount
    fields |= _optional(gateway, payment, event) | _merchant_data(payment)
    if record.customer_ip:
        fields["customer_ip"] = record.customer_ip
    kept = {name: value for name, value in fields.items() if value not in ("", {}) or name == "ARN"}
    gateway.callbacks.notify(Notice(payment, event, kept))


def notify_outcome(gateway: CheckoutGateway, payment: Payment) -> None:
    """Notify how a payment ended, or that this is not known yet."""
    event = record_of(payment).event
    if payment.state is State.DECLINED:
        notify(gateway, payment, event, "fail")
    else:
        notify(gateway, payment, event, "waiting" if payment.state is State.AWAITING_BANK else "success")
