"""The signature of S2S CARD callbacks: its digest, its formula, and the card digits that it covers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import fail, must_be_hex
from fixtures.judging.claims import speaks_of
from fixtures.judging.must import must_accept_signature
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.profile import Profile
from fixtures.protocols.callbacks import before_the_outcome, which_came
from fixtures.protocols.modes import PAID
from fixtures.protocols.s2s_card.callbacks import (
    HEX_DIGITS,
    about_order,
    must_cover_the_digits,
    must_verify,
    must_verify_for,
    of_action,
    of_deed,
    outcome_of,
)
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.states import BY_WALLET, REFUNDS, by_wallet
from fixtures.requirement import claimed_by, must_offer, requirement
from fixtures.signing.protocols.s2s_card import card_fragment
from fixtures.signing.signatory import Records
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]
SECONDS_FOR_ANOTHER_ACCOUNT = 2.0


@requirement("CBK-SIG-07")
def test_hash_is_as_long_as_its_digest(callbacks: CallbackWatch, payments: Payments) -> None:
    came = outcome_of(payments.shared("settled"), callbacks)

    must_be_hex(came, HEX_DIGITS[payments.merchant.identity.digest])


@requirement("CBK-SIG-08")
def test_callback_returns_the_digits_that_are_signed(callbacks: CallbackWatch, payments: Payments) -> None:
    payment = payments.shared("settled")

    came = outcome_of(payment, callbacks)

    if card_fragment(came.get("card") or "") != card_fragment(payment.card):
        fail("card with the first six and last four digits of the card", came, "They are missing or others.")
    must_verify(came, payment)


@requirement("CBK-SIG-08")
def test_callback_of_a_refund_returns_the_digits_of_its_own_card(callbacks: CallbackWatch, payments: Payments) -> None:
    must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    payment = payments.fresh("settled")
    other = payments.requests.payee_card()
    if card_fragment(other) == card_fragment(payment.card):
        not_applicable("the profile names no second card")
    sale = payments.requests.baseline("sale").with_("card_number", other)
    with where_it_comes_about("a payment by another card of the payer"):
        between = payments.confirmed(payments.open(sale), PAID)
    outcome_of(between, callbacks)
    payments.carry_out(payment.creditvoid())

    which_came(of_deed(payment, "CREDITVOID"), "the callback of the CREDITVOID", callbacks)
    came = of_action(payment, "CREDITVOID", callbacks)

    if came.get("card") and card_fragment(came.get("card") or "") != card_fragment(payment.card):
        fail("card with the digits of the card that paid", came, "They are those of another card of the payer.")


OF_A_CARD: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "authorized": ("SALE", ()),
    "settled_debit": ("DEBIT", ("capability:debit",)),
    "secondary": ("RECURRING_SALE", ("capability:recurring",)),
    "secondary_debit": ("RECURRING_DEBIT", ("capability:recurring", "capability:debit")),
    "captured": ("CAPTURE", ()),
    "voided": ("VOID", ()),
    "refunded": ("CREDITVOID", REFUNDS),
}
"""Payments by card: what brought them about last, and what that needs."""


@requirement("CBK-SIG-08")
@pytest.mark.parametrize("state", OF_A_CARD)
def test_digits_of_the_card_are_signed_whatever_is_notified(
    state: str, callbacks: CallbackWatch, payments: Payments, profile: Profile
) -> None:
    action, needs = OF_A_CARD[state]
    with where_it_comes_about(f"a {action}"):
        must_offer(profile, needs, "s2s_card")
        payment = payments.shared(state)

    for came in which_came(of_deed(payment, action), f"the callback of the {action}", callbacks):
        must_cover_the_digits(came, payment)


@requirement("CBK-SIG-09")
@pytest.mark.parametrize(
    ("state", "needs"),
    [
        ("settled", ()),
        ("authorized", ("capability:dms",)),
        ("settled_debit", ("capability:debit",)),
        ("debit_without_email", ("capability:debit",)),
        ("paid_by_token", ("capability:tokens",)),
        ("card2card", ("capability:card2card",)),
        ("secondary_debit", ("capability:recurring", "capability:debit")),
    ],
)
def test_callback_of_a_payment_is_signed_by_formula_2(
    state: str, needs: tuple[str, ...], callbacks: CallbackWatch, payments: Payments, profile: Profile
) -> None:
    must_offer(profile, needs)
    payment = payments.shared(state)

    wanted = about_order(payment.order_id)
    must_verify(callbacks.expect(wanted, f"the callback of the {payment.opening.get('action')}"), payment)


@pytest.mark.parametrize(
    ("state", "action"),
    [
        pytest.param("captured", "CAPTURE", marks=requirement("CBK-SIG-09", "CBK-S2C-05")),
        pytest.param("released", "CREDITVOID", marks=requirement("CBK-S2C-20")),
        pytest.param("refunded", "CREDITVOID", marks=requirement("CBK-SIG-09", "CBK-S2C-06")),
        pytest.param("voided", "VOID", marks=requirement("CBK-SIG-09", "CBK-S2C-07")),
        pytest.param("secondary", "RECURRING_SALE", marks=requirement("CBK-SIG-09", "CBK-S2C-08")),
    ],
)
def test_callback_of_an_operation_is_signed_by_formula_2(
    state: str, action: str, callbacks: CallbackWatch, payments: Payments, request: pytest.FixtureRequest
) -> None:
    payment = payments.shared(state)
    *signed, notified = claimed_by(request.node)

    with speaks_of(notified):
        came = of_action(payment, action, callbacks)
    with speaks_of(*signed):
        must_verify(came, payment)


BY_TOKEN: Mapping[str, tuple[str, Callable[[Payment], FormRequest]]] = {
    "CAPTURE": ("held_by_token", Payment.capture),
    "VOID": ("paid_by_token", Payment.void),
    "CREDITVOID": ("paid_by_token", Payment.creditvoid),
}
"""What is done to a payment by card token: the state before, and the request."""


@requirement("CBK-SIG-09")
@pytest.mark.parametrize("action", BY_TOKEN)
def test_callback_of_an_operation_on_a_payment_by_token_is_signed_with_the_digits_of_its_card(
    action: str, callbacks: CallbackWatch, payments: Payments
) -> None:
    state, request_for = BY_TOKEN[action]
    with where_it_comes_about(f"a {action} of a payment by token"):
        must_offer(payments.requests.profile, REFUNDS if action == "CREDITVOID" else (), "s2s_card")
        payment = payments.fresh(state)
        payments.carry_out(request_for(payment))

    for came in which_came(of_deed(payment, action), f"the callback of the {action}", callbacks):
        must_verify(came, payment)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("declined", marks=requirement("CBK-DEL-04")),
        pytest.param("declined_debit", marks=requirement("CBK-DEL-04")),
        pytest.param("challenged", marks=requirement("CBK-S2C-03")),
        pytest.param("declined_payout", marks=requirement("CBK-S2C-19")),
    ],
)
def test_callback_of_a_payment_that_is_not_paid_is_signed(
    state: str, callbacks: CallbackWatch, payments: Payments, profile: Profile
) -> None:
    must_offer(profile, ("capability:s2s_card", *(("capability:debit",) if state == "declined_debit" else ())))
    payment = payments.shared(state)
    if state == "challenged":
        before_the_outcome(about_order(payment.order_id), callbacks)

    must_verify(callbacks.expect(about_order(payment.order_id), "the callback of the payment"), payment)


@requirement("CBK-S2C-13")
def test_callback_with_custom_data_is_signed_like_any_other(callbacks: CallbackWatch, payments: Payments) -> None:
    payment = payments.open(payments.requests.baseline("sale").with_nested("custom_data", {"note": "a gift"}))

    must_verify(outcome_of(payment, callbacks), payment)


@requirement("CBK-SIG-09")
def test_callback_of_a_second_merchant_is_signed_with_its_password(
    callbacks: CallbackWatch, payments_of: PaymentsOf, profile: Profile
) -> None:
    with where_it_comes_about("a callback of another merchant"):
        must_offer(profile, ("account:second_merchant",), "s2s_card")
    payment = payments_of("second_merchant").shared("settled")
    came = callbacks.any_of(about_order(payment.order_id), seconds=SECONDS_FOR_ANOTHER_ACCOUNT)
    if not came:
        not_applicable("no callback of the second merchant reaches the suite")

    must_verify(came[0], payment)


@requirement("CBK-SIG-10")
def test_callback_of_a_payout_is_signed_by_formula_6(callbacks: CallbackWatch, payments: Payments) -> None:
    payment = payments.shared("payout")

    must_verify(outcome_of(payment, callbacks), payment)


@requirement("CBK-SIG-11")
@pytest.mark.parametrize("state", BY_WALLET)
def test_callback_of_a_wallet_payment_is_signed_without_card_digits(
    state: str, callbacks: CallbackWatch, payments_of: PaymentsOf, profile: Profile
) -> None:
    must_offer(profile, ("account:wallet_virtual_flow",))
    payment = by_wallet(payments_of("wallet_virtual_flow"), state)

    must_verify(outcome_of(payment, callbacks), payment)


@requirement("CBK-SIG-12")
def test_callback_of_an_account_with_sha256_is_signed_with_sha256(
    callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    payments = payments_of("sha256")
    sale = payments.requests.baseline("sale")
    must_accept_signature(payments.merchant.post(sale))

    came = callbacks.expect(about_order(sale.get("order_id") or ""), "the callback of the SALE")

    must_be_hex(came, HEX_DIGITS[payments.merchant.identity.digest])
    known = Records(payer_email=sale.get("payer_email") or "", card=sale.get("card_number") or "")
    must_verify_for(came, payments.merchant.identity, known)
