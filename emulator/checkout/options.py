"""What the settings of an account add to callbacks and look-ups of Checkout."""

from datetime import datetime
from typing import TYPE_CHECKING, Final

from emulator.callbacks.notice import Fields
from emulator.checkout.record import record_of
from emulator.payments.model import Payment, State

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_CLEARED: Final = (State.SETTLED, State.REFUNDED, State.CHARGED_BACK)
_WITH_ARN: Final = ("sale", "recurring", "refund")
# What is told of a browser that said nothing of itself.
_BROWSER: Final = {
    "browser_color_depth": "24",
    "browser_screen_height": "1080",
    "browser_screen_width": "1920",
    "browser_java_enabled": "false",
    "browser_javascript_enabled": "false",
    "browser_language": "en",
    "browser_timezone_offset": "0",
    "browser_user_agent": "unknown",
    "browser_accept_headers": "*/*",
    "browser_platform": "unknown",
}
BROWSER_ATTRIBUTES: Final = tuple(_BROWSER)


def is_new(gateway: "Gateway") -> bool:
    """Tell whether the release has what came with 6.7.0."""
    return gateway.design.release >= "6.7.0"


def _same_day(one: datetime, other: datetime) -> bool:
    return one.date() == other.date()


def arn_of(gateway: "Gateway", payment: Payment) -> str:
    """The acquirer's reference number; empty until the financial day of a settled payment is over."""
    cleared = payment.state in _CLEARED and not _same_day(payment.created, gateway.clock.now())
    return f"74{payment.id.replace('-', '')[:8]}0000000000001" if cleared else ""


def has_arn(gateway: "Gateway", payment: Payment, event: str) -> bool:
    """Tell whether the account is told the reference number of such payments."""
    return is_new(gateway) and payment.account.arn and event in _WITH_ARN


def arn_member(gateway: "Gateway", payment: Payment, event: str) -> Fields:
    """The reference number in a callback, empty while there is none."""
    return {"ARN": arn_of(gateway, payment)} if has_arn(gateway, payment, event) else {}


def card_members(payment: Payment) -> Fields:
    """The masked number of the card and its expiry date, as far as they are known."""
    if payment.card is None:
        return {}
    fields: Fields = {"card": payment.card.masked}
    return fields | ({"card_expiration_date": payment.card.expiry} if payment.card.month else {})


def status_card_members(gateway: "Gateway", payment: Payment) -> Fields:
    """The card in look-ups."""
    return card_members(payment) if is_new(gateway) and payment.account.status_card_data else {}


def brand_member(gateway: "Gateway", payment: Payment) -> Fields:
    """The brand of the card."""
    return {"brand": payment.brand} if is_new(gateway) and payment.account.brand and payment.brand else {}


def method_member(gateway: "Gateway", payment: Payment) -> Fields:
    """The card or wallet that was paid with."""
    if not (is_new(gateway) and payment.account.checkout_payment_method):
        return {}
    return {"checkout_payment_method": record_of(payment).method}


def payer_members(gateway: "Gateway", payment: Payment) -> Fields:
    """The payer's attributes, as far as they are known."""
    return dict(payment.payer) if is_new(gateway) and payment.account.payer_fields else {}


def cof_members(gateway: "Gateway", payment: Payment) -> Fields:
    """Who initiated a payment by a card on file, from where, and whether it is the first one."""
    record = record_of(payment)
    if not (is_new(gateway) and payment.account.cof_fields and record.initiator):
        return {}
    return {"initiator": record.initiator, "source": record.source, "sequence": record.sequence}


def three_ds_members(gateway: "Gateway", payment: Payment) -> Fields:
    """What 3DS said of the payer; nothing for payments that it was not asked about."""
    record = record_of(payment)
    if not (is_new(gateway) and payment.account.three_ds_data and record.trans_status):
        return {}
    server, directory, access = record.three_ds_ids
    failed = record.trans_status == "N"
    fields: Fields = {
        "threeDSServerTransID": server,
        "dsTransID": directory,
        "acsTransID": access,
        "transStatus": record.trans_status,
        "eci": "07" if failed else "05",
        "protocolVersion": "2.2.0",
        "authenticationFlow": "Challenge" if record.challenged else "Frictionless",
    }
    return fields | ({"transStatusReason": "01"} if failed else {})


def browser_members(gateway: "Gateway", payment: Payment) -> Fields:
    """What the payer's browser said; nothing for payments without a browser."""
    record = record_of(payment)
    if not (is_new(gateway) and payment.account.browser_data and record.browser):
        return {}
    return {**_BROWSER, **record.browser}


def extended_members(payment: Payment) -> Fields:
    """The acquirer's data of a payment that it saw."""
    if not payment.account.extended_data:
        return {}
    digits = "".join(sign for sign in payment.id if sign.isdecimal()).ljust(12, "0")
    fields: Fields = {
        "connector_name": "emulator",
        "rrn": digits[:12],
        "approval_code": digits[:6],
        "gateway_id": payment.id,
        "extra_gateway_id": payment.trans_id,
        "merchant_name": payment.account.name,
        "mid_name": payment.account.name,
        "issuer_country": "US",
        "issuer_bank": "Emulated bank",
    }
    return fields | {"extended_data": dict(fields)}
