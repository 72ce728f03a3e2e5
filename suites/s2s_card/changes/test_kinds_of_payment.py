"""CAPTURE, VOID and CREDITVOID of payments of every kind: what holds of a plain SALE by a card holds of each."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.judging.must import must_accept, must_not_be, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.protocols.s2s_card.kinds import (
    GIVEN_BACK,
    HELD,
    NEVER_CAPTURED_BEYOND,
    NEVER_TOO_MUCH,
    RELEASED,
    SALES,
    given_back_but_for_a_unit,
    in_its_currency,
    of_kind,
    part_given_back,
)
from fixtures.protocols.s2s_card.must import must_be_released, must_leave, must_stay
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.protocols.words import result_in
from fixtures.requirement import requirement

PaymentsOf = Callable[[str], Payments]

OPEN = ("ACCEPTED", "DECLINED")
"""Results of a CREDITVOID that may come to nothing: it is accepted first, and carried out in any order."""
WITHOUT_REFUNDS = ("no_refunds", "connector_refunds_only")
"""Accounts whose payments are not refunded: line 318 asks for no refunds where a payment is voided."""


@requirement("S2C-CVD-03")
@pytest.mark.parametrize("kind", GIVEN_BACK)
def test_part_of_a_payment_of_any_kind_is_given_back(kind: str, payments: Payments) -> None:
    reply = part_given_back(kind, payments).reply

    if allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_accept(reply)
    must_not_be(reply, "result", result_in(reply), "DECLINED")


@requirement("S2C-CVD-05")
@pytest.mark.parametrize("kind", NEVER_TOO_MUCH)
def test_third_part_of_a_payment_of_any_kind_is_no_more_than_is_left(kind: str, payments: Payments) -> None:
    payment = given_back_but_for_a_unit(kind, payments)

    reply = payments.merchant.post(payment.creditvoid(in_its_currency(payment, 2)))

    if result_in(reply) not in OPEN:
        must_refuse(reply)
    must_stay(payments, payment, "SETTLED")


@requirement("S2C-VOI-01")
@pytest.mark.parametrize("kind", SALES)
def test_payment_of_any_kind_is_voided(kind: str, payments: Payments) -> None:
    payment = of_kind(kind, payments)

    reply = payments.merchant.post(payment.void())

    must_accept(reply)
    must_leave(payments, payment, "SETTLED", asked=reply)


@requirement("S2C-CAP-01")
@pytest.mark.parametrize("kind", HELD)
def test_authorization_of_any_kind_is_captured(kind: str, payments: Payments) -> None:
    payment = of_kind(kind, payments)

    reply = payments.merchant.post(payment.capture())

    must_accept(reply)
    must_leave(payments, payment, "PENDING", asked=reply)


@requirement("S2C-CVD-06")
@pytest.mark.parametrize("kind", RELEASED)
def test_authorization_of_any_kind_is_released(kind: str, payments: Payments) -> None:
    payment = of_kind(kind, payments)

    reply = payments.merchant.post(payment.creditvoid())

    must_accept(reply)
    must_be_released(payments, payment, asked=reply)


@requirement("S2C-CAP-06")
@pytest.mark.parametrize("kind", NEVER_CAPTURED_BEYOND)
def test_no_more_than_is_held_is_captured_of_any_kind(kind: str, payments: Payments) -> None:
    must_read_amounts(payments, "capture")
    payment = of_kind(kind, payments)
    too_much = in_its_currency(payment, payments.requests.profile.test_data.amounts.usual + 1)

    reply = payments.merchant.post(payment.capture(too_much))

    # The contract shows no error for it: what cannot be done may be declined.
    if result_in(reply) != "DECLINED":
        must_refuse(reply)
    must_stay(payments, payment, "PENDING")


@requirement("S2C-VOI-01")
@pytest.mark.parametrize("account", WITHOUT_REFUNDS)
def test_payment_of_an_account_without_refunds_is_voided(account: str, payments_of: PaymentsOf) -> None:
    payments, payment = of_an_account(account, "settled", payments_of)

    reply = payments.merchant.post(payment.void())

    if allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_accept(reply)
    must_leave(payments, payment, "SETTLED", asked=reply)


@requirement("S2C-CVD-06")
@pytest.mark.parametrize("account", WITHOUT_REFUNDS)
def test_authorization_of_an_account_without_refunds_is_released(account: str, payments_of: PaymentsOf) -> None:
    payments, payment = of_an_account(account, "authorized", payments_of)

    reply = payments.merchant.post(payment.creditvoid())

    if allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_accept(reply)
    must_be_released(payments, payment, asked=reply)


def of_an_account(account: str, state: str, payments_of: PaymentsOf) -> tuple[Payments, Payment]:
    with where_it_comes_about(f"a payment that is {state}, of an account for {account}"):
        payments = payments_of(account)
        return payments, payments.fresh(state)
