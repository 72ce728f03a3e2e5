"""A payer tries several times to pay one session: each attempt is judged and reported by itself."""

from __future__ import annotations

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import fail
from fixtures.cases.cards import with_check_digit
from fixtures.deferred import deferred
from fixtures.judging.must import must_accept, must_have_accepted, must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer import Visit
from fixtures.payer.challenges import DECIDED_BY
from fixtures.payer.wallets import brand_of, pay_by_wallet
from fixtures.profile.accounts import MidMode
from fixtures.profile.needs import satisfies
from fixtures.protocols.callbacks import (
    is_about,
    names_payment,
    reports_failure,
    statuses_in,
    with_status,
)
from fixtures.protocols.checkout.callbacks import about_order
from fixtures.protocols.checkout.operations import status_of_order, status_of_payment
from fixtures.protocols.hosted_page.attempts import (
    after_declines,
    first_attempt,
    must_allow_another,
    next_attempt,
    settings_of,
    with_several_tries,
)
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.must import must_end_at, must_refuse_entry, must_see
from fixtures.protocols.hosted_page.other_kinds import paid_as
from fixtures.protocols.hosted_page.page import HostedPages, is_at
from fixtures.protocols.hosted_page.returning import landed, must_carry, paid
from fixtures.protocols.modes import (
    HELD,
    must_not_be_explained_by_mode,
    statuses_that_may_be_paid,
    statuses_when_paid,
)
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import JsonRequest

MINUTES = 4
OF_PAYMENTS = ("SALE", "AUTH")
"""Types of callbacks of a payment by card: a hold may have either (line 422)."""


def paid_after(pages: HostedPages, declines: int, card: str = "success") -> Entered:
    """Return where a payer landed who paid after so many declines, with the card of an outcome; made once."""

    def make() -> Entered:
        before = after_declines(pages, pages.session(), declines)
        return next_attempt(pages, before, pages.entry(card))

    entered = pages.kept(f"paid after {declines} by {card}", make)
    if entered.end is None or not is_at(entered.end, str(entered.session.get("success_url"))):
        inconclusive(
            f"the payer does not get to success_url after a decline: {entered.story}",
            decides="a target that lets a payer try another card, which a check of its own asks for",
        )
    return entered


@requirement("CHK-URL-03")
@pytest.mark.parametrize("card", ["success", "three_ds_success"])
def test_success_after_a_decline_names_the_payment_that_was_made(card: str, pages: HostedPages) -> None:
    must_offer(pages.profile, ("capability:status_lookup", f"test_data:cards.{card}"))
    pages = with_several_tries(pages)
    entered = paid_after(pages, 1, card)
    payment_id = entered.end.parameters.get("payment_id", "") if entered.end else ""
    identity = pages.payments.merchant.identity
    made = statuses_when_paid(identity)
    reply = pages.payments.polling.until(
        lambda: pages.payments.merchant.post(status_of_payment(payment_id)), lambda found: status_in(found) in made
    )

    must_accept(reply)
    if status_in(reply) not in made:
        must_not_be_explained_by_mode(identity, wanted="SETTLED", status=status_in(reply))
    must_hold(
        status_in(reply) in made,
        "payment_id of the payment that was made",
        reply,
        f"success_url names a payment that is {status_in(reply)}.",
    )


@requirement("CBK-DEL-01")
@pytest.mark.parametrize("declines", [1, 2])
def test_payment_after_declines_is_notified(pages: HostedPages, callbacks: CallbackWatch, declines: int) -> None:
    pages = with_several_tries(pages)
    entered = paid_after(pages, declines)
    number = str(entered.session.get("order.number"))
    may_hold = pages.payments.merchant.identity.mid_mode in {None, MidMode.DMS}
    payment_id = entered.end.parameters.get("payment_id", "") if entered.end else ""

    def succeeded(callback: Callback) -> bool:
        if "SETTLED" in statuses_in(callback) or callback.has(type="SALE", status="SUCCESS"):
            return True
        return may_hold and is_of_a_hold(callback) and (not payment_id or is_about(callback, [payment_id], number))

    wanted = about_order(number).but(succeeded)
    callbacks.expect(wanted, f"the callback of the payment of order {number}, after {declines} declines")


def is_of_a_hold(callback: Callback) -> bool:
    """Return whether a callback says that an amount is held, in its result or, as line 315 calls it, in its status.

    What waits for something before it is held is PENDING as well, and says that it waits.
    """
    if reports_failure(callback) or (callback.get("type") or "AUTH").upper() not in OF_PAYMENTS:
        return False
    return callback.has(status="SUCCESS") or (HELD in statuses_in(callback) and "WAITING" not in statuses_in(callback))


@requirement("CBK-ATT-46")
def test_flow_of_an_attempt_is_not_that_of_the_one_before(pages: HostedPages, callbacks: CallbackWatch) -> None:
    must_offer(pages.profile, ("capability:three_ds", "test_data:cards.three_ds_decline"))
    there = pages.of("three_ds_data")
    session = there.session()
    there.proven("card")
    entered = there.enter_until_challenged(session, "three_ds_decline")
    if not there.paying.is_challenged(entered.last):
        inconclusive(f"no challenge is shown: {entered.story}", decides=DECIDED_BY)
    failed = Entered(session, (*entered.visits, there.paying.answer(entered.last, passes=False)), there.payer)
    if failed.page is None:
        must_allow_another(there, failed)
        if (most := settings_of(there).max_declines) is not None:
            # No line says that a payer whose challenge failed may try again, however many declines there may be.
            not_applicable(
                f"a failed challenge ends the session, though the account allows {most} declines, and other checks "
                f"decide the requirement: {failed.story}"
            )
        where = there.payments.merchant.identity.name
        inconclusive(
            f"the payer is no longer on the page after a failed challenge: {failed.story}",
            decides=f"max_declines in [{f'accounts.{where}' if where else 'account'}] of the profile",
        )
    second = next_attempt(there, failed, there.entry())
    if second.last.challenged:
        inconclusive(
            "the issuer challenges the payer with the usual card as well, so that both attempts have the same flow",
            decides="a card success in [test_data.cards] with which no challenge is asked for",
        )
    landing = second.end
    payment_id = landing.parameters.get("payment_id", "") if landing else ""
    number = str(session.get("order.number"))
    # Those of the attempt that failed name the same payment where a payment keeps its name.
    paid = with_status(about_order(number), "SETTLED", "PENDING")
    wanted = paid.but(lambda callback: names_payment(callback, payment_id))
    callback = callbacks.expect(wanted, f"the callback of the second payment of order {number}")

    received = str(callback.get("authenticationFlow") or "")
    if received.casefold() == "challenge":
        fail("another authenticationFlow than Challenge", callback, "The challenge was that of the attempt before.")


def with_wallets_and(pages: HostedPages, setting: str) -> HostedPages:
    """Return the pages of an account with wallets and a setting.

    The main account first: another one may send the payer away at the first decline.
    """
    is_main = any(
        satisfies(account, setting) and account.wallet_flow is not None
        for account in pages.profile.main_accounts("checkout")
    )
    return pages if is_main else pages.of(f"{setting}+wallets")


def paid_by_wallet_after_a_decline(pages: HostedPages, session: JsonRequest) -> tuple[str, Visit]:
    """Return the wallet by which a payer paid whose card was declined, and where the payer is then."""
    address = pages.payments.open(session)
    pages.enter_on(pages.payer.open(address), session, pages.entry("decline"))
    paid_so = pay_by_wallet(pages.paying, address, pages.profile.test_data.wallet_tokens)
    if paid_so is None or paid_so[1].end is None:
        not_applicable(
            "after a decline the page offers no wallet that the suite can pay by; wallet_token or wallet in "
            "[payer.selectors] of the profile may say how"
        )
    return paid_so


@requirement("CHK-URL-08")
def test_return_does_not_name_the_method_of_the_attempt_before(pages: HostedPages) -> None:
    with where_it_comes_about("a wallet whose payments are returned with another payment_method than those by card"):
        must_offer(pages.profile, ("capability:wallets", "test_data:wallet_token", "test_data:cards.decline"))
        there = with_wallets_and(pages, "return_additional_parameters")
        alone, by_card = method_in(paid_as(there, "purchase by wallet")), method_in(paid_by_card(there))
    if not alone or alone == by_card:
        not_applicable(f"payments by wallet and by card are returned with payment_method {alone!r} and {by_card!r}")
    session = there.session()
    entered = Entered(session, (paid_by_wallet_after_a_decline(there, session)[1],), there.payer)
    with where_it_comes_about("a payment by wallet after a decline"):
        landing = landed(entered, "success_url")

    must_carry(method_in(entered) != by_card, f"payment_method={alone}, as without the decline before", landing)


def paid_by_card(pages: HostedPages) -> Entered:
    return pages.kept("paid", lambda: paid(pages, pages.session()))


def method_in(entered: Entered) -> str:
    """Return the payment method that the return address of a payer names; empty: none."""
    return entered.end.parameters.get("payment_method", "") if entered.end else ""


@requirement("CBK-ATT-31")
def test_method_of_an_attempt_is_not_that_of_the_one_before(pages: HostedPages, callbacks: CallbackWatch) -> None:
    must_offer(pages.profile, ("capability:wallets", "test_data:wallet_token", "test_data:cards.decline"))
    there = with_wallets_and(pages, "checkout_payment_method")
    session = there.session()
    wallet, visit = paid_by_wallet_after_a_decline(there, session)
    payment_id = visit.end.parameters.get("payment_id", "") if visit.end else ""
    number = str(session.get("order.number"))
    # That of the attempt that was declined names the same payment where a payment keeps its name.
    paid = with_status(about_order(number), *statuses_that_may_be_paid(there.payments.merchant.identity))
    wanted = paid.but(lambda callback: names_payment(callback, payment_id))
    callback = callbacks.expect(wanted, f"the callback of the payment of order {number} by {wallet}")

    received = str(callback.get("checkout_payment_method") or "")
    if received and brand_of(wallet) not in received.casefold():
        fail(f"checkout_payment_method {wallet}", callback, f"checkout_payment_method is {received!r}.")


@requirement("HPP-CRD-04")
def test_check_digit_is_looked_at_in_every_attempt(pages: HostedPages) -> None:
    pages = with_several_tries(pages)
    session = pages.session()
    right = with_check_digit("411111111111113")
    wrong = right[:-1] + str((int(right[-1]) + 1) % 10)
    entered = first_attempt(pages, session, {**pages.entry(), "card_number": wrong})
    for count in range(3):
        again = pages.paying.try_again(entered.last)
        entered = pages.enter_on(again, session, {**pages.entry(), "card_number": wrong}, ("card_number",))
        if count and entered.end is not None and is_at(entered.end, str(session.get("cancel_url"))):
            # A page may close after some wrong numbers, as it does after some declines.
            return

        must_refuse_entry(entered)


def open_and_decline(run: Run) -> OpenedPage:
    """Open the page of a session that expires soon, and let its payer be declined once."""
    must_offer(run.profile, ("test_data:cards.decline",))
    # Whoever opens another page meanwhile forgets the cookies of this one.
    run.hosted_pages.proven("card")
    ready = opened(run, session_expiry=MINUTES)
    ready.pages.enter_on(ready.again(), ready.session, ready.pages.entry("decline"))
    return ready


def open_and_decline_once(run: Run) -> OpenedPage:
    """Open the page of a session that expires soon; its payer is declined, and may try again."""
    must_offer(run.profile, ("test_data:cards.decline",))
    ready = opened(run, session_expiry=MINUTES)
    ready.pages.proven("card")
    declined = ready.pages.enter_on(ready.again(), ready.session, ready.pages.entry("decline"))
    must_allow_another(ready.pages, declined)
    if declined.page is None:
        inconclusive(
            f"the payer is no longer on the page after a decline: {declined.story}",
            decides="max_declines in [account] of the profile",
        )
    return ready


@requirement("CHK-URL-13")
@deferred(after=60 * (MINUTES + 1), start=open_and_decline_once)
def test_expired_session_leads_to_expiry_url_after_a_decline_as_well(ready: OpenedPage) -> None:
    entered = Entered(ready.session, (ready.again(),), ready.pages.payer)

    # A page that asks once more is judged where nobody was declined.
    if entered.end is not None:
        must_end_at(entered, ready.session.get("expiry_url"), "expiry_url")


@requirement("CHK-LIF-02")
@deferred(after=60 * (MINUTES + 1), start=open_and_decline)
def test_session_expires_after_a_decline_as_well(ready: OpenedPage) -> None:
    must_be_over(ready)


def open_decline_and_look_up(run: Run) -> OpenedPage:
    """Open the page of a session that expires soon, let its payer be declined, and look its order up.

    Where time can be set the order is looked up a minute before the session expires.
    """
    must_offer(run.profile, ("capability:status_lookup",))
    ready = open_and_decline(run)
    if not run.clock.waits:
        run.clock.elapse((MINUTES - 1) * 60)
    with where_it_comes_about("a session whose order is looked up while it is open"):
        must_have_accepted(
            ready.pages.payments.merchant.post(status_of_order(str(ready.session.get("order.number")))),
            decides="a target that knows the payment that was declined",
        )
    return ready


@requirement("CHK-LIF-02")
@deferred(after=60 * (MINUTES + 1), start=open_decline_and_look_up)
def test_session_whose_order_was_looked_up_meanwhile_expires_no_later(ready: OpenedPage) -> None:
    must_be_over(ready)


def must_be_over(ready: OpenedPage) -> None:
    """The session takes no card any more, and is not paid."""
    visit = ready.again()
    if ready.asks_for_card(visit):
        visit = ready.pages.paying.go_on(visit, ready.pages.payments.card("success"))
    entered = Entered(ready.session, (visit,), ready.pages.payer)

    success = str(ready.session.get("success_url"))
    if entered.end is not None and is_at(entered.end, success):
        must_end_at(entered, ready.session.get("expiry_url"), "expiry_url, since the session is over")
    if visit.page is not None:
        must_see(not ready.asks_for_card(visit), "a page that takes no card", visit.page, "It still asks for one.")
