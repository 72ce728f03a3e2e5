"""A change that is refused bars nothing: what could be done to the payment before can be done after it, in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_hold
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.accounts import WHO_GIVES_BACK, must_be_two_merchants
from fixtures.protocols.barred import must_not_be_barred
from fixtures.protocols.callbacks import reports_failure
from fixtures.protocols.checkout.amounts import must_read_amounts_of_refunds, where_refunds_take_amounts
from fixtures.protocols.checkout.callbacks import of_change
from fixtures.protocols.checkout.merchant import NO_HASH
from fixtures.protocols.checkout.must import must_have_status, must_leave
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import came_so_far, must_refuse_refund
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply

PaymentsOf = Callable[[str], CheckoutPayments]


@dataclass(frozen=True)
class Change:
    """A change of a payment.

    Attributes:
        name: of it, as callbacks have it.
        request: asks for it.
        state: of a payment that it is right for.
        status: of such a payment in look-ups.
        proven: the state that shows that the target makes it at all.
        needs: what a target must offer for it.
    """

    name: str
    request: Callable[[CheckoutPayment], OperationRequest]
    state: str
    status: str
    proven: str
    needs: tuple[str, ...]


CAPTURE = Change("capture", CheckoutPayment.capture, "authorized", "PENDING", "captured", ("capability:dms",))
REFUND = Change("refund", CheckoutPayment.refund, "settled", "SETTLED", "refunded", ("capability:refund_endpoint",))
VOID = Change("void", CheckoutPayment.void, "settled", "SETTLED", "voided", ("capability:void_endpoint",))


@dataclass(frozen=True)
class Attempt:
    """A request about a payment that is to be refused, with what is right for that payment."""

    paid: CheckoutPayments
    payment: CheckoutPayment
    right: Change
    others: Callable[[], CheckoutPayments]


def of_too_much(attempt: Attempt) -> Reply:
    payment, too_much = attempt.payment, attempt.paid.operations.too_much
    earlier = came_so_far(attempt.paid)
    reply = payment.merchant.post(payment.refund(too_much))
    # A refund may be taken on, and fail later.
    with where_refunds_take_amounts(attempt.paid):
        must_refuse_refund(attempt.paid, payment, reply, earlier=earlier)
    return reply


def with_a_wrong_hash(attempt: Attempt) -> Reply:
    return attempt.payment.merchant.post(attempt.right.request(attempt.payment).with_("hash", NO_HASH))


def by_another_merchant(attempt: Attempt) -> Reply:
    others = attempt.others().merchant
    must_be_two_merchants(attempt.payment.merchant.identity, others.identity)
    return others.post(attempt.right.request(attempt.payment))


def of_a_capture(attempt: Attempt) -> Reply:
    return attempt.payment.merchant.post(attempt.payment.capture())


def of_a_refund(attempt: Attempt) -> Reply:
    return attempt.payment.merchant.post(attempt.payment.refund())


REFUSED: Mapping[str, tuple[Callable[[Attempt], Reply], tuple[str, ...]]] = {
    "too much": (of_too_much, REFUND.needs),
    "a wrong hash": (with_a_wrong_hash, ()),
    "another merchant": (by_another_merchant, ()),
    "a capture": (of_a_capture, CAPTURE.needs),
    "a refund": (of_a_refund, REFUND.needs),
}
"""What is refused, by why, with what a target must offer for it."""

CASES = (
    (REFUND, "too much", "CHK-RFD-05"),
    (REFUND, "a wrong hash", "CHK-RFD-05"),
    (REFUND, "another merchant", "CHK-RFD-05"),
    (REFUND, "a capture", "CHK-RFD-05"),
    (VOID, "too much", "CHK-RFD-13"),
    (VOID, "a wrong hash", "CHK-RFD-13"),
    (VOID, "another merchant", "CHK-RFD-13"),
    (VOID, "a capture", "CHK-RFD-13"),
    # A capture of too much has a check beside those of what was asked before.
    (CAPTURE, "a wrong hash", "CHK-CAP-01"),
    (CAPTURE, "another merchant", "CHK-CAP-01"),
    (CAPTURE, "a refund", "CHK-CAP-01"),
)
"""What is right for a payment, what is refused before, and the requirement by which it is done all the same.

It is that of what is right: to refuse it gives nothing away, whatever the safety of what was refused before.
"""


@pytest.mark.parametrize(
    ("right", "why"),
    [
        pytest.param(right, why, marks=requirement(claimed), id=f"{right.name}-after-{why.replace(' ', '-')}")
        for right, why, claimed in CASES
    ],
)
def test_what_is_right_is_done_after_a_refused_request(
    right: Change, why: str, paid: CheckoutPayments, paid_by: PaymentsOf
) -> None:
    refused, needs = REFUSED[why]
    must_offer(paid.profile, (*right.needs, *needs), "checkout")
    paid.shared(right.proven)
    payment = paid.fresh(right.state)
    owner = paid.of(payment.merchant)

    others = WHO_GIVES_BACK if right is REFUND else "second_merchant"
    refusal = refused(Attempt(owner, payment, right, lambda: paid_by(others)))
    if why != "too much" and answer_of(refusal) is not Answer.REFUSED:
        not_applicable(
            f"the target does not refuse it; whether it may is the subject of other checks: {refusal.summary}"
        )
    if not owner.profile.lacks("capability:status_lookup"):
        must_have_status(owner, payment, right.status)

    earlier = came_so_far(owner)

    reply = payment.merchant.post(right.request(payment))

    must_not_be_barred(reply, refusal, lambda: made_of_another(owner, right))
    if answer_of(reply) is Answer.ACCEPTED and not owner.profile.lacks("capability:status_lookup"):
        must_have_been_made(owner, payment, right, reply, earlier)


def made_of_another(owner: CheckoutPayments, right: Change) -> Reply:
    another = owner.fresh(right.state)
    return another.merchant.post(right.request(another))


def must_have_been_made(
    owner: CheckoutPayments, payment: CheckoutPayment, right: Change, reply: Reply, earlier: int
) -> None:
    """What was taken on is carried out; a callback that it failed says so before a status that stays does."""
    of_it = of_change(payment, right.name).but(lambda one: one.number > earlier)
    if owner.leaves(payment, right.status) == right.status and owner.callbacks is not None:
        failed = owner.callbacks.arrived(of_it.but(reports_failure))
        must_hold(
            not failed, f"a {right.name} of the whole, as of another payment", reply, "Its callback says it failed."
        )
    must_leave(owner, payment, right.status, of_it)


@requirement("CHK-RFD-05")
def test_rest_is_given_back_after_more_than_that_was_refused(paid: CheckoutPayments) -> None:
    amounts = paid.profile.test_data.amounts
    rest = paid.operations.amount(amounts.usual - amounts.part)
    payment = paid.fresh("part_refunded")
    earlier = came_so_far(paid)
    refusal = payment.merchant.post(payment.refund())
    with where_refunds_take_amounts(paid):
        must_refuse_refund(paid, payment, refusal, earlier=earlier)

    reply = payment.merchant.post(payment.refund(rest))

    if answer_of(reply) is not Answer.ACCEPTED:
        # The part may have been the whole: then nothing was left.
        must_read_amounts_of_refunds(paid)
    must_not_be_barred(reply, refusal, lambda: rest_of_another(paid, rest))


def rest_of_another(paid: CheckoutPayments, rest: str) -> Reply:
    another = paid.fresh("part_refunded")
    return another.merchant.post(another.refund(rest))
