"""Callbacks of S2S CARD: that they come, for every action and outcome, and what every one carries."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.catalogue import load_catalogue
from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import must_be, must_be_form_or_json, must_have
from fixtures.deferred import waits
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.payer import HttpPayer
from fixtures.profile import Profile
from fixtures.protocols.callbacks import before_the_outcome, must_notify_before_the_outcome, with_status
from fixtures.protocols.deeds import must_be_callback_of
from fixtures.protocols.long_after import A_DAY
from fixtures.protocols.s2s_card.callbacks import (
    about,
    must_report,
    of_action,
    of_challenge,
    of_decided,
    of_deed,
    of_final,
    outcome_of,
)
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.round_trip import round_trip
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run

NEEDS = ("capability:s2s_card",)


@pytest.fixture
def of_sale(callbacks: CallbackWatch, payments: Payments) -> Callback:
    """The callback of a SALE that settled."""
    return outcome_of(payments.shared("settled"), callbacks)


@requirement("CBK-DEL-02")
def test_settled_sale_is_notified(callbacks: CallbackWatch, payments: Payments) -> None:
    came = callbacks.expect(of_final(payments.shared("settled")), "the callback that reports the SALE as settled")

    must_report(came, "SUCCESS", "SETTLED", payments.merchant)


@requirement("CBK-S2C-08")
def test_charge_that_settles_when_it_is_retried_is_notified(
    callbacks: CallbackWatch, payments_of: Callable[[str], Payments]
) -> None:
    with where_it_comes_about("a charge that settles when it is retried"):
        payments = payments_of("declining_recurring")
        payment = payments.confirmed(payments.shared("retried"), "SETTLED")

    callbacks.expect(with_status(about(payment), "SETTLED"), "the callback that reports the charge as settled by RETRY")


@requirement("CBK-DEL-04")
def test_declined_sale_is_notified(callbacks: CallbackWatch, payments: Payments, profile: Profile) -> None:
    must_offer(profile, NEEDS)

    must_report(outcome_of(payments.shared("declined"), callbacks), "DECLINED", "DECLINED", payments.merchant)


@requirement("CBK-DEL-05")
def test_callback_is_a_post_of_form_fields_or_json(of_sale: Callback, profile: Profile) -> None:
    must_offer(profile, NEEDS)
    note_reading("CBK-DEL-05", must_be_form_or_json(of_sale))


@requirement("CBK-S2C-01")
def test_callback_of_a_sale_carries_what_it_always_does(of_sale: Callback) -> None:
    must_be_callback_of(of_sale, "SALE")


@requirement("CBK-S2C-01")
def test_callback_of_a_declined_sale_carries_what_it_always_does(callbacks: CallbackWatch, payments: Payments) -> None:
    must_be_callback_of(outcome_of(payments.shared("declined"), callbacks), "SALE")


@requirement("CBK-S2C-01")
@pytest.mark.parametrize(
    ("state", "action", "needs"),
    [
        ("settled_debit", "DEBIT", ("capability:debit",)),
        ("card2card", "CARD2CARD", ("capability:card2card",)),
        ("secondary_debit", "RECURRING_DEBIT", ("capability:recurring", "capability:debit")),
        ("payout", "CREDIT2CARD", ("capability:credit2card",)),
    ],
)
def test_callback_of_every_action_names_it(
    state: str, action: str, needs: tuple[str, ...], callbacks: CallbackWatch, run: Run
) -> None:
    must_offer(run.profile, needs)
    if state == "secondary_debit":
        must_concern([load_catalogue()["S2C-REC-20"]], run.profile, run.release)

    must_be_callback_of(outcome_of(run.payments.shared(state), callbacks), action)


@requirement("CBK-S2C-02")
def test_callback_names_the_payment_and_its_order(of_sale: Callback, payments: Payments) -> None:
    payment = payments.shared("settled")

    must_be(of_sale, "trans_id", payment.trans_id)
    must_be(of_sale, "order_id", payment.order_id)


@requirement("CBK-S2C-03")
def test_challenge_is_notified_before_the_outcome(
    callbacks: CallbackWatch, payments: Payments, payer: HttpPayer
) -> None:
    payment = payments.fresh("challenged")

    must_notify_before_the_outcome(about(payment), callbacks, "CBK-S2C-03")
    first = callbacks.expect(of_challenge(payment), "the callback that reports the challenge of the SALE")
    must_report(first, "REDIRECT", "3DS", payments.merchant)

    round_trip(payer, payment)
    # A sale that is held only, for the mode of its account, has an outcome that is not final.
    final = callbacks.any_of(of_final(payment), seconds=callbacks.seconds)
    must_report(final[0] if final else outcome_of(payment, callbacks), "SUCCESS", "SETTLED", payments.merchant)


@requirement("CBK-S2C-04")
def test_payout_is_notified_with_type_credit(callbacks: CallbackWatch, payments: Payments) -> None:
    must_be(outcome_of(payments.shared("payout"), callbacks, having=("type",)), "type", "credit")


@requirement("CBK-S2C-04")
@waits(0)
def test_payout_that_was_open_is_notified_with_type_credit(callbacks: CallbackWatch, payments: Payments) -> None:
    profile = payments.requests.profile
    if profile.test_data.cards.payout_open is None or payments.clock.waits:
        not_applicable("the profile names no card that is paid out to later, or days would have to pass")
    payout = payments.requests.baseline("credit2card")
    payment = payments.open(payout.with_("card_number", payments.requests.payee_card("payout_open")))
    payments.clock.elapse(A_DAY)

    came = callbacks.any_of(of_final(payment), seconds=callbacks.seconds)
    if not came:
        inconclusive(
            f"an open payout is not notified as decided within {callbacks.seconds:g} s of a day by which the clock was "
            "moved",
            decides="a target that settles open payouts within a day",
        )

    must_be(came[0], "type", "credit")


@requirement("CBK-S2C-05")
def test_capture_is_notified(callbacks: CallbackWatch, payments: Payments) -> None:
    must_be_callback_of(of_action(payments.shared("captured"), "CAPTURE", callbacks), "CAPTURE")


@requirement("CBK-S2C-06")
@pytest.mark.parametrize("state", ["refunded", "reversed"])
def test_creditvoid_is_notified_with_its_outcome(state: str, callbacks: CallbackWatch, payments: Payments) -> None:
    of_payment = of_deed(payments.shared(state), "CREDITVOID")
    callbacks.expect(of_payment, "the callback of the CREDITVOID")

    # What is still waiting may be reported before the outcome.
    came = callbacks.expect(of_decided(of_payment), "a callback that reports the outcome of the CREDITVOID")

    must_have(came, ("order_id", "trans_id"))


@requirement("CBK-S2C-07")
def test_void_is_notified(callbacks: CallbackWatch, payments: Payments) -> None:
    must_be_callback_of(of_action(payments.shared("voided"), "VOID", callbacks), "VOID")


@requirement("CBK-S2C-07")
def test_void_of_a_debit_is_notified(callbacks: CallbackWatch, payments: Payments) -> None:
    with where_it_comes_about("a debit that is voided"):
        must_offer(payments.requests.profile, ("capability:debit",), "s2s_card")
        payment = payments.fresh("settled_debit")
        payments.carry_out(payment.void())

    must_be_callback_of(of_action(payment, "VOID", callbacks), "VOID")


@requirement("CBK-S2C-08")
def test_recurring_sale_is_notified(callbacks: CallbackWatch, payments: Payments) -> None:
    must_be_callback_of(of_action(payments.shared("secondary"), "RECURRING_SALE", callbacks), "RECURRING_SALE")


@requirement("CBK-S2C-09")
def test_callback_of_a_sale_that_starts_a_chain_carries_its_token(callbacks: CallbackWatch, payments: Payments) -> None:
    payment = payments.shared("initial_sale")

    must_be(outcome_of(payment, callbacks, having=("recurring_token",)), "recurring_token", payment.recurring_token)


@requirement("CBK-S2C-10")
def test_callback_of_a_sale_that_asks_for_a_token_carries_it(callbacks: CallbackWatch, payments: Payments) -> None:
    payment = payments.shared("tokenized")

    must_be(outcome_of(payment, callbacks, having=("card_token",)), "card_token", payment.card_token)


@requirement("CBK-S2C-09")
def test_callback_of_a_chain_that_nothing_was_paid_for_carries_its_token(
    callbacks: CallbackWatch, payments: Payments
) -> None:
    requests = payments.requests
    with where_it_comes_about("a chain that begins with an amount of zero"):
        must_offer(requests.profile, ("capability:zero_amount", "capability:recurring"), "s2s_card")
        of_nothing = requests.baseline("initial_sale").with_("order_amount", requests.amount(0))
        payment = payments.confirmed(payments.open(of_nothing), "SETTLED")
        token = payments.with_member(payment, "recurring_token").recurring_token

    must_be(outcome_of(payment, callbacks, having=("recurring_token",)), "recurring_token", token)


@requirement("CBK-S2C-10")
@pytest.mark.holds
def test_callback_of_an_authorization_that_asks_for_a_token_carries_it(
    callbacks: CallbackWatch, payments: Payments
) -> None:
    with where_it_comes_about("an authorization with req_token"):
        held = payments.open(payments.requests.baseline("authorization").with_("req_token", "Y"))
        token = payments.with_member(payments.confirmed(held, "PENDING"), "card_token").card_token

    must_be(outcome_of(held, callbacks, having=("card_token",)), "card_token", token)


@requirement("CBK-S2C-15")
@pytest.mark.parametrize(
    ("state", "needs"),
    [
        ("declined", ()),
        ("declined_debit", ("capability:debit",)),
        ("declined_payout", ("capability:credit2card", "test_data:cards.payout_decline")),
    ],
    ids=["SALE", "DEBIT", "CREDIT2CARD"],
)
def test_callback_of_a_declined_payment_says_why(
    state: str, needs: tuple[str, ...], callbacks: CallbackWatch, payments: Payments, profile: Profile
) -> None:
    must_offer(profile, needs)

    must_have(outcome_of(payments.shared(state), callbacks, having=("decline_reason",)), ("decline_reason",))


@requirement("CBK-S2C-11")
@pytest.mark.parametrize("state", ["settled_debit", "declined_debit"])
def test_callback_of_a_debit_carries_a_card_token(state: str, callbacks: CallbackWatch, payments: Payments) -> None:
    must_have(outcome_of(payments.shared(state), callbacks), ("card_token",))


@requirement("CBK-S2C-11")
def test_callback_of_a_debit_that_is_challenged_carries_a_card_token(
    callbacks: CallbackWatch, payments: Payments
) -> None:
    payment = payments.shared("challenged_debit")

    must_have(before_the_outcome(about(payment), callbacks), ("card_token",))


@requirement("CBK-S2C-11")
def test_every_callback_of_a_debit_that_is_redirected_carries_a_card_token(
    callbacks: CallbackWatch, payments: Payments, payer: HttpPayer
) -> None:
    with where_it_comes_about("a debit that is redirected"):
        payment = payments.fresh("redirected_debit")
    round_trip(payer, payment)
    outcome_of(payment, callbacks)

    for came in callbacks.arrived(lambda callback: callback.get("trans_id") == payment.trans_id):
        must_have(came, ("card_token",))
