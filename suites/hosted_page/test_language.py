"""The language of the hosted page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from fixtures.cases.cards import with_wrong_check_digit
from fixtures.deferred import deferred
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer import Page, Visit
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened_page, pages_of_another
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.instant_qr import has_picture, qr_session, where_qr_is
from fixtures.protocols.hosted_page.languages import TAGS, beside_english, preferring, spoken, words
from fixtures.protocols.hosted_page.must import must_see
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

EXPIRY_MINUTES = 2


@requirement("HPP-LNG-01")
@pytest.mark.parametrize("code", TAGS)
def test_page_speaks_checkout_language(pages: HostedPages, code: str) -> None:
    if spoken(pages) and code not in spoken(pages):
        not_applicable(f"the page speaks {', '.join(spoken(pages))}: languages in [test_data]")
    page = pages.shown(pages.session(checkout_language=code))
    received = re.split(r"[-_]", page.language)[0]
    if received in TAGS[code] and (code == "en" or words(page) != _english(pages)):
        return
    if not spoken(pages):
        # The contract lists what may be asked for (line 48), not what a page is translated into.
        inconclusive(
            f"the page does not speak {code}, as far as can be seen, and may not be translated into it",
            decides="languages in [test_data] of the profile",
        )
    expected = f"a page in the language {code}"
    if code != "en":
        must_see(
            words(page) != _english(pages), expected, page, f"It reads like the English page; lang is {received!r}."
        )
    must_see(
        not received or received not in _others(code),
        expected,
        page,
        f"The page says that its language is {received!r}.",
    )
    inconclusive(
        f"the page does not say in which language it is (lang is {received!r})", decides="a page whose lang names it"
    )


@requirement("HPP-LNG-01")
def test_page_that_names_wrong_entries_speaks_checkout_language(pages: HostedPages) -> None:
    wanted = beside_english(pages)
    with preferring(pages, "en"):
        first, english = (of_the_card(pages, code) for code in (wanted, "en"))
        wrong = with_wrong_check_digit("411111111111111")
        entry = {**pages.entry(), "card_number": wrong}
        entered = pages.enter(pages.session(checkout_language=wanted), entry, ("card_number",))
    page = entered.last.page
    if page is None or not entered.messages:
        inconclusive("the page names no wrong entry", decides="a page that is shown again with what is wrong")

    received = words(page)
    if not received & (first - english) and not received & (english - first):
        inconclusive(
            f"the page with its errors has no words that only {wanted} or only en has",
            decides=f"a page that speaks {wanted}, or languages in [test_data] of the profile",
        )
    must_see(
        received & (first - english),
        f"a page in the language {wanted}, as before",
        page,
        "It is in English, as the browser prefers.",
    )


def two_languages(pages: HostedPages) -> tuple[str, str]:
    """Return two languages that the page speaks, the second the one that it falls back to where that is known."""
    known = spoken(pages)
    if len(known) == 1:
        not_applicable(f"the page speaks {known[0]} alone: languages in [test_data]")
    return (known[1], known[0]) if known else ("fr", "de")


@requirement("HPP-LNG-02")
def test_checkout_language_wins_over_the_billing_address(pages: HostedPages) -> None:
    def shown(asked: str, billing: str) -> Page:
        session = pages.session(checkout_language=asked).with_("billing_address.language", billing)
        return pages.shown(session)

    first, second = two_languages(pages)
    _must_be_first(shown(first, second), shown(first, first), shown(second, second), pages)


@requirement("HPP-LNG-03")
def test_checkout_language_wins_over_the_browser(pages: HostedPages) -> None:
    def shown(asked: str, preferred: str) -> Page:
        with preferring(pages, preferred):
            return pages.shown(pages.session(checkout_language=asked))

    first, second = two_languages(pages)
    _must_be_first(shown(first, second), shown(first, first), shown(second, second), pages)


@requirement("HPP-LNG-03")
def test_checkout_language_wins_over_the_browser_on_the_merchant_s_own_form(pages: HostedPages) -> None:
    def shown(asked: str, preferred: str) -> Page:
        with preferring(pages, preferred):
            return pages.shown(pages.session(checkout_language=asked, form_id=pages.profile.test_data.form_id))

    with where_it_comes_about("the merchant's own form in two languages"):
        must_offer(pages.profile, ("capability:custom_form", "test_data:form_id"), "checkout")
        first, second = two_languages(pages)
        wanted, other, received = shown(first, first), shown(second, second), shown(first, second)
        if words(wanted) == words(other):
            not_applicable(f"the merchant's own form reads alike in {first} and {second}")
    _must_be_first(received, wanted, other, pages)


@requirement("HPP-LNG-03")
def test_english_wins_over_the_browser_as_well(pages: HostedPages) -> None:
    def shown(asked: str, preferred: str) -> Page:
        with preferring(pages, preferred):
            return pages.shown(pages.session(checkout_language=asked))

    other = beside_english(pages)
    page, english, foreign = shown("en", other), shown("en", "en"), shown(other, other)
    if words(english) == words(foreign):
        inconclusive(f"the page looks the same in en and in {other}", decides="a page that speaks both")
    if words(page) != words(english):
        must_see(words(page) != words(foreign), "a page in English", page, f"It is in {other}, as the browser prefers.")


@requirement("HPP-LNG-03")
def test_checkout_language_wins_over_the_browser_while_the_page_shows_a_qr(pages: HostedPages) -> None:
    def shown(asked: str, preferred: str) -> frozenset[str]:
        with preferring(pages, preferred):
            visit = where_qr_is(pages, qr_session(pages).with_("checkout_language", asked))
        if visit.page is None or not has_picture(visit.page):
            not_applicable(f"the page shows no QR, and its other pages are looked at as well: {visit.summary}")
        seen.append(visit.page)
        return words(visit.page)

    seen: list[Page] = []
    with where_it_comes_about("the page of a QR in two languages"):
        must_offer(pages.profile, ("capability:instant_qr",), "checkout")
        first, second = two_languages(pages)
        wanted, other, received = shown(first, first), shown(second, second), shown(first, second)
        if wanted <= other or other <= wanted:
            inconclusive(
                f"the page of a QR reads alike in {first} and {second}", decides="a page that speaks both languages"
            )

    is_of_the_other = received & (other - wanted) and not received & (wanted - other)
    must_see(not is_of_the_other, f"a page in the language {first}", seen[-1], f"It is in {second}.")


def open_in_two_languages(run: Run) -> tuple[OpenedPage, ...]:
    """Open three pages that expire soon, two of them in a first language, the last in a second one."""
    pages = pages_of_another(run)
    first, second = two_languages(pages)
    sessions = (pages.session(checkout_language=code, session_expiry=EXPIRY_MINUTES) for code in (first, first, second))
    return tuple(opened_page(run, pages, session.without("expiry_url"), pages.asks_for_card) for session in sessions)


@requirement("HPP-LNG-03")
@deferred(after=60 * (EXPIRY_MINUTES + 1), start=open_in_two_languages)
def test_checkout_language_wins_over_the_browser_where_the_session_has_expired(ready: tuple[OpenedPage, ...]) -> None:
    pages = ready[0].pages

    def shown(opened: OpenedPage, preferred: str) -> Page:
        with preferring(pages, preferred):
            visit = opened.again()
        if visit.page is None or opened.asks_for_card(visit):
            not_applicable(f"no page says that the session has expired: {visit.summary}")
        return visit.page

    with where_it_comes_about("the page of an expired session in two languages"):
        first, second = two_languages(pages)
        received, followed, other = shown(ready[0], second), shown(ready[1], first), shown(ready[2], second)
        if words(followed) == words(other):
            not_applicable(f"the page of an expired session reads alike in {first} and {second}")

    is_of_the_other = words(received) == words(other) != words(followed)
    must_see(not is_of_the_other, f"a page in the language {first}", received, f"It is in {second}.")


@requirement("HPP-LNG-04")
@pytest.mark.parametrize("spelled", [str.upper, str.capitalize], ids=["upper case", "a capital"])
def test_language_of_the_billing_address_is_followed_whatever_its_case(
    pages: HostedPages, spelled: Callable[[str], str]
) -> None:
    def shown(billing: str) -> Page:
        session = pages.session().without("checkout_language").with_("billing_address.language", billing)
        with preferring(pages, second):
            return pages.shown(session)

    first, second = two_languages(pages)
    followed, other = shown(first), shown(second)
    if words(followed) == words(other) and spoken(pages):
        not_applicable("the page does not follow the language of the billing address, which the contract leaves open")
    _must_be_first(shown(spelled(first)), followed, other, pages)


def of_the_card(pages: HostedPages, code: str) -> frozenset[str]:
    """Return what a payer reads in a language up to where the card is asked for: the method may have a page before."""
    first = pages.shown(pages.session(checkout_language=code))
    asking = pages.going_on(Visit(first), pages.asks_for_card).page or first
    return words(first) | words(asking)


def _english(pages: HostedPages) -> frozenset[str]:
    def shown() -> Entered:
        session = pages.session(checkout_language="en")
        return Entered(session, (Visit(pages.shown(session)),), pages.payer)

    return frozenset(text for page in pages.kept("in English", shown).pages for text in words(page))


def _others(code: str) -> set[str]:
    return {tag for other, tags in TAGS.items() if other != code for tag in tags} - set(TAGS[code])


def _must_be_first(page: Page, first: Page, second: Page, pages: HostedPages) -> None:
    """A page is like the one for which all agree on the first of two languages, and unlike that for the second."""
    wanted, other = two_languages(pages)
    if words(first) == words(second):
        inconclusive(
            f"the page looks the same in the languages {wanted} and {other}",
            decides="a page that speaks the language asked for, or languages in [test_data] of the profile",
        )
    if words(page) == words(first):
        return
    expected = f"a page in the language {wanted}"
    said = re.split(r"[-_]", page.language)[0]
    is_of_the_other = words(page) == words(second) or said in TAGS.get(other, (other,))
    must_see(not is_of_the_other, expected, page, f"It is in the language {other}.")
    if not said:
        inconclusive(
            f"the page says in no lang which language it is in, and reads like none of those in {wanted} and {other}",
            decides="a page whose html element has lang",
        )
    must_see(said in TAGS.get(wanted, (wanted,)), expected, page, "It is in another language.")
