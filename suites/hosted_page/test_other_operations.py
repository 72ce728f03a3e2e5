"""The page of a debit, a credit and a transfer: what it takes, in which language, and where it leads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from fixtures.cases.cards import with_check_digit, with_wrong_check_digit
from fixtures.deferred import Start, deferred
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Inconclusive, not_applicable
from fixtures.payer import Page
from fixtures.payer.offers import offered
from fixtures.protocols.hosted_page.attempts import must_count_the_declines
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.languages import TAGS, beside_english, preferring, spoken, words
from fixtures.protocols.hosted_page.leaving import left
from fixtures.protocols.hosted_page.must import (
    must_ask_for_no_card,
    must_end_at,
    must_refuse_entry,
    must_refuse_saying,
    must_see,
)
from fixtures.protocols.hosted_page.other_kinds import entered_for, is_success
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.hosted_page.today import now_of
from fixtures.protocols.hosted_page.wrong_cards import INVALID_CARD, INVALID_CODE, START
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.clock import Clock
from fixtures.wire.months import month_past

OPERATIONS = ("debit", "credit", "transfer")
OF_EVERY_OPERATION = pytest.mark.parametrize("operation", OPERATIONS)
MINUTES = 4


@OF_EVERY_OPERATION
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(with_check_digit(START[:12]), marks=requirement("HPP-CRD-03"), id="13 digits"),
        pytest.param(with_wrong_check_digit(START[:15]), marks=requirement("HPP-CRD-04"), id="wrong check digit"),
    ],
)
def test_card_number_is_looked_at(pages: HostedPages, operation: str, number: str) -> None:
    with where_it_comes_about(f"an entry on the page of a {operation} of which can be seen what became of it"):
        must_refuse_saying(
            pages, INVALID_CARD, lambda seen, changed: entered_for(seen, operation, **changed), card_number=number
        )


@requirement("HPP-EXP-02")
@OF_EVERY_OPERATION
def test_card_that_expired_last_month_is_refused(pages: HostedPages, clock: Clock, operation: str) -> None:
    with where_it_comes_about(f"an entry on the page of a {operation} of which can be seen what became of it"):
        must_refuse_entry(entered_for(pages, operation, expiry=month_past(now_of(pages, clock))))


@requirement("HPP-CVV-02")
@OF_EVERY_OPERATION
def test_security_code_of_five_is_refused(pages: HostedPages, operation: str) -> None:
    with where_it_comes_about(f"an entry on the page of a {operation} of which can be seen what became of it"):
        must_refuse_saying(
            pages, INVALID_CODE, lambda seen, changed: entered_for(seen, operation, **changed), security_code="12345"
        )


@requirement("HPP-LNG-01")
@OF_EVERY_OPERATION
def test_page_speaks_checkout_language(pages: HostedPages, operation: str) -> None:
    wanted = beside_english(pages)
    with preferring(pages, "en"), where_it_comes_about(f"the page of a {operation} in two languages"):
        english, page = (pages.shown(pages.session(operation, checkout_language=code)) for code in ("en", wanted))
    if words(page) != words(english) and page.language.partition("-")[0] in ("", *TAGS[wanted]):
        return
    if not spoken(pages):
        # The contract lists what may be asked for (line 48), not what a page is translated into.
        not_applicable(
            f"the page of a {operation} does not speak {wanted}: languages in [test_data] may say that it does"
        )

    english_only = "It reads like the English page, or says that it is."
    of_every_page = "languages in [test_data] is said of the page of every operation."
    must_see(None, f"a page in the language {wanted}", page, f"{english_only} {of_every_page}")


@requirement("HPP-ASK-04")
def test_credit_by_another_method_asks_for_no_card(pages: HostedPages) -> None:
    shown = next(shown_by_other_methods(pages), None)
    if shown is None:
        not_applicable("no other method is known to pay out, and to ask for no card when it pays")
    method, page = shown
    if not pages.asks_for_card(page):
        return
    # A method that leads elsewhere when it pays may ask for the payee's card when it pays out: lines 49 and 56 do not
    # say what a method asks for.
    cards = {str(pages.profile.test_data.method)}
    if offered(page, cards) and (page.has_styles or page.has_scripts) and not pages.payer.reads_scripts:
        page = pages.with_scripts().shown(pages.session("credit", methods=[method]))
    if not offered(page, cards):
        not_applicable(f"the page of a credit by {method} asks for a card of its own, and offers no other method")

    must_see(None, f"a page of {method} alone", page, "It asks for a card.")


def shown_by_other_methods(pages: HostedPages) -> Iterator[tuple[str, Page]]:
    """Yield the pages of credits by one of the other methods, of those that ask for no card when they pay."""
    for method in sorted(pages.profile.test_data.other_methods):
        with suppress(Inconclusive):
            page = pages.shown(pages.session("credit", methods=[method]))
            if not any(map(pages.asks_for_card, pages.walked(pages.session(methods=[method])))):
                yield method, page


@requirement("CHK-URL-09")
@OF_EVERY_OPERATION
def test_payer_who_leaves_is_sent_to_cancel_url(pages: HostedPages, operation: str) -> None:
    session = pages.session(operation)
    with where_it_comes_about(f"a payer who leaves the page of a {operation}"):
        entered = left(pages, session)

    must_end_at(entered, session.get("cancel_url"), "cancel_url")


def opening(operation: str) -> Start:
    """Return what opens the page of an operation that expires soon."""

    def open_to_expire(run: Run) -> OpenedPage:
        must_offer(run.profile, (f"capability:{operation}",), "checkout")
        with where_it_comes_about(f"the page of a {operation} that asks for a card"):
            return opened(run, operation, session_expiry=MINUTES)

    return open_to_expire


def after_expiry() -> pytest.MarkDecorator:
    """Give a check a page of each operation that has expired: who opens it a second time may be sent nowhere."""
    late = 60 * (MINUTES + 1)
    expired = [pytest.param(name, marks=deferred(after=late, start=opening(name))) for name in OPERATIONS]
    return pytest.mark.parametrize("operation", expired)


@requirement("CHK-LIF-02")
@after_expiry()
def test_session_is_expired_a_minute_after_session_expiry(ready: OpenedPage, operation: str) -> None:
    visit, is_asked = ready.seen_again()
    if visit.page is not None:
        must_ask_for_no_card(visit.page, f"an expired session of a {operation}", is_asked=is_asked)


@requirement("CHK-URL-13")
@after_expiry()
def test_payer_of_an_expired_session_is_sent_to_expiry_url(ready: OpenedPage, operation: str) -> None:
    visit = ready.again()
    if ready.asks_for_card(visit):
        not_applicable(f"the session of a {operation} is still open, which a check of its own says")

    must_end_at(Entered(ready.session, (visit,), ready.pages.payer), ready.session.get("expiry_url"), "expiry_url")


@requirement("CHK-URL-12")
def test_payer_of_a_debit_who_used_up_the_declines_is_sent_to_cancel_url(pages: HostedPages) -> None:
    several = not pages.profile.lacks("account:several_declines", "checkout")
    role = "several_declines" if several else "maximum_count_declines"
    there, account = pages.of(role), pages.profile.account(role, "checkout")
    must_offer(pages.profile, ("capability:debit",), "checkout")
    there.proven("card")
    if is_success(there.enter(there.session("debit"), there.entry("decline"))):
        not_applicable("the card that is declined when it pays a purchase is not declined when it pays a debit")
    most = account.max_declines if account and account.max_declines else 1

    with where_it_comes_about("a debit that is declined as often as the account allows"):
        must_count_the_declines(there, most, pages, operation="debit")
