"""A change that is refused leaves the payment as it was: neither changed, nor barred from what is right."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from contract.catalogue import load_catalogue
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_refuse
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.accounts import WHO_GIVES_BACK
from fixtures.protocols.barred import must_not_be_barred
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.s2s_apm.merchant import MerchantOf
from fixtures.protocols.s2s_apm.must import must_be_carried_out, must_have_status, must_not_have_status
from fixtures.protocols.s2s_apm.parts import where_amounts_are_taken
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.requirement import must_concern, must_offer, offers, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply

DMS = ("capability:dms",)


@dataclass(frozen=True)
class Change:
    """A change of a payment, and what is right for a payment in that state.

    Attributes:
        action: what is asked for.
        state: of the payment.
        status: of it in look-ups.
        right: the action that must be carried out afterwards, too; it names the whole amount.
    """

    action: str
    state: str
    status: str
    right: str

    @property
    def stated_by(self) -> tuple[str, ...]:
        """The requirement that says since when the action does what is right; none: it always did."""
        return ("APM-CVD-06",) if self.right == "CREDITVOID" else ()

    @property
    def id(self) -> str:
        """Names the change."""
        return f"{self.action}-of-{self.state}-then-{self.right}"

    def needs(self) -> tuple[str, ...]:
        """What a target must offer for it."""
        refunds = ("capability:creditvoid_refunds",) if self.action == "CREDITVOID" else ()
        return DMS if self.state == "authorized" else refunds


UNSIGNED = (
    Change("CAPTURE", "authorized", "PENDING", "CAPTURE"),
    Change("CREDITVOID", "authorized", "PENDING", "CAPTURE"),
    Change("VOID", "settled", "SETTLED", "VOID"),
    Change("CREDITVOID", "settled", "SETTLED", "CREDITVOID"),
)
"""Line 407 refuses a wrong hash. The merchant corrects it and asks again."""


@requirement("APM-SIG-10")
@pytest.mark.parametrize("change", UNSIGNED, ids=lambda change: change.id)
def test_change_with_a_wrong_signature_is_not_made(change: Change, run: Run) -> None:
    must_offer(run.profile, change.needs(), "s2s_apm")
    must_concern([load_catalogue()[name] for name in change.stated_by], run.profile, run.release)
    payments = run.apm.payments
    payment = payments.fresh(change.state)
    must_have_status(payments, payment, change.status)

    unsigned = payments.merchant.sign(operation(change.action, payment.trans_id)).with_("hash", NO_HASH)
    must_refuse(payments.merchant.send(unsigned))

    must_have_status(payments, payment, change.status)
    must_be_carried_out(payments.merchant.post(operation(change.right, payment.trans_id)))
    must_not_have_status(payments, payment, change.status)


def asked_in_vain(action: str, payment: ApmPayment, run: Run) -> Reply:
    """Ask for what is to be refused of an authorization; where it is not, other checks say whether it may be."""
    payments = run.apm.payments
    condition = {"CREDITVOID": "a part of the amount", "CAPTURE": "more than the amount"}.get(action)
    refused = payments.merchant.post(operation(action, payment.trans_id, payments.amount_for(condition)))
    if answer_of(refused) is not Answer.REFUSED:
        not_applicable(f"the target does not refuse this {action}; whether it may is the subject of other checks")
    return refused


@requirement("APM-AUT-06")
@pytest.mark.parametrize("action", ["CREDITVOID", "CAPTURE", "VOID"])
def test_whole_authorization_is_captured_after_a_refused_request(action: str, run: Run) -> None:
    must_offer(run.profile, DMS, "s2s_apm")
    payments = run.apm.payments
    payment = payments.fresh("authorized")
    asked_in_vain(action, payment, run)

    must_have_status(payments, payment, "PENDING")
    with where_amounts_are_taken(payments, "CAPTURE"):
        whole = payment.request.get("order_amount")
        must_be_carried_out(payments.merchant.post(operation("CAPTURE", payment.trans_id, whole)))
        must_not_have_status(payments, payment, "PENDING")


@requirement("APM-AUT-06")
@pytest.mark.parametrize("action", ["CAPTURE", "VOID"])
def test_authorization_is_released_after_a_refused_request(action: str, run: Run) -> None:
    must_offer(run.profile, DMS, "s2s_apm")
    payments = run.apm.payments
    payment = payments.fresh("authorized")
    refused = asked_in_vain(action, payment, run)

    reply = payments.merchant.post(operation("CREDITVOID", payment.trans_id))

    must_not_be_barred(reply, refused, lambda: done_to_another("CREDITVOID", "authorized", payments))
    if answer_of(reply) is Answer.ACCEPTED:
        must_not_have_status(payments, payment, "PENDING")


@pytest.mark.parametrize(
    "right",
    [
        pytest.param("VOID", marks=requirement("APM-VOI-01"), id="VOID"),
        pytest.param("CREDITVOID", marks=requirement("APM-CVD-06"), id="CREDITVOID"),
    ],
)
def test_settled_payment_is_taken_back_after_a_refused_capture(right: str, run: Run) -> None:
    must_offer(run.profile, ("capability:creditvoid_refunds",) if right == "CREDITVOID" else (), "s2s_apm")
    payments = run.apm.payments
    payment = payments.fresh("settled")
    refused = payments.merchant.post(operation("CAPTURE", payment.trans_id))
    must_refuse(refused)

    reply = payments.merchant.post(operation(right, payment.trans_id))

    must_not_be_barred(reply, refused, lambda: done_to_another(right, "settled", payments))
    if answer_of(reply) is Answer.ACCEPTED:
        must_not_have_status(payments, payment, "SETTLED", asked=reply)


@pytest.mark.parametrize(
    ("action", "state"),
    [
        pytest.param("CAPTURE", "authorized", marks=requirement("APM-CAP-13"), id="CAPTURE"),
        pytest.param("CREDITVOID", "settled", marks=requirement("APM-CVD-13"), id="CREDITVOID"),
        pytest.param("VOID", "settled", marks=requirement("APM-VOI-15"), id="VOID"),
    ],
)
def test_merchant_changes_its_payment_after_another_tried_to(
    action: str, state: str, run: Run, merchant_of: MerchantOf
) -> None:
    if action == "CREDITVOID" and not offers(run.profile, "capability:creditvoid_refunds"):
        state = "authorized"
    payments = run.apm.payments
    payment = payments.fresh(state)
    theirs = merchant_of(WHO_GIVES_BACK if action == "CREDITVOID" else "second_merchant")
    refused = theirs.post(operation(action, payment.trans_id))
    must_refuse(refused)

    reply = payments.merchant.post(operation(action, payment.trans_id))

    must_not_be_barred(reply, refused, lambda: done_to_another(action, state, payments))


def done_to_another(action: str, state: str, payments: ApmPayments) -> Reply:
    return payments.merchant.post(operation(action, payments.fresh(state).trans_id))
