"""Refunds and voids of amounts that binary fractions cut: what is taken back is taken back to the cent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.cases.currencies import CUT_BY_FLOATS, PARTS_BY_FLOATS
from fixtures.judging.must import must_accept
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.checkout.amounts import where_refunds_take_amounts
from fixtures.protocols.checkout.must import must_be_taken_back
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import came_so_far, give_back, must_refuse_refund
from fixtures.requirement import requirement


@pytest.mark.parametrize(
    ("request_of", "change"),
    [
        pytest.param(CheckoutPayment.refund, "refund", id="refund", marks=requirement("CHK-RFD-07")),
        pytest.param(CheckoutPayment.void, "void", id="void", marks=requirement("CHK-RFD-15")),
    ],
)
def test_amount_that_floats_cut_is_taken_back_to_the_cent(
    request_of: Callable[[CheckoutPayment], OperationRequest], change: str, paid: CheckoutPayments
) -> None:
    with where_it_comes_about(f"a paid payment of {CUT_BY_FLOATS[1]}"):
        payment = paid.fresh("settled_by_floats")

    paid.carry_out(request_of(payment))

    must_be_taken_back(paid, payment, change)


@requirement("CHK-RFD-07")
def test_two_parts_that_floats_cut_are_a_refund_of_the_whole(paid: CheckoutPayments) -> None:
    part, rest = PARTS_BY_FLOATS
    with where_it_comes_about(f"a paid payment of {CUT_BY_FLOATS[1]}"):
        payment = paid.fresh("settled_by_floats")
    give_back(paid, payment, part)

    with where_refunds_take_amounts(paid):
        must_accept(payment.merchant.post(payment.refund(rest)))
        must_be_taken_back(paid, payment, "refund")


@requirement("CHK-RFD-09")
def test_refund_of_a_cent_more_is_refused_however_amounts_are_compared(paid: CheckoutPayments) -> None:
    with where_it_comes_about(f"a paid payment of {CUT_BY_FLOATS[0]}"):
        payment = paid.fresh("a_cent_less_settled_by_floats")
    earlier = came_so_far(paid)

    reply = payment.merchant.post(payment.refund(CUT_BY_FLOATS[1]))

    with where_refunds_take_amounts(paid):
        must_refuse_refund(paid, payment, reply, earlier=earlier)
