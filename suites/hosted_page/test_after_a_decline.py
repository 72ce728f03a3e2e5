"""The page after a decline: it looks at entries, offers and speaks as it did before."""

from __future__ import annotations

import pytest

from fixtures.cases.cards import with_wrong_check_digit
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.payer import Page, Visit
from fixtures.payer.offers import offered
from fixtures.protocols.hosted_page.attempts import after_declines, with_several_tries
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.languages import beside_english, preferring, words
from fixtures.protocols.hosted_page.must import must_refuse_entry, must_see
from fixtures.protocols.hosted_page.page import HostedPages, is_at
from fixtures.protocols.hosted_page.today import now_of
from fixtures.requirement import must_offer, requirement
from fixtures.wire.clock import Clock
from fixtures.wire.months import month_past
from fixtures.wire.requests import JsonRequest


def declined(pages: HostedPages, session: JsonRequest) -> Page:
    """Return the page on which a payer who was declined tries again."""
    must_offer(pages.profile, ("test_data:cards.decline",))
    with where_it_comes_about("a page on which a payer who was declined tries again"):
        page = pages.paying.try_again(after_declines(pages, session).last).page
    if page is None or not pages.asks_for_card(page):
        not_applicable("nothing on the page leads to another try, as far as can be seen, or it asks for no card")
    return page


def tried_again(pages: HostedPages, **changes: str) -> Entered:
    """Return what came of an entry with one thing changed, on the page on which a payer was declined."""
    session = pages.session()
    page = declined(pages, session)
    return pages.enter_on(Visit(page), session, {**pages.entry(), **changes}, tuple(changes))


def must_be_looked_at(entered: Entered) -> None:
    """The entry is refused as on the first page; a page may close after a wrong entry, as it does after declines."""
    if entered.end is None or not is_at(entered.end, str(entered.session.get("cancel_url"))):
        with where_it_comes_about("another try of which can be seen what became of it"):
            must_refuse_entry(entered)


@pytest.mark.parametrize(
    ("what", "value"),
    [
        pytest.param(
            "card_number", with_wrong_check_digit("411111111111111"), marks=requirement("HPP-CRD-04"), id="check digit"
        ),
        pytest.param("security_code", "12345", marks=requirement("HPP-CVV-02"), id="code of five"),
    ],
)
def test_card_is_looked_at_in_the_next_attempt(pages: HostedPages, what: str, value: str) -> None:
    must_be_looked_at(tried_again(with_several_tries(pages), **{what: value}))


@requirement("HPP-EXP-02")
def test_card_that_expired_last_month_is_refused_in_the_next_attempt(pages: HostedPages, clock: Clock) -> None:
    must_be_looked_at(tried_again(with_several_tries(pages), expiry=month_past(now_of(pages, clock))))


@requirement("HPP-ASK-04")
def test_methods_restricts_what_is_offered_after_a_decline(pages: HostedPages) -> None:
    there = with_several_tries(pages)
    method = there.profile.test_data.method
    others = there.profile.test_data.other_methods
    session = there.session()
    if not offered(there.shown(there.again(session)), others):
        not_applicable("without methods the page offers no other method that the profile names")
    page = declined(there, session.with_("methods", [method]))
    if offered(page, others) and (page.has_styles or page.has_scripts) and not there.payer.reads_scripts:
        page = declined(there.with_scripts(), there.again(session.with_("methods", [method])))
    found = offered(page, others)

    must_see(not found, f"a page that offers {method} alone", page, f"It offers {', '.join(sorted(found))}.")


@requirement("HPP-LNG-01")
def test_page_speaks_checkout_language_after_a_decline(pages: HostedPages) -> None:
    there = with_several_tries(pages)
    wanted = beside_english(there)
    with preferring(there, "en"):
        english, first = (words(there.shown(there.session(checkout_language=code))) for code in ("en", wanted))
        page = declined(there, there.session(checkout_language=wanted))
    received = words(page)
    if not received & (first - english) and not received & (english - first):
        not_applicable(f"the page after a decline has no words that only {wanted} or only en has")

    is_spoken = received & (first - english)
    must_see(is_spoken, f"a page in the language {wanted}, as before the decline", page, "It is in English.")
