"""Callbacks name amounts to the last of their decimals, in whatever currency a payment or payout is."""

from __future__ import annotations

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.cases.currencies import USUAL_EXPONENT, cut_above, exponent_of, format_amount
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.other_currencies import currency_of
from fixtures.protocols.s2s_apm.callbacks import about, must_name_amount_of
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run


@requirement("CBK-APM-11")
@pytest.mark.parametrize("kind", ["", "exponent_0", "exponent_3", "exponent_4"], ids=lambda kind: kind or "usual")
def test_callback_of_a_sale_names_the_amount_to_the_last_decimal(kind: str, callbacks: CallbackWatch, run: Run) -> None:
    payments, amounts = run.apm.payments, run.profile.test_data.amounts
    sale = payments.requests.payment("success")
    currency = currency_of(kind, run.profile) if kind else str(sale.get("order_currency"))
    amount = format_amount(amounts.usual - 1 if kind else cut_above(amounts.usual), exponent_of(currency))
    what = f"a SALE of {amount} {currency}"
    with where_it_comes_about(what):
        sale = sale.with_("order_currency", currency).with_("order_amount", amount)
        payment = payments.confirmed(payments.open(sale, what), what, "SETTLED")

    must_name_amount_of(payment, callbacks.expect(about(payment), f"the callback of {payment}"))


@requirement("CBK-APM-11")
def test_callback_of_a_payout_names_the_cents(callbacks: CallbackWatch, run: Run) -> None:
    must_offer(run.profile, ("capability:mobile_money", "test_data:mobile_money"), "s2s_apm")
    payments = run.apm.payments
    operators = run.profile.test_data.mobile_money
    operator = next((one for one in operators if exponent_of(one.currency) == USUAL_EXPONENT), None)
    if operator is None:
        not_applicable("no operator of the profile pays out in a currency that has cents")
    payout = payments.requests.payout(operator)
    # Who reckons with binary fractions has a cent less.
    amount = format_amount(cut_above(operator.minimum * 100), USUAL_EXPONENT)
    with where_it_comes_about(f"a payout of {amount}"):
        payment = payments.open(payout.with_("order_amount", amount), f"a payout of {amount}")

    must_name_amount_of(payment, callbacks.expect(about(payment), f"the callback of {payment}"))
