"""Captures, refunds and voids of amounts that binary fractions cut: what is asked for is done to the cent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from contract.catalogue import load_catalogue
from fixtures.cases.currencies import CUT_BY_FLOATS, PARTS_BY_FLOATS, format_amount
from fixtures.judging.cents import a_cent_off, in_whole_cents
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_accept
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.checkout.amounts import must_read_amounts, where_refunds_take_amounts
from fixtures.protocols.checkout.callbacks import of_change
from fixtures.protocols.checkout.must import must_be_taken_back, must_leave
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import came_so_far, give_back, must_refuse_refund
from fixtures.protocols.other_currencies import currency_of
from fixtures.protocols.payments import IN_WORK, STILL_PENDING
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.wire.exchange import Reply

Json = Any
HELD = "a_cent_more_authorized_by_floats"


@pytest.mark.parametrize(
    ("request_of", "change"),
    [
        pytest.param(CheckoutPayment.refund, "refund", id="refund", marks=requirement("CHK-RFD-07")),
        pytest.param(CheckoutPayment.void, "void", id="void", marks=requirement("CHK-RFD-15")),
    ],
)
def test_amount_that_floats_cut_is_taken_back_to_the_cent(
    request_of: Callable[[CheckoutPayment], OperationRequest], change: str, paid: CheckoutPayments
) -> None:
    with where_it_comes_about(f"a paid payment of {CUT_BY_FLOATS[1]}"):
        payment = paid.fresh("settled_by_floats")

    paid.carry_out(request_of(payment))

    must_be_taken_back(paid, payment, change)


@requirement("CHK-RFD-07")
def test_two_parts_that_floats_cut_are_a_refund_of_the_whole(paid: CheckoutPayments) -> None:
    part, rest = PARTS_BY_FLOATS
    with where_it_comes_about(f"a paid payment of {CUT_BY_FLOATS[1]}"):
        payment = paid.fresh("settled_by_floats")
    give_back(paid, payment, part)

    with where_refunds_take_amounts(paid):
        must_accept(payment.merchant.post(payment.refund(rest)))
        must_be_taken_back(paid, payment, "refund")


@requirement("CHK-RFD-05")
def test_rest_in_three_decimals_is_given_back(paid: CheckoutPayments) -> None:
    payment, rest = given_back_but_for_three_decimals(paid)

    with where_refunds_take_amounts(paid):
        must_accept(payment.merchant.post(payment.refund(format_amount(rest, 3))))


@requirement("CHK-RFD-09")
def test_no_more_than_the_rest_in_three_decimals_is_given_back(paid: CheckoutPayments) -> None:
    payment, rest = given_back_but_for_three_decimals(paid)
    earlier = came_so_far(paid)

    reply = payment.merchant.post(payment.refund(format_amount(rest + 1, 3)))

    with where_refunds_take_amounts(paid):
        must_refuse_refund(paid, payment, reply, earlier=earlier)


@requirement("CHK-RFD-09")
def test_nothing_is_left_after_two_parts_in_three_decimals(paid: CheckoutPayments) -> None:
    payment, rest = given_back_but_for_three_decimals(paid)
    with where_it_comes_about("a refund of the rest"):
        give_back(paid, payment, format_amount(rest, 3))
        paid.confirmed(payment, "REFUND")
    earlier = came_so_far(paid)

    reply = payment.merchant.post(payment.refund("0.001"))

    with where_refunds_take_amounts(paid):
        must_refuse_refund(paid, payment, reply, before="REFUND", earlier=earlier)


@requirement("GEN-AGR-08")
def test_callbacks_of_a_refund_name_an_amount_of_three_decimals_in_all_of_them(paid: CheckoutPayments) -> None:
    callbacks = paid.callbacks
    if callbacks is None:
        not_applicable("the target posts no callbacks here")
    payment, _ = given_back_but_for_three_decimals(paid)

    came = callbacks.any_of(of_change(payment, "refund"), seconds=callbacks.seconds)
    if not came:
        not_applicable("no callback of the refund has come, which other checks judge")
    for callback in came:
        if cut := in_whole_cents(callback.fields, payment.amount):
            must(Finding(f"{payment.amount}, or another amount of the payment", cut, "Its decimals are cut off."))


def given_back_but_for_three_decimals(paid: CheckoutPayments) -> tuple[CheckoutPayment, int]:
    """Return a payment of which a part was given back, and the rest: an amount that two decimals cannot write."""
    must_offer(paid.profile, ("capability:refund_endpoint",))
    currency, amounts = currency_of("exponent_3", paid.profile), paid.profile.test_data.amounts
    whole, part = amounts.usual * 10 + 5, amounts.part * 10
    session = paid.requests.baseline("purchase").with_("order.currency", currency)
    with where_it_comes_about(f"a payment in {currency} of which a part is given back"):
        payment = paid.pay(session.with_("order.amount", format_amount(whole, 3)), paid.card("success"))
        give_back(paid, paid.confirmed(payment, "SETTLED"), format_amount(part, 3))
    return payment, whole - part


@requirement("CHK-RFD-09")
def test_refund_of_a_cent_more_is_refused_however_amounts_are_compared(paid: CheckoutPayments) -> None:
    with where_it_comes_about(f"a paid payment of {CUT_BY_FLOATS[0]}"):
        payment = paid.fresh("a_cent_less_settled_by_floats")
    earlier = came_so_far(paid)

    reply = payment.merchant.post(payment.refund(CUT_BY_FLOATS[1]))

    with where_refunds_take_amounts(paid):
        must_refuse_refund(paid, payment, reply, earlier=earlier)


@requirement("GEN-AGR-08")
@pytest.mark.holds
def test_captured_part_is_named_to_the_cent(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:dms",))
    must_concern([load_catalogue()["CHK-CAP-01"]], paid.profile, paid.release)
    part = PARTS_BY_FLOATS[0]
    with where_it_comes_about(f"a hold of {CUT_BY_FLOATS[1]}"):
        payment = paid.fresh(HELD)

    reply = paid.of(payment.merchant).carry_out(payment.capture(part))

    for what, members in shown_of(payment, reply, paid):
        if wrong := a_cent_off(members, part, CUT_BY_FLOATS[1]):
            must(Finding(f"{part}, or another amount of the payment, in {what}", wrong, "It is a cent off."), reply)


def shown_of(
    payment: CheckoutPayment, reply: Reply, paid: CheckoutPayments
) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Return what says something of a capture: its answer, a look-up, and the callbacks of it."""
    yield "the answer", reply.object
    if not paid.profile.lacks("capability:status_lookup"):
        paid.leaves(payment, "PENDING", *IN_WORK)
        yield "the look-up", paid.look_up(payment).object
    if paid.callbacks is not None:
        for callback in paid.callbacks.any_of(of_change(payment, "capture"), seconds=paid.callbacks.seconds):
            yield "the callback", callback.fields


@dataclass(frozen=True)
class GivenBack:
    """A payment of which a part was captured that was then to be given back, and what came of that."""

    payment: CheckoutPayment
    reply: Reply
    status: str

    @property
    def is_done(self) -> bool:
        """Taken on, and nothing of the payment is left."""
        return answer_of(self.reply) is Answer.ACCEPTED and self.status != "SETTLED"


def captured_and_given_back(state: str, part: str, paid: CheckoutPayments) -> GivenBack:
    payment = paid.fresh(state)
    captured = paid.of(payment.merchant).carry_out(payment.capture(part))
    if (status := paid.leaves(payment, "PENDING", *IN_WORK)) != "SETTLED":
        inconclusive(
            f"a payment of which a part was captured is {status}: {captured.summary}",
            decides=STILL_PENDING,
        )
    reply = payment.merchant.post(payment.refund(part))
    return GivenBack(payment, reply, paid.leaves(payment, "SETTLED"))


@requirement("CHK-RFD-07")
@pytest.mark.holds
def test_captured_part_that_floats_cut_is_given_back_to_the_cent(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:dms", "capability:refund_endpoint"))
    must_concern([load_catalogue()["CHK-CAP-01"]], paid.profile, paid.release)
    must_read_amounts(paid)
    part = PARTS_BY_FLOATS[0]
    with where_it_comes_about(f"a hold of {CUT_BY_FLOATS[1]}"):
        found = captured_and_given_back(HELD, part, paid)
    if found.is_done:
        return

    plain = captured_and_given_back("authorized", paid.operations.part, paid)

    if not plain.is_done:
        inconclusive(
            f"what was captured of a payment is not given back in full: {plain.reply.summary}; it is {plain.status}",
            decides="a target that gives back what was captured of an authorization, and then shows it as refunded",
        )
    expected = f"{part} that were captured are given back in full, as {paid.operations.part} of another payment were"
    if answer_of(found.reply) is not Answer.ACCEPTED:
        must(Finding(expected, found.reply.summary, "The refund is refused."), found.reply)
    must_leave(paid, found.payment, "SETTLED", of_change(found.payment, "refund"))
