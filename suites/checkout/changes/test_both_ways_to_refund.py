"""A payment is given back by the refund endpoint and by card credit: what holds of one way holds of the other."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

import pytest

from contract.errors import PAYMENT_ACTION_NOT_SUPPORTED, REFUND_BY_CONNECTOR_ONLY, REFUND_NOT_ALLOWED, ErrorPair
from fixtures.deferred import deferred
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_hold, must_reject_with_any
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Inconclusive, NotApplicable, not_applicable
from fixtures.protocols.accounts import OfAccounts
from fixtures.protocols.checkout.amounts import where_refunds_take_amounts
from fixtures.protocols.checkout.kinds import SETTLED_KINDS, of_kind_that_comes_about
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.must import must_be_taken_back
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import (
    MAY_BE_A_PAYOUT,
    NOTHING_GIVEN_BACK,
    answered,
    came_so_far,
    give_back,
    is_a_refund,
    must_refund_by_credit,
    must_refuse_refund,
    refund_by_credit,
)
from fixtures.protocols.checkout.scheduled_sessions import IN_THREE_DECIMALS
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.protocols.in_turn import in_turn
from fixtures.protocols.other_currencies import currency_of
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

ENDPOINT = ("capability:refund_endpoint",)
BOTH = (*ENDPOINT, "capability:status_lookup")
BY_ANOTHER_CARD = ("paid_by_wallet", "passed_challenge")
"""Kinds whose card is another than that of the token, so that a credit to the card of the token may be a payout."""


@pytest.mark.parametrize(
    ("setting", "pair"),
    [
        pytest.param("no_refunds", REFUND_NOT_ALLOWED, marks=requirement("CHK-RFD-03")),
        pytest.param("connector_refunds_only", REFUND_BY_CONNECTOR_ONLY, marks=requirement("CHK-RFD-04")),
    ],
)
def test_account_without_refunds_refuses_them_at_the_endpoint_as_well(
    setting: str, pair: ErrorPair, paid: CheckoutPayments, checkout_merchant: OfAccounts[CheckoutMerchant]
) -> None:
    must_offer(paid.profile, ENDPOINT)
    payment = in_turn(checkout_merchant.every(setting), lambda merchant: paid.of(merchant).fresh("settled"))
    theirs = paid.of(payment.merchant)
    earlier = came_so_far(theirs)

    reply = theirs.merchant.post(payment.refund())

    if must_refuse_refund(theirs, payment, reply, earlier=earlier):
        # No line shows this address: routing may have none for a MID that allows no refunds (line 453).
        must_reject_with_any(reply, (pair, PAYMENT_ACTION_NOT_SUPPORTED), field="")


@requirement("CHK-RFD-09")
def test_third_refund_is_of_no_more_than_is_left(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ENDPOINT)
    usual = paid.profile.test_data.amounts.usual
    part = usual // 4
    payment = paid.fresh("settled")
    for _ in range(2):
        with where_it_comes_about("a refund of a quarter, twice"):
            give_back(paid, payment, paid.operations.amount(part))
    earlier = came_so_far(paid)

    reply = payment.merchant.post(payment.refund(paid.operations.amount(usual - 2 * part + 1)))

    must_refuse_refund(paid, payment, reply, earlier=earlier)


@requirement("CHK-RFD-07")
def test_refund_of_all_decimals_of_the_currency_is_a_refund_of_the_whole(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, (*ENDPOINT, "capability:status_lookup"))
    currency = currency_of("exponent_3", paid.profile)
    session = paid.requests.baseline("purchase").with_("order.currency", currency)
    with where_it_comes_about(f"a payment in {currency} that is given back"):
        payment = paid.pay(session.with_("order.amount", IN_THREE_DECIMALS), paid.card("success"))
        paid.carry_out(paid.confirmed(payment, "SETTLED").refund())

    must_be_taken_back(paid, payment, "refund")


@dataclass(frozen=True)
class Both:
    """Settled payments that are old enough for a card credit under the number of their order.

    Attributes:
        plain: to see whether a card credit is a refund here at all.
        in_parts: to give a part of it back by card credit, and more than is left by the endpoint.
        kinds: one of each kind that comes about.
    """

    plain: CheckoutPayment
    in_parts: CheckoutPayment
    kinds: Mapping[str, CheckoutPayment]


def a_while_ago(run: Run) -> Both:
    must_offer(run.profile, BOTH)
    must_refund_by_credit(run.profile)
    paid = run.checkout_payments
    return Both(paid.fresh("settled"), paid.fresh("settled"), {})


def one_of_each_kind(run: Run) -> Both:
    must_offer(run.profile, BOTH)
    must_refund_by_credit(run.profile)
    paid, kinds = run.checkout_payments, dict[str, CheckoutPayment]()
    for kind in SETTLED_KINDS:
        if kind not in BY_ANOTHER_CARD:
            with suppress(Inconclusive, NotApplicable):
                kinds[kind] = of_kind_that_comes_about(kind, paid)
    # An account may take other amounts than this only.
    with suppress(Inconclusive, NotApplicable):
        kinds["of an amount that floats cut"] = paid.fresh("settled_by_floats")
    if not kinds:
        not_applicable("payments of no other kind come about here, and other checks decide the requirement")
    plain = paid.fresh("settled")
    return Both(plain, plain, kinds)


def must_be_refunds(ready: Both, paid: CheckoutPayments) -> None:
    """End the check where a card credit leaves a plain payment as it is, as a payout does."""
    reply = answered(refund_by_credit(ready.plain, paid), ready.plain, paid)
    if answer_of(reply) is not Answer.ACCEPTED or paid.leaves(ready.plain, "SETTLED") == "SETTLED":
        not_applicable(NOTHING_GIVEN_BACK)


@requirement("CHK-RFD-09")
@deferred(after=OUTSIDE, start=a_while_ago)
def test_what_a_card_credit_gave_back_is_not_refunded_once_more(ready: Both, paid: CheckoutPayments) -> None:
    must_be_refunds(ready, paid)
    amounts = paid.profile.test_data.amounts
    # Odd cents of what was given back count as well.
    odd = max(amounts.part - 1, 1)
    credit = refund_by_credit(ready.in_parts, paid).with_("order_amount", paid.operations.amount(odd))
    earlier = came_so_far(paid)
    part = answered(credit, ready.in_parts, paid)
    if answer_of(part) is not Answer.ACCEPTED or status_in(paid.look_up(ready.in_parts)) != "SETTLED":
        not_applicable("a part of the payment is not given back by card credit, or ends it")
    if not is_a_refund(paid, ready.in_parts, part, credit, earlier=earlier):
        not_applicable(MAY_BE_A_PAYOUT)

    earlier = came_so_far(paid)

    more = paid.operations.amount(amounts.usual - odd + 1)
    reply = ready.in_parts.merchant.post(ready.in_parts.refund(more))

    with where_refunds_take_amounts(paid):
        must_refuse_refund(paid, ready.in_parts, reply, earlier=earlier)


@requirement("CHK-RFD-01")
@deferred(after=OUTSIDE, start=one_of_each_kind)
def test_payment_of_every_kind_is_refunded_by_card_credit(ready: Both, paid: CheckoutPayments) -> None:
    must_be_refunds(ready, paid)
    replies = {
        kind: reply
        for kind, payment in ready.kinds.items()
        if not allows_none(reply := answered(refund_by_credit(payment, paid), payment, paid))
    }
    if not replies:
        not_applicable(NONE_ALLOWED)
    for kind, reply in replies.items():
        payment = ready.kinds[kind]

        must_accept(reply)
        status = paid.leaves(payment, "SETTLED")
        expected = f"the payment ({kind}) is given back, as a plain one is"
        must_hold(status != "SETTLED", expected, reply, "It stays SETTLED: what was paid out may be had once more.")
