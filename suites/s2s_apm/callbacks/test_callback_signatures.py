"""The signature of S2S APM callbacks: its digest, its rule, nested values, and the short form of payouts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from contract.catalogue import load_catalogue
from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import must_be_hex
from fixtures.deferred import deferred
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must, must_accept, must_be_served
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.profile import Profile
from fixtures.protocols.accounts import OfAccounts
from fixtures.protocols.callbacks import which_came
from fixtures.protocols.in_turn import in_turn
from fixtures.protocols.s2s_apm.callbacks import (
    HEX_DIGITS,
    NEEDS_NO_PAYER,
    about,
    about_order,
    about_outcome,
    after_opening,
    must_have_the_option,
    must_verify,
    of_deed,
    signing,
    that_moved,
)
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant, of_a_brand_it_has
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests, operation, with_value
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.signing.parameters import Nested
from fixtures.signing.readings import AS_IT_IS, GENERAL, GENERAL_AS_IT_IS, LITERAL, SHORT, WITH_PASSWORD
from fixtures.wire.exchange import Reply
from fixtures.wire.polling import BRIEFLY
from fixtures.wire.requests import FormRequest

NESTED: Nested = {"b": {"10": "ten", "9": "nine", "z": "last"}, "a": "first", "C": "capital", "count": "0"}
"""Names that sort otherwise by bytes than as numbers or regardless of case, and a value that some take for none."""
UNTIL_DECIDED = 65.0
"""What is undefined at first is decided by then, in seconds, where a check is to see its outcome."""
READINGS_OF_THE_RULE = (WITH_PASSWORD, LITERAL, AS_IT_IS)
READINGS_OF_PAYOUTS = (GENERAL, GENERAL_AS_IT_IS, SHORT)


@requirement("CBK-SIG-13")
def test_hash_is_as_long_as_its_digest(
    callbacks: CallbackWatch, payments: ApmPayments, s2s_apm: S2SApmMerchant, profile: Profile
) -> None:
    payment = payments.shared("settled")

    found = callbacks.expect(about(payment), f"the callback of {payment}")

    must_be_hex(found, HEX_DIGITS[signing(found, s2s_apm, profile).digest])


@requirement("CBK-SIG-14")
def test_callback_of_a_sale_is_signed_by_the_general_rule(
    callbacks: CallbackWatch, payments: ApmPayments, s2s_apm: S2SApmMerchant, profile: Profile
) -> None:
    payment = payments.shared("settled")

    found = must_verify(callbacks.expect(about(payment), f"the callback of {payment}"), s2s_apm, profile)

    if found.reading in READINGS_OF_THE_RULE:
        note_reading("CBK-SIG-14", found.reading)


@requirement("CBK-SIG-14")
def test_callback_of_a_declined_sale_is_signed_by_the_general_rule(callbacks: CallbackWatch, run: Run) -> None:
    payment = run.apm.payments.shared("declined")

    must_verify(callbacks.expect(about(payment), f"the callback of {payment}"), run.apm.merchant, run.profile)


@requirement("CBK-SIG-14")
def test_callback_of_a_void_is_signed_by_the_general_rule(
    callbacks: CallbackWatch, payments: ApmPayments, s2s_apm: S2SApmMerchant, profile: Profile
) -> None:
    payment = payments.shared("voided")

    for found in which_came(of_deed(payment, "VOID"), f"the callback of the void of {payment}", callbacks):
        must_verify(found, s2s_apm, profile)


@requirement("CBK-SIG-14")
def test_callback_of_a_refund_is_signed_by_the_general_rule(
    callbacks: CallbackWatch, payments: ApmPayments, s2s_apm: S2SApmMerchant, run: Run
) -> None:
    must_concern([load_catalogue()["APM-CVD-06"]], run.profile, run.release)
    payment = payments.shared("refunded")

    wanted = that_moved(payment, "CREDITVOID")
    for found in which_came(wanted, f"the callback of the refund of {payment}", callbacks):
        must_verify(found, s2s_apm, run.profile)


@requirement("CBK-SIG-14")
def test_callbacks_of_a_release_are_signed_by_the_general_rule(callbacks: CallbackWatch, run: Run) -> None:
    must_concern([load_catalogue()["CBK-APM-05"]], run.profile, run.release)
    holding = run.apm_accounts.holding
    payment = holding.payments.fresh("authorized")
    must_accept(holding.merchant.post(operation("CREDITVOID", payment.trans_id)))

    which_came(after_opening(payment, "CREDITVOID"), f"the callback of the release of {payment}", callbacks)

    for found in callbacks.arrived(about(payment)):
        must_verify(found, holding.merchant, run.profile)


@requirement("CBK-SIG-14")
@pytest.mark.parametrize(
    ("state", "needs"),
    [
        ("redirected", ("test_data:apm.redirect",)),
        ("awaiting_bank", ("capability:instant_qr", "test_data:instant_qr.pending")),
    ],
    ids=["redirected", "awaiting-bank"],
)
def test_callbacks_before_the_outcome_are_signed_by_the_general_rule(
    state: str, needs: tuple[str, ...], callbacks: CallbackWatch, run: Run
) -> None:
    must_offer(run.profile, needs, "s2s_apm")
    payment = run.apm.payments.shared(state)

    found = callbacks.any_of(about(payment), seconds=BRIEFLY)

    if not found:
        not_applicable("no callback reports such a payment before it is decided")
    must_verify(found[0], run.apm.merchant, run.profile)


@requirement("CBK-SIG-17")
def test_callback_of_a_void_is_signed_with_sha256(
    callbacks: CallbackWatch, merchant_of: OfAccounts[S2SApmMerchant], run: Run, profile: Profile
) -> None:
    def settled(one: S2SApmMerchant) -> tuple[S2SApmMerchant, ApmPayment]:
        return one, run.apm.payments.of(one).fresh("settled")

    merchant, payment = in_turn(merchant_of.every("sha256"), settled)
    must_accept(merchant.post(operation("VOID", payment.trans_id)))

    found = which_came(of_deed(payment, "VOID"), f"the callback of the void of {payment}", callbacks)[0]

    must_have_the_option(found, merchant, profile)
    must_be_hex(found, HEX_DIGITS[merchant.identity.digest])
    must_verify(found, merchant, profile)


@requirement("CBK-SIG-15")
def test_nested_values_are_signed(
    callbacks: CallbackWatch, payments: ApmPayments, unproven: ApmRequests, s2s_apm: S2SApmMerchant, profile: Profile
) -> None:
    sale = with_value(unproven.baseline("sale"), "custom_data", NESTED)
    payment = payments.open(sale, "a SALE with nested custom_data")

    found = callbacks.expect(about(payment), f"the callback of {payment}")

    reading = must_verify(found, s2s_apm, profile).reading
    if reading:
        note_reading("CBK-SIG-15", reading)


@requirement("CBK-SIG-16")
def test_callback_of_a_payout_is_signed_by_either_rule(
    callbacks: CallbackWatch, payments: ApmPayments, s2s_apm: S2SApmMerchant, profile: Profile
) -> None:
    payout = payments.shared("paid_out")

    found = must_verify(callbacks.expect(about(payout), f"the callback of {payout}"), s2s_apm, profile)

    if found.without_password:
        must(Finding("a hash that the password goes into", found.explanation, "Anybody could have made it."))
    if found.reading in READINGS_OF_PAYOUTS:
        note_reading("CBK-SIG-16", found.reading)


@requirement("CBK-SIG-17")
def test_callback_of_an_account_with_sha256_is_signed_with_sha256(
    callbacks: CallbackWatch, merchant_of: OfAccounts[S2SApmMerchant], unproven: ApmRequests, profile: Profile
) -> None:
    def sold(one: S2SApmMerchant) -> tuple[S2SApmMerchant, FormRequest, Reply]:
        sale = of_a_brand_it_has(one, unproven.sales_by_brand)
        reply = one.post(sale)
        must_be_served(reply)
        return one, sale, reply

    merchant, sale, reply = in_turn(merchant_of.every("sha256"), sold)
    must_accept(reply)
    wanted = about_order(sale.get("order_id") or "")
    seconds = callbacks.seconds if sale.decided else BRIEFLY
    if reply.object.get("redirect_url") and not callbacks.any_of(wanted, seconds=seconds):
        inconclusive("the payer was sent away, and no payer decides there", decides=NEEDS_NO_PAYER)

    found = callbacks.expect(wanted, "the callback of the SALE")

    must_have_the_option(found, merchant, profile)
    must_be_hex(found, HEX_DIGITS[merchant.identity.digest])
    must_verify(found, merchant, profile)


@requirement("CBK-SIG-17")
@pytest.mark.parametrize(
    ("state", "action"),
    [
        ("declined", None),
        ("redirected", None),
        ("captured", "CAPTURE"),
        ("released", "CREDITVOID"),
        ("refunded", "CREDITVOID"),
        ("paid_out", None),
    ],
)
def test_every_callback_of_an_account_with_sha256_is_signed_with_sha256(
    state: str, action: str | None, callbacks: CallbackWatch, merchant_of: OfAccounts[S2SApmMerchant], run: Run
) -> None:
    merchant, payment = brought_to(state, merchant_of, run)

    came = callbacks.any_of(
        that_moved(payment, action) if action else about(payment),
        seconds=BRIEFLY if state == "redirected" else callbacks.seconds,
    )
    if not came:
        not_applicable("no callback reports it, and other checks decide whether one must")

    must_have_the_option(came[0], merchant, run.profile)
    # How nested values are signed no line says: CBK-SIG-14 and -15 are about what is signed.
    must_be_hex(came[0], HEX_DIGITS[merchant.identity.digest])


@requirement("CBK-SIG-17")
@pytest.mark.parametrize("state", ["paid_elsewhere", "paid_by_qr"])
def test_every_callback_until_the_outcome_is_signed_with_sha256(
    state: str, callbacks: CallbackWatch, merchant_of: OfAccounts[S2SApmMerchant], run: Run
) -> None:
    merchant, payment = brought_to(state, merchant_of, run)

    which_came(about_outcome(payment, "SETTLED"), f"the callback that reports {payment} as SETTLED", callbacks)
    must_all_have_the_digest(callbacks.arrived(about(payment)), merchant, run)


def brought_to(state: str, merchant_of: OfAccounts[S2SApmMerchant], run: Run) -> tuple[S2SApmMerchant, ApmPayment]:
    """Return an account with SHA256 that has a payment in a state, and the payment."""
    with where_it_comes_about(f"a payment of the account with SHA256 that is {state}"):
        return in_turn(merchant_of.every("sha256"), lambda one: (one, run.apm.payments.of(one).shared(state)))


def undefined_with_sha256(run: Run) -> tuple[S2SApmMerchant, ApmPayment]:
    must_offer(run.profile, ("capability:s2s_apm", "account:sha256"), "s2s_apm")

    def opened(one: S2SApmMerchant) -> tuple[S2SApmMerchant, ApmPayment]:
        sale = run.apm_requests.payment("undefined")
        return one, run.apm.payments.of(one).open(sale, "a SALE that is undefined at first")

    with where_it_comes_about("a payment of the account with SHA256 that is undefined at first"):
        must_offer(run.profile, ("test_data:apm.undefined",), "s2s_apm")
        return in_turn(run.s2s_apm_merchant.every("sha256"), opened)


@requirement("CBK-SIG-17")
@deferred(after=UNTIL_DECIDED, start=undefined_with_sha256)
def test_callback_of_an_outcome_that_comes_later_is_signed_with_sha256(
    run: Run, ready: tuple[S2SApmMerchant, ApmPayment]
) -> None:
    merchant, payment = ready
    run.apm.payments.of(merchant).look_up_until(payment, "SETTLED", "DECLINED")

    which_came(about_outcome(payment, "SETTLED"), f"the callback that reports {payment} as SETTLED", run.callbacks)
    must_all_have_the_digest(run.callbacks.arrived(about(payment)), merchant, run)


def must_all_have_the_digest(came: Sequence[Callback], merchant: S2SApmMerchant, run: Run) -> None:
    """Every callback has a hash of the length that the digest of the account makes."""
    must_have_the_option(max(came, key=lambda one: len(one.get("hash") or "")), merchant, run.profile)
    for found in came:
        must_be_hex(found, HEX_DIGITS[merchant.identity.digest])


@requirement("CBK-SIG-14")
def test_callback_of_a_capture_is_signed_by_the_general_rule(callbacks: CallbackWatch, run: Run) -> None:
    must_concern([load_catalogue()["CBK-APM-04"]], run.profile, run.release)
    holding = run.apm_accounts.holding
    payment = holding.payments.fresh("authorized")
    must_accept(holding.merchant.post(operation("CAPTURE", payment.trans_id)))

    found = callbacks.expect(after_opening(payment, "CAPTURE"), f"the callback of the capture of {payment}")

    must_verify(found, holding.merchant, run.profile)
