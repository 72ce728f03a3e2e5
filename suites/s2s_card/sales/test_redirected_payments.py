"""What a payment asked for is still done once its payer is back from a redirect that is no challenge."""

from __future__ import annotations

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_have, must_return_custom_data
from fixtures.judging.must import must_accept, must_carry
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.payer import Payer
from fixtures.protocols.s2s_card.callbacks import of_final, outcome_of
from fixtures.protocols.s2s_card.must import must_have_status
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.round_trip import round_trip
from fixtures.protocols.s2s_card.states import OWN_DATA, must_be_sent_away
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import FormRequest

A_REDIRECT = "a SALE with a redirect"


@pytest.fixture
def paid(payments: Payments) -> Payment:
    """A SALE that asked for a chain, a card token and its own data back, and whose payer is back from a redirect."""
    with where_it_comes_about(A_REDIRECT):
        return payments.shared("passed_redirect_of_all")


def sent_away(payments: Payments, request: FormRequest, outcome: str) -> Payment:
    with where_it_comes_about(A_REDIRECT):
        return must_be_sent_away(payments, request, outcome)


@requirement("S2C-REC-01")
def test_redirected_sale_starts_its_chain(paid: Payment, payments: Payments) -> None:
    must_carry(payments.look_up(paid), "recurring_token")


@requirement("CBK-S2C-09")
def test_settled_callback_of_a_redirected_sale_carries_the_token_of_its_chain(
    callbacks: CallbackWatch, paid: Payment
) -> None:
    what = "the callback that reports the SALE as settled"

    must_have(callbacks.expect(of_final(paid), what), ("recurring_token",))


@requirement("CBK-S2C-10")
def test_redirected_sale_yields_its_card_token(callbacks: CallbackWatch, paid: Payment) -> None:
    must_have(outcome_of(paid, callbacks), ("card_token",))


@requirement("CBK-S2C-13")
def test_custom_data_of_a_redirected_sale_come_back(callbacks: CallbackWatch, paid: Payment) -> None:
    must_return_custom_data(outcome_of(paid, callbacks, having=("custom_data",)), dict(OWN_DATA))


@requirement("S2C-AMT-01")
def test_redirected_authorization_is_held_and_can_be_captured(payments: Payments, payer: Payer) -> None:
    payment = sent_away(payments, payments.requests.baseline("authorization"), "redirect_success")

    round_trip(payer, payment)

    must_have_status(payments, payment, "PENDING")
    payments.must_be_held(payment)
    must_accept(payments.merchant.post(payment.capture()))


@requirement("S2C-STA-03")
@pytest.mark.parametrize("name", ["sale", "debit"])
def test_redirected_payment_that_is_declined_is_so_once_its_payer_was_there(
    name: str, payments: Payments, payer: Payer
) -> None:
    must_offer(payments.requests.profile, ("capability:debit",) if name == "debit" else ())
    payment = sent_away(payments, payments.requests.baseline(name), "redirect_decline")

    round_trip(payer, payment, passes=False, data=payments.requests.profile.test_data, by="redirect")

    must_have_status(payments, payment, "DECLINED")
