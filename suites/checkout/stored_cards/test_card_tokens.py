"""Card tokens: asked for with req_token, used with card_token, on each operation that has them."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest

from contract.errors import CARD_TOKEN_INVALID, REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding, proper_answer
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must,
    must_accept,
    must_answer_properly,
    must_reject,
    must_reject_with_one_of,
)
from fixtures.profile import Profile
from fixtures.protocols.checkout.foreign_tokens import in_a_session, token_that_is_taken
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.must import must_know_the_token
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import JsonRequest

BY_TOKEN = ("purchase", "debit", "credit_by_token")
LENGTH_READINGS = {"invalid-data": REQUEST_DATA_INVALID, "token-not-found": CARD_TOKEN_INVALID}


@requirement("CHK-SES-48")
def test_req_token_false_is_accepted(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_accept(checkout.create_session(session_request(req_token=False)))


@requirement("CHK-SES-48")
@pytest.mark.parametrize("asked", [True, False])
def test_req_token_is_accepted_on_a_debit(
    asked: bool, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    must_accept(checkout.create_session(sessions("debit").with_("req_token", asked)))


@requirement("CHK-SES-51")
def test_token_of_the_merchant_is_accepted(
    checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    must_accept(checkout.create_session(session_request(card_token=[own_token(profile)])))


@requirement("CHK-SES-51")
def test_token_of_the_merchant_is_accepted_on_a_debit(
    checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], profile: Profile
) -> None:
    must_accept(checkout.create_session(sessions("debit").with_("card_token", [own_token(profile)])))


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(
            operation, marks=requirement("CHK-SES-55" if operation == "credit_by_token" else "CHK-SES-51"), id=operation
        )
        for operation in BY_TOKEN
    ],
)
def test_token_that_a_payment_returned_is_accepted(operation: str, paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:tokens",))
    token = paid.card_token(paid.shared("tokenized"))

    reply = paid.merchant.create_session(paid.sessions(operation).with_("card_token", [token]))

    # Unlike the token of the profile, which a target may forget, this one was returned in this run.
    must_know_the_token(reply)
    must_accept(reply)


@requirement("CHK-SES-51")
def test_two_tokens_in_one_request_are_answered_properly(
    checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    # A profile gives one token of the merchant, and whether the same may be listed twice is not stated.
    reply = checkout.create_session(session_request(card_token=[own_token(profile)] * 2))

    must(proper_answer(reply), reply)


@requirement("CHK-SES-50")
def test_req_token_is_ignored_when_a_token_is_sent(
    checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    token = own_token(profile)

    must_accept(checkout.create_session(session_request(card_token=[token], req_token=True)))


@requirement("CHK-SES-84")
@pytest.mark.parametrize("operation", BY_TOKEN)
def test_token_of_another_merchant_is_refused_or_left_to_the_payment(
    operation: str,
    checkout: CheckoutMerchant,
    sessions: Baselines[JsonRequest],
    paid_by: Callable[[str], CheckoutPayments],
    profile: Profile,
) -> None:
    foreign = token_that_is_taken(paid_by("second_merchant"), profile.test_data.second_card_token, in_a_session)

    reply = checkout.create_session(sessions(operation).with_("card_token", [foreign]))

    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, CARD_TOKEN_INVALID)
    must_answer_properly(reply, "CHK-SES-84", accepted="at-payment", refused="at-session")
    unknown = checkout.create_session(sessions(operation).with_("card_token", [secrets.token_hex(32)]))
    if answer_of(reply) is Answer.ACCEPTED and answer_of(unknown) is Answer.REFUSED:
        explanation = "Tokens are looked up here, and this one is not the merchant's."
        must(Finding("a token of another merchant is refused like one that nobody has", reply.summary, explanation))


@requirement("CHK-SES-52")
@pytest.mark.parametrize("length", [63, 65])
def test_token_of_another_length_is_refused(
    length: int, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    reply = checkout.create_session(session_request(card_token=["a" * length]))

    must_reject_with_one_of(reply, "CHK-SES-52", LENGTH_READINGS, field="card_token")


@requirement("CHK-SES-52")
def test_length_is_looked_at_in_the_second_token_as_well(
    checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    must_offer(profile, ("test_data:card_token",))

    reply = checkout.create_session(session_request(card_token=[own_token(profile), "a" * 63]))

    must_reject_with_one_of(reply, "CHK-SES-52", LENGTH_READINGS, field="card_token")


@requirement("CHK-SES-54")
@pytest.mark.parametrize("operation", BY_TOKEN)
def test_unknown_token_is_refused_or_left_to_the_payment(
    operation: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    reply = checkout.create_session(sessions(operation).with_("card_token", [secrets.token_hex(32)]))

    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, CARD_TOKEN_INVALID)
    must_answer_properly(reply, "CHK-SES-54", accepted="at-payment", refused="at-session")


@requirement("CHK-SES-54")
def test_unknown_token_beside_a_known_one_is_refused_or_found_out_later(
    checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    must_offer(profile, ("test_data:card_token",))

    # What several tokens mean line 58 does not say: one that is of a card may do.
    reply = checkout.create_session(session_request(card_token=[own_token(profile), secrets.token_hex(32)]))

    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, CARD_TOKEN_INVALID)
    must(proper_answer(reply), reply)


@requirement("CHK-SES-55")
def test_token_is_accepted_on_a_credit(checkout: CheckoutMerchant, unproven_session: SessionRequests) -> None:
    must_accept(checkout.create_session(unproven_session.baseline("credit_by_token")))


@requirement("CHK-SES-78")
def test_payee_names_are_accepted_on_a_credit_by_token(
    checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = sessions("credit_by_token")

    must_accept(checkout.create_session(session.with_("payee_first_name", "Ada").with_("payee_last_name", "Byron")))


def own_token(profile: Profile) -> str:
    token = profile.card_token("checkout")
    return token.reveal() if token else ""
