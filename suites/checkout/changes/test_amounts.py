"""What follows a payment, for an amount that is none: it is refused where the contract says how amounts are written."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.judging.must import must_not_break, must_refuse
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.requirement import must_offer, requirement

ILL_WRITTEN = pytest.mark.parametrize("kind", ["word", "one decimal", "three decimals"])
ODD = ("ten", "", " ", "-1.00", "10,00", "1e1", "NaN", ".", "10.0", "10.000")


@requirement("CHK-REC-20")
@ILL_WRITTEN
def test_charge_of_an_ill_written_amount_is_refused(kind: str, paid: CheckoutPayments) -> None:
    paid.shared("secondary")
    charge = paid.operations.charge(paid.chain("initial"))

    must_refuse(paid.merchant.post(charge.with_("order.amount", paid.operations.ill_written[kind])))


@requirement("CHK-CRD-24")
@ILL_WRITTEN
def test_card_credit_of_an_ill_written_amount_is_refused(kind: str, paid: CheckoutPayments) -> None:
    paid.shared("credited")
    credit = paid.operations.card_credit()

    must_refuse(paid.merchant.post(credit.with_("order_amount", paid.operations.ill_written[kind])))


@requirement("GEN-ERR-10")
def test_odd_amount_of_a_charge_breaks_nothing(paid: CheckoutPayments) -> None:
    chain = paid.chain("initial")

    for amount in ODD:
        must_not_break(paid.merchant.post(paid.operations.charge(chain).with_("order.amount", amount)))


@requirement("GEN-ERR-10")
def test_odd_amount_of_a_card_credit_breaks_nothing(paid: CheckoutPayments) -> None:
    paid.shared("credited")

    for amount in ODD:
        must_not_break(paid.merchant.post(paid.operations.card_credit().with_("order_amount", amount)))


@requirement("GEN-ERR-10")
@pytest.mark.parametrize(
    ("request_of", "state", "needs"),
    [
        pytest.param(CheckoutPayment.capture, "authorized", ("capability:dms",), id="capture"),
        pytest.param(CheckoutPayment.refund, "settled", ("capability:refund_endpoint",), id="refund"),
    ],
)
def test_odd_amount_breaks_nothing(
    request_of: Callable[[CheckoutPayment], OperationRequest],
    state: str,
    needs: tuple[str, ...],
    paid: CheckoutPayments,
) -> None:
    must_offer(paid.profile, needs)
    payment = paid.fresh(state)

    # What the contract does not show of these requests may be ignored: whether one is taken is open.
    for amount in ODD:
        must_not_break(payment.merchant.post(request_of(payment).with_("amount", amount)))
