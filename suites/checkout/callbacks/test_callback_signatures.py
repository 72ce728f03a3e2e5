"""The hash of callbacks of Checkout: that it is there, how it is written, and what it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import must_be_hex, must_have
from fixtures.deferred import deferred
from fixtures.judging.matchers import is_accepted
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.protocols.callbacks import before_the_outcome
from fixtures.protocols.checkout.callback_formula import by_the_known_formula
from fixtures.protocols.checkout.callbacks import (
    CHANGES,
    about,
    about_order,
    callbacks_in,
    must_verify,
    of_change,
    outcome_of,
    which_came,
)
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import answered, must_refund_by_credit, refund_by_credit, reports_refund
from fixtures.protocols.checkout.to_refund import payment_to_refund
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.protocols.identity import Identity
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.signing.protocols.checkout_messages import EVERY_LETTER
from fixtures.signing.readings import INNER, LITERAL
from fixtures.signing.recipe import Digest
from fixtures.wire.requests import JsonRequest

PaymentsOf = Callable[[str], CheckoutPayments]

DIGITS_OF_SHA1 = 40
STATES: dict[str, tuple[str, ...]] = {
    "settled": (),
    "declined": ("test_data:cards.decline",),
    "challenged": ("capability:three_ds", "test_data:cards.three_ds_success"),
    "authorized": ("capability:dms",),
    "captured": ("capability:dms",),
    "refunded": ("capability:refund_endpoint",),
    "part_refunded": ("capability:refund_endpoint",),
    "voided": ("capability:void_endpoint",),
    "secondary": ("capability:recurring",),
    "settled_debit": ("capability:debit",),
    "credited": ("capability:card_credit", "test_data:card_token"),
    "passed_challenge": ("capability:three_ds", "test_data:cards.three_ds_success"),
    "failed_challenge": ("capability:three_ds", "test_data:cards.three_ds_decline"),
}
"""Payments by what was done with them, and what a target needs for it."""
IN_EVERY_STATE = pytest.mark.parametrize("state", STATES)


def callbacks_of(state: str, paid: CheckoutPayments, callbacks: CallbackWatch) -> list[Callback]:
    """Return all callbacks of a payment that were posted so far; what was done with it last is among them."""
    must_offer(paid.profile, STATES[state])
    payment = paid.shared(state)
    if state == "challenged":
        before_the_outcome(about(payment), callbacks)
        return callbacks.arrived(about(payment))
    return callbacks_in(state, payment, callbacks)


@requirement("CBK-SIG-01")
@IN_EVERY_STATE
def test_every_callback_carries_a_hash(state: str, paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    for callback in callbacks_of(state, paid, callbacks):
        must_have(callback, ("hash",))


@requirement("CBK-SIG-02")
@IN_EVERY_STATE
def test_hash_is_a_sha1_in_lower_case(state: str, paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    for callback in callbacks_of(state, paid, callbacks):
        must_be_hex(callback, DIGITS_OF_SHA1)


def paid_to_be_given_back(run: Run) -> CheckoutPayment:
    with where_it_comes_about("a refund by card credit"):
        must_refund_by_credit(run.profile)
        return payment_to_refund("settled", "", run)


@requirement("CBK-SIG-02")
@deferred(after=OUTSIDE, start=paid_to_be_given_back)
def test_hash_of_a_refund_by_card_credit_is_a_sha1_as_well(
    ready: CheckoutPayment, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    # The only refund that the contract has (line 319); other checks decide whether it is made, and notified.
    with where_it_comes_about("a refund by card credit"):
        credit = refund_by_credit(ready, paid)
        reply = answered(credit, ready, paid)
    if not is_accepted(reply):
        not_applicable(f"the refund by card credit is refused: {reply.summary}")

    for callback in which_came(reports_refund(ready, reply, credit), "the callback of the refund", callbacks):
        must_be_hex(callback, DIGITS_OF_SHA1)


@requirement("CBK-SIG-03")
@IN_EVERY_STATE
def test_hash_is_made_by_the_recipe(state: str, paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    for callback in callbacks_of(state, paid, callbacks):
        must_verify(callback, paid.shared(state).merchant.identity, paid.shared(state).records)


@requirement("CBK-SIG-04")
def test_inner_digest_of_an_account_with_sha256_is_sha256(
    paid_by: PaymentsOf, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    of_sha256 = paid_by("sha256")
    is_read = how_sha256_is_read(of_sha256)
    payment = of_sha256.pay(of_sha256.requests.baseline("purchase"), of_sha256.card("success"))

    callback = outcome_of(payment, callbacks)

    must_be_hex(callback, DIGITS_OF_SHA1)
    with by_the_known_formula(paid, callbacks):
        followed = must_verify(callback, with_sha256(of_sha256), sha256_is_read=is_read).reading
    note_reading("CBK-SIG-04", "as-written" if followed == LITERAL else "inner-sha256")


@requirement("CBK-SIG-04")
@pytest.mark.parametrize(
    "state",
    [
        "declined",
        "passed_challenge",
        "failed_challenge",
        "authorized",
        "captured",
        "voided",
        "secondary",
        "settled_debit",
        "refunded",
        "part_refunded",
    ],
)
def test_inner_digest_is_sha256_whatever_became_of_the_payment(
    state: str, paid_by: PaymentsOf, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    of_sha256 = paid_by("sha256")
    must_offer(of_sha256.profile, STATES[state])
    is_read = how_sha256_is_read(of_sha256)
    with where_it_comes_about(f"a payment of the account with SHA256 that is {state}"):
        payment = of_sha256.shared(state)
    came = callbacks.any_of(about(payment), seconds=callbacks.seconds)
    if not came:
        not_applicable("no callback reports it, and other checks decide whether one must")
    if state in CHANGES:
        # That of the payment itself came first; whether one must report what was done with it other checks decide.
        callbacks.any_of(of_change(payment, CHANGES[state]), seconds=callbacks.seconds)

    with by_the_known_formula(paid, callbacks):
        for callback in (*came, *callbacks.arrived(about(payment))):
            must_verify(callback, with_sha256(of_sha256), payment.records, sha256_is_read=is_read)


def how_sha256_is_read(of_sha256: CheckoutPayments) -> str:
    """Whoever takes requests as they are written may sign callbacks so, too: line 389 knows no other digest."""
    as_written = of_sha256.merchant.with_digest(Digest.MD5).create_session(of_sha256.requests.baseline("purchase"))
    return "try" if is_accepted(as_written) else INNER


def with_sha256(of_sha256: CheckoutPayments) -> Identity:
    return replace(of_sha256.merchant.identity, digest=Digest.SHA256)


def paid_with_description(text: str, paid: CheckoutPayments, callbacks: CallbackWatch) -> Callback:
    session: JsonRequest = paid.requests.baseline("purchase").with_("order.description", text)
    paid.pay(session, paid.card("success"))
    number = str(session.get("order.number"))
    return callbacks.expect(about_order(number), f"a callback of order {number}")


@requirement("CBK-SIG-05")
def test_text_outside_ascii_is_signed(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    paid.open(paid.requests.baseline("purchase").with_("order.description", "Café"))

    callback = paid_with_description("Café crème für Ästheten", paid, callbacks)
    with by_the_known_formula(paid, callbacks):
        every_letter = must_verify(callback, paid.merchant.identity).reading == EVERY_LETTER
    note_reading("CBK-SIG-05", EVERY_LETTER if every_letter else "a-to-z")


@requirement("CBK-SIG-06")
@pytest.mark.parametrize("text", ["Gift & card + 50 %", "Two  blanks and 100%25", "Semicolon; (and) brackets"])
def test_hash_is_made_of_values_and_not_of_the_body(
    text: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    paid.open(paid.requests.baseline("purchase").with_("order.description", text))

    callback = paid_with_description(text, paid, callbacks)
    with by_the_known_formula(paid, callbacks):
        must_verify(callback, paid.merchant.identity)
