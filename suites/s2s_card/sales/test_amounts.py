"""Immediate sales and authorizations, amounts of zero, and the mode of an account."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from contract.errors import AMOUNT_NOT_POSITIVE
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import proper_answer
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must,
    must_accept,
    must_accept_as_signed,
    must_answer_properly,
    must_apply,
    must_have_accepted,
    must_not_be,
    must_refuse,
    must_reject_stating,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.profile.accounts import MidMode
from fixtures.protocols.accounts import OfAccounts
from fixtures.protocols.in_turn import first_that_takes
from fixtures.protocols.modes import HELD, PAID, must_not_be_explained_by_mode
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import must_become_paid, must_have_status, must_not_pay
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests, by_token
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import FormRequest

MerchantOf = Callable[[str], S2SCardMerchant]
PaymentsOf = Callable[[str], Payments]

FLAGS = ("auth", "recurring_init")


def zero(request: FormRequest, unproven_sale: SaleRequests) -> FormRequest:
    return request.with_("order_amount", unproven_sale.amount(0))


@requirement("S2C-AMT-01")
def test_authorization_holds_the_amount(payments: Payments, card_actions: Baselines[FormRequest]) -> None:
    payment = payments.open(card_actions("sale").with_("auth", "Y"))

    must_have_status(payments, payment, HELD)


@requirement("S2C-AMT-01")
@pytest.mark.parametrize("flag", ["recurring_init", "req_token"])
def test_authorization_holds_the_amount_whatever_else_is_asked_for(flag: str, payments: Payments) -> None:
    must_offer(payments.requests.profile, ("capability:recurring",) if flag == "recurring_init" else ())
    sale = payments.requests.baseline("sale").with_("auth", "Y").with_(flag, "Y")
    reply = payments.merchant.post(sale)

    must_apply(reply, f"authorization with {flag}=Y")
    must_have_status(payments, payments.opened_by(sale, reply), HELD)


@requirement("S2C-AMT-01")
def test_authorization_by_token_holds_the_amount(payments: Payments) -> None:
    must_offer(payments.requests.profile, ("capability:tokens",))
    tokenized = payments.shared("tokenized")
    sale = by_token(payments.requests.baseline("sale"), tokenized.card_token, tokenized.card)

    must_have_status(payments, payments.open(sale.with_("auth", "Y"), card=tokenized.card), HELD)


@requirement("S2C-AMT-01")
def test_authorization_by_wallet_holds_the_amount(payments: Payments, card_actions: Baselines[FormRequest]) -> None:
    payment = payments.open(card_actions("sale_by_wallet").with_("auth", "Y"), card="")

    must_have_status(payments, payments.as_it_is_signed(payment), HELD)


@requirement("S2C-AMT-02")
@pytest.mark.parametrize("auth", [None, "N"], ids=["without-auth", "auth-N"])
def test_plain_sale_settles_at_once(auth: str | None, payments: Payments, card_actions: Baselines[FormRequest]) -> None:
    sale = card_actions("sale")

    must_become_paid(payments, payments.open(sale.with_("auth", auth) if auth else sale))


@requirement("S2C-AMT-03")
@pytest.mark.parametrize("auth", ["X", "no", "0"])
def test_another_value_of_auth_holds_nothing(
    auth: str, s2s_card: S2SCardMerchant, payments: Payments, card_actions: Baselines[FormRequest]
) -> None:
    # Spellings of yes (y, true, 1) are left out: to read them as Y is no deviation from the contract.
    sale = card_actions("sale").with_("auth", auth)

    reply = s2s_card.post(sale)

    must_answer_properly(reply, "S2C-AMT-03", accepted="sale", refused="refused")
    if answer_of(reply) is Answer.ACCEPTED:
        payment = Payment(sale, reply, s2s_card, sale.signed("payer_email"), sale.signed("card_number"))
        status = payments.leaves(payment, HELD)
        must_not_be_explained_by_mode(s2s_card.identity, wanted=PAID, status=status)
        must_not_be(reply, "status", status, HELD)


@requirement("S2C-AMT-04")
@pytest.mark.parametrize("flags", [{}, {"auth": "N"}, {"recurring_init": "N"}], ids=["plain", "auth-N", "init-N"])
def test_plain_sale_of_zero_is_refused(
    flags: dict[str, str], s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    sale = zero(card_actions("sale"), unproven_sale)
    for name, value in flags.items():
        sale = sale.with_(name, value)

    must_reject_stating(s2s_card.post(sale), "S2C-AMT-04", AMOUNT_NOT_POSITIVE, field="order_amount")


@pytest.mark.parametrize(
    "flag",
    [
        pytest.param("auth", marks=requirement("S2C-AMT-05")),
        pytest.param("recurring_init", marks=requirement("S2C-AMT-06")),
    ],
)
def test_authorization_or_initialization_of_zero_is_accepted(
    flag: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    reply = s2s_card.post(zero(unproven_sale.baseline("sale"), unproven_sale).with_(flag, "Y"))

    must_accept(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@pytest.mark.parametrize(
    "flag",
    [
        pytest.param("auth", marks=requirement("S2C-AMT-05")),
        pytest.param("recurring_init", marks=requirement("S2C-AMT-06")),
    ],
)
def test_zero_is_accepted_by_card_token_as_it_is_by_card(
    flag: str, payments: Payments, unproven_sale: SaleRequests
) -> None:
    must_offer(unproven_sale.profile, ("capability:tokens",), "s2s_card")
    if payments.merchant.identity.of_zero is not None:
        not_applicable("another account is asked for amounts of zero, which does not know the card token of this one")
    must_have_accepted(payments.merchant.post(zero(unproven_sale.baseline("sale"), unproven_sale).with_(flag, "Y")))
    with where_it_comes_about("a payment by card token"):
        stored = payments.shared("tokenized")
    usual, other = (
        by_token(unproven_sale.baseline("sale"), stored.card_token, stored.card).with_(flag, "Y") for _ in range(2)
    )
    must_apply(payments.merchant.post(usual), f"SALE by card token with {flag}=Y")

    must_accept_as_signed(payments.merchant.post(zero(other, unproven_sale)))


@requirement("S2C-AMT-05", "S2C-AMT-06")
def test_authorization_of_zero_that_starts_a_chain_is_accepted(
    s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    must_offer(unproven_sale.profile, ("capability:dms", "capability:recurring"), "s2s_card")
    for flag in FLAGS:
        must_have_accepted(s2s_card.post(zero(unproven_sale.baseline("sale"), unproven_sale).with_(flag, "Y")))
    # Line 352 says "or": a target need not take both together, whatever the amount.
    usual, other = (unproven_sale.baseline("sale").with_("auth", "Y").with_("recurring_init", "Y") for _ in range(2))
    must_apply(s2s_card.post(usual), "authorization with recurring_init=Y")

    must_accept(s2s_card.post(zero(other, unproven_sale)))


@pytest.mark.parametrize(
    ("flag", "other"),
    [
        pytest.param("auth", "recurring_init", marks=requirement("S2C-AMT-05"), id="auth"),
        pytest.param("recurring_init", "auth", marks=requirement("S2C-AMT-06"), id="recurring_init"),
    ],
)
def test_zero_is_accepted_with_one_flag_while_the_other_is_n(
    flag: str, other: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    must_have_accepted(s2s_card.post(zero(unproven_sale.baseline("sale"), unproven_sale).with_(flag, "Y")))
    usual, sale = (unproven_sale.baseline("sale").with_(flag, "Y").with_(other, "N") for _ in range(2))
    must_apply(s2s_card.post(usual), f"SALE with {flag}=Y and {other}=N")

    must_accept(s2s_card.post(zero(sale, unproven_sale)))


@requirement("S2C-AMT-07")
@pytest.mark.parametrize("flag", FLAGS)
def test_zero_does_not_succeed_where_the_provider_takes_none(
    flag: str, payments: Payments, s2s_card_merchant: OfAccounts[S2SCardMerchant], unproven_sale: SaleRequests
) -> None:
    merchant, accepted = first_that_takes(
        s2s_card_merchant.every("no_zero_amount", holds=flag == "auth"),
        lambda one: one.post(unproven_sale.baseline("sale").with_(flag, "Y")),
    )
    payments = payments.of(merchant)
    must_have_accepted(accepted, decides=f"an account with zero_amount = false that takes {flag}=Y in S2S CARD")
    request = zero(unproven_sale.baseline("sale"), unproven_sale).with_(flag, "Y")

    reply = payments.merchant.post(request)

    must(proper_answer(reply), reply)
    if answer_of(reply) is Answer.ACCEPTED:
        must_not_pay(payments, request, reply)


@requirement("S2C-AMT-07")
@pytest.mark.parametrize(
    # Not by wallet: another MID of the merchant may serve that, whose provider takes it (lines 49, 56).
    ("flag", "other"),
    [("auth", "recurring_init"), *((flag, "req_token") for flag in FLAGS)],
)
def test_zero_does_not_succeed_where_the_provider_takes_none_whatever_else_is_asked_for(
    flag: str,
    other: str,
    payments: Payments,
    s2s_card_merchant: OfAccounts[S2SCardMerchant],
    unproven_sale: SaleRequests,
) -> None:
    def sale() -> FormRequest:
        return unproven_sale.baseline("sale").with_(flag, "Y").with_(other, "Y")

    merchants = s2s_card_merchant.every("no_zero_amount", holds="auth" in (flag, other))
    merchant, accepted = first_that_takes(merchants, lambda one: one.post(sale()))
    payments = payments.of(merchant)
    must_apply(accepted, f"SALE with {flag}=Y and {other}")
    request = zero(sale(), unproven_sale)

    reply = payments.merchant.post(request)

    must(proper_answer(reply), reply)
    if answer_of(reply) is Answer.ACCEPTED:
        must_not_pay(payments, request, reply)


@requirement("S2C-AMT-08")
def test_authorization_of_zero_was_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    must_refuse(s2s_card.post(zero(card_actions("authorization"), unproven_sale)))


@requirement("S2C-AMT-09")
def test_initial_debit_of_zero_is_accepted(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    must_accept_as_signed(s2s_card.post(zero(unproven_sale.baseline("initial_debit"), unproven_sale)))


@requirement("S2C-AMT-09")
def test_initial_debit_of_zero_is_accepted_while_auth_is_n(
    s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    must_have_accepted(s2s_card.post(zero(unproven_sale.baseline("initial_debit"), unproven_sale)))
    usual, debit = (unproven_sale.baseline("initial_debit").with_("auth", "N") for _ in range(2))
    must_apply(s2s_card.post(usual), "DEBIT with auth=N")

    must_accept(s2s_card.post(zero(debit, unproven_sale)))


@requirement("S2C-AMT-10")
def test_plain_debit_of_zero_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    reply = s2s_card.post(zero(card_actions("debit"), unproven_sale))

    must_reject_stating(reply, "S2C-AMT-10", AMOUNT_NOT_POSITIVE, field="order_amount")


@requirement("S2C-AMT-11")
@pytest.mark.parametrize("name", ["card2card", "credit2card"])
def test_transfer_of_zero_is_refused(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    must_refuse(s2s_card.post(zero(card_actions(name), unproven_sale)))


@requirement("S2C-AMT-12")
def test_recurring_sale_of_zero_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    reply = s2s_card.post(zero(card_actions("recurring_sale"), unproven_sale))

    must_reject_stating(reply, "S2C-AMT-12", AMOUNT_NOT_POSITIVE, field="order_amount")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("card2card", marks=requirement("S2C-AMT-11")),
        pytest.param("credit2card", marks=requirement("S2C-AMT-11")),
        pytest.param("recurring_sale", marks=requirement("S2C-AMT-12")),
    ],
)
def test_negative_amount_is_refused_by_every_action(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_refuse(s2s_card.post(card_actions(name).with_("order_amount", "-1.00")))


@pytest.mark.parametrize(
    ("exponent", "amounts"),
    [
        pytest.param("exponent_0", ("10.500", "1000.00"), id="10.500", marks=requirement("S2C-SAL-13")),
        pytest.param("exponent_3", ("10.24", "10.240"), id="10.24-of-3", marks=requirement("S2C-SAL-14")),
        pytest.param("exponent_3", ("10.2400", "10.240"), id="10.2400", marks=requirement("S2C-SAL-14")),
        pytest.param("exponent_4", ("10.24", "10.2400"), id="10.24-of-4", marks=requirement("S2C-SAL-15")),
    ],
)
@pytest.mark.parametrize("name", ["debit", "recurring_sale", "card2card", "credit2card"])
def test_decimals_of_the_currency_are_those_of_every_action(
    name: str, exponent: str, amounts: tuple[str, str], card_actions: Baselines[FormRequest], payments: Payments
) -> None:
    wrong, right = amounts
    currency = getattr(payments.requests.profile.test_data.currencies, exponent)
    request = card_actions(name).with_("order_currency", currency)

    must_refuse(payments.merchant.post(request.with_("order_amount", wrong)))
    other = request.with_("order_id", payments.requests.numbers.next())
    must_apply(payments.merchant.post(other.with_("order_amount", right)), f"{name} in {currency}")


@requirement("S2C-SAL-14")
def test_decimals_of_a_secondary_charge_are_those_of_its_chain(payments: Payments) -> None:
    must_offer(payments.requests.profile, ("capability:recurring",))
    requests = payments.requests
    currency = requests.profile.test_data.currencies.exponent_3
    first = requests.baseline("initial_sale").with_("order_currency", str(currency)).with_("order_amount", "10.000")
    initial = payments.with_member(payments.confirmed(payments.open(first), PAID), "recurring_token")

    must_refuse(payments.merchant.post(initial.again("RECURRING_SALE", requests.numbers.next(), "10.24")))
    must_accept(payments.merchant.post(initial.again("RECURRING_SALE", requests.numbers.next(), "10.240")))


@requirement("S2C-AMT-13")
@pytest.mark.parametrize(("name", "word"), [("sale", PAID), ("authorization", HELD)])
def test_account_without_a_mode_serves_both(
    name: str, word: str, payments: Payments, payments_of: PaymentsOf, unproven_sale: SaleRequests
) -> None:
    if payments.merchant.identity.mid_mode in (MidMode.SMS, MidMode.DMS):
        payments = payments_of("mid_either")
    sale = unproven_sale.baseline(name)
    reply = payments.merchant.post(sale)

    must_accept(reply)
    payment = payments.opened_by(sale, reply)
    if word == PAID:
        must_become_paid(payments, payment)
    else:
        must_have_status(payments, payment, word)


@requirement("S2C-AMT-14")
def test_sms_account_is_asked_for_an_authorization(payments_of: PaymentsOf) -> None:
    must_answer_by_mode(payments_of("mid_sms"), "authorization", "S2C-AMT-14", served=HELD)


@requirement("S2C-AMT-15")
def test_dms_account_is_asked_for_a_plain_sale(payments_of: PaymentsOf) -> None:
    must_answer_by_mode(payments_of("mid_dms"), "sale", "S2C-AMT-15", served=PAID)


def must_answer_by_mode(payments: Payments, name: str, claimed: str, *, served: str) -> None:
    # What is asked for is what the mode is tried with: no account adds to it.
    reply = replace(payments.merchant, asks_to_hold=False).post(payments.requests.baseline(name))
    reading = "served" if status_in(reply) == served else "mode"

    must_answer_properly(reply, claimed, accepted=reading, refused="refused")
