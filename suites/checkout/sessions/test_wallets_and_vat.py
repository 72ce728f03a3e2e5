"""Payments by wallet, and purchases with VAT."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_have
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive
from fixtures.protocols.checkout.callbacks import outcome_of
from fixtures.protocols.checkout.must import must_be_settled
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.words import is_mask_of
from fixtures.requirement import requirement

PaymentsOf = Callable[[str], CheckoutPayments]


@requirement("CHK-WAL-01")
def test_wallet_payment_settles(paid: CheckoutPayments) -> None:
    must_be_settled(paid, paid.shared("paid_by_wallet"))


@requirement("CHK-WAL-02")
def test_virtual_wallet_payment_leaves_no_stored_card(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    must_leave_no_card(paid_by("wallet_virtual_flow").shared("paid_by_wallet"), callbacks)


@requirement("CHK-WAL-02")
def test_payment_by_another_virtual_wallet_leaves_no_stored_card(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    paid = paid_by("wallet_virtual_flow")
    with where_it_comes_about("a payment by another wallet"):
        payment = paid.shared("paid_by_another_wallet")

    must_leave_no_card(payment, callbacks)


@requirement("CHK-WAL-02")
def test_virtual_wallet_payment_that_asks_for_a_token_leaves_no_stored_card(
    paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    paid = paid_by("wallet_virtual_flow")
    with where_it_comes_about("a payment by wallet with req_token"):
        payment = paid.shared("paid_by_wallet_with_req_token")

    must_leave_no_card(payment, callbacks)


def must_leave_no_card(payment: CheckoutPayment, callbacks: CallbackWatch) -> None:
    callback = outcome_of(payment, callbacks)

    if callback.get("card_token"):
        must(Finding("no card_token in the callback", callback.summary, "A card was stored."))


@requirement("CHK-WAL-03")
def test_wallet_payment_in_card_flow_returns_its_masked_card(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    paid = paid_by("wallet_card_flow")

    payment = paid.shared("paid_by_decrypted_wallet")

    callback = outcome_of(payment, callbacks, having=("card",))

    card = callback.get("card") or paid.look_up(payment).object.get("card")
    behind = paid.profile.test_data.cards.wallet
    if not card and not outcome_of(paid.shared("settled"), callbacks, having=("card",)).get("card"):
        inconclusive(
            "neither a callback nor a look-up of this account shows the card, as its mapping may say (line 288)",
            decides='status_card_data = true of the account with wallet_flow = "card" in the profile, where it is on',
        )
    if not card or (behind is not None and not is_mask_of(card, behind.number.reveal())):
        must(Finding("the masked card of the wallet", callback.summary, "It is missing, or not masked."))


@requirement("CHK-VAT-01")
def test_purchase_with_vat_has_vat_amount(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    must_have(outcome_of(paid.shared("with_vat"), callbacks, having=("vat_amount",)), ("vat_amount",))


@requirement("CHK-VAT-01")
@pytest.mark.holds
def test_authorization_with_vat_has_vat_amount(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    with where_it_comes_about("an authorization with VAT"):
        payment = paid.shared("held_with_vat")

    must_have(outcome_of(payment, callbacks, state="authorized"), ("vat_amount",))


@requirement("CHK-VAT-02")
def test_purchase_without_vat_has_no_vat_amount(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    callback = outcome_of(paid.shared("settled"), callbacks)

    if callback.get("vat_amount"):
        must(Finding("no vat_amount in the callback", callback.summary, "Nobody asked for VAT."))


@requirement("CHK-SES-74")
def test_debit_that_asks_for_vat_has_no_vat_amount(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    with where_it_comes_about("a debit with vat_calc"):
        payment = paid.pay(paid.requests.baseline("debit").with_("vat_calc", value=True), paid.card("success"))

    callback = outcome_of(payment, callbacks)

    if callback.get("vat_amount"):
        must(Finding("no vat_amount in the callback", callback.summary, "vat_calc is a matter of purchases."))
