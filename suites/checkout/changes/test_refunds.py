"""Voids, retries, and refunds through the card credit endpoint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pytest

from contract.errors import (
    ORDER_DUPLICATE,
    REFUND_BY_CONNECTOR_ONLY,
    REFUND_NOT_ALLOWED,
    REFUND_NOT_SETTLED,
)
from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_show_an_arn
from fixtures.deferred import deferred, waits
from fixtures.judging.expectations import Finding, proper_answer
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must,
    must_accept,
    must_be_same,
    must_equal,
    must_hold,
    must_refuse,
    must_reject,
    must_reject_with_any,
)
from fixtures.judging.verdicts import Inconclusive, inconclusive, not_applicable, note_reading
from fixtures.protocols.accounts import WHO_GIVES_BACK
from fixtures.protocols.callbacks import statuses_in
from fixtures.protocols.checkout.amounts import where_refunds_take_amounts
from fixtures.protocols.checkout.must import must_have_status
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import (
    BY_ORDER,
    MAY_BE_A_PAYOUT,
    NOTHING_GIVEN_BACK,
    answered,
    came_so_far,
    give_back,
    is_a_refund,
    is_given_back,
    is_taken_on,
    must_give_back_no_more,
    must_refund_by_credit,
    must_refuse_refund,
    must_stay,
    must_stay_as_it_is,
    refund_by_credit,
    reports_own_credit,
    reports_refund,
    where_credits_give_back,
)
from fixtures.protocols.checkout.states import WITH_AUTH
from fixtures.protocols.checkout.to_refund import (
    NOT_SETTLED,
    payment_to_refund,
)
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.clock import Clock
from fixtures.wire.exchange import Reply

PaymentsOf = Callable[[str], CheckoutPayments]


@requirement("CHK-RFD-16")
def test_answer_to_a_void_shows_its_outcome(paid: CheckoutPayments) -> None:
    reply = paid.after("void", "settled", CheckoutPayment.void).reply

    must_accept(reply)
    if is_taken_on(reply):
        not_applicable(f"a void of this target is answered before it is carried out: {reply.summary}")
    status, of_payment = str(reply.object.get("status", "")), reply.object.get("payment_status")
    readings = {
        "outcome": status.upper() in ("SUCCESS", "FAIL") and bool(of_payment),
        "upper": status in ("VOID", "SETTLED"),
        "lower": bool(status) and status == status.lower(),
    }
    followed = [reading for reading, is_it in readings.items() if is_it]
    expected = "status SUCCESS with payment_status, VOID, or a status of payments"
    must_hold(followed, expected, reply, f"status is {status!r}, payment_status {of_payment!r}.")
    note_reading("CHK-RFD-16", followed[0])


@requirement("CHK-RFD-20")
def test_retry_of_a_softly_declined_charge_is_accepted(paid_by: PaymentsOf) -> None:
    paid = paid_by("declining_recurring")
    payment = paid.fresh("softly_declined")

    reply = paid.merchant.post(payment.retry())

    must_accept(reply)
    must_equal(reply, "payment_id", payment.payment_id)
    must_be_same(reply, "result", str(reply.object.get("result", "")).lower(), "accepted")


# --- by card credit: after the duplicate window, since the request may repeat the order's number ---


PAID_OUT = (
    "the credit is accepted and the declined payment stays as it is: by a card that the order was not paid with it may "
    "be a payout, and no line says that the number of a session is an order id of S2S CARD that is used already"
)


def payment_of_which_a_refund_has_an_arn(run: Run) -> CheckoutPayment:
    must_refund_by_credit(run.profile)
    return payment_to_refund("settled", "arn", run)


def a_while_after(state: str) -> pytest.MarkDecorator:
    return deferred(after=OUTSIDE, start=partial(payment_to_refund, state, ""))


@dataclass(frozen=True)
class NotToRefund:
    """A payment that may not be given back, and a settled one that shows whether a card credit gives back at all."""

    payment: CheckoutPayment
    plain: CheckoutPayment


def payment_not_to_refund(state: str, setting: str, run: Run) -> NotToRefund:
    payment = payment_to_refund(state, setting, run)
    payments = run.checkout_payments_of(holds=False)
    return NotToRefund(payment, payments.states.kept("to be given back by credit", lambda: payments.fresh("settled")))


def a_while_after_not_to_refund(state: str, setting: str = "") -> pytest.MarkDecorator:
    return deferred(after=OUTSIDE, start=partial(payment_not_to_refund, state, setting))


def refunded(payment: CheckoutPayment, paid: CheckoutPayments) -> Reply:
    return answered(refund_by_credit(payment, paid), payment, paid)


def must_leave_a_trace(
    payment: CheckoutPayment, reply: Reply, credit: OperationRequest, paid: CheckoutPayments
) -> None:
    """A refund that was made shows in a look-up of the payment, or in a callback: which is open."""
    if is_given_back(paid, payment, reply, credit):
        return
    if paid.callbacks is None or paid.profile.lacks("capability:status_lookup"):
        inconclusive(
            "the refund is accepted, and nothing that can be seen shows whether it was made",
            decides="look-ups and callbacks of the target",
        )
    paid.callbacks.must_show_absence("that of the refund")
    if paid.callbacks.arrived(reports_own_credit(payment, reply, credit)) or is_no_longer_alone(payment, paid):
        inconclusive(
            "the card credit is shown as one of its own, which may give the payment back or be a payout (line 421)",
            decides="a target whose refunds by card credit show in the payment, or in callbacks of another type; "
            "refund_reference in [test_data] of the profile where another field names the payment",
        )
    expected = "a refund that a look-up or a callback reports"
    must_hold(False, expected, reply, "It is accepted, but the payment stays SETTLED and no callback reports it.")


def is_no_longer_alone(payment: CheckoutPayment, paid: CheckoutPayments) -> bool:
    return paid.looked_up(payment.number) not in ("", payment.payment_id)


@requirement("CHK-RFD-01")
@a_while_after("settled")
def test_settled_payment_is_refunded_by_card_credit(ready: CheckoutPayment, paid: CheckoutPayments) -> None:
    credit = refund_by_credit(ready, paid)

    reply = answered(credit, ready, paid)

    must_accept(reply)
    must_leave_a_trace(ready, reply, credit, paid)
    is_by_order = paid.profile.test_data.refund_reference == BY_ORDER
    note_reading("CHK-RFD-01", "order-id" if is_by_order else "reference")


@requirement("CBK-ATT-35")
@deferred(after=OUTSIDE, start=payment_of_which_a_refund_has_an_arn)
def test_callback_of_a_refund_by_card_credit_carries_arn(
    ready: CheckoutPayment, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    credit = refund_by_credit(ready, paid)
    reply = answered(credit, ready, paid)
    must_accept(reply)
    if not is_given_back(paid, ready, reply, credit):
        not_applicable(NOTHING_GIVEN_BACK)

    callback = callbacks.expect(reports_refund(ready, reply, credit), f"the callback of the refund of {ready}")

    words = {(callback.get("type") or "").casefold(), *(status.casefold() for status in statuses_in(callback))}
    if not any("refund" in word for word in words):
        not_applicable("the target calls this refund a credit, and line 422 names refunds")
    must_show_an_arn(callback)


@requirement("CHK-RFD-02")
@pytest.mark.parametrize(
    "state", [pytest.param(state, marks=a_while_after_not_to_refund(state)) for state in NOT_SETTLED]
)
def test_refund_of_a_payment_that_is_not_settled_is_refused(
    state: str, ready: NotToRefund, paid: CheckoutPayments
) -> None:
    must_offer(paid.profile, NOT_SETTLED[state])
    if state == "authorized" and paid.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")

    # By a card that this order was not paid with, a credit may be a payout that uses an order number again (line 437).
    is_payout = state.startswith(("declined", "refunded")) and paid.profile.test_data.refund_reference == BY_ORDER
    wrong_state = (REFUND_NOT_SETTLED, REFUND_NOT_ALLOWED)
    pairs = (*wrong_state, ORDER_DUPLICATE) if is_payout else wrong_state
    with where_credits_give_back(paid, ready.plain):
        try:
            reply = refunded(ready.payment, paid)
        except Inconclusive:
            # Whatever it was refused for, nothing may have been given back.
            must_stay_as_it_is(ready.payment, state, paid)
            raise
        if is_payout and state.startswith("declined") and answer_of(reply) is Answer.ACCEPTED:
            must_stay_as_it_is(ready.payment, state, paid)
            not_applicable(f"{PAID_OUT}: {reply.summary}")
        must_reject_with_any(reply, pairs, field="order_id")
        must_stay_as_it_is(ready.payment, state, paid)


@requirement("CHK-RFD-03")
@a_while_after_not_to_refund("settled", "no_refunds")
def test_refund_is_refused_where_the_mid_allows_none(ready: NotToRefund, paid: CheckoutPayments) -> None:
    with where_credits_give_back(paid, ready.plain):
        must_reject(refunded(ready.payment, paid), REFUND_NOT_ALLOWED)
        must_stay(ready.payment, "SETTLED", paid)


@requirement("CHK-RFD-04")
@a_while_after_not_to_refund("settled", "connector_refunds_only")
def test_refund_is_refused_where_the_acquirer_takes_it_in_its_portal_only(
    ready: NotToRefund, paid: CheckoutPayments
) -> None:
    with where_credits_give_back(paid, ready.plain):
        must_reject(refunded(ready.payment, paid), REFUND_BY_CONNECTOR_ONLY)
        must_stay(ready.payment, "SETTLED", paid)


@requirement("CHK-RFD-22")
@a_while_after("settled")
def test_credit_of_another_merchant_with_the_same_order_id_refunds_nothing(
    ready: CheckoutPayment, paid: CheckoutPayments, paid_by: PaymentsOf
) -> None:
    theirs = paid_by(WHO_GIVES_BACK)
    token = theirs.card_token(theirs.shared("tokenized"))

    reply = theirs.merchant.post(refund_by_credit(ready, paid).with_("card_token", token))

    # Whether it is refused or pays out under their own order is theirs; ours is not touched.
    must(proper_answer(reply), reply)
    must_have_status(paid, ready, "SETTLED")


@requirement("CHK-RFD-24")
@a_while_after("settled")
@waits(3 * OUTSIDE)
def test_card_credits_give_back_no_more_than_is_left(
    ready: CheckoutPayment, paid: CheckoutPayments, clock: Clock
) -> None:
    amounts = paid.profile.test_data.amounts
    # Odd cents of what was given back count as well.
    odd = max(amounts.part - 1, 1)
    credit, earlier = (
        refund_by_credit(ready, paid).with_("order_amount", paid.operations.amount(odd)),
        came_so_far(paid),
    )
    part = ready.merchant.post(credit)
    if answer_of(part) is not Answer.ACCEPTED or status_in(paid.look_up(ready)) != "SETTLED":
        inconclusive(
            f"a part of the payment is not refunded by card credit, or ends it: {part.summary}",
            decides="a target that refunds a part by card credit",
        )
    part_is_back = is_a_refund(paid, ready, part, credit, earlier=earlier)
    clock.elapse(OUTSIDE)
    # Each credit is an order of its own where the payment is not named by its order: one that repeats another's is
    # refused for that alone.
    left = amounts.usual - odd
    more = refund_by_credit(ready, paid).with_("order_amount", paid.operations.amount(left + 1))
    earlier = came_so_far(paid)

    reply = ready.merchant.post(more)

    if answer_of(reply) is not Answer.ACCEPTED:
        must_refuse(reply)
        clock.elapse(OUTSIDE)
        must_give_back_what_is_left(ready, paid, reply, (paid.operations.amount(odd), paid.operations.amount(left)))
        return
    # What leaves the payment as it is, and is called no refund, may be a payout, and so may the part before it.
    status = paid.leaves(ready, "SETTLED")
    is_given_back = status != "SETTLED" or is_a_refund(paid, ready, reply, more, earlier=earlier)
    if is_given_back and not part_is_back:
        not_applicable(MAY_BE_A_PAYOUT)
    expected = f"a refusal, or no refund: {paid.operations.amount(odd)} of it was given back before"
    must_hold(not is_given_back, expected, reply, f"More than is left is given back as well; status is {status}.")
    must_give_back_no_more(paid, ready, ready.amount)


def must_give_back_what_is_left(
    payment: CheckoutPayment, paid: CheckoutPayments, refusal: Reply, parts: tuple[str, str]
) -> None:
    """What is left is given back, though more than that was refused; else another payment shows whether it can be."""
    # What was refused may have the same order number, and begin its window of duplicates.
    paid.clock.elapse(OUTSIDE)
    rest = payment.merchant.post(refund_by_credit(payment, paid).with_("order_amount", parts[1]))
    if answer_of(rest) is Answer.ACCEPTED:
        return
    twin = paid.fresh("settled")
    for part in parts:
        paid.clock.elapse(OUTSIDE)
        reply = twin.merchant.post(refund_by_credit(twin, paid).with_("order_amount", part))
        if answer_of(reply) is not Answer.ACCEPTED:
            inconclusive(
                f"after a part was given back more than is left is refused, and so is what is left: {refusal.summary}; "
                f"{rest.summary}",
                decides="a target that refunds a payment in two parts by card credit",
            )
    expected = f"the rest of {parts[1]} is given back, as that of another payment of which nothing was refused"
    must(Finding(expected, rest.summary, "What was refused before counts as given back."), rest)


@pytest.mark.parametrize(
    ("request_of", "proven"),
    [
        pytest.param(CheckoutPayment.refund, "refunded", id="refund", marks=requirement("CHK-RFD-25")),
        pytest.param(CheckoutPayment.void, "voided", id="void", marks=requirement("CHK-RFD-26")),
    ],
)
def test_payment_of_another_merchant_is_left_alone(
    request_of: Callable[[CheckoutPayment], OperationRequest],
    proven: str,
    paid: CheckoutPayments,
    paid_by: PaymentsOf,
) -> None:
    must_offer(paid.profile, ("capability:status_lookup",))
    paid.shared(proven)
    payment = paid.fresh("settled")

    must_refuse(other_merchant(paid, paid_by, proven).merchant.post(request_of(payment)))

    must_have_status(paid, payment, "SETTLED")


def other_merchant(paid: CheckoutPayments, paid_by: PaymentsOf, proven: str) -> CheckoutPayments:
    """Return those of another merchant who may do it: who may not refund may void, as a payment of its own shows."""
    if proven != "voided" or paid.profile.account(WHO_GIVES_BACK, "checkout") is not None:
        return paid_by(WHO_GIVES_BACK)
    theirs = paid_by("second_merchant")
    theirs.shared(proven)
    return theirs


@requirement("CHK-RFD-09")
def test_refund_of_more_than_is_left_is_refused(paid: CheckoutPayments) -> None:
    payment = paid.fresh("part_refunded")
    earlier = came_so_far(paid)

    reply = paid.merchant.post(payment.refund())

    with where_refunds_take_amounts(paid):
        is_at_once = must_refuse_refund(paid, payment, reply, earlier=earlier)
        note_reading("CHK-RFD-09", "at-once" if is_at_once else "by-callback")
        must_stay(payment, "SETTLED", paid)


@requirement("CHK-RFD-05")
def test_what_is_left_after_a_part_is_given_back(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:refund_endpoint",))
    usual = paid.profile.test_data.amounts.usual
    part = awkward_part(usual)
    payment = paid.fresh("settled")
    give_back(paid, payment, paid.operations.amount(part))

    with where_refunds_take_amounts(paid):
        must_accept(payment.merchant.post(payment.refund(paid.operations.amount(usual - part))))


def awkward_part(usual: int) -> int:
    """Return a part, in minor units, after which binary fractions leave less than there is."""
    found = (part for part in range(usual - 1, 0, -1) if usual / 100 - part / 100 < (usual - part) / 100)
    return next(found, usual // 2)
