"""Variations of the ways from the hosted page to the merchant: what else leads there, and what is asked on the way."""

from dataclasses import replace
from typing import Final
from urllib.parse import parse_qsl, urlencode

from emulator.design import Design
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.variations.model import Variation


def _reviewed(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Deal the fields to one page, and nothing to the page after it on which a card is confirmed."""
    return (names, ()) if "card_number" in names else (names,)


def _linked_to_the_shop(design: Design) -> Design:
    markup = replace(
        design.page.markup,
        returning="return_with_logo.html",
        challenge="challenge_with_link_to_shop.html",
        template="declined_with_logo.html",
    )
    return design.in_page(by_link=lambda _session, _fetch_destination: True, markup=markup)


def _reviewed_or_left(design: Design) -> Design:
    template = "reviewed_with_link_to_shop.html"
    return design.in_page(markup=replace(design.page.markup, template=template, steps=_reviewed))


_LEADING: Final = """
for (const page of document.querySelectorAll("[data-onward]")) location.replace(page.dataset.onward);
"""


def _led_by_a_script(design: Design) -> Design:
    markup = replace(design.page.markup, returning="return_by_script.html", script=lambda text: text + _LEADING)
    return design.in_page(by_link=lambda _session, _fetch_destination: True, markup=markup)


_LEADING_LATER: Final = """
for (const page of document.querySelectorAll("[data-onward]"))
  setTimeout(() => location.replace(page.dataset.onward), 1000);
"""


def _led_later(design: Design) -> Design:
    markup = replace(design.page.markup, returning="return_by_script.html", script=lambda text: text + _LEADING_LATER)
    return design.in_page(by_link=lambda _session, _fetch_destination: True, markup=markup)


def _giving_way(design: Design) -> Design:
    append = design.page.return_address

    def returning(address: str, parameters: Parameters) -> str:
        rest, mark, fragment = address.partition("#")
        base, _, query = rest.partition("?")
        pairs = parse_qsl(query, keep_blank_values=True)
        kept = [pair for pair in pairs if pair[0] not in parameters]
        if kept != pairs:
            rest = f"{base}?{urlencode(kept)}" if kept else base
        return append(rest + mark + fragment, parameters)

    return design.in_page(return_address=returning)


VARIATIONS: Final = (
    Variation(
        "return-parameters-of-the-shop-give-way",
        "A parameter of the merchant's address that is called like one which is appended is replaced by it.",
        _giving_way,
    ),
    Variation(
        "page-returns-a-second-later",
        "A page says how the payment ended, and its script leads to the merchant a second later.",
        _led_later,
    ),
    Variation(
        "page-returns-by-script", "The payer returns by a page whose script leads to the merchant.", _led_by_a_script
    ),
    Variation(
        "page-asks-before-it-is-left",
        "Who leaves is asked whether that is meant, and returns after a yes.",
        lambda design: design.in_page(markup=replace(design.page.markup, sure="sure_to_leave.html")),
    ),
    Variation(
        "page-links-to-the-shop",
        "The merchant's logo stands beside the way back and the way to another try, and a challenge can be given up.",
        _linked_to_the_shop,
    ),
    Variation(
        "page-with-a-step-before",
        "Above the form a link Back leads to the step before, which asks who the payer is; Cancel stands below.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="step_before.html")),
    ),
    Variation(
        "page-left-with-cancel-url-only",
        "Where the session names no cancel_url the page has nothing by which it is left.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="left_with_cancel_url_only.html")),
    ),
    Variation(
        "page-reviewed-or-left-by-a-link",
        "Between the card and the issuer the payer confirms what was entered, or gives up by a link to cancel_url.",
        _reviewed_or_left,
    ),
)
