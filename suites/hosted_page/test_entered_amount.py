"""The decimals of an amount that the payer of a transfer enters."""

from __future__ import annotations

from fixtures.callbacks import CallbackWatch
from fixtures.judging.must import must_hold
from fixtures.protocols.hosted_page.page import HostedPages, not_asked
from fixtures.requirement import requirement
from fixtures.wire.hostile import amount_in
from suites.hosted_page.test_amount_and_tokens import amount_entered, amount_of_payment, is_success, to_be_entered

MORE = "99"
"""Decimals behind those that the currency has; where there are none, behind the two with which it is written."""


@requirement("HPP-AMT-04")
def test_payer_pays_no_amount_with_more_decimals_than_it_has(pages: HostedPages, callbacks: CallbackWatch) -> None:
    usual = amount_entered(pages)
    if not usual.was_asked_for("amount") or not is_success(usual):
        not_asked("amount", usual)
    amount = to_be_entered(pages) + MORE
    entered = pages.enter(pages.session("transfer").with_("order.amount", "-1"), {**pages.entry(), "amount": amount})
    if not is_success(entered):
        return
    # A page may cut the amount off, or round it: what counts is the payment.
    reply, value = amount_of_payment(pages, entered, callbacks)
    paid, allowed = amount_in(value), len(to_be_entered(pages).partition(".")[2])

    is_fine = paid is None or paid == round(paid, allowed)
    must_hold(is_fine, f"a payment with {allowed} decimals at most, or none", reply, f"Its amount is {value}.")
