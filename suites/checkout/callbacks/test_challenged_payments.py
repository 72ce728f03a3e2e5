"""What a session asked for is still done once its payer is back from the challenge."""

from __future__ import annotations

from typing import Any

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_have, must_return_custom_data
from fixtures.judging.must import must_hold
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer.challenges import HOSTS
from fixtures.protocols.checkout.callbacks import outcome_of
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.states import WITH_AUTH
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement

Json = Any

THREE_DS = ("capability:three_ds", "test_data:cards.three_ds_success")
CUSTOM_DATA = {"reference": {"ticket": "7"}, "note": "a gift"}


def passed_challenge(paid: CheckoutPayments, name: str, value: Json) -> CheckoutPayment:
    """Pay a session with one member more by a card that is challenged, and pass the challenge."""
    must_offer(paid.profile, THREE_DS)
    card, session = paid.card("three_ds_success"), paid.requests.baseline("purchase").with_(name, value)
    visit = paid.enter(session, card, until_challenged=True)
    if visit.landing is not None and visit.landing.is_elsewhere:
        inconclusive(f"the payer meets no challenge: {visit.summary}", decides=HOSTS)
    if not paid.paying().is_challenged(visit):
        not_applicable(f"the payer meets no challenge, as far as can be seen: {visit.summary}")
    return paid.after_challenge(paid.named(session, visit, card), passes=True)


@pytest.mark.parametrize(
    ("asked", "member", "needs"),
    [
        pytest.param("req_token", "card_token", "capability:tokens", marks=requirement("CHK-TOK-01")),
        pytest.param("recurring_init", "recurring_token", "capability:recurring", marks=requirement("CBK-ATT-24")),
    ],
)
def test_callback_of_a_challenged_purchase_carries_what_was_asked_for(
    asked: str, member: str, needs: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, (needs,))
    payment = paid.confirmed(passed_challenge(paid, asked, value=True), "SETTLED")

    must_have(outcome_of(payment, callbacks, having=(member,)), (member,))


@requirement("CBK-ATT-13")
def test_custom_data_of_a_challenged_purchase_come_back(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    payment = paid.confirmed(passed_challenge(paid, "custom_data", CUSTOM_DATA), "SETTLED")

    must_return_custom_data(outcome_of(payment, callbacks, having=("custom_data",)), CUSTOM_DATA)


@requirement("CHK-TRN-03")
def test_challenged_authorization_is_held(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:dms", "capability:status_lookup"))
    if paid.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")
    payment = passed_challenge(paid, "auth", value=True)

    status = paid.becomes(payment, "PENDING", "SETTLED")

    reply = paid.look_up(payment)
    must_hold(status_in(reply) != "SETTLED", "a payment that is held", reply, f"It is {status} without a capture.")
