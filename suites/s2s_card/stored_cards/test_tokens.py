"""Card tokens: asked for with ``req_token``, paid with as ``card_token``."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest

from contract.errors import CARD_TOKEN_INVALID, HASH_NOT_VALID, REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import (
    must_accept,
    must_accept_as_signed,
    must_answer_properly,
    must_be_one_of,
    must_be_same,
    must_hold,
    must_lack,
    must_not_be,
    must_refuse,
    must_reject,
    must_reject_with_any,
    must_reject_with_one_of,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Inconclusive, note_reading
from fixtures.profile import Profile
from fixtures.protocols.s2s_card.foreign_tokens import token_that_pays
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import leave_to_the_issuer, must_not_pay
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests, by_token
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import FormRequest

BY_TOKEN = ("sale_by_token", "debit_by_token", "credit2card_by_token")
LENGTH = 64


@requirement("S2C-TOK-01")
def test_token_is_answered_when_asked_for(payments: Payments, unproven_sale: SaleRequests) -> None:
    reply = payments.merchant.post(unproven_sale.baseline("sale").with_("req_token", "Y"))

    must_accept(reply)
    token = reply.object.get("card_token")
    length = len(token) if isinstance(token, str) else 0
    must_be_same(reply, "the length of card_token", length, LENGTH)


@requirement("S2C-TOK-02")
@pytest.mark.parametrize("asked", [None, "N"], ids=["without-req_token", "req_token-N"])
def test_no_token_is_answered_unasked(
    asked: str | None, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")

    reply = s2s_card.post(sale.with_("req_token", asked) if asked else sale)

    must_accept(reply)
    must_lack(reply, "card_token")


@requirement("S2C-TOK-03")
@pytest.mark.parametrize("asked", ["X", "true"])
def test_another_value_of_req_token_is_refused_or_counts_as_no(
    asked: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    reply = s2s_card.post(card_actions("sale").with_("req_token", asked))

    must_answer_properly(reply, "S2C-TOK-03", accepted="no", refused="refused")
    must_lack(reply, "card_token")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("sale_by_token", marks=requirement("S2C-TOK-04")),
        pytest.param("debit_by_token", marks=requirement("S2C-TOK-05")),
    ],
)
def test_token_pays(name: str, payments: Payments, card_actions: Baselines[FormRequest], profile: Profile) -> None:
    request = card_actions.build(name)

    reply = payments.merchant.post(request)

    must_accept_as_signed(reply)
    try:
        # The card behind the token pays a DEBIT that names it: what its token is declined for is not its issuer's.
        payments.shared("settled_debit" if name == "debit_by_token" else "settled")
    except Inconclusive:
        leave_to_the_issuer(request, reply, profile)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@requirement("S2C-TOK-04")
def test_token_pays_though_the_same_card_has_got_another_since(payments: Payments) -> None:
    with where_it_comes_about("two payments by the same card that return tokens"):
        first = payments.shared("tokenized")
        payments.fresh("tokenized")

    reply = payments.merchant.post(by_token(payments.requests.baseline("sale"), first.card_token, first.card))

    must_accept_as_signed(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@requirement("S2C-TOK-06")
def test_security_code_beside_a_token_is_asked_for_or_not(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    reply = s2s_card.post(card_actions("sale_by_token").without("card_cvv2"))

    if answer_of(reply) is Answer.ACCEPTED:
        note_reading("S2C-TOK-06", "optional")
        return
    must_reject(reply, REQUEST_DATA_INVALID, field="card_cvv2")
    note_reading("S2C-TOK-06", "required")


@requirement("S2C-TOK-07")
@pytest.mark.parametrize("name", ["sale_by_token", "debit_by_token"])
def test_token_of_no_card_is_refused(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    unknown = card_actions(name).with_("card_token", secrets.token_hex(LENGTH // 2))

    reply = s2s_card.post(unknown)

    if s2s_card.may_sign_the_card_of(unknown):
        # Who signs with the card behind a token cannot know what a token of no card is signed with.
        must_reject_with_any(reply, (CARD_TOKEN_INVALID, HASH_NOT_VALID), field="card_token")
    else:
        must_reject(reply, CARD_TOKEN_INVALID)


@requirement("S2C-TOK-08")
@pytest.mark.parametrize("name", BY_TOKEN)
@pytest.mark.parametrize("length", [LENGTH - 1, LENGTH + 1])
def test_token_of_another_length_is_refused(
    length: int, name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions(name)
    token = (request.get("card_token") or "") + "0"

    reply = s2s_card.post(request.with_("card_token", token[:length]))
    may_sign_its_card = s2s_card.may_sign_the_card_of(request)

    readings = {"token-not-found": CARD_TOKEN_INVALID, "invalid-data": REQUEST_DATA_INVALID}
    if may_sign_its_card and carries_message(reply, HASH_NOT_VALID.message or ""):
        must_reject(reply, HASH_NOT_VALID)
    else:
        must_reject_with_one_of(reply, "S2C-TOK-08", readings, field="card_token")


@requirement("S2C-TOK-09")
@pytest.mark.parametrize("name", BY_TOKEN)
def test_token_of_another_merchant_is_refused(
    name: str,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    payments_of: Callable[[str], Payments],
    profile: Profile,
) -> None:
    token = token_that_pays(payments_of("second_merchant"), profile.test_data.second_card_token)

    must_refuse(s2s_card.post(card_actions(name).with_("card_token", token)))


@requirement("S2C-TOK-10")
def test_asking_for_a_token_beside_a_token_is_ignored(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions("sale_by_token").with_("req_token", "Y")

    reply = s2s_card.post(request)

    must_accept(reply)
    must_be_one_of(reply, "card_token", reply.object.get("card_token"), (None, "", request.get("card_token")))


@requirement("S2C-TOK-11")
def test_card_beside_a_token_wins(
    card_actions: Baselines[FormRequest], payments: Payments, unproven_sale: SaleRequests
) -> None:
    must_offer(unproven_sale.profile, ("test_data:cards.decline",))
    declining = unproven_sale.paid_with(card_actions("sale"), "decline")
    both = declining.with_("card_token", payments.shared("tokenized").card_token)

    # Signed with the digits of the card, since that is what pays.
    reply = payments.merchant.post(both)

    must_accept(reply)
    must_not_pay(payments, both, reply)


@requirement("S2C-TOK-11")
def test_token_of_no_card_beside_a_card_is_not_looked_at(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    reply = s2s_card.post(card_actions("sale").with_("card_token", secrets.token_hex(LENGTH // 2)))

    # The token is of this check: what the profile has ready cannot have been forgotten.
    is_looked_at = answer_of(reply) is Answer.REFUSED and carries_message(reply, CARD_TOKEN_INVALID.message or "")
    must_hold(not is_looked_at, "a SALE that goes by its card", reply, "The token beside the card is looked for.")
    must_accept(reply)
