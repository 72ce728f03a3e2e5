"""Amounts of three decimals keep them, and what is charged in another currency changes nothing else."""

from __future__ import annotations

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import fail
from fixtures.judging.error_fields import names_exactly
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_be_amount, must_equal, must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.modes import PAID
from fixtures.protocols.other_currencies import currency_of
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.protocols.s2s_card.callbacks import of_deed
from fixtures.protocols.s2s_card.must import looked_up
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.requirement import must_offer, requirement
from fixtures.wire.hostile import is_amount
from fixtures.wire.requests import FormRequest

WHOLE = "10.235"
PART = "1.500"


@pytest.fixture
def currency(payments: Payments) -> str:
    """A currency of three decimals."""
    return currency_of("exponent_3", payments.requests.profile)


def in_currency(payments: Payments, baseline: str, currency: str) -> FormRequest:
    """Return a valid request that asks for three decimals of a currency."""
    return payments.requests.baseline(baseline).with_("order_currency", currency).with_("order_amount", WHOLE)


def authorized(payments: Payments, currency: str) -> Payment:
    must_offer(payments.requests.profile, ("capability:dms",), "s2s_card")
    with where_it_comes_about(f"an authorization in {currency}"):
        return payments.confirmed(payments.open(in_currency(payments, "authorization", currency)), "PENDING")


@requirement("S2C-CAP-04")
def test_capture_of_the_whole_names_all_decimals(payments: Payments, currency: str) -> None:
    payment = authorized(payments, currency)

    reply = payments.carry_out(payment.capture())

    if reply.object.get("amount") is not None:
        must_be_amount(reply, "amount", WHOLE)


@requirement("CBK-S2C-23")
@pytest.mark.holds
def test_callback_of_a_capture_of_the_whole_names_all_decimals(
    payments: Payments, currency: str, callbacks: CallbackWatch
) -> None:
    payment = authorized(payments, currency)
    payments.carry_out(payment.capture())

    came = callbacks.expect(of_deed(payment, "CAPTURE"), f"the callback of the CAPTURE of {payment.trans_id}")

    if came.get("amount") and not is_amount(came.get("amount"), WHOLE):
        fail(f"amount {WHOLE}", came, f"It is {came.get('amount')!r}.")


@pytest.mark.parametrize(
    ("exponent", "whole", "part"),
    [("exponent_0", "1000.00", "100.00"), ("exponent_3", WHOLE, PART)],
    ids=["without-minor-unit", "three-decimals"],
)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("capture", marks=requirement("S2C-CAP-05")),
        pytest.param("creditvoid", marks=requirement("S2C-CVD-03")),
    ],
)
def test_part_is_named_in_the_decimals_of_its_currency(
    name: str, exponent: str, whole: str, part: str, payments: Payments
) -> None:
    must_offer(payments.requests.profile, ("capability:dms",) if name == "capture" else REFUNDS, "s2s_card")
    must_read_amounts(payments, name)
    currency = currency_of(exponent, payments.requests.profile)
    baseline, word = ("authorization", "PENDING") if name == "capture" else ("sale", "SETTLED")
    request = payments.requests.baseline(baseline).with_("order_currency", currency).with_("order_amount", whole)
    with where_it_comes_about(f"{baseline} in {currency}"):
        payment = payments.confirmed(payments.open(request), word)

    change = payment.capture(part) if name == "capture" else payment.creditvoid(part)
    with where_it_comes_about(f"a part given back of a payment in {currency}"):
        # Another account may have made it, which gives nothing back by the profile.
        payments.merchant.sign(change)

    reply = payments.merchant.post(change)

    if name == "creditvoid" and allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_accept(reply)


@requirement("S2C-SCP-13")
def test_amount_of_scheduled_charges_has_the_decimals_of_the_currency(payments: Payments, currency: str) -> None:
    must_offer(payments.requests.profile, ("capability:schedules",), "s2s_card")
    schedule = payments.schedules_in(currency).shared()

    def sale() -> FormRequest:
        return in_currency(payments, "initial_sale", currency).with_("schedule_id", schedule.id)

    with where_it_comes_about(f"a schedule in {currency}"):
        payments.carry_out(sale())

    must_accept(payments.merchant.post(sale().with_("payment_schedule_amount", PART)))


@requirement("S2C-REC-29")
def test_charge_in_another_currency_is_in_that_currency(payments: Payments) -> None:
    # Its amounts are written like those of the usual currency, so that only the currency is another.
    currency = currency_of("exponent_0", payments.requests.profile)
    requests, initial = payments.requests, payments.shared("initial_sale")
    charge = initial.again("RECURRING_SALE", requests.numbers.next(), requests.usual)
    charge = charge.with_("order_currency", currency)
    reply = payments.merchant.post(charge)
    if answer_of(reply) is not Answer.ACCEPTED:
        not_applicable(f"a chain is charged in one currency only, which no line forbids: {reply.summary}")

    details = looked_up(payments, payments.opened_by(charge, reply), Payment.details)

    if not details.object.get("currency"):
        not_applicable(f"GET_TRANS_DETAILS shows no currency, and the contract shows none of it: {details.summary}")
    must_equal(details, "currency", str(currency))


@pytest.mark.parametrize(
    "is_first",
    [
        pytest.param(False, id="charge-of-three-decimals", marks=requirement("S2C-SAL-14")),
        pytest.param(True, id="charge-of-two-decimals", marks=requirement("S2C-SAL-12")),
    ],
)
def test_decimals_of_a_charge_are_those_of_its_own_currency(is_first: bool, payments: Payments, currency: str) -> None:
    must_offer(payments.requests.profile, ("capability:recurring",), "s2s_card")
    requests = payments.requests
    with where_it_comes_about(f"a chain and a sale in {currency}"):
        in_three = payments.open(in_currency(payments, "initial_sale", currency).with_("order_amount", PART))
        chain = in_three if is_first else payments.shared("initial_sale")
        chain = payments.with_member(payments.confirmed(chain, PAID), "recurring_token")
    own, amount = (requests.currency, requests.part) if is_first else (currency, PART)

    reply = payments.merchant.post(
        chain.again("RECURRING_SALE", requests.numbers.next(), amount).with_("order_currency", own)
    )

    # Whether a chain is charged in another currency at all no line says; that such an amount is malformed, one denies.
    is_refused, is_of_currency = answer_of(reply) is Answer.REFUSED, names_exactly(reply, "order_currency")
    malformed = is_refused and names_exactly(reply, "order_amount") and not is_of_currency
    must_hold(not malformed, f"order_amount {amount} of {own} is well formed", reply, "It is complained of.")


@requirement("S2C-REC-11")
def test_chain_keeps_its_currency_after_a_charge_in_another(payments: Payments, currency: str) -> None:
    requests = payments.requests
    initial = payments.fresh("initial_sale")
    other = initial.again("RECURRING_SALE", requests.numbers.next(), PART).with_("order_currency", currency)
    reply = payments.merchant.post(other)
    if answer_of(reply) is not Answer.ACCEPTED:
        not_applicable(f"a chain is charged in one currency only, which no line forbids: {reply.summary}")

    again = payments.merchant.post(initial.again("RECURRING_SALE", requests.numbers.next(), requests.usual))

    must_accept(again)
    # In which currency a charge is that names none no line says: it is that of other such charges.
    usual = payments.shared("secondary").reply.object.get("currency")
    if usual and again.object.get("currency"):
        must_equal(again, "currency", str(usual))
    details = looked_up(payments, initial, Payment.details)
    if details.object.get("currency"):
        must_equal(details, "currency", initial.opening.get("order_currency") or "")
