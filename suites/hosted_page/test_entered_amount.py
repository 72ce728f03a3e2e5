"""The amount that the payer of a transfer enters."""

from __future__ import annotations

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.cases.currencies import exponent_of, format_amount
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive
from fixtures.payer import Page
from fixtures.payer.fields import field_of
from fixtures.protocols.checkout.callbacks import about_order
from fixtures.protocols.checkout.must import order_in
from fixtures.protocols.hosted_page.after_the_card import pages_with_card
from fixtures.protocols.hosted_page.entered import FINDING_FIELDS, Entered, not_asked
from fixtures.protocols.hosted_page.must import must_be_shown, must_see
from fixtures.protocols.hosted_page.other_kinds import is_success
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.other_currencies import CRYPTO, KINDS, currency_of
from fixtures.protocols.payments import unreached
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.hostile import amount_in, is_amount
from fixtures.wire.requests import JsonRequest

MORE = "99"
"""Decimals behind those that the currency has; where there are none, behind the two with which it is written."""
UNITS = 1_237
"""An amount in the smallest unit of its currency, which rounding to fewer decimals would change."""
IN_OTHER_CURRENCIES = pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != CRYPTO])


@requirement("HPP-AMT-01")
def test_transfer_of_minus_one_shows_an_empty_amount(pages: HostedPages) -> None:
    session = pages.session("transfer").with_("order.amount", "-1")
    page = pages.seen(session, lambda page: pages.payer.asks(page, "amount"))
    empty = has_empty_amount(pages, page)
    if not empty:
        pages.must_get_on(session)
        empty = any(has_empty_amount(pages, later) for later in pages_with_card(pages, pages.again(session)))

    must_see(empty, "a page with an empty field for the amount", page, "No empty field takes the amount.")


def has_empty_amount(pages: HostedPages, page: Page) -> bool:
    fields = (field_of(page, form, "amount", pages.payer.selectors) for form in page.forms)
    return any(found is not None and not found.value for found in fields)


@requirement("HPP-AMT-01")
def test_amount_is_empty_again_after_a_payer_entered_one(pages: HostedPages) -> None:
    amount_entered(pages)
    session = pages.session("transfer").with_("order.amount", "-1")
    page = pages.seen(session, lambda page: pages.payer.asks(page, "amount"))
    fields = [field_of(page, form, "amount", pages.payer.selectors) for form in page.forms]
    filled = [found for found in fields if found is not None and found.value == to_be_entered(pages)]

    must_see(not filled, "a page with an empty field for the amount", page, "It holds what was entered before.")


@requirement("HPP-AMT-02")
def test_amount_that_the_payer_enters_is_paid(pages: HostedPages, callbacks: CallbackWatch) -> None:
    entered = amount_entered(pages)
    if not entered.was_asked_for("amount"):
        not_asked("amount", entered)
    if entered.end is None:
        must_pay_a_given_amount(pages)
        page = must_be_shown(entered.last, "the payer can continue")
        must_see(None, "a page that takes the amount", page, "A transfer of a given amount is taken, this is not.")
    reply, value = amount_of_payment(pages, entered, callbacks)

    amount = to_be_entered(pages)
    must_hold(is_amount(value, amount), f"a payment of {amount}", reply, f"Its amount is {value}.")


@requirement("HPP-AMT-03")
@pytest.mark.parametrize("is_negative", [False, True], ids=["nothing", "less-than-nothing"])
def test_payer_pays_no_amount_that_is_not_above_nothing(
    pages: HostedPages, callbacks: CallbackWatch, *, is_negative: bool
) -> None:
    nothing = f"-{to_be_entered(pages)}" if is_negative else format_amount(0, _exponent(pages))
    must_take_an_amount(pages)
    entered = pages.enter(pages.session("transfer").with_("order.amount", "-1"), {**pages.entry(), "amount": nothing})
    if not is_success(entered):
        return
    # A page may leave out the sign, or send on who has paid nothing yet: what counts is the payment.
    reply, value = amount_of_payment(pages, entered, callbacks)
    paid = amount_in(value)

    must_hold(paid is None or paid > 0, "a payment of more than nothing, or none", reply, f"Its amount is {value}.")


def to_be_entered(pages: HostedPages) -> str:
    """Return what the payer enters: a little more than usual, and nothing that another check pays."""
    usual = pages.profile.test_data.amounts.usual
    return format_amount(usual + usual // 5 + 34, _exponent(pages))


def _exponent(pages: HostedPages) -> int:
    return _exponent_of(pages.session("transfer"))


def amount_entered(pages: HostedPages) -> Entered:
    """Let the payer enter an amount, once a run."""

    def enter() -> Entered:
        entry = {**pages.entry(), "amount": to_be_entered(pages)}
        return pages.enter(pages.session("transfer").with_("order.amount", "-1"), entry)

    return pages.kept("amount that the payer enters", enter)


def amount_of_payment(pages: HostedPages, entered: Entered, callbacks: CallbackWatch) -> tuple[Reply, str]:
    """Look up the amount of what the payer paid, or find it in a callback."""
    payment = pages.payments.named(entered.session, entered.last)
    reply = pages.payments.look_up(payment)
    if answer_of(reply) is not Answer.ACCEPTED:
        unreached(f"the payment cannot be looked up: {reply.summary}")
    value = order_in(reply.object).get("amount")
    if not value or value == entered.session.get("order.amount"):
        # A look-up may show the order as the session gave it.
        value = _notified_amount(pages, payment.number, callbacks)
    if value == entered.session.get("order.amount"):
        inconclusive(
            "look-ups and callbacks repeat the amount of the order as the session gave it, which nobody paid",
            decides="a target whose look-ups or callbacks show the amount that was paid",
        )
    return reply, str(value)


def _notified_amount(pages: HostedPages, number: str, callbacks: CallbackWatch) -> str:
    """Return the amount in a callback of an order; the contract does not show the members of look-ups (line 288)."""
    if pages.profile.lacks("capability:callbacks", "checkout") is None:
        wanted = about_order(number).but(lambda callback: bool(_amount_in(callback)))
        came = callbacks.any_of(wanted, seconds=callbacks.seconds)
    else:
        came = []
    if not came:
        inconclusive(
            "neither the look-up nor a callback of the payment shows an amount",
            decides="a target that shows the amount of a payment in look-ups or in callbacks that arrive",
        )
    return _amount_in(came[-1])


def _amount_in(callback: Callback) -> str:
    return str(callback.get("order_amount") or callback.get("amount") or "")


def must_take_an_amount(pages: HostedPages) -> None:
    """End the check unless the page asks for the amount, and the payer pays the usual one."""
    usual = amount_entered(pages)
    if not usual.was_asked_for("amount"):
        not_asked("amount", usual)
    if not is_success(usual):
        must_pay_a_given_amount(pages)
        inconclusive(
            f"the payer cannot pay the usual amount where the page asks for it: {usual.story}",
            decides="a page that takes the amount that the payer enters; HPP-AMT-02 judges that",
        )


def must_pay_a_given_amount(pages: HostedPages) -> None:
    """End the check unless the payer can pay a transfer at all."""
    entered = pages.enter(pages.session("transfer"), pages.entry())
    if not is_success(entered):
        card = "payout_success in [test_data.cards]"
        field = f"payee_card and others in {FINDING_FIELDS}"
        inconclusive(
            f"the payer cannot pay a transfer, whatever its amount: {entered.story}",
            decides=field if pages.profile.test_data.cards.payout_success is not None else f"{field}; {card}",
        )


@requirement("HPP-AMT-04")
def test_payer_pays_no_amount_with_more_decimals_than_it_has(pages: HostedPages, callbacks: CallbackWatch) -> None:
    must_take_an_amount(pages)
    amount = to_be_entered(pages) + MORE
    entered = pages.enter(pages.session("transfer").with_("order.amount", "-1"), {**pages.entry(), "amount": amount})
    if not is_success(entered):
        return
    # A page may cut the amount off, or round it: what counts is the payment.
    reply, value = amount_of_payment(pages, entered, callbacks)
    paid, allowed = amount_in(value), len(to_be_entered(pages).partition(".")[2])

    is_fine = paid is None or paid == round(paid, allowed)
    must_hold(is_fine, f"a payment with {allowed} decimals at most, or none", reply, f"Its amount is {value}.")


@requirement("HPP-AMT-02")
@IN_OTHER_CURRENCIES
def test_amount_that_the_payer_enters_is_paid_in_every_currency(
    kind: str, pages: HostedPages, callbacks: CallbackWatch
) -> None:
    session = transfer_in(kind, pages)
    amount = format_amount(UNITS, _exponent_of(session))
    with where_it_comes_about(f"an amount of {amount} {session.get('order.currency')} that the payer enters"):
        entered = paid_by_entering(pages, session, amount)
        reply, value = amount_of_payment(pages, entered, callbacks)

    must_hold(is_amount(value, amount), f"a payment of {amount}", reply, f"Its amount is {value}.")


@requirement("HPP-AMT-03")
@IN_OTHER_CURRENCIES
def test_payer_pays_no_amount_of_nothing_in_any_currency(
    kind: str, pages: HostedPages, callbacks: CallbackWatch
) -> None:
    session = transfer_in(kind, pages)
    exponent = _exponent_of(session)
    with where_it_comes_about(f"a transfer in {session.get('order.currency')} of which the payer enters the amount"):
        paid_by_entering(pages, session, format_amount(UNITS, exponent))
        entered = pages.enter(pages.again(session), {**pages.entry(), "amount": format_amount(0, exponent)})
        if not is_success(entered):
            return
        reply, value = amount_of_payment(pages, entered, callbacks)
    paid = amount_in(value)

    must_hold(paid is None or paid > 0, "a payment of more than nothing, or none", reply, f"Its amount is {value}.")


@requirement("HPP-AMT-04")
@pytest.mark.parametrize("kind", ["exponent_3", "exponent_4"])
def test_payer_pays_no_amount_with_more_decimals_than_it_has_in_any_currency(
    kind: str, pages: HostedPages, callbacks: CallbackWatch
) -> None:
    session = transfer_in(kind, pages)
    exponent = _exponent_of(session)
    amount = format_amount(UNITS, exponent)
    with where_it_comes_about(f"a transfer in {session.get('order.currency')} of which the payer enters the amount"):
        paid_by_entering(pages, session, amount)
        entered = pages.enter(pages.again(session), {**pages.entry(), "amount": amount + MORE})
        if not is_success(entered):
            return
        reply, value = amount_of_payment(pages, entered, callbacks)
    paid = amount_in(value)

    is_fine = paid is None or paid == round(paid, exponent)
    must_hold(is_fine, f"a payment with {exponent} decimals at most, or none", reply, f"Its amount is {value}.")


def transfer_in(kind: str, pages: HostedPages) -> JsonRequest:
    """Return a transfer in another currency of the profile of which the payer is to enter the amount."""
    currency = currency_of(kind, pages.profile)
    return pages.session("transfer").with_("order.currency", currency).with_("order.amount", "-1")


def paid_by_entering(pages: HostedPages, session: JsonRequest, amount: str) -> Entered:
    """Let the payer of a transfer enter an amount that a page takes; no line says how it is written there."""
    entered = pages.enter(session, {**pages.entry(), "amount": amount})
    if not is_success(entered):
        unreached(f"the payer cannot pay {amount}: {entered.story}")
    return entered


def _exponent_of(session: JsonRequest) -> int:
    return exponent_of(str(session.get("order.currency")))
