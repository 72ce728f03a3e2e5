"""Voids, retries, and refunds through the card credit endpoint."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from contract.errors import REFUND_BY_CONNECTOR_ONLY, REFUND_NOT_ALLOWED, REFUND_NOT_SETTLED
from fixtures.checkout_operations import OperationRequest
from fixtures.checkout_payment import CheckoutPayment
from fixtures.checkout_payments import CheckoutPayments
from fixtures.checkout_states import WITH_AUTH
from fixtures.exchange import Reply
from fixtures.judging import must_accept, must_hold, must_reject
from fixtures.requirement import must_offer, requirement
from fixtures.ripening import ripens
from fixtures.run import Run
from fixtures.verdicts import not_applicable, note_reading

PaymentsOf = Callable[[str], CheckoutPayments]

OUTSIDE_THE_DUPLICATE_WINDOW = 16.0
BY_ORDER = "order_id"


@requirement("CHK-RFD-16")
def test_answer_to_a_void_tells_its_outcome(paid: CheckoutPayments) -> None:
    reply = paid.after("void", "settled", CheckoutPayment.void).reply

    must_accept(reply)
    status, of_payment = str(reply.object.get("status", "")), reply.object.get("payment_status")
    readings = {
        "outcome": status.upper() in ("SUCCESS", "FAIL") and bool(of_payment),
        "upper": status in ("VOID", "SETTLED"),
        "lower": bool(status) and status == status.lower(),
    }
    followed = [reading for reading, is_it in readings.items() if is_it]
    must_hold(
        followed, "status SUCCESS with payment_status, VOID, or a status of payments", reply, "It is none of them."
    )
    note_reading("CHK-RFD-16", followed[0])


@requirement("CHK-RFD-20")
def test_retry_of_a_softly_declined_charge_is_accepted(paid_by: PaymentsOf) -> None:
    paid = paid_by("declining_recurring")
    payment = paid.fresh("softly_declined")

    reply = paid.merchant.post(payment.retry())

    must_accept(reply)
    is_accepted = str(reply.object.get("result", "")).lower() == "accepted"
    is_whole = is_accepted and reply.object.get("payment_id") == payment.payment_id
    must_hold(is_whole, f'payment_id {payment.payment_id} and result "accepted"', reply, "One of them differs.")


# --- by card credit: after the duplicate window, since the request may repeat the order's number ---


def sown(state: str, setting: str, run: Run) -> CheckoutPayment:
    must_offer(run.profile, ("capability:card_credit", "test_data:refund_reference"))
    payments = run.checkout_payments
    return (payments.of(run.checkout_merchant(setting)) if setting else payments).fresh(state)


def a_while_after(state: str, setting: str = "") -> pytest.MarkDecorator:
    return ripens(after=OUTSIDE_THE_DUPLICATE_WINDOW, sow=partial(sown, state, setting))


def refund_by_credit(payment: CheckoutPayment, paid: CheckoutPayments) -> OperationRequest:
    """Name a payment by the field that the profile tells: by its order id, or in another field by the payment's."""
    reference = str(paid.profile.test_data.refund_reference)
    credit = paid.operations.card_credit().with_("order_amount", payment.amount)
    owner = paid.of(payment.merchant)
    if owner is not paid or paid.profile.test_data.card_token is None:
        credit = credit.with_("card_token", owner.card_token(owner.shared("tokenized")))
    return credit.with_(reference, payment.number if reference == BY_ORDER else payment.payment_id)


def refunded(payment: CheckoutPayment, paid: CheckoutPayments) -> Reply:
    return payment.merchant.post(refund_by_credit(payment, paid))


@requirement("CHK-RFD-01")
@a_while_after("settled")
def test_settled_payment_is_refunded_by_card_credit(ripe: CheckoutPayment, paid: CheckoutPayments) -> None:
    must_accept(refunded(ripe, paid))

    is_by_order = paid.profile.test_data.refund_reference == BY_ORDER
    note_reading("CHK-RFD-01", "order-id" if is_by_order else "reference")


@requirement("CHK-RFD-02")
@pytest.mark.parametrize(
    ("state", "needs"),
    [
        pytest.param("declined", "test_data:cards.decline", marks=a_while_after("declined")),
        pytest.param("authorized", "capability:dms", marks=a_while_after("authorized")),
    ],
)
def test_refund_of_a_payment_that_is_not_settled_is_refused(
    state: str, needs: str, ripe: CheckoutPayment, paid: CheckoutPayments
) -> None:
    must_offer(paid.profile, (needs,))
    if state == "authorized" and paid.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")

    must_reject(refunded(ripe, paid), REFUND_NOT_SETTLED)


@requirement("CHK-RFD-03")
@a_while_after("settled", "no_refunds")
def test_refund_is_refused_where_the_mid_allows_none(ripe: CheckoutPayment, paid: CheckoutPayments) -> None:
    must_reject(refunded(ripe, paid), REFUND_NOT_ALLOWED)


@requirement("CHK-RFD-04")
@a_while_after("settled", "connector_refunds_only")
def test_refund_is_refused_where_the_acquirer_takes_it_in_its_portal_only(
    ripe: CheckoutPayment, paid: CheckoutPayments
) -> None:
    must_reject(refunded(ripe, paid), REFUND_BY_CONNECTOR_ONLY)
