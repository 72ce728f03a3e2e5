"""What a look-up is asked with: ids that nobody has, none, both, and those of another merchant."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.errors import (
    HASH_NOT_VALID,
    ORDER_DOES_NOT_EXIST,
    PAYMENT_DOES_NOT_EXIST,
    REQUEST_DATA_INVALID,
    STATUS_IDENTIFIER_INVALID_BEFORE_6_7,
    ErrorPair,
)
from fixtures.cases.order_numbers import patterns_of
from fixtures.cases.unknown_ids import unknown_like
from fixtures.judging.expectations import Finding, proper_answer
from fixtures.judging.matchers import Answer, answer_of, carries_message, is_accepted
from fixtures.judging.must import (
    must,
    must_accept,
    must_equal,
    must_hold,
    must_refuse,
    must_reject,
    must_reject_stating,
)
from fixtures.judging.verdicts import note_reading
from fixtures.protocols.checkout.operations import OperationRequest, status_of_order, status_of_payment
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.signature_trials import is_signature_error
from fixtures.requirement import requirement

PaymentsOf = Callable[[str], CheckoutPayments]


@pytest.fixture
def unknown(paid: CheckoutPayments) -> str:
    """An id that nobody has, like those of the target; look-ups of others are answered."""
    must_find(paid)
    return unknown_like(paid.shared("settled").payment_id)


def must_find(paid: CheckoutPayments) -> None:
    paid.carry_out(paid.shared("settled").look_up())
    paid.carry_out(paid.shared("settled").look_up_order())


@pytest.mark.parametrize(
    ("ask", "pair"),
    [
        pytest.param(status_of_payment, PAYMENT_DOES_NOT_EXIST, id="payment_id", marks=requirement("CHK-STA-22")),
        pytest.param(status_of_order, ORDER_DOES_NOT_EXIST, id="order_id", marks=requirement("CHK-STA-23")),
    ],
)
def test_unknown_id_is_refused(
    ask: Callable[[str], OperationRequest], pair: ErrorPair, unknown: str, paid: CheckoutPayments
) -> None:
    must_reject(paid.merchant.post(ask(unknown)), pair)


@requirement("CHK-STA-22")
def test_what_is_no_id_is_not_refused_as_before_6_7(unknown: str, paid: CheckoutPayments) -> None:
    del unknown

    reply = paid.merchant.post(status_of_payment("nope"))

    must_refuse(reply)
    message = str(reply.object.get("error_message", ""))
    is_new = message != STATUS_IDENTIFIER_INVALID_BEFORE_6_7.message
    must_hold(is_new, "the refusal of release 6.7.0", reply, f"It says {message}")


@requirement("CHK-STA-23")
def test_unknown_order_is_refused_with_a_size(unknown: str, paid: CheckoutPayments) -> None:
    must_reject(paid.merchant.post(status_of_order(unknown, 5)), ORDER_DOES_NOT_EXIST)


@pytest.mark.parametrize(
    ("ask", "claimed"),
    [
        pytest.param(status_of_payment, "CHK-STA-24", id="payment_id", marks=requirement("CHK-STA-24")),
        pytest.param(status_of_order, "CHK-STA-25", id="order_id", marks=requirement("CHK-STA-25")),
    ],
)
def test_unknown_id_is_called_not_correct_before_6_7(
    ask: Callable[[str], OperationRequest], claimed: str, unknown: str, paid: CheckoutPayments
) -> None:
    request = ask(unknown)
    field = next(iter(request.body))

    must_reject_stating(paid.merchant.post(request), claimed, STATUS_IDENTIFIER_INVALID_BEFORE_6_7, field=field)


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        pytest.param(status_of_payment, "number", id="payment_id", marks=requirement("CHK-STA-22")),
        pytest.param(status_of_order, "payment_id", id="order_id", marks=requirement("CHK-STA-23")),
    ],
)
def test_identifier_of_the_other_kind_finds_nothing(
    ask: Callable[[str], OperationRequest], name: str, unknown: str, paid: CheckoutPayments
) -> None:
    del unknown

    must_refuse(paid.merchant.post(ask(getattr(paid.shared("settled"), name))))


@requirement("CHK-STA-23")
def test_order_is_not_found_by_a_part_of_its_number(unknown: str, paid: CheckoutPayments) -> None:
    number = paid.shared("settled").number

    must_refuse(paid.merchant.post(status_of_order(f"{number}-{unknown[:4]}")))
    must_refuse(paid.merchant.post(status_of_order(number[:-1] + unknown[:4])))


@requirement("CHK-STA-23")
def test_order_is_not_found_by_a_pattern_that_its_number_fits(paid: CheckoutPayments) -> None:
    must_find(paid)

    for number in patterns_of(paid.shared("settled").number):
        must_refuse(paid.merchant.post(status_of_order(number)))


@requirement("CHK-STA-26")
def test_look_up_without_an_id_is_refused(paid: CheckoutPayments) -> None:
    must_find(paid)

    reply = paid.merchant.post(OperationRequest({}, "status"))

    # What is signed in place of an id that is not there is not stated.
    if carries_message(reply, HASH_NOT_VALID.message or ""):
        must_reject(reply, HASH_NOT_VALID)
    else:
        must_reject(reply, REQUEST_DATA_INVALID, field=("payment_id", "order_id"))


@requirement("CHK-STA-27")
def test_look_up_with_both_ids_follows_one_or_is_refused(paid: CheckoutPayments) -> None:
    payment, other = paid.shared("settled"), paid.spare("settled")
    both = payment.look_up().with_("order_id", other.number)
    by_order = paid.merchant.recipe(other.look_up_order())

    reply = paid.merchant.post(both)
    if is_signature_error(reply):
        reply = paid.merchant.post(both.with_("hash", by_order.sign()))

    must(proper_answer(reply), reply)
    readings = {payment.payment_id: "payment", other.payment_id: "order"}
    value = str(reply.object.get("payment_id"))
    if answer_of(reply) is Answer.REFUSED:
        note_reading("CHK-STA-27", "refused")
    elif value in readings:
        note_reading("CHK-STA-27", readings[value])
    else:
        must(Finding("the payment of one of the ids, or a refusal", reply.summary, f"payment_id is {value!r}."), reply)


@requirement("CHK-STA-28")
def test_look_up_never_answers_the_order_of_another_merchant(paid: CheckoutPayments, paid_by: PaymentsOf) -> None:
    must_find(paid)
    theirs = paid_by("second_merchant")
    ours, session = paid.shared("settled"), theirs.requests.baseline("purchase")
    same = theirs.pay(session.with_("order.number", ours.number), theirs.card("success"))

    reply = paid.merchant.post(ours.look_up_order())
    listed = paid.merchant.post(ours.look_up_order(100))

    must_accept(reply)
    must_equal(reply, "payment_id", ours.payment_id)
    must_hold(same.payment_id not in listed.text, "an array without a payment of others", listed, "It has theirs.")


@requirement("CHK-STA-28")
def test_order_that_only_another_merchant_has_does_not_exist(paid: CheckoutPayments, paid_by: PaymentsOf) -> None:
    must_find(paid)

    must_refuse(paid.merchant.post(paid_by("second_merchant").shared("settled").look_up_order()))


@requirement("CHK-STA-29")
def test_payment_of_another_merchant_is_not_answered(paid: CheckoutPayments, paid_by: PaymentsOf) -> None:
    must_find(paid)

    must_refuse(paid.merchant.post(paid_by("second_merchant").shared("settled").look_up()))


@requirement("CHK-STA-23")
def test_order_is_found_by_its_number_as_it_was_written(paid: CheckoutPayments) -> None:
    must_find(paid)
    session = paid.requests.baseline("purchase")
    # %41 is how an A is written in the query of an address, and here it is no more than these three signs.
    payment = paid.pay(session.with_("order.number", f"{session.get('order.number')}%41"), paid.card("success"))

    must_find_order(paid, payment)


def must_find_order(paid: CheckoutPayments, payment: CheckoutPayment) -> None:
    """A look-up by its order, repeated while it lags behind, finds a payment."""
    reply = paid.polling.until(lambda: paid.merchant.post(payment.look_up_order()), is_accepted)
    must_accept(reply)
    must_equal(reply, "payment_id", payment.payment_id)
