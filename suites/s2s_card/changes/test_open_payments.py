"""Payments that are open: not captured or voided before their payer answers, and released after a declined capture."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.callbacks.judging import fail
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_be_same, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.callbacks import is_declined
from fixtures.protocols.s2s_card.callbacks import of_deed
from fixtures.protocols.s2s_card.must import must_be_released
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.simultaneous import reports_success
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

Change = tuple[Callable[[Payment], FormRequest], tuple[str, ...]]

CAPTURE: Change = (Payment.capture, ("DECLINED",))
VOID: Change = (Payment.void, ("ACCEPTED", "DECLINED"))
"""The request, and the results by which it may fail without an error; a void may be accepted and have no effect."""


@pytest.mark.parametrize(
    ("state", "change"),
    [
        pytest.param("challenged_authorization", CAPTURE, marks=requirement("S2C-CAP-13"), id="capture"),
        pytest.param("challenged_initial_sale", CAPTURE, marks=requirement("S2C-CAP-13"), id="capture of a chain"),
        pytest.param("challenged_authorization", VOID, marks=requirement("S2C-VOI-08"), id="void of an authorization"),
        pytest.param("challenged_debit", VOID, marks=requirement("S2C-VOI-08"), id="void of a debit"),
    ],
)
def test_payment_of_any_kind_that_waits_for_its_payer_stays_as_it_is(
    state: str, change: Change, payments: Payments
) -> None:
    with where_it_comes_about(f"a payment that is {state.replace('_', ' ')}"):
        payment = payments.fresh(state)
        before = payments.status(payment)
    ask, failing = change

    reply = payments.merchant.post(ask(payment))

    if result_in(reply) in failing:
        found = payments.look_up_late(payment)
    else:
        must_refuse(reply)
        found = payments.answered(payment)
    must_be_same(found, "status", status_in(found), before)


@requirement("S2C-CVD-06")
def test_pending_payment_whose_capture_was_declined_is_released(payments: Payments, run: Run) -> None:
    with where_it_comes_about("a capture that the acquirer refuses"):
        payment = payments.fresh("capture_declining")
    must_be_declined_and_pending(payments, payment, payments.merchant.post(payment.capture()), run)

    reply = payments.merchant.post(payment.creditvoid())

    must_accept(reply)
    must_be_released(payments, payment, asked=reply)


def must_be_declined_and_pending(payments: Payments, payment: Payment, capture: Reply, run: Run) -> None:
    """End the check unless a capture is declined, at once or once the acquirer was asked, and leaves its payment so."""
    is_over = result_in(capture) == "DECLINED"
    if not is_over and answer_of(capture) is Answer.ACCEPTED:
        if run.receiver is None:
            inconclusive(
                f"the capture is taken on, and nothing shows what became of it: {capture.summary}",
                decides="callbacks of the target that reach the suite; see [callbacks] of the profile",
            )
        payments.look_up_late(payment)
        of_declined = of_deed(payment, "CAPTURE").but(is_declined)
        is_over = bool(run.callbacks.any_of(of_declined, seconds=run.callbacks.seconds))
    if not is_over or status_in(payments.answered(payment)) != "PENDING":
        not_applicable(f"the capture is not declined, or not PENDING after it: {capture.summary}")


@requirement("S2C-CAP-19")
def test_capture_that_the_acquirer_refuses_is_not_reported_as_done(payments: Payments, run: Run) -> None:
    must_offer(run.profile, ("capability:callbacks",))
    with where_it_comes_about("a capture that the acquirer refuses"):
        payment = payments.fresh("capture_declining")
    reply = payments.merchant.post(payment.capture())
    if answer_of(reply) is Answer.REFUSED or status_in(payments.look_up_late(payment)) != "PENDING":
        not_applicable(f"the payment is not PENDING after the capture, which other checks judge: {reply.summary}")

    came = run.callbacks.any_of(of_deed(payment, "CAPTURE"), seconds=run.callbacks.seconds)
    if not came:
        not_applicable("no callback reports the capture, and other checks decide whether one must")

    for one in came:
        if reports_success(one, ("SETTLED", "CAPTURED")):
            fail("no callback that the capture succeeded", one, f"{payment} is still PENDING in look-ups.")
