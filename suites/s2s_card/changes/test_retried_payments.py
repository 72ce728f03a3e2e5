"""A declined charge that a RETRY settles is a settled payment: what holds of any other holds of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.judging.must import must_accept, must_answer_properly, must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.s2s_card.details import charges_of
from fixtures.protocols.s2s_card.must import must_leave, must_stay
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.requirement import must_offer, requirement

PaymentsOf = Callable[[str], Payments]


@pytest.fixture
def payments_retried(payments_of: PaymentsOf) -> Payments:
    """Payments of the account whose charges are declined at first."""
    with where_it_comes_about("a charge that settles when it is retried"):
        return payments_of("declining_recurring")


def settled_by_retry(payments: Payments) -> Payment:
    """Return a new charge that was declined, and that a RETRY has settled; where there is none, other checks decide."""
    with where_it_comes_about("a charge that settles when it is retried"):
        return payments.confirmed(payments.fresh("retried"), "SETTLED")


@requirement("S2C-VOI-01")
def test_charge_that_a_retry_settled_is_voided(payments_retried: Payments) -> None:
    payment = settled_by_retry(payments_retried)

    reply = payments_retried.merchant.post(payment.void())

    must_accept(reply)
    must_leave(payments_retried, payment, "SETTLED", asked=reply)


@requirement("S2C-CVD-02")
def test_charge_that_a_retry_settled_is_given_back(payments_retried: Payments) -> None:
    must_offer(payments_retried.requests.profile, REFUNDS, "s2s_card")
    payment = settled_by_retry(payments_retried)

    reply = payments_retried.merchant.post(payment.creditvoid())

    if allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_accept(reply)
    must_leave(payments_retried, payment, "SETTLED", asked=reply)


@requirement("S2C-REC-26")
def test_second_retry_of_a_charge_that_the_first_settled_charges_nothing(payments_retried: Payments) -> None:
    payment = settled_by_retry(payments_retried)
    before = charges_of(payments_retried, payment)

    reply = payments_retried.merchant.post(payment.retry())

    must_answer_properly(reply, "S2C-REC-26", accepted="without-effect", refused="refused")
    must_stay(payments_retried, payment, "SETTLED")
    after = charges_of(payments_retried, payment)
    must_hold(
        after <= before,
        f"{before} successful entries in transactions of GET_TRANS_DETAILS, as after the first RETRY",
        payments_retried.merchant.post(payment.details()),
        f"There are {after}: the payment was charged again.",
    )
