"""Look-ups of a payment and of an order: what they answer, and how often."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from contract.model import Release
from fixtures.judging.must import (
    must_accept,
    must_be_amount,
    must_be_object,
    must_be_same,
    must_carry,
    must_equal,
    must_lack,
)
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.checkout.look_ups import BY, BY_EITHER, Ask, each_listed, looked_up
from fixtures.protocols.checkout.must import must_be_of_order, order_in
from fixtures.protocols.checkout.operations import status_of_payment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply

WITH_SIZE = Release("6.7.0")
OF_AN_ORDER = ("number", "amount", "currency", "description")
IN_EVERY_STATE = pytest.mark.parametrize("state", ["settled", "declined"])


AS_MADE = {"settled": "made", "declined": "made_declined"}
"""Payments for checks of the look-up itself: they are there even if no look-up shows their status."""


def needed_by(state: str, paid: CheckoutPayments) -> None:
    if state == "declined":
        must_offer(paid.profile, ("test_data:cards.decline",))


@requirement("CHK-STA-01")
@BY_EITHER
def test_look_up_at_the_status_address_finds_the_payment(ask: Ask, paid: CheckoutPayments) -> None:
    payment = paid.shared("made")

    reply = looked_up(paid, payment, ask)

    must_equal(reply, "payment_id", payment.payment_id)


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(BY["payment_id"], id="payment_id", marks=requirement("CHK-STA-02")),
        pytest.param(BY["order_id"], id="order_id", marks=requirement("CHK-STA-03")),
    ],
)
@IN_EVERY_STATE
def test_look_up_answers_one_object(ask: Ask, state: str, paid: CheckoutPayments) -> None:
    needed_by(state, paid)

    reply = looked_up(paid, paid.shared(AS_MADE[state]), ask)

    must_be_object(reply)


@requirement("CHK-STA-16")
@BY_EITHER
@IN_EVERY_STATE
def test_look_up_changes_nothing(ask: Ask, state: str, paid: CheckoutPayments) -> None:
    needed_by(state, paid)
    payment = paid.shared(state)
    first = looked_up(paid, payment, ask)

    second = looked_up(paid, payment, ask)

    for name, status in (("status", status_in), ("payment_id", lambda reply: reply.object.get("payment_id"))):
        must_be_same(second, name, status(second), status(first))


@requirement("CHK-STA-17")
@BY_EITHER
@IN_EVERY_STATE
def test_payment_object_is_complete(ask: Ask, state: str, paid: CheckoutPayments) -> None:
    needed_by(state, paid)

    reply = looked_up(paid, paid.shared(AS_MADE[state]), ask)

    must_be_complete(reply.object, reply)


@requirement("CHK-STA-17")
def test_payment_object_in_an_array_is_complete(paid: CheckoutPayments) -> None:
    if paid.release < WITH_SIZE:
        not_applicable(f"size came with {WITH_SIZE}")

    reply = looked_up(paid, paid.shared("made"), lambda payment: payment.look_up_order(1))

    for one in each_listed(reply):
        must_be_complete(one, reply)


def must_be_complete(fields: Mapping[str, Any], reply: Reply) -> None:
    must_carry(reply, "payment_id", "date", "status", within=fields)
    must_carry(reply, *OF_AN_ORDER, within=order_in(fields))


@requirement("CHK-STA-18")
@BY_EITHER
@pytest.mark.parametrize("state", ["settled", "declined", "unusual"])
def test_order_is_repeated_as_it_was_sent(ask: Ask, state: str, paid: CheckoutPayments) -> None:
    needed_by(state, paid)
    payment = paid.shared(state)

    reply = looked_up(paid, payment, ask)

    order = order_in(reply.object)
    must_carry(reply, *OF_AN_ORDER, within=order)
    for name in ("number", "currency", "description"):
        wanted = payment.order.get(name)
        must_be_same(reply, f"order.{name}", order.get(name), wanted)
    must_be_amount(reply, "amount", payment.amount, within=order)


@requirement("CHK-STA-19")
@BY_EITHER
@IN_EVERY_STATE
def test_found_payment_is_answered_with_success(ask: Ask, state: str, paid: CheckoutPayments) -> None:
    needed_by(state, paid)
    reply = paid.merchant.post(ask(paid.shared(AS_MADE[state])))

    must_accept(reply)
    must_be_same(reply, "HTTP status", reply.status, 200)


@requirement("CHK-STA-20")
@BY_EITHER
def test_declined_payment_shows_its_reason(ask: Ask, paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("test_data:cards.decline",))

    reply = looked_up(paid, paid.shared("declined"), ask)

    must_carry(reply, "reason")


@requirement("CHK-STA-20")
def test_declined_payment_shows_its_reason_in_an_array_as_well(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("test_data:cards.decline",))
    if paid.release < WITH_SIZE:
        not_applicable(f"size came with {WITH_SIZE}")

    reply = looked_up(paid, paid.shared("declined"), lambda payment: payment.look_up_order(1))

    for one in each_listed(reply):
        must_carry(reply, "reason", within=one)


@requirement("CHK-STA-20")
@BY_EITHER
def test_settled_payment_has_no_reason(ask: Ask, paid: CheckoutPayments) -> None:
    reply = looked_up(paid, paid.shared("settled"), ask)

    must_lack(reply, "reason")


@requirement("CHK-STA-21")
def test_payment_id_of_the_return_address_finds_the_payment(paid: CheckoutPayments) -> None:
    session = paid.requests.baseline("purchase")
    number = str(session.get("order.number"))
    visit = paid.enter(session, paid.card("success"))
    payment_id = visit.end.parameters.get("payment_id") if visit.end else None
    if not payment_id:
        inconclusive(
            f"the payer came back without payment_id: {visit.summary}",
            decides="a target that adds return parameters, which checks of their own ask for",
        )

    reply = paid.merchant.post(status_of_payment(payment_id))

    must_accept(reply)
    must_be_of_order(reply, number)
