"""Faults of card credits that refund a payment."""

from collections.abc import Callable
from typing import Final

from emulator.checkout import payouts
from emulator.checkout.conduct import PostAttempt
from emulator.design import Change
from emulator.faults.checkout_ways import (
    Handler,
    around,
    instead,
    lately,
    worded,
)
from emulator.faults.model import Fault
from emulator.payments.model import State
from emulator.replies import Kind, Refusal, Reply

_NAME: Final = "card_credit"
_CREDIT: Final = Kind.CHECKOUT_CREDIT
_ON_REFUNDS: Final = ("CHK-RFD-*", "CBK-*")
_STATE: Final = Kind.STATE
_REFUSED: Final = Refusal(_STATE, "Credits are not possible.")


def _state_is(state: State) -> Callable[[PostAttempt], bool]:
    return lambda attempt: attempt.payment is not None and attempt.payment.state is state


def _is_refund(attempt: PostAttempt) -> bool:
    return attempt.payment is not None


def _unsettled(handler: Handler, attempt: PostAttempt) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is State.SETTLED:
        return handler(attempt)
    return Reply(_CREDIT, 200, {"payment_id": payment.id, "result": "accepted"})


def _allowed_to_all(attempt: PostAttempt) -> Refusal | None:
    refusal = payouts.find_refunded(attempt)
    return None if refusal is attempt.gateway.design.checkout.no_refunds else refusal


def _connector_takes(attempt: PostAttempt) -> Refusal | None:
    refusal = payouts.find_refunded(attempt)
    return None if refusal is attempt.gateway.design.checkout.connector_refunds else refusal


def _in_checkout(**changes: object) -> Change:
    return lambda design: design.in_checkout(**changes)


FAULTS: Final = (
    Fault(
        "checkout-credit-refund-refused",
        ("CHK-RFD-01",),
        "No refund by card credit.",
        lately(_is_refund, _REFUSED, _NAME),
        _ON_REFUNDS,
    ),
    Fault(
        "checkout-credit-refund-of-unsettled",
        ("CHK-RFD-02",),
        "What is not settled is refunded.",
        around(_unsettled, _NAME),
        ("CHK-RFD-*",),
    ),
    Fault(
        "checkout-credit-refund-of-unsettled-100000",
        ("CHK-RFD-02",),
        "A refund of what is not settled is refused with 100000.",
        worded(_NAME, WRONG_STATE=Refusal(_STATE, "Refund is not possible.")),
        ("CHK-RFD-*",),
    ),
    Fault(
        "checkout-credit-refund-of-pending-100000",
        ("CHK-RFD-02",),
        "A refund of an authorization is refused with 100000.",
        lately(_state_is(State.AUTHORIZED), Refusal(_STATE, "Refund is not possible."), _NAME),
        ("CHK-RFD-*",),
    ),
    Fault(
        "checkout-credit-refunds-for-all",
        ("CHK-RFD-03",),
        "Accounts without refunds refund.",
        instead(payouts.find_refunded, _allowed_to_all, _NAME),
    ),
    Fault(
        "checkout-credit-no-refunds-other-text",
        ("CHK-RFD-03",),
        "Refunds that are off are refused with other words.",
        _in_checkout(no_refunds=Refusal(_STATE, "Refunds are off")),
    ),
    Fault(
        "checkout-credit-no-refunds-208005",
        ("CHK-RFD-03",),
        "Refunds that are off are refused with 208005.",
        _in_checkout(no_refunds=Refusal(_STATE, "Refund is not allowed", code=208005)),
    ),
    Fault(
        "checkout-credit-connector-refunds-taken",
        ("CHK-RFD-04",),
        "Refunds go to an acquirer that takes none.",
        instead(payouts.find_refunded, _connector_takes, _NAME),
    ),
    Fault(
        "checkout-credit-connector-refunds-100000",
        ("CHK-RFD-04",),
        "Refunds in the acquirer's portal are refused with 100000.",
        _in_checkout(
            connector_refunds=Refusal(_STATE, "Refund via API is not supported. Only from the connector admin portal.")
        ),
    ),
)
