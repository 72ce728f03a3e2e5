"""Payments that are open: not captured or voided before their payer answers, and released after a declined capture."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.judging.must import must_accept, must_be_same, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.s2s_card.must import must_be_released
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import requirement
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
def test_pending_payment_whose_capture_was_declined_is_released(payments: Payments) -> None:
    with where_it_comes_about("a capture that the acquirer refuses"):
        payment = payments.fresh("capture_declining")
    declined = payments.merchant.post(payment.capture())
    if result_in(declined) != "DECLINED" or status_in(payments.answered(payment)) != "PENDING":
        not_applicable(f"the capture is not declined, or not PENDING after it: {declined.summary}")

    reply = payments.merchant.post(payment.creditvoid())

    must_accept(reply)
    must_be_released(payments, payment, asked=reply)
