"""SALE with auth: exactly Y holds the amount, anything else is an immediate sale."""

from __future__ import annotations

import pytest

from contract.catalogue import load_catalogue
from fixtures.deferred import deferred, waits
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_be_served, must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer import HttpPayer
from fixtures.payer.answering import answered
from fixtures.payer.challenges import DECIDED_BY
from fixtures.profile.accounts import MidMode
from fixtures.protocols.in_turn import in_turn
from fixtures.protocols.other_currencies import for_usual_amount_in
from fixtures.protocols.payments import wallets_but_in
from fixtures.protocols.s2s_apm.account import ApmAccount
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import (
    FAILED,
    must_be_carried_out,
    must_become,
    must_have_status,
    must_not_have_status,
)
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import NO_IDENTIFIER, ApmRequests, operation
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

AN_HOUR = 3600.0
UNTIL_DECIDED = 65
"""Seconds after which a payment that was undefined at first may be decided."""


def opened(payments: ApmPayments, sale: FormRequest) -> ApmPayment:
    """Open a payment that must be carried out."""
    reply = payments.merchant.post(sale)
    must_be_carried_out(reply)
    return payment_of(reply, sale)


def payment_of(reply: Reply, sale: FormRequest) -> ApmPayment:
    """Return the payment that an answer names."""
    trans_id = reply.object.get("trans_id")
    if not isinstance(trans_id, str):
        inconclusive(
            f"the answer names no trans_id, so the payment cannot be looked up: {reply.summary}",
            decides="a target whose answers to SALE carry trans_id",
        )
    return ApmPayment(trans_id, sale, reply, status_in(reply))


def must_settle(payments: ApmPayments, sale: FormRequest) -> None:
    must_become(payments, opened(payments, sale), "SETTLED")


@requirement("APM-AUT-01")
def test_authorization_is_pending(payments: ApmPayments, unproven: ApmRequests) -> None:
    def opened_by(merchant: S2SApmMerchant) -> tuple[ApmPayments, ApmPayment]:
        sale = unproven.baseline("authorization")
        reply = merchant.post(sale)
        must_be_served(reply)
        must_be_carried_out(reply)
        return payments.of(merchant), payment_of(reply, sale)

    its, payment = in_turn(payments.merchant.and_those_beside(holds=True), opened_by)

    must_have_status(its, payment, "PENDING")


@requirement("APM-AUT-01")
@pytest.mark.parametrize("place", [0, 1, 2])
@where_it_comes_about("an authorization by a wallet")
def test_authorization_by_every_wallet_is_pending(place: int, payments: ApmPayments, unproven: ApmRequests) -> None:
    wallets = list(unproven.profile.test_data.wallet_tokens.items())
    if unproven.methods.get("wallets", "") is None or place >= len(wallets):
        not_applicable("the profile names no further wallet")
    must_offer(unproven.profile, ("capability:wallets",), "s2s_apm")
    wallet, token = wallets[place]
    sale = unproven.sale(wallet, NO_IDENTIFIER).with_("parameters[paymentToken]", token.reveal())
    if payments.merchant.identity.mid_mode is MidMode.DMS:
        sale = sale.with_("auth", "Y")
    if answer_of(reply := payments.merchant.post(sale)) is not Answer.ACCEPTED:
        inconclusive(
            f"the target takes no payment by the brand {wallet}: {reply.summary}",
            decides="a wallet in [test_data.wallet_tokens] of the profile that S2S APM takes under the same name, "
            f"{wallets_but_in('s2s_apm')}",
        )
    other = unproven.sale(wallet, NO_IDENTIFIER).with_("parameters[paymentToken]", token.reveal())

    reply = payments.merchant.post(other.with_("auth", "Y"))

    if answer_of(reply) is Answer.REFUSED or result_in(reply) in FAILED:
        not_applicable(f"nothing is held by the brand {wallet}, as line 11 leaves it: {reply.summary}")
    must_have_status(payments, payment_of(reply, other), "PENDING")


@requirement("APM-AUT-01")
def test_authorization_whose_payer_was_sent_elsewhere_is_held(
    payments: ApmPayments, unproven: ApmRequests, payer: HttpPayer
) -> None:
    must_offer(unproven.profile, ("test_data:apm.redirect",), "s2s_apm")

    def sent_away(merchant: S2SApmMerchant) -> tuple[ApmPayments, ApmPayment]:
        its, sale = payments.of(merchant), unproven.payment("redirect").with_("auth", "Y")
        return its, its.redirected(sale, "a SALE with auth=Y that redirects the payer")

    payments, payment = in_turn(payments.merchant.and_those_beside(holds=True), sent_away)
    visit = payer.follow(payment.answer.object)
    if visit.page is not None:
        try:
            answered(payer, visit)
        except LookupError as error:
            inconclusive(
                f"the payer finds nothing by which to pay: {error}",
                decides=DECIDED_BY,
            )

    reply = payments.look_up_until(payment, "PENDING", "SETTLED")

    must_hold(status_in(reply) != "SETTLED", "a payment that is held", reply, "It is SETTLED without a CAPTURE.")


@requirement("APM-AUT-01")
@pytest.mark.parametrize("kind", ["exponent_0", "exponent_3"])
def test_authorization_in_a_currency_of_other_decimals_is_held(
    kind: str, payments: ApmPayments, unproven: ApmRequests
) -> None:
    with where_it_comes_about("an authorization in another currency"):
        payments.shared("authorized")
        sale = for_usual_amount_in(kind, unproven.baseline("authorization"), unproven.profile)
        who = payments.merchant.identity.paying_in(sale.get("order_currency"), holds=True)
    if who.mid_mode not in (MidMode.DMS, MidMode.EITHER):
        not_applicable(f"the profile does not say that {who.in_words} holds amounts, whatever the currency")

    reply = payments.merchant.post(sale)

    if answer_of(reply) is Answer.REFUSED or result_in(reply) in FAILED:
        not_applicable(f"nothing is held in this currency, as line 11 leaves it: {reply.summary}")
    found = payments.look_up_until(payment_of(reply, sale), "PENDING", "SETTLED")
    explanation = f"It is SETTLED without a CAPTURE; it was asked of {who.in_words}."
    must_hold(status_in(found) != "SETTLED", "a payment that is held", found, explanation)


@requirement("APM-AUT-02")
def test_sale_without_auth_is_immediate(payments: ApmPayments, apm: Baselines[FormRequest]) -> None:
    must_settle(payments, apm("sale"))


@pytest.mark.parametrize(
    "auth",
    [
        pytest.param("N", marks=requirement("APM-AUT-03")),
        pytest.param("y", marks=requirement("APM-AUT-04")),
        *(
            pytest.param(value, marks=requirement("APM-AUT-05"))
            for value in ("", "1", "TRUE", "true", "YES", "Yes", " Y", "Y ", "YY", "0")
        ),
    ],
)
def test_sale_with_auth_other_than_y_is_immediate(auth: str, run: Run) -> None:
    account = where_auth_counts(run)
    if auth != auth.strip() and account.merchant.drops_blanks:
        not_applicable("the target drops blanks around all values of a form, which nothing in the contract forbids")

    must_settle(account.payments, account.baselines("sale").with_("auth", auth))

    must_look_at_auth(account, run)


def where_auth_counts(run: Run) -> ApmAccount:
    """Return the account that serves authorizations, unless it serves nothing else: one that cannot hold shows less."""
    holding, selling = run.apm_accounts.holding, run.apm_accounts.selling
    return selling if holding.only_holds else holding


def must_look_at_auth(account: ApmAccount, run: Run) -> None:
    """End the check where an account that only sells settles a SALE with auth=Y as well: it looks at no auth at all.

    One that refuses it, or holds, makes a difference, so that it shows something that it made none here.
    """
    is_to_sell = account.merchant.identity.mid_mode is MidMode.SMS
    if not is_to_sell or run.profile.lacks("capability:dms", "s2s_apm"):
        return
    sale = account.baselines("sale").with_("auth", "Y")
    reply = account.merchant.post(sale)
    if answer_of(reply) is not Answer.ACCEPTED or result_in(reply) in FAILED:
        return
    found = account.payments.look_up_until(payment_of(reply, sale), "PENDING", "SETTLED")
    if status_in(found) == "SETTLED":
        inconclusive(
            f"{account.merchant.identity.in_words}, settles a SALE with auth=Y as well: what it makes of others shows "
            "nothing of accounts that hold",
            decides='mid_mode = "SMS/DMS" in [account], or in an [accounts.<name>] table of the same merchant that '
            "serves s2s_apm",
        )


@requirement("APM-AUT-06")
@waits(AN_HOUR)
def test_authorization_stays_pending(payments: ApmPayments) -> None:
    payment = payments.fresh("authorized")
    must_have_status(payments, payment, "PENDING")
    payments.clock.elapse(0.0 if payments.clock.waits else AN_HOUR)

    must_have_status(payments, payment, "PENDING")


def undefined_authorization(run: Run) -> ApmPayment:
    must_offer(run.profile, ("capability:s2s_apm", "capability:dms"), "s2s_apm")
    must_concern([load_catalogue()["APM-AUT-01"]], run.profile, run.release)
    with where_it_comes_about("an authorization that is undefined at first"):
        must_offer(run.profile, ("test_data:apm.undefined",), "s2s_apm")
        sale = run.apm_requests.payment("undefined").with_("auth", "Y")
        return run.apm_accounts.holding.payments.open(sale, "an authorization that is undefined at first")


@requirement("APM-AUT-01")
@deferred(after=UNTIL_DECIDED, start=undefined_authorization)
def test_authorization_that_is_undefined_at_first_is_held(run: Run, ready: ApmPayment) -> None:
    account = run.apm_accounts.holding
    reply = account.payments.look_up_until(ready, "PENDING", "SETTLED")

    must_hold(status_in(reply) != "SETTLED", "a payment that is held", reply, "It is SETTLED without a CAPTURE.")
    captured = account.merchant.post(operation("CAPTURE", ready.trans_id))
    if answer_of(captured) is not Answer.ACCEPTED or result_in(captured) in FAILED:
        not_applicable(f"nothing shows that it was held by now: {captured.summary}")


@requirement("APM-AUT-07")
def test_auth_has_no_meaning_before_there_are_authorizations(
    payments: ApmPayments, apm: Baselines[FormRequest]
) -> None:
    payment = opened(payments, apm("sale").with_("auth", "Y"))

    must_not_have_status(payments, payment, "PENDING")
