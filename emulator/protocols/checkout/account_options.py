"""What the settings of an account add to callbacks and look-ups of Checkout."""

from typing import Final

from emulator.engine.attributes import UNKNOWN_BROWSER, acquirer_data, is_new, reference_number
from emulator.engine.callbacks.notice import Fields
from emulator.engine.payments import Payment, State
from emulator.protocols.checkout.behaviour import CheckoutGateway
from emulator.protocols.checkout.payment_record import record_of

_CLEARED: Final = (State.SETTLED, State.REFUNDED, State.CHARGED_BACK)
_WITH_ARN: Final = ("sale", "recurring", "refund")
BROWSER_ATTRIBUTES: Final = tuple(UNKNOWN_BROWSER)


def arn_of(gateway: CheckoutGateway, payment: Payment) -> str:
    """The acquirer's reference number; empty until the financial day of a settled payment is over."""
    return reference_number(payment, gateway.clock.now()) if payment.state in _CLEARED else ""


def has_arn(gateway: CheckoutGateway, payment: Payment, event: str) -> bool:
    """Whether the account sees the reference number of such payments."""
    return is_new(gateway) and payment.account.arn and event in _WITH_ARN


def arn_member(gateway: CheckoutGateway, payment: Payment, event: str) -> Fields:
    """The reference number in a callback, empty while there is none."""
    return {"ARN": arn_of(gateway, payment)} if has_arn(gateway, payment, event) else {}


def card_members(payment: Payment) -> Fields:
    """The masked number of the card and its expiry date, as far as they are known."""
    if payment.card is None:
        return {}
    fields: Fields = {"card": payment.card.masked}
    return fields | ({"card_expiration_date": payment.card.expiry} if payment.card.month else {})


def status_card_members(gateway: CheckoutGateway, payment: Payment) -> Fields:
    """The card in look-ups."""
    return card_members(payment) if is_new(gateway) and payment.account.status_card_data else {}


def method_member(gateway: CheckoutGateway, payment: Payment) -> Fields:
    """The card or wallet that was paid with."""
    if not (is_new(gateway) and payment.account.checkout_payment_method):
        return {}
    return {"checkout_payment_method": record_of(payment).method}


def browser_members(gateway: CheckoutGateway, payment: Payment) -> Fields:
    """What the payer's browser said; nothing for payments without a browser."""
    record = record_of(payment)
    if not (is_new(gateway) and payment.account.browser_data and record.browser):
        return {}
    return {**UNKNOWN_BROWSER, **record.browser}


def extended_members(payment: Payment) -> Fields:
    """The acquirer's data of a payment that it saw."""
    if not payment.account.extended_data:
        return {}
    fields = acquirer_data(payment)
    return {**fields, "extended_data": dict(fields)}
