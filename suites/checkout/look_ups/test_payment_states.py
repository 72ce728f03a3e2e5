"""What becomes of a payment by what the payer and the bank do: the states that look-ups show."""

from __future__ import annotations

import pytest

from fixtures.deferred import deferred
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.checkout.must import (
    must_be_declined_after_a_challenge,
    must_be_settled,
    must_become,
    must_have_been_paid,
    must_have_status,
    must_not_have_status,
)
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.states import ZERO
from fixtures.protocols.modes import must_not_be_explained_by_mode
from fixtures.protocols.words import FINAL
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

SOME_TIME = 65.0


@requirement("CHK-TRN-01")
@pytest.mark.parametrize("baseline", ["purchase", "address_in_us"])
def test_paid_purchase_is_settled(baseline: str, paid: CheckoutPayments) -> None:
    payment = paid.pay(paid.requests.baseline(baseline), paid.card("success"))
    must_have_been_paid(payment)

    must_be_settled(paid, payment)


@requirement("CHK-TRN-02")
def test_purchase_that_the_issuer_refuses_is_declined(paid: CheckoutPayments) -> None:
    payment = paid.pay(paid.requests.baseline("purchase"), paid.card("decline"))
    if paid.becomes(payment, "DECLINED") == "PREPARE":
        inconclusive(
            f"the payment is not made yet: {payment.visit.summary}",
            decides="[payer.selectors] of the profile, or test data that the page takes",
        )

    must_become(paid, payment, "DECLINED")


@requirement("CHK-TRN-03")
def test_authorization_is_pending(paid: CheckoutPayments) -> None:
    must_become(paid, an_authorization(paid), "PENDING")


@requirement("CHK-TRN-03")
def test_authorization_of_nothing_is_pending(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:zero_amount",), "checkout")
    with where_it_comes_about("an authorization of nothing"):
        payment = paid.pay(paid.requests(auth=True).with_("order.amount", ZERO), paid.card("success"))
        status = paid.becomes(payment, "PENDING")
    if status in FINAL and not is_captured(payment):
        # Line 71 says that it is accepted, and no line what one of nothing waits for: it may be a check of the card.
        not_applicable(f"an authorization of nothing is {status} here, and cannot be captured")
    must_not_be_explained_by_mode(payment.merchant.identity, wanted="PENDING", status=status)

    if status != "PENDING":
        must_have_status(paid, payment, "PENDING")


def is_captured(payment: CheckoutPayment) -> bool:
    """Return whether a capture of the whole is taken: an amount of nothing may be refused as one that is none."""
    capture = payment.capture()
    return any(answer_of(payment.merchant.post(one)) is Answer.ACCEPTED for one in (capture.without("amount"), capture))


def an_authorization(paid: CheckoutPayments) -> CheckoutPayment:
    payment = paid.pay(paid.requests(auth=True), paid.card("success"))
    must_have_been_paid(payment)
    return payment


def waiting_authorization(run: Run) -> CheckoutPayment:
    return run.checkout_payments_of(holds=True).fresh("authorized")


@requirement("CHK-TRN-04")
@deferred(after=SOME_TIME, start=waiting_authorization)
def test_authorization_stays_pending_while_nobody_captures_it(paid: CheckoutPayments, ready: CheckoutPayment) -> None:
    must_have_status(paid, ready, "PENDING")


@requirement("CHK-TRN-05")
@pytest.mark.parametrize("state", ["challenged", "challenged_to_decline"])
def test_challenged_payment_has_no_outcome_yet(state: str, paid: CheckoutPayments) -> None:
    must_not_have_status(paid, paid.shared(state), "SETTLED", "DECLINED")


@requirement("CHK-TRN-06")
def test_payment_of_a_payer_who_passes_the_challenge_is_settled(paid: CheckoutPayments) -> None:
    payment = paid.after_challenge(paid.fresh("challenged"), passes=True)
    must_have_been_paid(payment)

    must_be_settled(paid, payment)


@requirement("CHK-TRN-07")
def test_payment_of_a_payer_who_fails_the_challenge_is_declined(paid: CheckoutPayments) -> None:
    payment = paid.after_challenge(paid.fresh("challenged_to_decline"), passes=False)

    must_be_declined_after_a_challenge(paid, payment)


@pytest.mark.parametrize(
    ("report", "word"),
    [
        pytest.param("executed", "SETTLED", marks=requirement("CHK-TRN-08")),
        pytest.param("rejected", "DECLINED", marks=requirement("CHK-TRN-09")),
        pytest.param("pending", "PENDING", marks=requirement("CHK-TRN-10")),
    ],
)
def test_instant_payment_has_the_status_that_the_bank_reports(report: str, word: str, paid: CheckoutPayments) -> None:
    payment = paid.fresh(f"instant_{report}")

    if word == "SETTLED":
        must_be_settled(paid, payment)
    must_become(paid, payment, word)
