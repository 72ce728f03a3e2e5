"""Look-ups by order of S2S CARD where order ids are alike: line 449 is of the order that was asked for."""

from __future__ import annotations

import pytest

from contract.errors import ORDER_DOES_NOT_EXIST
from fixtures.cases.order_numbers import patterns_of
from fixtures.judging.must import must_refuse, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.s2s_card.must import looked_up
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.which_payment import must_be_about
from fixtures.requirement import requirement

LENGTHS = (64, 255)
"""The longer one is that of Checkout (line 77); no line has one of S2S CARD, which may take shorter ones only."""


def opened(payments: Payments, order_id: str) -> Payment:
    """Open a payment of an order, and end the check where look-ups do not find it."""
    payment = payments.open(payments.requests.baseline("sale").with_("order_id", order_id))
    payments.carry_out(payment.status_by_order())
    return payment


@requirement("S2C-STA-21")
@pytest.mark.parametrize("length", LENGTHS)
def test_order_id_with_the_beginning_of_another_one_is_that_of_no_order(length: int, payments: Payments) -> None:
    order_id, other = payments.requests.numbers.alike(length)
    with where_it_comes_about(f"an order_id of {length} characters"):
        asked = opened(payments, order_id).status_by_order()

    must_reject(payments.merchant.post(asked.with_("order_id", other)), ORDER_DOES_NOT_EXIST)


@requirement("S2C-STA-21")
def test_order_is_not_found_by_a_pattern_that_its_id_fits(payments: Payments) -> None:
    with where_it_comes_about("a settled payment that is found by its order_id"):
        payment = payments.shared("settled")
        asked = payment.status_by_order()
        payments.carry_out(asked)

    # Which signs an order_id may have no line says: it may be refused for those as well.
    for order_id in patterns_of(payment.order_id):
        must_refuse(payments.merchant.post(asked.with_("order_id", order_id)))


@requirement("S2C-STA-20")
@pytest.mark.parametrize("length", LENGTHS)
def test_each_of_two_orders_with_the_same_beginning_is_found(length: int, payments: Payments) -> None:
    with where_it_comes_about(f"two orders with order ids of {length} characters"):
        both = [opened(payments, order_id) for order_id in payments.requests.numbers.alike(length)]

    for payment in both:
        reply = looked_up(payments, payment, Payment.status_by_order)
        must_be_about(reply, order_id=payment.order_id, trans_id=payment.trans_id)
