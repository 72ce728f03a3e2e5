"""Look-ups by order of Checkout where order numbers share a beginning up to the last of 255 characters (line 77)."""

from __future__ import annotations

import pytest

from contract.errors import ORDER_DOES_NOT_EXIST
from fixtures.cases.order_numbers import LONGEST
from fixtures.judging.must import must_be_same, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.checkout.operations import status_of_order
from fixtures.protocols.checkout.orders import listed_ids
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.requirement import requirement


def paid_under(number: str, paid: CheckoutPayments) -> CheckoutPayment:
    """Pay under an order number, and end the check where look-ups do not find the payment."""
    session = paid.requests.baseline("purchase").with_("order.number", number)
    payment = paid.confirmed(paid.pay(session, paid.card("success")), "SETTLED")
    paid.carry_out(payment.look_up_order())
    return payment


@requirement("CHK-STA-23")
def test_number_with_the_beginning_of_another_one_is_that_of_no_order(paid: CheckoutPayments) -> None:
    number, other = paid.requests.numbers.alike(LONGEST)
    with where_it_comes_about(f"a payment under a number of {LONGEST} characters"):
        paid_under(number, paid)

    must_reject(paid.merchant.post(status_of_order(other)), ORDER_DOES_NOT_EXIST)


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(None, marks=requirement("CHK-STA-04"), id="newest"),
        pytest.param(100, marks=requirement("CHK-STA-06"), id="all"),
    ],
)
def test_each_of_two_orders_with_the_same_beginning_is_found(size: int | None, paid: CheckoutPayments) -> None:
    with where_it_comes_about(f"payments under two numbers of {LONGEST} characters"):
        both = [paid_under(number, paid) for number in paid.requests.numbers.alike(LONGEST)]

    for payment in both:
        reply = paid.merchant.post(payment.look_up_order(size))
        found = listed_ids(reply) if size else (reply.object.get("payment_id"),)
        must_be_same(reply, "payment_id", found, (payment.payment_id,))
