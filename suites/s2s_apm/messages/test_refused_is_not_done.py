"""A change that is refused leaves the payment as it was: neither changed, nor barred from what is right."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from contract.catalogue import load_catalogue
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_refuse
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.s2s_apm.must import must_be_carried_out, must_have_status, must_not_have_status
from fixtures.protocols.s2s_apm.parts import where_amounts_are_taken
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run

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


@requirement("APM-AUT-06")
@pytest.mark.parametrize("action", ["CREDITVOID", "CAPTURE", "VOID"])
def test_whole_authorization_is_captured_after_a_refused_request(action: str, run: Run) -> None:
    must_offer(run.profile, DMS, "s2s_apm")
    payments = run.apm.payments
    payment = payments.fresh("authorized")
    condition = {"CREDITVOID": "a part of the amount", "CAPTURE": "more than the amount"}.get(action)
    refused = operation(action, payment.trans_id, payments.amount_for(condition))
    if answer_of(payments.merchant.post(refused)) is not Answer.REFUSED:
        not_applicable(f"the target does not refuse this {action}; whether it may is the subject of other checks")

    must_have_status(payments, payment, "PENDING")
    with where_amounts_are_taken(payments, "CAPTURE"):
        whole = payment.request.get("order_amount")
        must_be_carried_out(payments.merchant.post(operation("CAPTURE", payment.trans_id, whole)))
        must_not_have_status(payments, payment, "PENDING")
