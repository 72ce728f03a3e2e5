"""Callbacks of an account with the SHA256 option are signed with SHA256, whatever they report."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_be_hex
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.s2s_card.callbacks import HEX_DIGITS, about_order, of_deed, of_final
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.requirement import must_offer, requirement

PaymentsOf = Callable[[str], Payments]

_DEBIT = ("capability:debit",)


@requirement("CBK-SIG-12")
@pytest.mark.parametrize(
    ("state", "action", "needs"),
    [
        ("declined", None, ()),
        ("challenged", None, ()),
        ("authorized", None, ()),
        ("captured", "CAPTURE", ()),
        ("voided", "VOID", ()),
        ("refunded", "CREDITVOID", REFUNDS),
        ("released", "CREDITVOID", ()),
        ("secondary", "RECURRING_SALE", ("capability:recurring",)),
        ("settled_debit", None, _DEBIT),
        ("declined_debit", None, _DEBIT),
        ("secondary_debit", None, (*_DEBIT, "capability:recurring")),
        ("card2card", None, ("capability:card2card",)),
        ("payout", None, ("capability:credit2card",)),
        ("declined_payout", None, ("capability:credit2card",)),
    ],
)
def test_every_callback_of_an_account_with_sha256_is_signed_with_sha256(
    state: str, action: str | None, needs: tuple[str, ...], callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    sha256 = payments_of("sha256")
    must_offer(sha256.requests.profile, needs, "s2s_card")
    with where_it_comes_about(f"a payment of the account with SHA256 that is {state}"):
        payment = sha256.shared(state)

    came = callbacks.any_of(
        of_deed(payment, action) if action else about_order(payment.order_id), seconds=callbacks.seconds
    )
    if not came:
        not_applicable("no callback reports it, and other checks decide whether one must")

    # Of what most kinds are signed over no line shows (line 404): that is a matter of CBK-SIG-09 and -10.
    must_be_hex(came[0], HEX_DIGITS[payment.merchant.identity.digest])


@requirement("CBK-SIG-12")
@pytest.mark.parametrize("state", ["passed_challenge", "passed_redirect", "paid_by_token", "debited_by_token"])
def test_outcome_is_signed_with_sha256_whoever_was_asked_and_whatever_paid(
    state: str, callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    with where_it_comes_about(f"a payment of the account with SHA256 that is {state}"):
        payment = payments_of("sha256").shared(state)

    came = callbacks.any_of(of_final(payment), seconds=callbacks.seconds)
    if not came:
        not_applicable("no callback reports its outcome, and other checks decide whether one must")

    must_be_hex(came[0], HEX_DIGITS[payment.merchant.identity.digest])
