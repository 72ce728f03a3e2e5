"""Payments that have the same order_id: what is asked of one, by its trans_id, is done to that one alone."""

from __future__ import annotations

import pytest

from fixtures.deferred import waits
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.protocols.s2s_apm.must import must_be_carried_out, must_have_status, must_not_have_status
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run


def another_of_the_order(first: ApmPayment, payments: ApmPayments) -> ApmPayment:
    """Return a second payment like the first, once both have one order_id; a target may refuse that for good."""
    requests, what = payments.requests, "a second payment of an order"
    is_held = first.request.get("auth") == "Y"
    sale = requests.baseline("authorization") if is_held else requests.payment("success")
    with where_it_comes_about(what):
        opened = payments.open(sale.with_("order_id", first.order_id), what)
        payment = payments.confirmed(opened, what, first.status)
    if payment.trans_id == first.trans_id:
        not_applicable(f"the answer is that of the first payment of the order: {payment.answer.summary}")
    return payment


@pytest.mark.parametrize(
    ("action", "state"),
    [
        pytest.param("CAPTURE", "authorized", marks=requirement("APM-CAP-01"), id="capture"),
        pytest.param("CREDITVOID", "authorized", marks=requirement("APM-CVD-01"), id="release"),
        pytest.param("VOID", "settled", marks=requirement("APM-VOI-02"), id="void"),
    ],
)
@waits(OUTSIDE)
def test_one_payment_of_an_order_is_changed_and_not_the_other(action: str, state: str, run: Run) -> None:
    must_offer(run.profile, ("capability:dms",) if state == "authorized" else (), "s2s_apm")
    payments = run.apm.payments
    older = [payments.fresh(state) for _ in range(2)]
    payments.clock.elapse(OUTSIDE)
    newer = [another_of_the_order(first, payments) for first in older]

    for changed, other in ((older[0], newer[0]), (newer[1], older[1])):
        asked = payments.merchant.post(operation(action, changed.trans_id))
        must_be_carried_out(asked)

        must_not_have_status(payments, changed, changed.status, asked=None if action == "CREDITVOID" else asked)
        must_have_status(payments, other, other.status)
