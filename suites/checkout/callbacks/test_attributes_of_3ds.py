"""What callbacks of Checkout show of 3-D Secure, where the protocol mapping adds it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import fail, must_be_left_out, must_have, must_have_some
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.protocols.callbacks import before_the_outcome
from fixtures.protocols.checkout.attributes import OF_3DS
from fixtures.protocols.checkout.callbacks import about, outcome_of, with_three_ds
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.requirement import must_offer, requirement

PaymentsOf = Callable[[str], CheckoutPayments]
CHALLENGED = ("capability:three_ds", "test_data:cards.three_ds_success")


@requirement("CBK-ATT-44")
def test_three_ds_attributes_are_shown(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    callback = with_three_ds(paid_by("three_ds_data").shared("passed_challenge"), callbacks)

    # Lines 288 and 423 name what there may be; what a scheme or an acquirer gives for one payment, nobody does.
    must_have_some(callback, OF_3DS, "attributes of 3DS")


@requirement("CBK-ATT-45")
@pytest.mark.parametrize(
    ("state", "status"), [("passed_challenge", "Y"), ("failed_challenge", "N"), ("challenged", "C")]
)
def test_trans_status_shows_how_the_challenge_went(
    state: str, status: str, paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    payment = paid_by("three_ds_data").shared(state)

    if state == "challenged":
        callback = before_the_outcome(about(payment), callbacks)
    else:
        callback = outcome_of(payment, callbacks, state=state)

    received = callback.get("transStatus")
    if state == "challenged":
        # Which callbacks have the attributes is not stated: those of the outcome may be the only ones.
        note_reading("CBK-ATT-45", "in-every-callback" if received else "in-the-outcome")
    elif not received:
        must_be_left_out(with_three_ds(payment, callbacks, state), "transStatus", OF_3DS, "three_ds_data")
    if received and received != status:
        fail(f"transStatus {status}", callback, f"It is {received!r}.")


@requirement("CBK-ATT-45")
def test_trans_status_of_a_debit_shows_how_the_challenge_went(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    paid = paid_by("three_ds_data")
    must_offer(paid.profile, ("capability:debit", *CHALLENGED))

    callback = outcome_of(paid.shared("passed_challenge_debit"), callbacks)

    received = callback.get("transStatus")
    if received and received != "Y":
        fail("transStatus Y", callback, f"It is {received!r}.")


@requirement("CBK-ATT-46")
def test_flow_of_a_challenge_is_shown(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    payment = paid_by("three_ds_data").shared("passed_challenge")

    must_have_flow(with_three_ds(payment, callbacks), "Challenge")


FRICTIONLESS = "test_data:cards.three_ds_frictionless"


@requirement("CBK-ATT-46")
def test_flow_without_a_challenge_is_shown(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    paid = paid_by("three_ds_data")
    card = paid.profile.test_data.cards.three_ds_frictionless
    payment = paid.pay(paid.requests.baseline("purchase"), card) if card else paid.shared("settled")

    callback = outcome_of(payment, callbacks)

    if card is None and FRICTIONLESS in paid.profile.not_offered:
        not_applicable(f"the profile says in [not_offered]: {paid.profile.not_offered[FRICTIONLESS]}")
    if card is None and not callback.get("authenticationFlow"):
        inconclusive(
            "the callback of a payment without a challenge has no authenticationFlow: perhaps there was none",
            decides="three_ds_frictionless in [test_data.cards] of the profile",
        )
    if card is None and payment.visit.challenged:
        inconclusive(
            "the issuer challenges the payer with the usual card as well",
            decides="three_ds_frictionless in [test_data.cards] of the profile",
        )
    must_have_flow(callback, "Frictionless")


def must_have_flow(callback: Callback, flow: str) -> None:
    if not callback.get("authenticationFlow"):
        must_be_left_out(callback, "authenticationFlow", OF_3DS, "three_ds_data")
    if (callback.get("authenticationFlow") or "").casefold() != flow.casefold():
        fail(f"authenticationFlow {flow}", callback, f"It is {callback.get('authenticationFlow')!r}.")


@requirement("CBK-ATT-47")
def test_reason_of_a_failed_authentication_is_shown(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    payment = paid_by("three_ds_data").shared("failed_challenge")

    name = "transStatusReason"
    must_have(outcome_of(payment, callbacks, state="failed_challenge", having=(name,)), (name,))
