"""What the callback of a plain SALE carries, those of debits, charges, payouts and payments by token carry as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from contract.catalogue import load_catalogue
from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import (
    fail,
    must_have,
    must_have_some,
    must_have_what_is_mapped,
    must_return_custom_data,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.payer import HttpPayer
from fixtures.protocols.callbacks import which_came, with_status
from fixtures.protocols.checkout.attributes import COF_DISCRIMINATORS, PAYER_ATTRIBUTES
from fixtures.protocols.s2s_card.callbacks import about, of_deed, outcome_of
from fixtures.protocols.s2s_card.cards_on_file import marked
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.round_trip import round_trip
from fixtures.protocols.s2s_card.states import NEEDS_OF_STATE, REFUNDS
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]
OWN: Mapping[str, Any] = {"note": "of this payment", "reference": {"ticket": "8"}}
CARDS = {"declined": "decline", "challenged": "three_ds_success"}
"""What becomes of a payment, and the test card with which it does."""
DEEDS: Mapping[str, Callable[[Payment], FormRequest]] = {
    "CAPTURE": Payment.capture,
    "VOID": Payment.void,
    "CREDITVOID": Payment.creditvoid,
}
OF_THE_FIRST: Mapping[str, Any] = {"note": "of the first payment", "of the first": "alone"}


def with_own_data(request: FormRequest) -> FormRequest:
    return request.with_nested("custom_data", dict(OWN))


def must_return_them(baseline: str, run: Run) -> None:
    """End the check as not applicable where the release returns no custom_data of debits and payouts (line 496)."""
    if baseline in ("debit", "credit2card"):
        must_concern([load_catalogue()["CBK-S2C-14"]], run.profile, run.release)


@requirement("CBK-S2C-13")
@pytest.mark.parametrize("baseline", ["debit", "authorization", "credit2card"])
def test_custom_data_come_back_whatever_the_action(
    baseline: str, callbacks: CallbackWatch, payments: Payments, run: Run
) -> None:
    must_return_them(baseline, run)
    request = with_own_data(payments.requests.baseline(baseline))
    with where_it_comes_about(f"{baseline} with custom_data"):
        payment = payments.open(request)

    must_return_custom_data(outcome_of(payment, callbacks), OWN)


@requirement("CBK-S2C-13")
@pytest.mark.parametrize("baseline", ["sale", "debit"])
@pytest.mark.parametrize("state", CARDS)
def test_custom_data_come_back_whatever_becomes_of_the_payment(
    state: str, baseline: str, payments: Payments, payer: HttpPayer, run: Run
) -> None:
    must_return_them(baseline, run)
    must_offer(payments.requests.profile, NEEDS_OF_STATE[state], "s2s_card")
    request = payments.requests.paid_with(payments.requests.baseline(baseline), CARDS[state])
    with where_it_comes_about(f"{baseline} with custom_data that is {state}"):
        payment = payments.open(with_own_data(request))
    if state == "challenged" and payment.reply.object.get("redirect_url"):
        round_trip(payer, payment)

    must_return_custom_data(outcome_of(payment, run.callbacks), OWN)


@requirement("CBK-S2C-13")
@pytest.mark.parametrize(
    ("baseline", "action"), [("authorization", "CAPTURE"), ("sale", "VOID"), ("sale", "CREDITVOID")]
)
def test_custom_data_of_what_is_done_later_are_those_of_the_payment_where_there_are_any(
    baseline: str, action: str, callbacks: CallbackWatch, payments: Payments
) -> None:
    if action == "CREDITVOID":
        must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    with where_it_comes_about(f"a {action} of a payment with custom_data"):
        opened = payments.open(with_own_data(payments.requests.baseline(baseline)))
        payment = payments.confirmed(opened, "PENDING" if baseline == "authorization" else "SETTLED")
        payments.carry_out(DEEDS[action](payment))
    found = callbacks.any_of(of_deed(payment, action), seconds=callbacks.seconds)
    if not found or not found[0].fields.get("custom_data"):
        not_applicable(f"no callback of the {action} has custom_data, and none has to (line 420)")

    must_return_custom_data(found[0], OWN)


@requirement("CBK-S2C-14")
def test_custom_data_of_a_recurring_debit_come_back(callbacks: CallbackWatch, payments: Payments) -> None:
    requests = payments.requests
    with where_it_comes_about("a RECURRING_DEBIT with custom_data"):
        must_offer(requests.profile, ("capability:debit", "capability:recurring"), "s2s_card")
        first = requests.baseline("initial_debit").with_nested("custom_data", dict(OF_THE_FIRST))
        initial = payments.with_member(payments.confirmed(payments.open(first), "SETTLED"), "recurring_token")
        again = initial.again("RECURRING_DEBIT", requests.numbers.next(), requests.usual)
        payment = payments.open(with_own_data(again))

    must_return_custom_data(outcome_of(payment, callbacks), OWN)


@requirement("CBK-S2C-17")
@pytest.mark.parametrize(
    "state", ["settled_debit", "secondary", "secondary_debit", "paid_by_token", "debited_by_token", "card2card"]
)
def test_callback_carries_the_brand_however_the_card_is_charged(
    state: str, callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    payments = payments_of("brand")
    with where_it_comes_about(f"a payment that is {state}"):
        payment = payments.shared(state)

    must_have(outcome_of(payment, callbacks), ("brand",))


@requirement("CBK-S2C-30")
@pytest.mark.parametrize(
    ("first", "state"), [("initial_sale", "secondary"), ("initial_debit", "secondary_debit")], ids=["SALE", "DEBIT"]
)
def test_callback_of_a_charge_has_the_date_of_its_card_where_that_of_the_first_payment_has(
    first: str, state: str, callbacks: CallbackWatch, payments: Payments
) -> None:
    must_offer(payments.requests.profile, ("capability:debit",) if first == "initial_debit" else (), "s2s_card")
    initial, charge = payments.shared(first), payments.shared(state)
    if not outcome_of(initial, callbacks).get("card_expiration_date"):
        not_applicable("the callback of the first payment has no card_expiration_date, and the mapping may add none")

    must_have(outcome_of(charge, callbacks), ("card_expiration_date",))


@requirement("CBK-ATT-42")
@pytest.mark.parametrize("state", ["settled", "settled_debit"])
def test_callback_carries_the_payer_whatever_the_action(
    state: str, callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    payments = payments_of("payer_fields")
    with where_it_comes_about(f"a payment that is {state}"):
        payment = payments.shared(state)
    sent = tuple(name for name in PAYER_ATTRIBUTES if payment.opening.get(name))

    # Each attribute is a setting of the mapping (line 288): which of them are on is the operator's to say.
    must_have_some(outcome_of(payment, callbacks), sent, "attributes of the payer")


@requirement("CBK-S2C-18")
@pytest.mark.parametrize(
    ("baseline", "present"),
    [("debit", "Y"), ("sale", "N")],
    ids=["debit", "payer-absent"],
)
def test_callback_carries_the_discriminators_whatever_the_action(
    baseline: str, present: str, callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    payments = payments_of("cof_fields")
    with where_it_comes_about(f"{baseline} with payer_present={present}"):
        came = marked(
            payments,
            lambda payment: outcome_of(payment, callbacks),
            lambda callback: callback.fields,
            baseline=baseline,
            present=present,
        )

    must_have_what_is_mapped(came, COF_DISCRIMINATORS, "cof_fields")


@requirement("CBK-S2C-24")
@pytest.mark.parametrize(
    ("state", "names"),
    [("secondary_debit", ("card_token",)), ("debited_by_token", ("card_token", "card", "card_expiration_date"))],
)
@pytest.mark.parametrize("request_for", [Payment.void, Payment.creditvoid], ids=["VOID", "CREDITVOID"])
def test_callback_of_what_is_done_to_a_debit_carries_token_and_card_as_before(
    request_for: Callable[[Payment], FormRequest],
    state: str,
    names: tuple[str, ...],
    callbacks: CallbackWatch,
    payments: Payments,
) -> None:
    if request_for is Payment.creditvoid:
        must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    with where_it_comes_about(f"a payment that is {state}"):
        payment = payments.fresh(state)
    before = outcome_of(payment, callbacks)
    asked = request_for(payment)
    payments.carry_out(asked)
    action = asked.get("action") or ""

    for came in which_came(of_deed(payment, action), f"the callback of the {action} of a debit", callbacks):
        missing = [name for name in names if before.get(name) and not came.get(name)]
        if missing:
            fail(f"{', '.join(names)} in every callback of a debit", came, f"{', '.join(missing)} is missing.")


@requirement("CBK-S2C-24")
def test_callback_of_a_declined_recurring_debit_carries_a_token(
    callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    payments = payments_of("declining_recurring")
    requests = payments.requests
    with where_it_comes_about("a RECURRING_DEBIT that is declined"):
        initial = payments.shared("initial_debit")
        again = initial.again("RECURRING_DEBIT", requests.numbers.next(), requests.charged)
        payment = payments.confirmed(payments.open(again), "DECLINED")

    must_have(outcome_of(payment, callbacks), ("card_token",))


@requirement("CBK-S2C-24")
def test_callback_of_a_recurring_debit_that_a_retry_settled_carries_a_token(
    callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    with where_it_comes_about("a RECURRING_DEBIT that is declined, and settles when it is retried"):
        payments = payments_of("declining_recurring")
        requests = payments.requests
        again = payments.shared("initial_debit").again("RECURRING_DEBIT", requests.numbers.next(), requests.charged)
        payment = payments.confirmed(payments.open(again), "DECLINED")
        payments.carry_out(payment.retry())
        payments.confirmed(payment, "SETTLED", payments.look_up_as(payment, "SETTLED"))
    found = callbacks.any_of(with_status(about(payment), "SETTLED"), seconds=callbacks.seconds)
    if not found:
        not_applicable("no callback reports the RECURRING_DEBIT as settled by RETRY, which CBK-S2C-08 asks for")

    must_have(found[0], ("card_token",))
