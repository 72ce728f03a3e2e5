"""CARD2CARD moves an amount from card to card; CREDIT2CARD pays it out."""

from __future__ import annotations

import secrets

import pytest

from contract.errors import CARD_TOKEN_INVALID, HASH_NOT_VALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.must import (
    must_accept,
    must_accept_as_signed,
    must_carry,
    must_equal,
    must_not_be,
    must_reject,
    must_reject_with_any,
)
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import (
    leave_to_the_challenge,
    leave_to_the_issuer,
    must_answer,
    must_sign_the_token,
)
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.protocols.s2s_card.which_payment import must_be_about
from fixtures.protocols.words import status_in
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

OF_A_PAYOUT = ("order_id", "trans_id", "trans_date")
OPTIONAL_PERSON = {
    "first_name": "a" * 32,
    "last_name": "b" * 32,
    "middle_name": "c" * 32,
    "birth_date": "1990-12-10",
    "address": "d" * 255,
    "country": "DE",
    "city": "e" * 32,
    "zip": "1" * 10,
    "email": "somebody@example.com",
    "phone": "1" * 32,
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("card2card", marks=requirement("S2C-PAY-01")),
        pytest.param("credit2card", marks=requirement("S2C-PAY-06")),
    ],
)
def test_amount_is_transferred(name: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    request = unproven_sale.baseline(name)

    reply = s2s_card.post(request)

    must_accept_as_signed(reply)
    leave_to_the_issuer(request, reply, unproven_sale.profile)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@requirement("S2C-PAY-03")
@pytest.mark.parametrize("name", ["card2card", "credit2card"])
@pytest.mark.parametrize("whose", ["payer", "payee"])
def test_attributes_of_payer_and_payee_are_taken(
    name: str, whose: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions(name)
    for attribute, value in OPTIONAL_PERSON.items():
        request = request.with_(f"{whose}_{attribute}", value)

    must_accept(s2s_card.post(request))


@requirement("S2C-PAY-03")
def test_attributes_of_the_payer_are_optional(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    request = card_actions("card2card")
    given = [name for name in request.fields if name.startswith("payer_") and name.removeprefix("payer_") in PERSON]

    must_accept(s2s_card.post(request.without(*given)))


PERSON = tuple(OPTIONAL_PERSON)


@requirement("S2C-PAY-04")
def test_paid_card2card_is_answered_with_success_and_settled(
    payments: Payments, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions("card2card")
    reply = payments.merchant.post(request)

    leave_to_the_issuer(request, reply, payments.requests.profile)
    must_answer(request, reply, "SUCCESS", "SETTLED", payments)


@requirement("S2C-PAY-05")
def test_declined_card2card_is_answered_with_declined(
    payments: Payments, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    request = unproven_sale.paid_with(card_actions("card2card"), "decline", prefix="payer_card")

    reply = payments.merchant.post(request)

    leave_to_the_challenge(reply, payments)
    must_answer(request, reply, "DECLINED", "DECLINED", payments)


@requirement("S2C-PAY-08")
def test_payout_needs_the_number_of_a_card_and_no_more(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    request = unproven_sale.payment("CREDIT2CARD").with_("card_number", unproven_sale.payee_card())

    must_accept(s2s_card.post(request))


@requirement("S2C-PAY-09")
def test_payout_takes_a_card_token(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    request = card_actions.build("credit2card_by_token")

    reply = s2s_card.post(request)

    must_sign_the_token(s2s_card, request, reply)
    must_accept_as_signed(reply)


@requirement("S2C-PAY-10")
def test_payout_to_the_token_of_no_card_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    unknown = card_actions("credit2card_by_token").with_("card_token", secrets.token_hex(32))

    reply = s2s_card.post(unknown)

    if s2s_card.may_sign_the_card_of(unknown):
        # Who signs with the card behind a token cannot know what a token of no card is signed with.
        must_reject_with_any(reply, (CARD_TOKEN_INVALID, HASH_NOT_VALID), field="card_token")
    else:
        must_reject(reply, CARD_TOKEN_INVALID)


@requirement("S2C-PAY-11")
def test_payout_is_answered_with_success_and_its_members(
    payments: Payments, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions("credit2card")

    reply = payments.merchant.post(request)

    leave_to_the_issuer(request, reply, payments.requests.profile)
    must_answer(request, reply, "SUCCESS", "SETTLED", payments)
    must_equal(reply, "action", "CREDIT2CARD")
    must_equal(reply, "order_id", request.get("order_id") or "")
    must_carry(reply, *OF_A_PAYOUT)


@requirement("S2C-PAY-12")
def test_declined_payout_is_answered_with_its_reason(
    payments: Payments, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    request = card_actions("credit2card").with_("card_number", unproven_sale.payee_card("payout_decline"))

    reply = payments.merchant.post(request)

    must_answer(request, reply, "DECLINED", "DECLINED", payments)
    must_carry(reply, "decline_reason")


@requirement("S2C-PAY-13")
def test_payout_can_be_looked_up(payments: Payments) -> None:
    payment = payments.shared("payout")

    reply = payments.look_up(payment)

    must_accept_as_signed(reply)
    must_be_about(reply, trans_id=payment.trans_id)
