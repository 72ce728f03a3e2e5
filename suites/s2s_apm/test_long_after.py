"""S2S APM payments that nobody does anything with for a month."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from contract.errors import VOID_NOT_ALLOWED
from fixtures.deferred import waits
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_reject
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.long_after import A_DAY, A_MONTH, A_WEEK, all_reached, must_be_moved, must_stay_as_they_are
from fixtures.protocols.s2s_apm.must import must_be_carried_out, must_have_status, must_not_have_status
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply

LATER = (A_DAY, A_MONTH)
"""A payment may be settled with the acquirer in between: neither changes what VOID is for."""
NOT_PENDING = "it is not PENDING any more, which is the matter of APM-AUT-06"
PAID = ("settled", "captured")
DECLINED = ("declined",)


@requirement("APM-AUT-06")
@waits(0)
def test_authorization_is_pending_a_month_later(payments: ApmPayments) -> None:
    must_be_moved(payments.clock)
    payment = payments.fresh("authorized")
    must_have_status(payments, payment, "PENDING")

    for seconds in (A_WEEK, A_MONTH - A_WEEK):
        payments.clock.elapse(seconds)
        must_have_status(payments, payment, "PENDING")


@pytest.mark.parametrize(
    "action",
    [
        pytest.param("CAPTURE", marks=requirement("APM-CAP-01")),
        pytest.param("CREDITVOID", marks=requirement("APM-CVD-01")),
    ],
)
@waits(0)
def test_authorization_is_captured_or_released_a_month_later(action: str, payments: ApmPayments) -> None:
    must_be_moved(payments.clock)
    payment = payments.fresh("authorized")
    payments.clock.elapse(A_MONTH)
    if status_in(payments.look_up(payment)) != "PENDING":
        not_applicable(NOT_PENDING)

    reply = payments.merchant.post(operation(action, payment.trans_id))

    if action == "CAPTURE" and result_in(reply) == "DECLINED":
        not_applicable("the CAPTURE is declined, and no line says that an issuer pays what it held a month before")
    if action == "CREDITVOID" and allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_be_carried_out(reply)
    must_not_have_status(payments, payment, "PENDING", asked=reply)


@requirement("APM-VOI-04")
@waits(0)
def test_void_of_an_authorization_is_refused_on_later_days(payments: ApmPayments) -> None:
    for _, reply in voids_on_later_days(payments):
        must_reject(reply, VOID_NOT_ALLOWED)


@requirement("APM-VOI-05")
@waits(0)
def test_authorization_is_pending_after_void_was_refused_on_a_later_day(payments: ApmPayments) -> None:
    for payment, reply in voids_on_later_days(payments):
        if answer_of(reply) is not Answer.REFUSED:
            not_applicable("VOID is not refused, which is the matter of APM-VOI-04")
        must_have_status(payments, payment, "PENDING", asked=reply)


def voids_on_later_days(payments: ApmPayments) -> Iterator[tuple[ApmPayment, Reply]]:
    """Ask for VOID of an authorization on each of some later days; one that is not PENDING any more ends the check."""
    must_be_moved(payments.clock)
    payment = payments.fresh("authorized")
    for seconds in LATER:
        payments.clock.elapse(seconds)
        if status_in(payments.look_up(payment)) != "PENDING":
            not_applicable(NOT_PENDING)
        yield payment, payments.merchant.post(operation("VOID", payment.trans_id))


@pytest.mark.parametrize(
    "states",
    [
        pytest.param(PAID, id="paid", marks=requirement("APM-STA-02")),
        pytest.param(DECLINED, id="declined", marks=requirement("APM-STA-03")),
    ],
)
@waits(0)
def test_sales_that_have_ended_are_what_they_were_a_month_later(states: tuple[str, ...], payments: ApmPayments) -> None:
    must_be_moved(payments.clock)

    must_stay_as_they_are(payments.clock, all_reached(states, payments.fresh), payments.look_up)
