"""Values that are right and rare come back as they were sent, whatever became of the payment."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import fail, must_have, plain
from fixtures.cases.cards import with_check_digit
from fixtures.cases.currencies import format_amount
from fixtures.judging.claims import speaks_of
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.callbacks import verifies
from fixtures.protocols.checkout.callback_formula import is_formula_known
from fixtures.protocols.checkout.callbacks import about_order, must_verify, outcome_of
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.payments import unreached
from fixtures.protocols.words import is_mask_of, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.hostile import is_amount
from fixtures.wire.requests import JsonRequest

Json = Any
PaymentsOf = Callable[[str], CheckoutPayments]

LONG = " ".join(f"item {number} of the order" for number in range(1, 40))[:600]
RARE_VALUES: dict[str, Json] = {
    "no": False,
    "nothing": 0,
    "text": "x",
    "several": ["first", "second"],
    "sizes": [3, 0, 5],
    "levels": {"low": {"count": 0}},
    "largest": 2**53 - 1,
}
WRITTEN_SO = {
    "no": "(false|0)?",
    "nothing": "0",
    "text": "x",
    "several": ".*first.*second.*",
    "sizes": ".*3.*0.*5.*",
    "levels": ".*low.*count.*0.*",
    "largest": r"9007199254740991(\.0)?|9\.007199254740991e\+?15",
}
"""How a form may write these values; a list has as many ways as there are languages."""
RARE_TEXTS: dict[str, Json] = {"shop": "00713", "smile": "th\u00e9 \U0001f600 end", "receipt": str(2**53 + 1)}
"""Digits that are no number, and a letter outside the first 65,536."""
LARGE: Mapping[str, int] = {"customer": 2**53 + 1, "receipt": 2**62 + 3}
"""Whole numbers that JSON can write and a double cannot hold."""
RARE_NAMES: dict[str, Json] = {
    "status": "wrapped",
    "hash": "of the shop",
    "cart": {"id": "cart 7", "hash": "of the cart", "order_number": "31", "type": "gift"},
}
"""Names that members of the callback itself have."""
ZIP, PHONE = "01234", "+4930123456"
LONGEST_CARD = with_check_digit("411111111111111123")


def long_description(requests: CheckoutPayments) -> JsonRequest:
    return requests.requests.baseline("purchase").with_("order.description", LONG)


def three_decimals(paid: CheckoutPayments) -> JsonRequest:
    session = paid.requests.baseline("purchase").with_("order.currency", paid.requests.currency("exponent_3"))
    whole = paid.profile.test_data.amounts.usual // 100
    return session.with_("order.amount", f"{whole}.236")


def without_decimals(paid: CheckoutPayments) -> JsonRequest:
    session = paid.requests.baseline("purchase").with_("order.currency", paid.requests.currency("exponent_0"))
    return session.with_("order.amount", format_amount(paid.profile.test_data.amounts.usual - 1, 0))


def four_decimals(paid: CheckoutPayments) -> JsonRequest:
    session = paid.requests.baseline("purchase").with_("order.currency", paid.requests.currency("exponent_4"))
    return session.with_("order.amount", f"{paid.profile.test_data.amounts.usual // 100}.2367")


def debit_of_odd_cents(paid: CheckoutPayments) -> JsonRequest:
    must_offer(paid.profile, ("capability:debit",), "checkout")
    amount = paid.operations.amount(paid.profile.test_data.amounts.usual - 1)
    return paid.requests.baseline("debit").with_("order.amount", amount)


def small_coins(paid: CheckoutPayments) -> JsonRequest:
    must_offer(paid.profile, ("capability:crypto", "test_data:currencies.crypto"), "checkout")
    currencies = paid.profile.test_data.currencies
    session = paid.requests.baseline("purchase").with_("order.currency", str(currencies.crypto))
    return session.with_("order.amount", format_amount(25, currencies.crypto_decimals))


@requirement("CBK-ATT-02", "CBK-SIG-03")
@pytest.mark.parametrize(
    "session_of",
    [long_description, three_decimals, without_decimals, four_decimals, debit_of_odd_cents, small_coins],
    ids=["long description", "three decimals", "without decimals", "four decimals", "debit", "small coins"],
)
def test_order_comes_back_in_a_callback_that_is_signed_over_it(
    session_of: Callable[[CheckoutPayments], JsonRequest], paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    with where_it_comes_about("a payment of such an order"):
        session = session_of(paid)
        payment = paid.pay(session, paid.card("success"))
        if not paid.profile.lacks("capability:status_lookup") and status_in(paid.look_up(payment)) == "DECLINED":
            unreached(f"it is declined, and no line promises that this is notified: {payment}")

    callback = outcome_of(payment, callbacks)

    with speaks_of("CBK-ATT-02"):
        must_repeat_the_order(callback, payment.session or session)
    # Where usual callbacks have a formula of their own, others say so: what comes back is judged all the same.
    if not verifies(lambda: must_verify(callback, paid.merchant.identity)) and is_formula_known(paid, callbacks):
        with speaks_of("CBK-SIG-03"):
            must_verify(callback, paid.merchant.identity)


def must_repeat_the_order(callback: Callback, session: JsonRequest) -> None:
    must_have(callback, ("order_currency", "order_description", "order_amount"))
    number = callback.get("order_number") or callback.get("order_id")
    if number != session.get("order.number"):
        fail(f"order_number {session.get('order.number')}", callback, f"It is {number!r}.")
    for name in ("currency", "description"):
        if (received := callback.get(f"order_{name}")) != session.get(f"order.{name}"):
            fail(f"order_{name} {session.get(f'order.{name}')}", callback, f"order_{name} is {received!r}.")
    if not is_amount(callback.get("order_amount"), str(session.get("order.amount"))):
        received = callback.get("order_amount")
        fail(f"order_amount {session.get('order.amount')}", callback, f"order_amount is {received!r}.")


@requirement("CBK-ATT-13")
@pytest.mark.parametrize(
    ("outcome", "values"),
    [("success", RARE_VALUES), ("decline", RARE_VALUES), ("success", RARE_TEXTS), ("success", RARE_NAMES)],
    ids=["success", "decline", "texts", "names"],
)
def test_values_of_every_kind_in_custom_data_come_back(
    outcome: str, values: dict[str, Json], paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, (f"test_data:cards.{outcome}",))
    session = paid.requests.baseline("purchase").with_("custom_data", values)
    payment = paid.named(session, paid.enter(session, paid.card(outcome)))

    state = "declined" if outcome == "decline" else ""
    callback = outcome_of(payment, callbacks, state=state, having=("custom_data",))

    received = plain(callback.fields.get("custom_data"))
    members = received if isinstance(received, dict) else {}
    for name, sent in values.items():
        if name not in members or not (members[name] == sent or written_so(name, members[name])):
            fail(f"custom_data with {name} {sent!r}", callback, f"custom_data are {received!r}.")


@requirement("CBK-ATT-59")
def test_large_numbers_in_custom_data_keep_their_digits(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    payment = paid.pay(paid.requests.baseline("purchase").with_("custom_data", dict(LARGE)), paid.card("success"))

    callback = outcome_of(payment, callbacks, having=("custom_data",))

    received = plain(callback.fields.get("custom_data"))

    members = received if isinstance(received, dict) else {}
    if not LARGE.keys() <= members.keys():
        not_applicable("the callback does not return all of custom_data, which other checks are about")
    for name, sent in LARGE.items():
        if str(members[name]) != str(sent):
            fail(f"custom_data with {name} {sent}", callback, f"It is {members[name]!r}.")


def written_so(name: str, value: Json) -> bool:
    """Return whether a value is one of the rare ones, as a form may write it."""
    return name in WRITTEN_SO and re.fullmatch(WRITTEN_SO[name], str(value).casefold(), re.DOTALL) is not None


@requirement("CBK-ATT-42")
def test_payer_attributes_are_texts_as_they_were_sent(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    paid = paid_by("payer_fields")
    session = paid.requests.baseline("purchase")
    session = session.with_("billing_address.zip", ZIP).with_("billing_address.phone", PHONE)

    callback = outcome_of(paid.pay(session, paid.card("success")), callbacks)

    if (callback.get("payer_zip") or "") != ZIP:
        fail(f"payer_zip {ZIP}", callback, f"It is {callback.get('payer_zip')!r}.")
    phone = str(callback.get("payer_phone") or "")
    if phone not in (PHONE, PHONE.removeprefix("+")):
        fail(f"payer_phone {PHONE}", callback, f"It is {phone!r}.")


@requirement("CBK-ATT-42")
@pytest.mark.parametrize(("country", "state"), [("US", "NY"), ("CA", "ON"), ("AU", "WA"), ("IN", "MH")])
def test_state_of_the_payer_is_shown_where_it_is_collected(
    country: str, state: str, paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    paid = paid_by("payer_fields")
    session = paid.requests.baseline("purchase").with_("billing_address.country", country)

    callback = outcome_of(paid.pay(session.with_("billing_address.state", state), paid.card("success")), callbacks)

    must_have(callback, ("payer_state",))


@requirement("CBK-ATT-17")
def test_mask_of_the_longest_card_ends_with_its_last_digits(pages: HostedPages, callbacks: CallbackWatch) -> None:
    session = pages.session()
    pages.enter(session, {**pages.entry(), "card_number": LONGEST_CARD}, ("card_number",))
    number = str(session.get("order.number"))
    with_card = about_order(number).but(lambda callback: bool(callback.get("card")))
    shown = callbacks.any_of(with_card, seconds=callbacks.seconds)
    found = callbacks.arrived(about_order(number))
    if not shown:
        lack = "the callbacks of a payment by it show no card" if found else "no callback came once the page had it"
        inconclusive(
            f"no callback shows a card of 19 digits: {lack}",
            decides="a target whose page takes such a card, and whose callbacks show the card of a payment by it",
        )
    for callback in shown:
        if not is_mask_of(callback.get("card"), LONGEST_CARD):
            fail("card, masked, with the last four of its 19 digits", callback, f"It is {callback.get('card')!r}.")


def expiry_of(payment: CheckoutPayment) -> str:
    month, _, year = payment.card.expiry.partition("/") if payment.card else ("", "", "")
    return f"{month}/{year if len(year) == len('2038') else f'20{year}'}"


@requirement("CBK-ATT-18")
@pytest.mark.parametrize("state", ["settled", "declined", "passed_challenge"])
def test_expiry_is_that_of_the_card_that_was_entered(
    state: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    needs = {
        "declined": ("test_data:cards.decline",),
        "passed_challenge": ("capability:three_ds", "test_data:cards.three_ds_success"),
    }
    must_offer(paid.profile, needs.get(state, ()))
    # All of them have the number of a payer's first card on some targets, and differ in the date.
    payments = [paid.shared("settled"), paid.shared(state)]

    for payment in payments:
        callback = outcome_of(payment, callbacks, state=state if payment is payments[-1] else "")
        received = callback.get("card_expiration_date")
        if received and received != expiry_of(payment):
            fail(f"card_expiration_date {expiry_of(payment)}", callback, f"It is {received!r}.")
