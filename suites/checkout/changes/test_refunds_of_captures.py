"""Refunds of payments of which a part was captured."""

from __future__ import annotations

from dataclasses import dataclass

from contract.catalogue import load_catalogue
from contract.errors import CARD_TOKEN_INVALID
from fixtures.deferred import deferred, waits
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import must_hold, must_refuse
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.barred import must_not_be_barred
from fixtures.protocols.checkout.amounts import where_refunds_take_amounts
from fixtures.protocols.checkout.parts import captured_in_part
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import (
    came_so_far,
    is_a_refund,
    must_give_back_no_more,
    must_refuse_refund,
    refund_by_credit,
)
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.clock import Clock
from fixtures.wire.exchange import Reply


@dataclass(frozen=True)
class PartCaptured:
    """A payment of which a part was captured, and who makes the card credits of its merchant."""

    owner: CheckoutPayments
    payment: CheckoutPayment


def part_captured(run: Run) -> PartCaptured:
    must_offer(run.profile, ("capability:card_credit", "test_data:refund_reference", "capability:dms"))
    payments = run.checkout_payments_of(holds=True)
    payment = captured_in_part(payments, run.s2s_card_merchant_of)
    return PartCaptured(payments.of(payment.merchant), payment)


@requirement("CHK-RFD-24")
@deferred(after=OUTSIDE, start=part_captured)
@waits(OUTSIDE)
def test_card_credits_give_back_no_more_than_was_captured(ready: PartCaptured, clock: Clock) -> None:
    owner, payment = ready.owner, ready.payment
    if (status := owner.leaves(payment, "SETTLED")) != "SETTLED":
        not_applicable(f"a payment of which a part was captured is {status}, and line 319 is of settled ones")
    part, post, earlier = owner.operations.part, payment.merchant.post, came_so_far(owner)
    whole = refund_by_credit(payment, owner)

    reply = post(whole)

    if answer_of(reply) is Answer.ACCEPTED:
        # What leaves the payment as it is, and is called no refund, may be a payout.
        status = owner.leaves(payment, "SETTLED")
        is_given_back = status != "SETTLED" or is_a_refund(owner, payment, reply, whole, earlier=earlier)
        expected = f"a refusal, or no refund: {part} of the payment was captured"
        must_hold(not is_given_back, expected, reply, f"The whole is given back; status is {status}.")
        must_give_back_no_more(owner, payment, part)
        return
    if carries_message(reply, CARD_TOKEN_INVALID.message or ""):
        inconclusive(
            f"the target does not know the card token that the refund is made with: {reply.summary}",
            decides="card_token in [test_data] of the profile, which a target may forget when it is started anew",
        )
    must_refuse(reply)
    clock.elapse(OUTSIDE)
    after = post(refund_by_credit(payment, owner).with_("order_amount", part))
    if answer_of(after) is not Answer.ACCEPTED:
        inconclusive(
            f"what was captured is not given back by card credit either: {after.summary}",
            decides="a target that refunds by card credit what was captured",
        )


@requirement("CHK-RFD-09")
def test_no_more_is_refunded_than_was_captured(run: Run) -> None:
    must_offer(run.profile, ("capability:refund_endpoint", "capability:dms"))
    must_concern([load_catalogue()["CHK-CAP-01"]], run.profile, run.release)
    payments = run.checkout_payments_of(holds=True)
    payment = captured_in_part(payments, run.s2s_card_merchant_of)
    earlier = came_so_far(payments)

    reply = payment.merchant.post(payment.refund())

    with where_refunds_take_amounts(payments):
        must_refuse_refund(payments, payment, reply, earlier=earlier)

    part = payment.merchant.post(payment.refund(payments.operations.part))
    if answer_of(part) is not Answer.ACCEPTED and answer_of(refund_of_another(run, payments)) is not Answer.ACCEPTED:
        inconclusive(
            f"what was captured is not given back either: {part.summary}",
            decides="a target that refunds what was captured of an authorization",
        )


@requirement("CHK-RFD-05")
def test_what_was_captured_is_given_back_after_more_than_that_was_refused(run: Run) -> None:
    must_offer(run.profile, ("capability:refund_endpoint", "capability:dms"))
    must_concern([load_catalogue()["CHK-CAP-01"]], run.profile, run.release)
    payments = run.checkout_payments_of(holds=True)
    payment = captured_in_part(payments, run.s2s_card_merchant_of)
    refused = payment.merchant.post(payment.refund())
    if answer_of(refused) is not Answer.REFUSED:
        not_applicable(f"the target does not refuse it; other checks say whether it may: {refused.summary}")

    reply = payment.merchant.post(payment.refund(payments.operations.part))

    must_not_be_barred(reply, refused, lambda: refund_of_another(run, payments))


def refund_of_another(run: Run, payments: CheckoutPayments) -> Reply:
    twin = captured_in_part(payments, run.s2s_card_merchant_of)
    return twin.merchant.post(twin.refund(payments.operations.part))
