"""The name on the card, which the page asks for when the request gave none."""

from __future__ import annotations

import pytest

from fixtures.payer import Visit
from fixtures.payer.fields import unknown_fields
from fixtures.protocols.hosted_page.after_the_card import asked_with_card
from fixtures.protocols.hosted_page.entered import Entered, not_asked
from fixtures.protocols.hosted_page.must import must_refuse_entry, must_see, must_take, must_validate_names
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.requirement import requirement

LONGEST = "Ada " + "B" * 28
"""32 characters in two words."""


@requirement("HPP-NAM-04")
def test_cardholder_is_asked_when_the_request_gave_no_name(pages: HostedPages) -> None:
    _, session = pages.kind("cardholder")
    page = pages.seen(session, lambda page: pages.payer.asks(page, "name"))
    if not pages.payer.asks(page, "name") and unknown_fields(page, pages.payer.selectors):
        not_asked("name", Entered(session, (Visit(page),), pages.payer))
    if not pages.payer.asks(page, "name") and asked_with_card(pages, session, "name"):
        return

    must_see(pages.payer.asks(page, "name"), "a page that asks for the cardholder", page, "Nothing takes the name.")


@requirement("HPP-NAM-01")
@pytest.mark.parametrize(
    "name", [LONGEST, f"Ada King {'B' * 23}", f"José Müller{'é' * 21}"], ids=["two words", "three words", "diacritics"]
)
def test_name_of_32_characters_is_taken(pages: HostedPages, name: str) -> None:
    must_take(pages.changed("cardholder", name=name))


@requirement("HPP-NAM-01")
def test_name_of_33_characters_is_refused(pages: HostedPages) -> None:
    must_validate_names(pages.profile)
    must_refuse_entry(pages.changed("cardholder", name=f"{LONGEST}B"))


@requirement("HPP-NAM-02")
def test_name_of_one_word_is_refused(pages: HostedPages) -> None:
    must_validate_names(pages.profile)
    must_refuse_entry(pages.changed("cardholder", name="Lovelace"))


@requirement("HPP-NAM-03")
@pytest.mark.parametrize(
    "name",
    ["Ada King-Noel", "Ada O'Neill", "José Müller"],
    ids=["hyphen", "apostrophe", "diacritics"],
)
def test_name_with_a_mark_is_taken(pages: HostedPages, name: str) -> None:
    must_take(pages.changed("cardholder", name=name))
