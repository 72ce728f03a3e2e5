"""The payer's address on the hosted page, for an account that needs one."""

from __future__ import annotations

import pytest

from fixtures.judging.verdicts import Inconclusive, inconclusive, not_applicable, note_reading
from fixtures.payer import Page
from fixtures.payer.fields import field_of, options_of
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.must import must_refuse_entry, must_see, must_take
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.requirement import requirement
from fixtures.wire.requests import JsonRequest

COUNTRIES_WITH_STATES = ("US", "CA", "AU", "JP", "IN")
ONE_STATE = {"US": "CA", "CA": "ON", "AU": "WA", "JP": "13", "IN": "KA"}
"""A state of a country by its code of two signs in ISO 3166-2."""
BY_CUSTOM = ("US", "CA")
"""The countries whose two letters nobody writes otherwise."""
NO_STATE, NO_STATE_IN_LETTERS = "Q9", "ZZ"
OF_ANOTHER_COUNTRY = {"US": "KA", "CA": "KA", "AU": "TX", "JP": "TX", "IN": "TX"}
"""Karnataka in India and Texas; no state of the country has these letters."""
LONGEST = {"city": "B" * 32, "address": "Main street " + "1" * 20, "zip": "1" * 32, "phone": "4" * 32}
"""Values of 32 characters; a further one makes them too long."""
LETTERS = "Köln" * 8
"""32 characters in 40 bytes."""
REQUIRED_IN = {"city": ("HK", "SG"), "address": ("AE",), "zip": ("AE", "HK"), "phone": ("HK",)}
"""Countries of one city or without postal codes: line 126 leaves none of them out."""
LIMITED_IN = {"zip": "GB", "phone": "GB"}
"""What countries have formats of their own for, and one whose format is well known."""
ELSEWHERE, FREE_STATE = "DE", "Bavaria"
"""A country that has no list of states, and a state there."""
STATE_OF = {"BR": "SP", "MX": "JAL"}
"""A state of a country for which the page has no list, though others have one."""


def fields(*requirements: str) -> pytest.MarkDecorator:
    """Make a check of each of the four fields, or of the first of them, which claims the requirement of that field."""
    rows = zip(LONGEST, requirements, strict=False)
    return pytest.mark.parametrize("what", [pytest.param(what, marks=requirement(claimed)) for what, claimed in rows])


@requirement("HPP-ADR-01")
def test_country_is_required(pages: HostedPages) -> None:
    must_refuse_entry(pages.changed("address", country=""))


@requirement("HPP-ADR-02")
@pytest.mark.parametrize("country", ["DEU", "D", "12"])
def test_country_that_is_no_code_of_two_letters_is_refused(pages: HostedPages, country: str) -> None:
    must_refuse_entry(pages.changed("address", country=country))


@fields("HPP-ADR-07", "HPP-ADR-09", "HPP-ADR-11", "HPP-ADR-13")
def test_address_field_is_required(pages: HostedPages, what: str) -> None:
    must_refuse_entry(pages.changed("address", **{what: ""}))


@fields("HPP-ADR-08", "HPP-ADR-10", "HPP-ADR-12", "HPP-ADR-14")
def test_address_field_of_32_characters_is_taken(pages: HostedPages, what: str) -> None:
    must_take(pages.changed("address", **{what: LONGEST[what]}))


@fields("HPP-ADR-08", "HPP-ADR-10")
def test_letters_of_an_address_are_counted_and_not_their_bytes(pages: HostedPages, what: str) -> None:
    short = pages.changed("address", **{what: LETTERS[:4]})
    if short.is_refused:
        not_applicable(f"the page takes no {what} in these letters, and the contract names none: {short.story}")

    must_take(pages.changed("address", **{what: LETTERS}))


@requirement("HPP-ADR-14")
def test_phone_number_with_signs_is_taken(pages: HostedPages) -> None:
    must_take(pages.changed("address", phone="+49(30)5550-1234"))


@fields("HPP-ADR-08", "HPP-ADR-10", "HPP-ADR-12", "HPP-ADR-14")
def test_address_field_of_33_characters_is_refused(pages: HostedPages, what: str) -> None:
    must_refuse_entry(pages.changed("address", **{what: f"{LONGEST[what]}1"}))


CLAIMS = {"city": ("07", "08"), "address": ("09", "10"), "zip": ("11", "12"), "phone": ("13", "14")}
"""Of each field, the requirement that it is asked for and the one of its length."""


@pytest.mark.parametrize(
    ("what", "country"),
    [
        pytest.param(what, country, marks=requirement(f"HPP-ADR-{CLAIMS[what][0]}"))
        for what, countries in REQUIRED_IN.items()
        for country in countries
    ],
)
def test_address_field_is_required_whatever_the_country(pages: HostedPages, what: str, country: str) -> None:
    must_be_known(pages, country)
    entered = pages.changed("address", country=country, **{what: ""})
    if not is_refused(entered):
        must_be_asked_for_still(pages, what, country)

    must_refuse_entry(entered)


IN_ANOTHER_COUNTRY = pytest.mark.parametrize(
    ("what", "country"),
    [
        pytest.param(what, country, marks=requirement(f"HPP-ADR-{CLAIMS[what][1]}"))
        for what, country in LIMITED_IN.items()
    ],
)


@IN_ANOTHER_COUNTRY
def test_address_field_of_32_characters_is_taken_in_another_country(
    pages: HostedPages, what: str, country: str
) -> None:
    must_be_known(pages, country)

    must_take(pages.changed("address", country=country, **{what: LONGEST[what]}))


@IN_ANOTHER_COUNTRY
def test_address_field_of_33_characters_is_refused_in_another_country(
    pages: HostedPages, what: str, country: str
) -> None:
    must_be_known(pages, country)

    must_refuse_entry(pages.changed("address", country=country, **{what: f"{LONGEST[what]}1"}))


@requirement("HPP-ADR-03")
@pytest.mark.parametrize("country", COUNTRIES_WITH_STATES)
def test_states_are_listed(pages: HostedPages, country: str) -> None:
    page, options = states_of(pages, country)
    if len(options) <= 1:
        must_be_offered(pages, page, country)

    must_see(len(options) > 1, f"a list of the states of {country}", page, "No list of states is offered.")


@requirement("HPP-ADR-04")
@pytest.mark.parametrize("country", COUNTRIES_WITH_STATES)
@pytest.mark.parametrize("outside", ["of-none", "of-none-in-letters", "of-another-country"])
def test_state_outside_the_list_of_its_country_is_refused(pages: HostedPages, country: str, outside: str) -> None:
    state = ONE_STATE[country]
    taken = pages.kept(f"{state} in {country}", lambda: pages.changed("address", country=country, state=state))
    if taken.is_refused and country not in BY_CUSTOM:
        not_applicable(f"the page does not take {state!r} for a state of {country}, and line 106 shows no code of one")
    if taken.is_refused:
        inconclusive(
            f"the page does not take the state {state} of {country}: {taken.story}",
            decides="a page that takes the postal codes of states",
        )
    others = {"of-none": NO_STATE, "of-none-in-letters": NO_STATE_IN_LETTERS}

    must_refuse_entry(pages.changed("address", country=country, state=others.get(outside, OF_ANOTHER_COUNTRY[country])))


@requirement("HPP-ADR-05")
def test_no_state_is_collected_elsewhere(pages: HostedPages) -> None:
    country, without, given = elsewhere(pages)

    must_take(without)
    must_take(given)
    page, _ = states_of(pages, country)
    is_free = pages.payer.asks(page, "state") and pages.payer.reads_scripts
    note_reading("HPP-ADR-05", "free" if is_free else "hidden")


@requirement("HPP-ADR-05")
@pytest.mark.parametrize("country", STATE_OF)
def test_no_state_is_insisted_on_in_a_country_without_a_list(pages: HostedPages, country: str) -> None:
    without = pages.changed("address", country=country)
    if is_refused(without):
        given = pages.changed("address", country=country, state=STATE_OF[country])
        if is_refused(given):
            not_applicable(f"the page takes no address in {country}, which the contract does not name: {given.story}")

    must_take(without)


@requirement("HPP-ADR-06")
def test_state_elsewhere_is_a_free_text(pages: HostedPages) -> None:
    country, _, _ = elsewhere(pages)

    must_take(pages.changed("address", country=country, state=FREE_STATE))


def is_refused(entered: Entered) -> bool:
    """Return whether the page does not take an entry, or does not even let the payer type it."""
    return entered.was_not_let or entered.is_refused


def must_be_known(pages: HostedPages, country: str) -> None:
    """End the check where the page takes no address in a country at all; the contract does not say which ones it knows.

    With what the profile says of the payer: nothing but the country is another.
    """
    taken = pages.kept(f"an address in {country}", lambda: pages.changed("address", country=country))
    if is_refused(taken):
        not_applicable(f"the page takes no address in {country}, which the contract does not name: {taken.story}")


def elsewhere(pages: HostedPages) -> tuple[str, Entered, Entered]:
    """Return a country without a list of states, and what came of an address there: without a state and with one.

    The contract does not say which countries a page knows: that of the payer in the profile may be the only one. The
    check ends where the page takes no address in any, whether or not it gives a state.
    """
    there, session = pages.kind("address")
    others = [name for name in (ELSEWHERE, there.entry()["country"]) if name not in COUNTRIES_WITH_STATES]
    for country in dict.fromkeys(others):
        entry = {**there.entry(), "country": country}
        without = there.enter(there.again(session), entry, ("country",))
        given = there.enter(there.again(session), {**entry, "state": FREE_STATE}, ("country", "state"))
        if not (is_refused(without) and is_refused(given)):
            return country, without, given
    pages.proven("address")
    raise Inconclusive(
        f"the page takes no address in {' or '.join(others)}: {without.story}",
        "country in [test_data.payer] of the profile: one that the page takes, and that has no list of states",
    )


def must_be_offered(pages: HostedPages, page: Page, country: str) -> None:
    """End the check where a list of countries leaves one out, or the states may be in a list that a script makes."""
    offered = options_of(page, "country", pages.payer.selectors)
    if offered and country not in offered:
        not_applicable(f"the page offers no address in {country}, and the contract does not say which ones it knows")
    state = next(filter(None, (field_of(page, form, "state", pages.payer.selectors) for form in page.forms)), None)
    if state is not None and (state.attributes.get("role") == "combobox" or "aria-haspopup" in state.attributes):
        inconclusive(
            f"a script may show the states of {country} once the field is used, in a list that the field does not name",
            decides="a page whose field for the state is a select, or names its list",
        )


def must_be_asked_for_still(pages: HostedPages, what: str, country: str) -> None:
    """End the check where a script takes a field away once the country is chosen: nobody can leave it empty then."""
    there, session = pages.kind("address")
    page = there.shown(session)
    if page.has_scripts and not there.payer.reads_scripts:
        there = there.with_scripts()
        page = there.shown(there.again(session))
    if there.payer.asks(page, what) and not there.payer.asks(there.payer.typed(page, {"country": country}), what):
        not_applicable(f"the page asks for no {what} once {country} is chosen, and line 126 is of what it asks for")


def listed_later(there: HostedPages, session: JsonRequest, country: str) -> tuple[Page | None, tuple[str, ...]]:
    """Return a page that asks for the state, if any, and the states that one lists once it knows the country.

    That may be the same page when it comes again, or one of the next. A form that a browser does not send with a field
    left empty, or that comes again until it is complete, is filled in.
    """
    complete = {**there.entry(), "country": country, "state": ONE_STATE.get(country, "")}
    asked: Page | None = None
    for entry in ({**complete, "state": "", "city": ""}, complete):
        entered = there.enter(there.again(session), entry)
        asked = asked or next((page for page in entered.pages if there.payer.asks(page, "state")), None)
        for page in entered.pages:
            if options := options_of(page, "state", there.payer.selectors):
                return page, options
    return asked, ()


def states_of(pages: HostedPages, country: str) -> tuple[Page, tuple[str, ...]]:
    """Return the page once a country is chosen, and the states that it offers then."""
    there, session = pages.kind("address")
    page = there.payer.typed(there.shown(session), {"country": country})
    options = options_of(page, "state", there.payer.selectors)
    if options:
        return page, options
    asked, options = listed_later(there, session, country)
    if options or there.payer.reads_scripts or not page.has_scripts:
        return asked or page, options
    seeing = there.with_scripts()
    page = seeing.payer.typed(seeing.shown(there.again(session)), {"country": country})
    if not seeing.payer.asks(page, "country"):
        inconclusive(
            "the page that a script draws asks for no country, so that it is not the one with the address",
            decides='by = "browser" in [payer] of the profile, and method and next in [payer.selectors] where the '
            "address comes later",
        )
    return page, options_of(page, "state", seeing.payer.selectors)
