"""What callbacks return, whatever kind of payment they are about and whatever was done to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_have, must_return_custom_data
from fixtures.judging.claims import speaks_of
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.checkout.callbacks import CHANGES, about, of_change, outcome_of, which_came
from fixtures.protocols.checkout.evidence import must_be_taken
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.states import CUSTOM_DATA, WITH_AUTH, charged
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.requirement import must_offer, requirement

DEBIT, TOKENS, CREDIT = "capability:debit", "capability:tokens", "capability:credit"
WITH_DATA: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "authorized_with_data": ("CBK-ATT-13", ()),
    "paid_by_token_with_data": ("CBK-ATT-13", (TOKENS,)),
    "paid_by_wallet_with_data": ("CBK-ATT-13", ()),
    "debited_by_token_with_data": ("CBK-ATT-14", (DEBIT, TOKENS)),
    "credit_by_token_with_data": ("CBK-ATT-15", (CREDIT, TOKENS)),
}
"""States of payments whose sessions carried custom data, with the requirement and what it takes to bring them about."""


@pytest.mark.parametrize("state", [pytest.param(state, marks=requirement(WITH_DATA[state][0])) for state in WITH_DATA])
def test_custom_data_of_any_kind_of_payment_come_back(
    state: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, WITH_DATA[state][1], "checkout")
    if state.startswith("authorized") and paid.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")
    with where_it_comes_about(f"a payment of the kind {state}"):
        payment = paid.shared(state)

    held = "authorized" if state.startswith("authorized") else ""
    must_return_custom_data(outcome_of(payment, callbacks, state=held), CUSTOM_DATA)


@requirement("CBK-ATT-16")
def test_charge_of_the_chain_of_a_debit_returns_its_own_custom_data(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, (DEBIT,), "checkout")
    with where_it_comes_about("a charge of a chain that a debit started"):
        charge = paid.operations.charge(paid.chain("initial_debit")).with_("custom_data", dict(CUSTOM_DATA))
        payment = charged(paid, charge)

    must_return_custom_data(outcome_of(payment, callbacks, state="secondary"), CUSTOM_DATA)


TAKING_BACK: Mapping[str, tuple[Callable[[CheckoutPayment], OperationRequest], str]] = {
    "refunded": (CheckoutPayment.refund, "capability:refund_endpoint"),
    "voided": (CheckoutPayment.void, "capability:void_endpoint"),
}
RETURNED = {
    "settled_debit": ("card_token",),
    "debited_by_token": ("card_token", "card", "card_expiration_date"),
}
"""What every callback of a debit carries (line 419), and what is done to one may be an operation of its own."""


@pytest.mark.parametrize("change", TAKING_BACK)
@requirement("CBK-ATT-58")
@pytest.mark.parametrize("state", ["settled_debit", "debited_by_token"])
def test_callback_of_what_is_done_to_a_debit_carries_what_each_does(
    state: str, change: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    request_of, needed = TAKING_BACK[change]
    must_offer(paid.profile, (DEBIT, needed, *((TOKENS,) if state == "debited_by_token" else ())), "checkout")
    payment = paid.fresh(state)
    request = request_of(payment)
    reply = paid.merchant.post(request)
    if allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_be_taken(reply, request)

    found = of_change(payment, CHANGES[change])
    for callback in which_came(found, f"the callback of a debit that is {change}", callbacks):
        must_have(callback, RETURNED[state])


@requirement("CBK-ATT-23")
def test_callback_of_a_declined_debit_by_token_carries_the_card(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, (DEBIT, TOKENS, "test_data:cards.decline"), "checkout")
    with where_it_comes_about("a debit that is declined, by the card_token of one that was declined before"):
        payment = paid.shared("debit_declined_by_token")
    outcome_of(payment, callbacks, state="declined_debit")

    for callback in callbacks.arrived(about(payment)):
        must_have(callback, ("card", "card_expiration_date"))


@requirement("CBK-ATT-21", "CBK-ATT-23")
def test_callbacks_of_a_debit_by_token_whose_challenge_failed_carry_token_and_card(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, (DEBIT, TOKENS, "capability:three_ds", "test_data:cards.three_ds_success"), "checkout")
    with where_it_comes_about("a debit by card_token whose payer fails the challenge"):
        payment = paid.shared("failed_challenge_debit_by_token")
    outcome_of(payment, callbacks, state="failed_challenge")

    for callback in callbacks.arrived(about(payment)):
        with speaks_of("CBK-ATT-21"):
            must_have(callback, ("card_token",))
        with speaks_of("CBK-ATT-23"):
            must_have(callback, ("card", "card_expiration_date"))
