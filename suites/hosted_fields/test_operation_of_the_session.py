"""The endpoint must match the operation of the session, whatever else the session asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.hosted_fields import HostedFields, is_paid, must_not_succeed
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import Json

Asked = Callable[[CheckoutPayments], Mapping[str, Json]]

SESSIONS: Mapping[str, Asked] = {
    "by_card_token": lambda paid: {"card_token": [paid.card_token(paid.shared("tokenized"))]},
    "recurring": lambda _: {"recurring_init": True},
    "asking_for_a_token": lambda _: {"req_token": True},
}
"""Kinds of sessions, by what they ask for besides."""
OFFERED = {
    "by_card_token": ("capability:tokens",),
    "recurring": ("capability:recurring",),
    "asking_for_a_token": ("capability:tokens",),
}


@requirement("HPF-PAY-04")
@pytest.mark.parametrize("kind", SESSIONS)
def test_session_of_a_debit_is_refused_as_a_purchase(kind: str, fields: HostedFields, paid: CheckoutPayments) -> None:
    must_offer(fields.profile, OFFERED[kind], "checkout")

    must_be_paid_there_alone(fields, "debit", elsewhere="purchase", changes=SESSIONS[kind](paid))


@requirement("HPF-PAY-05")
@pytest.mark.parametrize("kind", SESSIONS)
def test_session_of_a_purchase_is_refused_as_a_debit(kind: str, fields: HostedFields, paid: CheckoutPayments) -> None:
    must_offer(fields.profile, OFFERED[kind], "checkout")

    must_be_paid_there_alone(fields, "purchase", elsewhere="debit", changes=SESSIONS[kind](paid))


def must_be_paid_there_alone(
    fields: HostedFields, operation: str, *, elsewhere: str, changes: Mapping[str, Json]
) -> None:
    """Demand that a session isn't paid at the endpoint of another operation; that counts where its own one pays it."""
    fields.proven()
    reply = fields.ask(fields.request(operation, **changes))
    if not (token := fields.token_in(reply)):
        not_applicable(f"hosted fields are not offered for such a session: {reply.summary}")
    if "card_token" not in changes or fields.has_card_in_payment:
        fields.send_card(token, fields.payments.card("success"))

    must_not_succeed(fields, fields.pay(elsewhere, token))

    own = fields.pay(operation, token)
    if not is_paid(fields, own):
        not_applicable(f"such a session is not paid at its own endpoint either: {own.summary}")
