"""Recurring chains: what starts one, and charging it again without card data."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from contract.errors import ORDER_DUPLICATE, REQUEST_DATA_INVALID, SESSION_DUPLICATE, TRANSACTION_INCORRECT
from fixtures.cases.near import NEAR
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must,
    must_accept,
    must_be_amount,
    must_be_same,
    must_carry,
    must_have_code,
    must_lack,
    must_not_be,
    must_refuse,
    must_reject_with_any,
    must_reject_with_one_of,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.checkout.callbacks import about
from fixtures.protocols.checkout.must import order_in
from fixtures.protocols.checkout.operations import Chain, OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.states import charged
from fixtures.protocols.must import must_state
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest

PaymentsOf = Callable[[str], CheckoutPayments]

CODE = 100_000
ZERO = "0.00"


@pytest.fixture
def charge(paid: CheckoutPayments) -> OperationRequest:
    """A charge of a chain that was seen to be charged."""
    paid.shared("secondary")
    return paid.operations.charge(paid.chain("initial"))


def must_be_charged(reply: Reply) -> None:
    must_accept(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


def must_refuse_with_code(reply: Reply) -> None:
    must_refuse(reply)
    must_have_code(reply, CODE)


@requirement("CHK-REC-01")
def test_chain_is_charged_again_without_card_data(paid: CheckoutPayments) -> None:
    must_be_charged(paid.merchant.post(paid.operations.charge(paid.chain("initial"))))


@requirement("CHK-REC-02")
def test_chain_is_charged_several_times(paid: CheckoutPayments, charge: OperationRequest) -> None:
    must_be_charged(paid.merchant.post(charge))
    must_be_charged(paid.merchant.post(paid.operations.charge(paid.chain("initial"))))


@requirement("CHK-REC-03")
def test_chain_of_a_debit_is_charged_again(paid: CheckoutPayments) -> None:
    must_be_charged(paid.merchant.post(paid.operations.charge(paid.chain("initial_debit"))))


@requirement("CHK-REC-04")
def test_charge_accepts_custom_data(paid: CheckoutPayments, charge: OperationRequest) -> None:
    must_be_charged(paid.merchant.post(charge.with_("custom_data", {"reference": {"ticket": "7"}})))


@requirement("CHK-REC-21")
@pytest.mark.parametrize("value", ["text", ["text"], 7], ids=["text", "list", "number"])
def test_custom_data_of_a_charge_that_are_no_object_are_refused(
    value: object, paid: CheckoutPayments, charge: OperationRequest
) -> None:
    must_refuse(paid.merchant.post(charge.with_("custom_data", value)))


@requirement("CHK-REC-05")
@pytest.mark.parametrize("of_other", ["recurring_token", "recurring_init_trans_id"])
def test_pair_of_two_chains_is_refused(of_other: str, paid: CheckoutPayments, charge: OperationRequest) -> None:
    other = paid.chain_of(paid.spare("initial"))
    if charge.get("recurring_token") == other.token:
        inconclusive(
            "both chains have the same recurring_token, as no line forbids, so that no pair of them is wrong",
            decides="a target that gives every chain a token of its own",
        )
    value = other.token if of_other == "recurring_token" else other.init_trans_id

    must_refuse_with_code(paid.merchant.post(charge.with_(of_other, value)))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("recurring_token", marks=requirement("CHK-REC-06")),
        pytest.param("recurring_init_trans_id", marks=requirement("CHK-REC-07")),
    ],
)
def test_unknown_half_of_the_pair_is_refused(name: str, paid: CheckoutPayments, charge: OperationRequest) -> None:
    must_refuse_with_code(paid.merchant.post(charge.with_(name, str(uuid.uuid4()))))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("recurring_token", marks=requirement("CHK-REC-06")),
        pytest.param("recurring_init_trans_id", marks=requirement("CHK-REC-07")),
    ],
)
@pytest.mark.parametrize("near", NEAR)
def test_pair_with_one_id_that_is_only_alike_is_refused(
    near: str, name: str, paid: CheckoutPayments, charge: OperationRequest
) -> None:
    # It may be refused for its form as well as for what it names.
    must_refuse(paid.merchant.post(charge.with_(name, NEAR[near](str(charge.get(name))))))


@requirement("CHK-REC-08")
def test_chain_of_another_merchant_is_refused(
    paid: CheckoutPayments, paid_by: PaymentsOf, charge: OperationRequest
) -> None:
    theirs = paid_by("second_merchant").chain("initial")
    theirs_charged = charge.with_("recurring_token", theirs.token)

    must_refuse(paid.merchant.post(theirs_charged.with_("recurring_init_trans_id", theirs.init_trans_id)))
    if charge.get("recurring_token") != theirs.token:
        must_refuse(paid.merchant.post(theirs_charged))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("recurring_token", marks=requirement("CHK-REC-09")),
        pytest.param("recurring_init_trans_id", marks=requirement("CHK-REC-10")),
    ],
)
def test_charge_that_lacks_half_of_the_pair_is_refused(
    name: str, paid: CheckoutPayments, charge: OperationRequest
) -> None:
    must_reject_with_any(
        paid.merchant.post(charge.without(name)), (REQUEST_DATA_INVALID, TRANSACTION_INCORRECT), field=name
    )


@requirement("CHK-REC-13")
def test_repeated_order_number_is_refused(paid: CheckoutPayments, charge: OperationRequest) -> None:
    must_be_charged(paid.merchant.post(charge))

    reply = paid.merchant.post(charge)

    readings = {"payment": ORDER_DUPLICATE, "request": SESSION_DUPLICATE}
    must_reject_with_one_of(reply, "CHK-REC-13", readings, field="order.number")


@requirement("CHK-REC-13")
def test_repeated_order_number_is_refused_though_the_amount_differs(
    paid: CheckoutPayments, charge: OperationRequest
) -> None:
    must_be_charged(paid.merchant.post(charge))

    must_refuse(paid.merchant.post(charge.with_("order.amount", paid.operations.part)))


@requirement("CHK-REC-14")
def test_charge_of_nothing_is_refused(paid: CheckoutPayments, charge: OperationRequest) -> None:
    must_refuse(paid.merchant.post(charge.with_("order.amount", ZERO)))


@requirement("CHK-REC-15")
def test_answer_names_payment_and_order(paid: CheckoutPayments) -> None:
    # Not by the fixture: a charge whose answer names no payment cannot be looked up, and is this check's subject.
    charge = paid.operations.charge(paid.chain("initial"))

    reply = paid.carry_out(charge)

    must_carry(reply, "payment_id", "date", "status")
    order = order_in(reply.object)
    currency = paid.shared("initial").order.get("currency")
    must_be_same(reply, "order.number", order.get("number"), charge.get("order.number"))
    must_be_amount(reply, "amount", charge.get("order.amount"), within=order)
    must_be_same(reply, "order.currency", order.get("currency"), currency)


@requirement("CHK-REC-15")
@pytest.mark.parametrize("first", ["initial", "initial_debit", "initial_of_nothing"])
def test_charge_is_of_the_amount_that_its_request_says(first: str, paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:status_lookup",))
    # Odd cents: an amount may be rounded as well.
    amount = paid.operations.amount(max(paid.profile.test_data.amounts.part - 1, 1))
    with where_it_comes_about("a charge of another amount than the first"):
        charge = paid.operations.charge(paid.chain(first)).with_("order.amount", amount)
        payment = charged(paid, charge)

    found = paid.look_up(payment)

    must_accept(found)
    order = order_in(found.object)
    if "amount" not in order:
        not_applicable(f"look-ups show no amount, which the contract does not promise of them: {found.summary}")
    must_be_amount(found, "amount", amount, within=order)


@requirement("CHK-REC-16")
def test_declined_charge_is_answered_with_a_reason(paid_by: PaymentsOf, run: Run) -> None:
    paid = paid_by("declining_recurring")

    charge = paid.operations.charge(paid.chain("initial"))
    reply = paid.merchant.post(charge)

    if answer_of(reply) is Answer.REFUSED:
        # That a charge was declined is seen only where the same charge is taken when nothing declines it.
        run.checkout_payments.shared("secondary")
    must_be_same(reply, "HTTP status", reply.status, 200)
    must_accept(reply)
    if status_in(reply) == "PENDING" and not paid.profile.lacks("capability:status_lookup"):
        # The outcome may follow the answer.
        payment = CheckoutPayment(str(reply.object.get("payment_id")), JsonRequest(charge.get("order")), paid.merchant)
        paid.becomes(payment, "DECLINED", "SETTLED")
        reply = paid.look_up(payment)
        must_accept(reply)
    if status_in(reply) in ("SETTLED", "PENDING"):
        inconclusive(
            f"the charge is not declined: {reply.summary}",
            decides="an account, a card or an amount by which later charges are declined: declining_recurring or "
            "recurring_decline in the profile",
        )
    must_state(reply, status="DECLINED")
    must_carry(reply, "reason")


@requirement("CHK-REC-17")
def test_chain_that_nothing_was_paid_for_is_charged(paid: CheckoutPayments) -> None:
    session = paid.requests(recurring_init=True).with_("order.amount", ZERO)
    chain = paid.chain_of(paid.confirmed(paid.pay(session, paid.card("success")), "SETTLED"))

    must_be_charged(paid.merchant.post(paid.operations.charge(chain)))


def must_start_no_chain(payment: CheckoutPayment, paid: CheckoutPayments) -> None:
    """Neither a look-up nor a callback of the payment gives a recurring token."""
    if not paid.profile.lacks("capability:status_lookup"):
        reply = paid.look_up(payment)
        must_accept(reply)
        must_lack(reply, "recurring_token")
    if paid.callbacks is not None:
        for callback in paid.callbacks.any_of(about(payment), seconds=paid.callbacks.seconds):
            if callback.get("recurring_token"):
                must(Finding("no recurring_token in the callback", callback.summary, "A chain was started."))


@requirement("CHK-REC-18")
def test_declined_payment_starts_no_chain(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("test_data:cards.decline",))
    paid.chain("initial")

    must_start_no_chain(paid.shared("initial_declined"), paid)


@requirement("CHK-REC-19")
@pytest.mark.parametrize("state", ["settled", "settled_debit"])
def test_plain_payment_starts_no_chain(state: str, paid: CheckoutPayments) -> None:
    if state == "settled_debit":
        must_offer(paid.profile, ("capability:debit",))
    paid.chain("initial")

    must_start_no_chain(paid.shared(state), paid)


@requirement("CHK-REC-05")
def test_token_in_place_of_the_transaction_is_refused(paid: CheckoutPayments, charge: OperationRequest) -> None:
    chain: Chain = paid.chain("initial")

    must_refuse(paid.merchant.post(charge.with_("recurring_init_trans_id", chain.token)))
