"""Refunds, voids and captures of payments of every kind: what holds of a plain purchase by a card holds of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from fixtures.judging.must import must_accept
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.checkout.kinds import (
    HELD_KINDS,
    SETTLED_KINDS,
    given_back_in_part,
    must_be_given_back_in_part,
    of_kind_that_comes_about,
)
from fixtures.protocols.checkout.must import must_leave
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import came_so_far, must_refuse_refund
from fixtures.protocols.checkout.states import WITH_AUTH
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.requirement import must_offer, requirement


def a_part_is_given_back(kind: str, paid: CheckoutPayments) -> None:
    reply = given_back_in_part(kind, paid).reply

    if allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_accept(reply)


def no_more_than_is_left_is_given_back(kind: str, paid: CheckoutPayments) -> None:
    payment = must_be_given_back_in_part(kind, paid)
    earlier = came_so_far(paid)

    reply = payment.merchant.post(payment.refund())

    must_refuse_refund(paid, payment, reply, earlier=earlier)


def it_is_voided(kind: str, paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:void_endpoint",))
    payment = of_kind_that_comes_about(kind, paid)

    must_accept(payment.merchant.post(payment.void()))


RULES: Mapping[str, Callable[[str, CheckoutPayments], None]] = {
    "CHK-RFD-05": a_part_is_given_back,
    "CHK-RFD-09": no_more_than_is_left_is_given_back,
    "CHK-RFD-13": it_is_voided,
}
"""What holds of every settled payment, by the requirement that says so."""
AS_PLAIN = {("CHK-RFD-13", "initial")}
"""What is not tried of a kind, for the sake of its requests: a chain lies beside the payment that started it."""


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        pytest.param(rule, kind, marks=requirement(rule))
        for rule in RULES
        for kind in SETTLED_KINDS
        if (rule, kind) not in AS_PLAIN
    ],
)
def test_payment_of_any_kind_is_changed_as_a_plain_one(rule: str, kind: str, paid: CheckoutPayments) -> None:
    RULES[rule](kind, paid)


@requirement("CHK-CAP-01")
@pytest.mark.parametrize("kind", HELD_KINDS)
def test_authorization_of_any_kind_is_captured(kind: str, paid: CheckoutPayments) -> None:
    must_offer(paid.profile, HELD_KINDS[kind], "checkout")
    if paid.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")
    with where_it_comes_about(f"an authorization of the kind {kind}"):
        payment = paid.confirmed(paid.fresh(kind), "PENDING")

    must_accept(payment.merchant.post(payment.capture()))

    if not paid.profile.lacks("capability:status_lookup"):
        must_leave(paid, payment, "PENDING")
