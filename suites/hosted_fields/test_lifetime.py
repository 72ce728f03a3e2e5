"""How long a session of hosted fields is paid, and that it is paid once: of purchases and of debits."""

from __future__ import annotations

from contextlib import suppress

import pytest

from fixtures.deferred import Start, deferred, longest_real_wait
from fixtures.judging.must import must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Inconclusive, not_applicable
from fixtures.payer import HttpPayer
from fixtures.protocols.hosted_fields import HostedFields, is_paid, must_not_succeed
from fixtures.protocols.hosted_fields_payments import after_challenge, must_be_made, must_serve, sent_on
from fixtures.protocols.processing import payment_id_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

GIVEN_MINUTES, DEFAULT_MINUTES = 2, 60


def opening(operation: str, minutes: int | None = GIVEN_MINUTES) -> Start:
    """Return what opens a session with a card sent by the fields, and returns its token; None: without expiry."""

    def open_to_expire(run: Run) -> str:
        must_offer(run.profile, ("capability:hosted_fields", "test_data:cards.success"), "checkout")
        must_serve(run.hosted_fields, operation)
        lasts = 60 * (minutes or DEFAULT_MINUTES)
        if run.clock.waits and lasts > longest_real_wait(run.profile.run.time_budget_seconds):
            not_applicable("a session without session_expiry takes an hour to expire, and other checks wait for others")
        fields = run.hosted_fields
        fields.proven()
        token = fields.token(fields.request(operation, **({"session_expiry": minutes} if minutes else {})))
        fields.send_card(token, fields.payments.card("success"))
        return token

    return open_to_expire


def expiring(operation: str, minutes: int | None) -> pytest.MarkDecorator:
    """Mark a check of a session a minute after it expired."""
    return deferred(after=60 * ((minutes or DEFAULT_MINUTES) + 1), start=opening(operation, minutes))


@requirement("HPF-PAY-19")
@pytest.mark.parametrize(
    "operation",
    [
        pytest.param("purchase", marks=expiring("purchase", GIVEN_MINUTES), id="purchase"),
        pytest.param("debit", marks=expiring("debit", GIVEN_MINUTES), id="debit"),
        pytest.param("purchase", marks=expiring("purchase", None), id="purchase without session_expiry"),
    ],
)
def test_token_pays_no_more_once_the_session_expired(fields: HostedFields, operation: str, ready: str) -> None:
    must_not_succeed(fields, fields.pay(operation, ready))


@requirement("HPF-PAY-20")
@pytest.mark.parametrize("operation", ["purchase", "debit"])
def test_session_that_was_paid_makes_no_second_payment(fields: HostedFields, operation: str) -> None:
    must_serve(fields, operation)
    fields.proven()
    first = fields.paid("success", operation)
    must_be_made(fields, first)
    # A target may refuse the card, which is as good; without one nothing is paid anyway.
    with suppress(Inconclusive):
        fields.send_card(first.token, fields.payments.card("success"))
    second = fields.pay(operation, first.token)
    is_another = is_paid(fields, second) and payment_id_in(second) != payment_id_in(first.reply)

    must_hold(not is_another, "a refusal, or the answer of the first payment", second, "The session is paid twice.")


@requirement("HPF-PAY-20")
def test_session_that_was_paid_by_a_challenge_makes_no_second_payment(fields: HostedFields, payer: HttpPayer) -> None:
    must_offer(fields.profile, ("capability:three_ds", "test_data:cards.three_ds_success"), "checkout")
    fields.proven()
    first = fields.paid("three_ds_success")
    if first.result != "redirect":
        not_applicable(f"the payment needs no challenge, and other checks decide it: {first.reply.summary}")
    with where_it_comes_about("a payment that is made by its challenge"):
        after_challenge(fields, payer, sent_on(payer, first), passes=True)
        fields.payments.confirmed(fields.as_payment(first), "SETTLED")
    with suppress(Inconclusive):
        fields.send_card(first.token, fields.payments.card("success"))
    second = fields.pay("purchase", first.token)
    is_another = is_paid(fields, second) and payment_id_in(second) != payment_id_in(first.reply)

    must_hold(not is_another, "a refusal, or the answer of the first payment", second, "The session is paid twice.")
