"""What belongs to one payment stays with it, though the same payer makes others; values that are rare stay right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from contract.errors import AMOUNT_NOT_POSITIVE, HASH_NOT_VALID, ORDER_DOES_NOT_EXIST, ORDER_DUPLICATE
from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import fail, must_be
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, carries_message, same_message
from fixtures.judging.must import (
    must_accept,
    must_apply,
    must_be_amount,
    must_have_accepted,
    must_hold,
    must_refuse,
    must_reject,
    must_reject_stating,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer import HttpPayer
from fixtures.profile import Profile
from fixtures.protocols.callbacks import which_came
from fixtures.protocols.must import must_refuse_signature
from fixtures.protocols.other_currencies import currency_of
from fixtures.protocols.payers import PAYER_IN_FULL
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.protocols.s2s_card.callbacks import arn_of, of_deed, outcome_of
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import must_have_status, must_leave, must_take_without_address
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests, by_token
from fixtures.protocols.s2s_card.round_trip import round_trip
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]

WITHOUT_MINOR_UNIT = ("JPY", "KRW", "CLP", "UGX", "XOF", "XAF", "VND", "PYG")
OTHER_ZIP = "80331"
BIRTH_DATE, BORN = "payer_birth_date", "1990-05-17"
ADDRESS = ("payer_address", "payer_country", "payer_city", "payer_zip")


@requirement("S2C-CAP-02")
def test_capture_is_of_the_payment_that_it_names(payments: Payments) -> None:
    must_offer(payments.requests.profile, ("capability:dms",))
    first, second = payments.fresh("authorized"), payments.fresh("authorized")

    asked = payments.carry_out(first.capture())

    must_leave(payments, first, "PENDING", asked=asked)
    must_have_status(payments, second, "PENDING")


@requirement("S2C-DUP-01")
def test_order_id_is_taken_though_its_payer_passed_a_challenge(payments: Payments, payer: HttpPayer) -> None:
    payment = payments.fresh("challenged")
    started = payments.clock.now()
    round_trip(payer, payment)

    reply = payments.merchant.post(payment.opening)

    if payments.clock.now() - started >= 14:
        inconclusive("the challenge took longer than the window", decides="a target that answers faster")
    must_reject_stating(reply, "S2C-DUP-01", ORDER_DUPLICATE, field="order_id")


@requirement("CBK-S2C-06")
def test_each_refund_of_a_part_is_notified(payments: Payments, callbacks: CallbackWatch) -> None:
    must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    must_read_amounts(payments, "creditvoid")
    payment = payments.fresh("settled")
    part = payments.requests.amount(payments.requests.profile.test_data.amounts.part // 4)
    for _ in range(2):
        payments.carry_out(payment.creditvoid(part))
    wanted = of_deed(payment, "CREDITVOID")

    callbacks.expect(wanted, "the callback of the first CREDITVOID of a part")
    came = callbacks.inbox.wait(wanted, seconds=callbacks.seconds, count=2)
    if len(came) < 2:
        fail("a callback of each of two refunds", came[0], "The second refund is not notified.")


@requirement("CBK-S2C-02")
def test_plus_in_an_order_id_comes_back(payments: Payments, callbacks: CallbackWatch) -> None:
    sale = payments.requests.baseline("sale")
    payment = payments.open(sale.with_("order_id", f"{sale.get('order_id')}+1"))

    must_be(outcome_of(payment, callbacks), "order_id", payment.order_id)


@requirement("CBK-S2C-16")
def test_callback_of_a_refunded_charge_has_an_arn(payments_of: PaymentsOf, callbacks: CallbackWatch) -> None:
    payments = payments_of("arn")
    must_offer(payments.requests.profile, ("capability:recurring", *REFUNDS), "s2s_card")
    payment = payments.fresh("secondary")
    payments.carry_out(payment.creditvoid())

    came = which_came(of_deed(payment, "CREDITVOID"), "the callback of the refund of a RECURRING_SALE", callbacks)

    if all(arn_of(callback) is None for callback in came):
        fail("ARN in the callback of a refund, empty while there is none", came[-1], "It is missing.")


@requirement("CBK-ATT-42")
def test_payer_attributes_are_those_of_the_payment(payments_of: PaymentsOf, callbacks: CallbackWatch) -> None:
    payments = payments_of("payer_fields")
    sale = payments.requests.baseline("sale")
    outcome_of(payments.open(sale), callbacks)
    other = payments.requests.baseline("sale").with_("payer_zip", OTHER_ZIP)

    came = outcome_of(payments.open(other), callbacks)

    received = came.get("payer_zip")
    if received and received != OTHER_ZIP:
        fail(f"payer_zip {OTHER_ZIP}", came, f"It is {received!r}, that of the payment before.")


@requirement("GEN-AGR-05")
def test_payer_attributes_come_back_each_in_its_member(payments_of: PaymentsOf, callbacks: CallbackWatch) -> None:
    payments = payments_of("payer_fields")
    sale = payments.requests.baseline("sale")
    for name, value in PAYER_IN_FULL.items():
        sale = sale.with_(name, value)

    came = outcome_of(payments.open(sale), callbacks)

    for name, value in PAYER_IN_FULL.items():
        received = came.get(name)
        if received and received.casefold() != value.casefold():
            fail(f"{name} {value!r}", came, f"It is {received!r}.")


@requirement("GEN-AGR-05")
def test_date_of_birth_comes_back_as_the_same_day(payments_of: PaymentsOf, callbacks: CallbackWatch) -> None:
    payments = payments_of("payer_fields")
    sale = payments.requests.baseline("sale").with_(BIRTH_DATE, BORN)

    received = outcome_of(payments.open(sale), callbacks)

    if is_another_day(received.get(BIRTH_DATE) or "", BORN):
        fail(f"{BIRTH_DATE} {BORN}", received, f"It is {received.get(BIRTH_DATE)!r}.")


def is_another_day(shown: str, sent: str) -> bool:
    """Whether a date that is written as the one that was sent is another day; others may be written otherwise."""
    return len(shown) == len(sent) and shown[4:8:3] == sent[4:8:3] and shown != sent


@requirement("CBK-S2C-13")
def test_custom_data_are_not_those_of_the_payment_before(payments: Payments, callbacks: CallbackWatch) -> None:
    requests = payments.requests
    outcome_of(payments.open(requests.baseline("sale").with_nested("custom_data", {"of": "the first"})), callbacks)

    came = outcome_of(payments.open(requests.baseline("sale")), callbacks)

    if "the first" in str(came.fields.get("custom_data", "")):
        fail("no custom_data, since none were sent", came, "They are those of the payment before.")


@requirement("S2C-STA-21")
def test_unknown_order_of_digits_is_not_found(payments: Payments) -> None:
    payment = replace(payments.shared("settled"))
    request = payment.status_by_order().with_("order_id", "77770001")

    must_reject(payments.merchant.post(request), ORDER_DOES_NOT_EXIST)


@requirement("S2C-SIG-38")
@pytest.mark.parametrize("name", ["sale", "debit", "recurring_sale"])
def test_wrong_signature_is_refused_with_every_optional_field(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    currency = card_actions("sale").get("order_currency") or "USD"

    def full() -> FormRequest:
        request = card_actions(name).with_nested("custom_data", {"a": "b"})
        return request if request.get("order_currency") else request.with_("order_currency", currency)

    # A field that the target does not take may be refused before the signature is looked at.
    must_have_accepted(s2s_card.post(full()))
    request = full()

    must_refuse_signature(s2s_card, request, s2s_card.recipe(request).sign()[::-1])


@requirement("S2C-AMT-04")
def test_sale_of_nothing_by_a_token_is_refused(payments: Payments) -> None:
    must_offer(payments.requests.profile, ("capability:tokens",))
    tokenized = payments.shared("tokenized")
    request = by_token(payments.requests.baseline("sale"), tokenized.card_token, tokenized.card)
    first = payments.merchant.post(request)
    if carries_message(first, HASH_NOT_VALID.message or ""):
        not_applicable("how a SALE by card token is signed is not known of this target, as S2C-SIG-06 says")
    paid = payments.fresh("paid_by_token")
    again = paid.opening.with_("order_id", payments.requests.numbers.next())

    must_refuse(payments.merchant.post(again.with_("order_amount", payments.requests.amount(0))))


@requirement("S2C-SAL-13")
@pytest.mark.parametrize("currency", WITHOUT_MINOR_UNIT)
def test_decimals_are_refused_in_every_currency_without_them(
    currency: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    usual = unproven_sale.profile.test_data.currencies.exponent_0
    first = s2s_card.in_currency(unproven_sale.baseline("sale"), str(usual)).with_("order_amount", "1000.50")
    if answer_of(s2s_card.post(first)) is not Answer.REFUSED:
        # Line 86 asks for two decimals with trailing zeros: that others than zeros are refused is one way to read it.
        not_applicable(f"decimals that are not zero are taken in {usual} as well")

    def sale(amount: str) -> FormRequest:
        return s2s_card.in_currency(unproven_sale.baseline("sale"), currency).with_("order_amount", amount)

    with where_it_comes_about(f"a sale in {currency}"):
        refused, taken = (s2s_card.post(sale(amount)) for amount in ("1000.50", "1000.00"))
    must_refuse(refused)
    must_apply(taken, f"sale in {currency}")


@pytest.mark.parametrize(
    ("flag", "what"),
    [
        pytest.param("auth", "an authorization of nothing", marks=requirement("S2C-AMT-05")),
        pytest.param("recurring_init", "a chain that nothing is paid for", marks=requirement("S2C-AMT-06")),
    ],
    ids=["auth", "recurring_init"],
)
@pytest.mark.parametrize("exponent", ["exponent_0", "exponent_3", "exponent_4"])
def test_zero_is_taken_in_every_currency(
    exponent: str, flag: str, what: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    currency = getattr(unproven_sale.profile.test_data.currencies, exponent)
    if currency is None:
        not_applicable(
            f"the profile names no currency for {exponent}, and other checks decide the requirement; {exponent} in "
            "[test_data.currencies] may name one"
        )
    zero = {"exponent_0": "0.00", "exponent_3": "0.000", "exponent_4": "0.0000"}[exponent]
    sale = unproven_sale.baseline("sale").with_(flag, "Y").with_("order_currency", currency)

    reply = s2s_card.post(sale.with_("order_amount", zero))

    by_amount = same_message(reply.object.get("error_message"), AMOUNT_NOT_POSITIVE.message or "")
    must_hold(not by_amount, what, reply, "The amount is complained of.")


@requirement("S2C-SAL-40")
@pytest.mark.parametrize("country", ["US", "CA"])
@pytest.mark.parametrize("name", ["payer_zip", "payer_city", "payer_address"])
def test_address_is_optional_whatever_the_country(
    name: str, country: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], profile: Profile
) -> None:
    sale = card_actions("sale").with_("payer_country", country)
    whole = s2s_card.post(sale)
    if answer_of(whole) is not Answer.ACCEPTED:
        inconclusive(
            f"a payer in {country} is not taken at all: {whole.summary}", decides="a target that takes payers there"
        )
    other = card_actions.build("sale").with_("payer_country", country)

    reply = s2s_card.post(other.without(name))

    must_take_without_address(reply, (name,), s2s_card.identity, profile)


WITHOUT_ADDRESS: Mapping[str, tuple[str, ...]] = {
    "sale_by_wallet": ("account:wallet_virtual_flow",),
    "debit": ("capability:debit",),
    "authorization": ("capability:dms",),
    "initial_sale": ("capability:recurring",),
    "initial_debit": ("capability:recurring", "capability:debit"),
    "sale_with_installments": (),
}
"""Requests besides the plain SALE whose payer need not give an address, with what they need."""


@requirement("S2C-SAL-40")
@pytest.mark.parametrize("name", WITHOUT_ADDRESS)
def test_address_is_optional_whatever_is_asked_for(name: str, payments_of: PaymentsOf, payments: Payments) -> None:
    with where_it_comes_about(f"the request {name} of a payer with an address"):
        must_offer(payments.requests.profile, WITHOUT_ADDRESS[name], "s2s_card")
        payments = payments_of("wallet_virtual_flow") if name == "sale_by_wallet" else payments
        payments.open(payments.requests.baseline(name))
    other = payments.requests.baseline(name)

    reply = payments.merchant.post(other.without(*ADDRESS))

    must_take_without_address(reply, ADDRESS, payments.merchant.identity, payments.requests.profile)


@requirement("S2C-CAP-05")
def test_answer_to_a_capture_names_the_amount_in_all_its_decimals(
    payments: Payments, unproven_sale: SaleRequests
) -> None:
    must_offer(payments.requests.profile, ("capability:dms",))
    currency = currency_of("exponent_3", unproven_sale.profile)
    sale = payments.requests.baseline("sale").with_("auth", "Y").with_("order_currency", currency)
    with where_it_comes_about("a hold in a currency of three decimals"):
        payment = payments.confirmed(payments.open(sale.with_("order_amount", "10.236")), "PENDING")

    reply = payments.merchant.post(payment.capture("10.236"))

    must_accept(reply)
    if reply.object.get("amount") is not None:
        must_be_amount(reply, "amount", "10.236")


@requirement("S2C-SIG-08")
def test_plus_in_the_address_of_a_payer_is_signed_as_it_is(payments: Payments) -> None:
    must_offer(payments.requests.profile, ("capability:dms",))
    sale = payments.requests.baseline("sale").with_("auth", "Y").with_("payer_email", "ada+x@mail.example")
    payment = payments.confirmed(payments.open(sale), "PENDING")

    must_accept(payments.merchant.post(payment.capture()))
