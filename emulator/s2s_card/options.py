"""What the settings of an account add to callbacks and look-ups of S2S CARD."""

from typing import TYPE_CHECKING, Final

from emulator.callbacks.notice import Fields
from emulator.payments.attributes import UNKNOWN_BROWSER, acquirer_data, is_new, reference_number
from emulator.payments.model import Payment, State
from emulator.s2s_card.record import record_of

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_ISSUED: Final = (State.SETTLED, State.REFUNDED, State.RELEASED, State.CHARGED_BACK)
_ARN_ACTIONS: Final = ("SALE", "RECURRING_SALE")


def arn_of(gateway: "Gateway", payment: Payment) -> str:
    """The acquirer's reference number; empty until the financial day of a settled payment is over."""
    return reference_number(payment, gateway.clock.now()) if payment.state in _ISSUED else ""


def has_arn(gateway: "Gateway", payment: Payment) -> bool:
    """Tell whether the account is told the reference number of such payments."""
    return is_new(gateway) and payment.account.arn and payment.action in _ARN_ACTIONS


def arn_member(gateway: "Gateway", payment: Payment) -> Fields:
    """The reference number in a callback, empty while there is none."""
    return {"ARN": arn_of(gateway, payment)} if has_arn(gateway, payment) else {}


def browser_members(gateway: "Gateway", payment: Payment) -> Fields:
    """What the payer's browser said; nothing for payments without a payer."""
    record = record_of(payment)
    if not (is_new(gateway) and payment.account.browser_data and (record.trans_status or record.browser)):
        return {}
    return {**UNKNOWN_BROWSER, **record.browser}


def extended_members(payment: Payment) -> Fields:
    """The acquirer's data of a payment that succeeded."""
    return {**acquirer_data(payment)} if payment.account.extended_data else {}
