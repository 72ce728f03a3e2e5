"""Look-ups of an order with several payments, and the size that says how many of them are answered."""

from __future__ import annotations

from typing import cast

import pytest

from contract.catalogue import load_catalogue
from contract.errors import SIZE_OUT_OF_RANGE
from fixtures.deferred import deferred
from fixtures.judging.expectations import proper_answer
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must,
    must_accept,
    must_answer_properly,
    must_be_object,
    must_be_same,
    must_equal,
    must_hold,
    must_refuse,
    must_reject_stating,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.protocols.checkout.operations import status_of_order
from fixtures.protocols.checkout.orders import CheckoutOrders, listed_ids
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest


@pytest.fixture
def orders(run: Run) -> CheckoutOrders:
    """Orders with several payments."""
    return run.checkout_orders


def must_list(reply: Reply, count: int) -> tuple[str, ...]:
    must_accept(reply)
    found = listed_ids(reply)
    must_hold(
        isinstance(reply.json, list) and len(found) == len(set(found)) == count,
        f"an array of {count} payment{'s' if count > 1 else ''}",
        reply,
        f"It holds {len(found)}." if isinstance(reply.json, list) else "It is no array.",
    )
    return found


@requirement("CHK-STA-04")
def test_newest_payment_of_an_order_is_answered(orders: CheckoutOrders) -> None:
    order = orders.with_several_payments()

    reply = orders.paid.merchant.post(status_of_order(order.number))

    must_accept(reply)
    must_equal(reply, "payment_id", order.newest)


def held(run: Run) -> CheckoutPayment:
    must_offer(run.profile, ("capability:dms",))
    must_concern([load_catalogue()["CHK-CAP-01"]], run.profile, run.release)
    return run.checkout_payments_of(holds=True).fresh("authorized")


@requirement("CHK-STA-04")
@deferred(after=OUTSIDE, start=held)
def test_newest_payment_of_an_order_is_answered_after_the_one_before_is_captured(
    ready: CheckoutPayment, run: Run
) -> None:
    paid = run.checkout_payments_of(holds=True).of(ready.merchant)
    with where_it_comes_about("a second payment of an order whose first one is captured after it"):
        newest = paid.pay(cast("JsonRequest", ready.session), paid.card("success"))
        paid.carry_out(ready.capture())
    if newest.payment_id == ready.payment_id:
        not_applicable("both payments of the order have one payment_id, as far as can be seen")

    reply = paid.newest(ready.number, newest.payment_id)

    must_accept(reply)
    must_equal(reply, "payment_id", newest.payment_id)


@requirement("CHK-STA-05")
def test_size_1_answers_an_array_of_one(paid: CheckoutPayments) -> None:
    payment = paid.shared("settled")

    reply = paid.merchant.post(payment.look_up_order(1))

    found = must_list(reply, 1)
    must_be_same(reply, "payment_id", found, (payment.payment_id,))


@requirement("CHK-STA-05")
def test_size_1_answers_one_payment_of_several(orders: CheckoutOrders) -> None:
    must_list(orders.paid.merchant.post(status_of_order(orders.with_several_payments().number, 1)), 1)


@requirement("CHK-STA-06")
@pytest.mark.parametrize("size", [2, 100])
def test_fewer_payments_than_size_are_all_answered(size: int, paid: CheckoutPayments) -> None:
    must_list(paid.merchant.post(paid.shared("settled").look_up_order(size)), 1)


@requirement("CHK-STA-06")
@pytest.mark.parametrize("size", [2, 3, 4, 100])
def test_size_answers_so_many_payments(size: int, orders: CheckoutOrders) -> None:
    order = orders.with_several_payments()

    must_list(orders.paid.merchant.post(status_of_order(order.number, size)), min(size, len(order.payments)))


@requirement("CHK-STA-07")
@pytest.mark.parametrize("size", [1, 2])
def test_most_recent_payments_are_answered(size: int, orders: CheckoutOrders) -> None:
    order = orders.with_several_payments()

    reply = orders.paid.merchant.post(status_of_order(order.number, size))

    found = must_list(reply, size)
    must_hold(
        set(found) == set(order.payments[-size:]),
        f"the newest: {', '.join(order.payments[-size:])}",
        reply,
        f"These came: {', '.join(found)}.",
    )


@requirement("CHK-STA-08")
def test_payments_of_an_array_come_in_any_order(orders: CheckoutOrders) -> None:
    order = orders.with_several_payments()

    found = must_list(
        orders.paid.merchant.post(status_of_order(order.number, len(order.payments))), len(order.payments)
    )

    readings = {order.payments[::-1]: "newest-first", order.payments: "oldest-first"}
    note_reading("CHK-STA-08", readings.get(found, "unordered"))


@requirement("CHK-STA-09")
@pytest.mark.parametrize("size", [1, 100])
def test_size_accepts_its_limits(size: int, paid: CheckoutPayments) -> None:
    must_accept(paid.merchant.post(paid.shared("settled").look_up_order(size)))


@requirement("CHK-STA-10")
@pytest.mark.parametrize("size", [101, 1000])
def test_size_above_100_is_refused(size: int, paid: CheckoutPayments) -> None:
    reply = paid.merchant.post(paid.shared("settled").look_up_order(size))

    must_reject_stating(reply, "CHK-STA-10", SIZE_OUT_OF_RANGE, field="size")


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(0, marks=requirement("CHK-STA-11")),
        pytest.param(-1, marks=requirement("CHK-STA-12")),
        pytest.param(-100, marks=requirement("CHK-STA-12")),
        pytest.param("ten", marks=requirement("CHK-STA-13")),
        pytest.param(1.5, marks=requirement("CHK-STA-13")),
        pytest.param([2], marks=requirement("CHK-STA-13"), id="an-array"),
        pytest.param({"size": 2}, marks=requirement("CHK-STA-13"), id="an-object"),
    ],
)
def test_size_that_is_no_number_of_payments_is_refused(size: object, paid: CheckoutPayments) -> None:
    must_refuse(paid.merchant.post(paid.shared("settled").look_up_order(size)))


@requirement("CHK-STA-14")
def test_size_as_a_text_is_converted_or_refused(paid: CheckoutPayments) -> None:
    reply = paid.merchant.post(paid.shared("settled").look_up_order("2"))

    must_answer_properly(reply, "CHK-STA-14", accepted="converted", refused="refused")
    if answer_of(reply) is Answer.ACCEPTED:
        must_list(reply, 1)


@requirement("CHK-STA-15")
def test_size_on_a_look_up_by_payment_id_is_ignored_or_refused(paid: CheckoutPayments) -> None:
    reply = paid.merchant.post(paid.shared("settled").look_up().with_("size", 2))

    must(proper_answer(reply), reply)
    if answer_of(reply) is Answer.REFUSED:
        note_reading("CHK-STA-15", "refused")
    else:
        note_reading("CHK-STA-15", "array" if isinstance(reply.json, list) else "ignored")


@requirement("CHK-STA-03")
def test_look_up_without_size_answers_one_object_after_one_with_size(paid: CheckoutPayments) -> None:
    payment = paid.shared("settled")
    paid.carry_out(payment.look_up_order(2))

    reply = paid.merchant.post(payment.look_up_order())

    must_be_object(reply)
    must_equal(reply, "payment_id", payment.payment_id)
