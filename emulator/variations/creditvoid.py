"""Variations of what CREDITVOID is for, in both protocols that are spoken server to server."""

from typing import Final

from emulator.changes.s2s_apm import around
from emulator.design import Design
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.rules.s2s_apm.brands import INSTANT_QR, SALES
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal, Reply

_NO_REFUND: Final = Refusal(Kind.CARD_FIELDS, "Refund is not allowed")


def _refused(payment: Payment) -> Refusal | None:
    return _NO_REFUND if payment.state is not State.AUTHORIZED else None


def _releases_only(design: Design) -> Design:
    """Line 371 says that CREDITVOID releases an authorization, and line 363 that S2S CARD has no refund action."""
    handler = design.apm.handlers["CREDITVOID"]

    def credit_void(attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment = attempt.payment
        if payment is None or payment.state is State.AUTHORIZED:
            return handler(attempt, gateway)
        return gateway.answers.refuse(_NO_REFUND)

    changed = design.in_card(refund_refusal=_refused)
    return changed.in_apm(handlers={**changed.apm.handlers, "CREDITVOID": credit_void})


def _released_like_refunds(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Lines 439 and 457 do not say what such an account is refused to give back."""
    payment = attempt.payment
    if payment is not None and payment.state is State.AUTHORIZED and not payment.account.refunds:
        return gateway.answers.refuse(gateway.apm.no_refunds)
    if payment is not None and payment.state is State.AUTHORIZED and payment.account.connector_refunds_only:
        return gateway.answers.refuse(gateway.apm.connector_refunds)
    return handler(attempt, gateway)


def _none_in_yen(design: Design) -> Design:
    """Payments in yen are served by another MID, which allows no refunds (lines 49 and 319)."""
    inner = design.card.refund_refusal

    def refused(payment: Payment) -> Refusal | None:
        is_by_that_mid = payment.currency == "JPY" and payment.state is State.SETTLED
        return _NO_REFUND if is_by_that_mid else inner(payment)

    return design.in_card(refund_refusal=refused)


def _by_another_mid(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Payments in yen, and those by QR, are served by another MID, which allows no refunds (lines 49, 56 and 319)."""
    payment = attempt.payment
    is_by_that_mid = payment is not None and (payment.currency == "JPY" or SALES.get(payment.brand) == INSTANT_QR)
    if payment is not None and is_by_that_mid and payment.state is State.SETTLED:
        return gateway.answers.refuse(_NO_REFUND)
    return handler(attempt, gateway)


VARIATIONS: Final = (
    Variation(
        "apm-another-mid-without-refunds",
        "CREDITVOID of S2S APM gives back no settled payment in yen, and none by QR.",
        around(_by_another_mid, "CREDITVOID"),
    ),
    Variation("card-yen-by-a-mid-without-refunds", "CREDITVOID gives back no settled payment in yen.", _none_in_yen),
    Variation(
        "apm-release-needs-refunds",
        "An account of S2S APM that gives nothing back cannot release an authorization.",
        around(_released_like_refunds, "CREDITVOID"),
    ),
    Variation("creditvoid-releases-only", "CREDITVOID gives no settled payment back.", _releases_only),
)
