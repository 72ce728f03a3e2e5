"""Callbacks name amounts to the last of their decimals, in whatever currency a payment is."""

from __future__ import annotations

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import fail, must_name_amount
from fixtures.cases.currencies import CUT_BY_FLOATS, PARTS_BY_FLOATS, cut_above, exponent_of, format_amount
from fixtures.judging.cents import a_cent_off
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.protocols.s2s_card.callbacks import of_deed, outcome_of
from fixtures.protocols.s2s_card.parts import held_of
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.requirement import must_offer, requirement

CHAINS = {"RECURRING_SALE": "initial_sale", "RECURRING_DEBIT": "initial_debit"}


@requirement("CBK-S2C-23")
@pytest.mark.parametrize("baseline", ["sale", "debit"])
@pytest.mark.parametrize("kind", ["exponent_0", "exponent_3", "exponent_4"])
def test_callback_names_the_amount_to_the_last_decimal(
    kind: str, baseline: str, callbacks: CallbackWatch, payments: Payments
) -> None:
    must_offer(payments.requests.profile, ("capability:debit",) if baseline == "debit" else (), "s2s_card")
    request = payments.requests.in_currency(payments.requests.baseline(baseline), kind)
    currency = request.get("order_currency") or ""
    amount = format_amount(payments.requests.profile.test_data.amounts.usual - 1, exponent_of(currency))
    with where_it_comes_about(f"a payment of {amount} {currency}"):
        payment = payments.confirmed(payments.open(request.with_("order_amount", amount)), "SETTLED")

    must_name_amount(outcome_of(payment, callbacks), amount, currency)


@requirement("CBK-S2C-23")
@pytest.mark.parametrize("action", CHAINS)
def test_callback_of_a_charge_names_the_cents(action: str, callbacks: CallbackWatch, payments: Payments) -> None:
    requests = payments.requests
    # Who reckons with binary fractions has a cent less.
    amount = requests.amount(cut_above(requests.profile.test_data.amounts.usual))
    with where_it_comes_about(f"a {action} of {amount}"):
        needs = ("capability:recurring", *(("capability:debit",) if action == "RECURRING_DEBIT" else ()))
        must_offer(requests.profile, needs, "s2s_card")
        payment = payments.open(payments.shared(CHAINS[action]).again(action, requests.numbers.next(), amount))

    must_name_amount(outcome_of(payment, callbacks), amount, payments.currency_of(payment))


@requirement("CBK-S2C-23")
@pytest.mark.holds
def test_callback_of_a_captured_part_names_it_to_the_cent(callbacks: CallbackWatch, payments: Payments) -> None:
    must_read_amounts(payments, "capture")
    part = PARTS_BY_FLOATS[0]
    payment = held_of(payments, CUT_BY_FLOATS[1])
    payments.carry_out(payment.capture(part))

    with where_it_comes_about("the callback of a CAPTURE"):
        found = callbacks.expect(of_deed(payment, "CAPTURE"), f"the callback of the capture of {payment}")

    if wrong := a_cent_off(found.fields, part, payment.amount):
        fail(f"{part}, the part that was captured, or another amount of the payment", found, f"It has {wrong}.")
