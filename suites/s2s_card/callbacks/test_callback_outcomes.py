"""Callbacks of S2S CARD report what became of the payment: each outcome with the status that look-ups have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.catalogue import load_catalogue
from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.inbox import Naming
from fixtures.callbacks.judging import fail, must_be, must_have, must_name_amount
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.payer import HttpPayer
from fixtures.payer.challenges import can_be_failed
from fixtures.profile.secret import Secret
from fixtures.profile.test_data import Card
from fixtures.protocols.callbacks import statuses_in, with_status
from fixtures.protocols.deeds import must_name_payment
from fixtures.protocols.modes import PAID
from fixtures.protocols.payments import IN_WORK
from fixtures.protocols.s2s_card.callbacks import (
    arn_of,
    must_report,
    must_verify,
    of_decided,
    of_deed,
    of_final,
    of_outcome,
    outcome_of,
)
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import by_token, with_card
from fixtures.protocols.s2s_card.round_trip import round_trip
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.protocols.words import status_in, status_word
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run

PaymentsOf = Callable[[str], Payments]


def decided(wanted: Naming, callbacks: CallbackWatch, what: str) -> Callback:
    """Return the callback that reports the outcome; those that say that it is not known yet may come before."""
    return callbacks.expect(of_decided(wanted), what)


@requirement("CBK-DEL-02")
@pytest.mark.parametrize(
    ("state", "needs"),
    [
        ("settled_debit", ("capability:debit",)),
        ("card2card", ("capability:card2card",)),
        ("secondary", ("capability:recurring",)),
        ("secondary_debit", ("capability:recurring", "capability:debit")),
        ("payout", ("capability:credit2card",)),
    ],
)
def test_settled_payment_of_every_action_is_notified(
    state: str, needs: tuple[str, ...], callbacks: CallbackWatch, payments: Payments, run: Run
) -> None:
    must_offer(payments.requests.profile, needs)
    if state == "secondary_debit":
        must_concern([load_catalogue()["S2C-REC-20"]], run.profile, run.release)
    payment = payments.shared(state)
    payments.confirmed(payment, "SETTLED")

    must_report(
        decided(of_final(payment), callbacks, "the callback of the payment"), "SUCCESS", "SETTLED", payments.merchant
    )


@requirement("CBK-S2C-21")
def test_authorization_is_notified_as_pending(callbacks: CallbackWatch, payments: Payments) -> None:
    payment = payments.shared("authorized")

    must_report(
        decided(of_outcome(payment), callbacks, "the callback of the authorization"),
        "SUCCESS",
        "PENDING",
        payments.merchant,
    )


@pytest.mark.parametrize(
    ("state", "action", "before"),
    [
        pytest.param("captured", "CAPTURE", "PENDING", marks=requirement("CBK-S2C-05")),
        pytest.param("voided", "VOID", "SETTLED", marks=requirement("CBK-S2C-07")),
        pytest.param("refunded", "CREDITVOID", "SETTLED", marks=requirement("CBK-S2C-06")),
        pytest.param("released", "CREDITVOID", "PENDING", marks=requirement("CBK-S2C-20")),
    ],
)
def test_callback_of_an_operation_has_its_outcome(
    state: str, action: str, before: str, callbacks: CallbackWatch, payments: Payments
) -> None:
    payment = payments.shared(state)

    # A look-up right after the action may show the payment as it was.
    wanted, status = of_deed(payment, action), payments.leaves(payment, before, *IN_WORK)
    came = decided(wanted, callbacks, f"the callback of the {action}")
    # One that reports the status before may come before.
    came = next(iter(callbacks.any_of(with_status(of_decided(wanted), status), seconds=callbacks.seconds)), came)

    must_report(came, "SUCCESS", status, payments.merchant)
    must_name_payment(came, payment.trans_id, payment.changed)
    must_be(came, "order_id", payment.order_id)


@requirement("CBK-S2C-06")
def test_callback_of_a_part_that_was_given_back_has_the_status(callbacks: CallbackWatch, payments: Payments) -> None:
    must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    payment = payments.fresh("settled")
    payments.carry_out(payment.creditvoid(payments.requests.part))

    came = decided(of_deed(payment, "CREDITVOID"), callbacks, "the callback of the CREDITVOID")

    said = statuses_in(came)
    # A look-up may lag behind the callback.
    status = payments.becomes(payment, *said) if said else status_in(payments.answered(payment))
    must_report(came, "SUCCESS", status, payments.merchant)


@requirement("CBK-S2C-22")
@pytest.mark.parametrize("state", ["challenged_to_decline", "challenged"])
def test_failed_challenge_is_notified(
    state: str, callbacks: CallbackWatch, payments: Payments, payer: HttpPayer
) -> None:
    payment = payments.fresh(state)
    if state == "challenged":
        page = payer.follow(payment.reply.object).page
        if page is None or not can_be_failed(page, payer.selectors):
            not_applicable("a payer whose card would pay cannot fail the challenge, as far as can be seen")
    round_trip(payer, payment, passes=False, data=payments.requests.profile.test_data)

    came = outcome_of(payment, callbacks)

    must_report(came, "DECLINED", "DECLINED", payments.merchant)
    must_verify(came, payment)
    if status_word(came.get("transStatus")) == "Y":
        fail("transStatus, if present, other than Y", came, "Y means success.")


@requirement("CBK-S2C-03")
def test_outcome_of_a_challenge_is_signed(callbacks: CallbackWatch, payments: Payments, payer: HttpPayer) -> None:
    payment = payments.fresh("challenged")
    round_trip(payer, payment)

    must_verify(outcome_of(payment, callbacks), payment)


@requirement("CBK-S2C-17")
def test_payment_without_challenge_is_not_reported_as_challenged(
    callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    came = outcome_of(payments_of("three_ds_data").shared("settled"), callbacks)

    if (came.get("authenticationFlow") or "").casefold() == "challenge":
        fail("authenticationFlow, if present, other than Challenge", came, "Nobody was challenged.")


@requirement("CBK-S2C-19")
def test_declined_payout_is_notified_with_type_credit(callbacks: CallbackWatch, payments: Payments) -> None:
    came = outcome_of(payments.shared("declined_payout"), callbacks)

    must_report(came, "DECLINED", "DECLINED", payments.merchant)
    must_be(came, "type", "credit")


@requirement("CBK-S2C-23")
@pytest.mark.parametrize(
    ("state", "needs"),
    [("settled", ()), ("settled_debit", ("capability:debit",)), ("secondary", ("capability:recurring",))],
)
def test_amount_and_currency_are_those_of_the_payment(
    state: str, needs: tuple[str, ...], callbacks: CallbackWatch, payments: Payments
) -> None:
    must_offer(payments.requests.profile, needs)
    payment = payments.shared(state)

    came = outcome_of(payment, callbacks)

    must_name_amount(came, payment.amount, payments.currency_of(payment))


@requirement("CBK-S2C-24")
@pytest.mark.parametrize(("state", "action"), [("secondary_debit", "RECURRING_DEBIT"), ("reversed", "CREDITVOID")])
def test_further_callbacks_of_a_debit_carry_its_card_token(
    state: str, action: str, callbacks: CallbackWatch, payments: Payments
) -> None:
    came = decided(of_deed(payments.shared(state), action), callbacks, f"the callback of the {action}")

    must_have(came, ("card_token",))


@requirement("CBK-S2C-24")
def test_callback_of_a_void_of_a_debit_carries_its_card_token(callbacks: CallbackWatch, payments: Payments) -> None:
    payment = payments.fresh("settled_debit")
    payments.carry_out(payment.void())

    must_have(decided(of_deed(payment, "VOID"), callbacks, "the callback of the VOID"), ("card_token",))


@requirement("CBK-S2C-16")
@pytest.mark.parametrize(
    ("state", "needs"),
    [
        ("authorized", ("capability:dms",)),
        ("secondary", ("capability:recurring",)),
        ("paid_by_wallet", ("account:wallet_virtual_flow",)),
    ],
)
def test_arn_is_shown_for_authorizations_and_recurring_sales(
    state: str, needs: tuple[str, ...], callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    payments = payments_of("arn")
    must_offer(payments.requests.profile, needs)

    came = outcome_of(payments.shared(state), callbacks)

    if arn_of(came) is None:
        fail("ARN in the callback, empty while there is none", came, "It is missing.")


@requirement("CBK-S2C-12")
def test_expiry_date_is_that_of_the_card_behind_the_token(callbacks: CallbackWatch, payments: Payments) -> None:
    sent: Payment = payments.shared("tokenized")
    month, year = sent.opening.get("card_exp_month"), sent.opening.get("card_exp_year")

    must_be(outcome_of(payments.shared("debited_by_token"), callbacks), "card_expiration_date", f"{month}/{year}")


@requirement("CBK-S2C-12")
def test_token_of_a_renewed_card_stands_for_its_new_date(payments: Payments, callbacks: CallbackWatch) -> None:
    must_offer(payments.requests.profile, ("capability:tokens", "capability:debit"), "s2s_card")
    with where_it_comes_about("a second card"):
        number, token = payments.requests.payee_card(), ""
    for expiry in EXPIRIES:
        card = Card(number=Secret(number), expiry=expiry)
        sale = with_card(payments.requests.baseline("sale"), card).with_("req_token", "Y")
        reply = payments.merchant.post(sale)
        if answer_of(reply) is not Answer.ACCEPTED or status_in(reply) != "SETTLED":
            not_applicable(f"the card that gets payouts pays no SALE whatever its expiry date: {reply.summary}")
        with where_it_comes_about("a token of the renewed card"):
            token = payments.with_member(payments.opened_by(sale, reply), "card_token").card_token

    with where_it_comes_about("a DEBIT by that token"):
        debit = by_token(payments.requests.baseline("debit"), token, number)
        payment = payments.confirmed(payments.open(debit, card=number), PAID)

    came = outcome_of(payment, callbacks)
    shown = came.get("card_expiration_date")
    if shown and shown != EXPIRIES[-1]:
        fail(f"card_expiration_date {EXPIRIES[-1]}, that of the card whose token pays", came, f"It is {shown!r}.")


EXPIRIES = ("05/2041", "07/2044")
"""Those of a card before and after it was renewed."""
