"""What is settled stays so once a part was given back: nothing of it can be captured."""

from __future__ import annotations

import pytest

from contract.errors import CAPTURE_NOT_PENDING
from fixtures.judging.must import must_refuse, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.kinds import must_be_given_back
from fixtures.protocols.s2s_apm.kinds import must_be_served
from fixtures.protocols.s2s_apm.must import must_have_status
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

PART = "a part of the amount"


def without_a_part(state: str, payments: ApmPayments) -> ApmPayment:
    """Return a payment of which a part was given back and that is settled still, or end the check."""
    with where_it_comes_about(f"a payment that is {state}"):
        payment = payments.fresh(state)
    reply = payments.merchant.post(operation("CREDITVOID", payment.trans_id, payments.amount_for(PART)))
    must_be_served(reply)
    if allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_be_given_back(reply)
    # A replica that lags may show it settled for a while after all of it was given back.
    found = payments.look_up_late(payment)
    if status_in(found) != "SETTLED":
        not_applicable(f"it is not settled any more, and other checks decide that: {found.summary}")
    return payment


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("captured", marks=requirement("APM-CAP-04")),
        pytest.param("settled", marks=requirement("APM-CAP-05")),
    ],
)
def test_settled_payment_of_which_a_part_was_given_back_is_not_captured(state: str, run: Run) -> None:
    must_offer(run.profile, ("capability:creditvoid_refunds",), "s2s_apm")
    payments = run.apm.payments
    payment = without_a_part(state, payments)

    reply = payments.merchant.post(operation("CAPTURE", payment.trans_id))
    if result_in(reply) != "DECLINED":
        must_reject(reply, CAPTURE_NOT_PENDING)
    # Of an amount that was given back no line says whether its being too large or the status is named.
    reply = payments.merchant.post(operation("CAPTURE", payment.trans_id, payments.amount_for(PART)))
    if result_in(reply) != "DECLINED":
        must_refuse(reply)

    must_have_status(payments, payment, "SETTLED")
