"""Ways of doing things that all S2S CARD payments share; faults and variations replace them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from emulator.payments.model import Payment, State
from emulator.replies import Kind, Refusal

_DEBITS: Final = ("DEBIT", "RECURRING_DEBIT")
NO_REFUNDS: Final = Refusal(Kind.STATE, "Refund is not allowed")
PORTAL_ONLY: Final = Refusal(
    Kind.STATE, "Refund via API is not supported. Only from the connector admin portal.", code=210002
)


def day_is_over(payment: Payment, now: datetime) -> bool:
    """Tell whether the financial day of a payment, that of its date in UTC, has passed."""
    return now.date() > payment.created.date()


def refund_refusal(payment: Payment) -> Refusal | None:
    """Why the money of a settled payment is not given back by this interface; None where it is."""
    if payment.state is not State.SETTLED:
        return None
    if not payment.account.refunds:
        return NO_REFUNDS
    return PORTAL_ONLY if payment.account.connector_refunds_only else None


def after_refund(payment: Payment) -> None:
    """A debit that was wholly given back counts as reversed."""
    if payment.action in _DEBITS and payment.state is State.REFUNDED:
        payment.state = State.RELEASED


def issuer_address(base: str, token: str) -> str:
    """Where the payer is sent to be challenged."""
    return f"{base}/issuer/{token}"


def scheduled_order(initial: Payment) -> str:
    """The order id of a payment that a schedule made: that of the payment that started it."""
    return initial.order_number


def passes(payment: Payment, choice: str) -> bool:
    """What the issuer says once the payer made a choice: the card decides, unless the payer chose to fail."""
    return payment.approves and choice == "pass"


@dataclass(frozen=True, slots=True)
class CardConduct:
    """How S2S CARD payments are treated.

    ``outcome_after`` are the seconds after which an operation that was accepted is carried out; ``retried_action`` is
    the action that the callback of a RETRY names.
    """

    day_is_over: Callable[[Payment, datetime], bool] = day_is_over
    refund_refusal: Callable[[Payment], Refusal | None] = refund_refusal
    after_refund: Callable[[Payment], None] = after_refund
    outcome_after: float = 0.0
    retried_action: str = "RECURRING_SALE"
    issuer_address: Callable[[str, str], str] = issuer_address
    scheduled_order: Callable[[Payment], str] = scheduled_order
    passes: Callable[[Payment, str], bool] = passes
