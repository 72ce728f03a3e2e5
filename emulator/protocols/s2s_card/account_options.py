"""What the settings of an account add to callbacks and look-ups of S2S CARD."""

from typing import Final

from emulator.engine.attributes import UNKNOWN_BROWSER, acquirer_data, is_new, reference_number
from emulator.engine.callbacks.notice import Fields
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_card.behaviour import CardGateway
from emulator.protocols.s2s_card.payment_record import record_of

_ISSUED: Final = (State.SETTLED, State.REFUNDED, State.RELEASED, State.CHARGED_BACK)
_ARN_ACTIONS: Final = ("SALE", "RECURRING_SALE")


def arn_of(gateway: CardGateway, payment: Payment) -> str:
    """The acquirer's reference number; empty until the financial day of a settled payment is over."""
    return reference_number(payment, gateway.clock.now()) if payment.state in _ISSUED else ""


def has_arn(gateway: CardGateway, payment: Payment) -> bool:
    """Whether the account sees the reference number of such payments."""
    return is_new(gateway) and payment.account.arn and payment.action in _ARN_ACTIONS


def arn_member(gateway: CardGateway, payment: Payment) -> Fields:
    """The reference number in a callback, empty while there is none."""
    return {"ARN": arn_of(gateway, payment)} if has_arn(gateway, payment) else {}


def browser_members(gateway: CardGateway, payment: Payment) -> Fields:
    """What the payer's browser said; nothing for payments without a payer."""
    record = record_of(payment)
    if not (is_new(gateway) and payment.account.browser_data and (record.trans_status or record.browser)):
        return {}
    return {**UNKNOWN_BROWSER, **record.browser}


def extended_members(payment: Payment) -> Fields:
    """The acquirer's data of a payment that succeeded."""
    return {**acquirer_data(payment)} if payment.account.extended_data else {}
