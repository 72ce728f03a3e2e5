"""Faults of the hosted page that show in a rare place: on a later screen, for another country, in other letters."""

import html
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.design import Change, Design, all_of
from emulator.faults.hosted_page.fields import asking
from emulator.faults.model import breaks, faults
from emulator.protocols.hosted_page.forms.fields import FIELDS
from emulator.protocols.hosted_page.forms.rules import PageContext, PageRule
from emulator.protocols.hosted_page.languages import Wishes, choose
from emulator.protocols.hosted_page.returns import End, return_address
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.visits import Visit

_CARD: Final = ("card_number", "expiry")


def _rule(field: str, check: Callable[[str, PageContext], bool], message: str) -> Change:
    rule = PageRule(field, check, message)
    return lambda design: design.in_page(rules=(*design.page.rules, rule))


def _stepped(steps: Callable[[tuple[str, ...]], tuple[tuple[str, ...], ...]]) -> Change:
    return lambda design: design.in_page(markup=replace(design.page.markup, steps=steps))


def _card_last(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    others = tuple(name for name in names if name not in _CARD)
    card = tuple(name for name in names if name in _CARD)
    return tuple(step for step in (others, card) if step) or ((),)


def _email_last(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    others = tuple(name for name in names if name != "email")
    return (others, ("email",)) if "email" in names else (others,)


def _stored_card_asked_later(names: tuple[str, ...], session: PageSession) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*names, *_CARD))) if session.tokens else names


def _email_always(names: tuple[str, ...], _session: PageSession) -> tuple[str, ...]:
    is_of_card = any(FIELDS[name].section == "card" for name in names)
    return tuple(dict.fromkeys((*names, "email"))) if is_of_card else names


def _open_when_paid(design: Design) -> Design:
    def admits(visit: Visit, *, closed: bool) -> End | None:
        return None if visit.ended == "paid" else design.page.admits(visit, closed=closed)

    return design.in_page(admits=admits, first_method=lambda offered: offered[0] if len(offered) == 1 else "")


def _escaped_twice(design: Design) -> Design:
    shown = design.page.facts
    return design.in_page(
        facts=lambda session: {**shown(session), "description": html.escape(shown(session)["description"])}
    )


def _first_language_kept(design: Design) -> Design:
    known: list[str] = []

    def language(wishes: Wishes) -> str:
        known.append(choose(wishes))
        return known[0]

    return design.in_page(language=language)


def _returning(change: Callable[[str], str]) -> Change:
    return lambda design: design.in_page(return_address=lambda url, received: return_address(change(url), received))


FAULTS: Final = faults(
    {
        "page-stored-card-asked-later": breaks(
            "HPP-TOK-01",
            "After the security code of a stored card its number is asked for on a page of its own.",
            all_of(asking(_stored_card_asked_later), _stepped(_card_last)),
        ),
        "page-given-data-asked-later": breaks(
            "HPP-ASK-03",
            "After the card the e-mail address is asked for that the request gave.",
            all_of(asking(_email_always), _stepped(_email_last)),
        ),
        "page-paid-link-offers-methods": breaks(
            "HPP-OUT-09 CHK-LIF-04", "The link of a paid session offers the methods again.", _open_when_paid
        ),
        "page-description-escaped-twice": breaks(
            "HPP-ASK-15", "The description shows its own escape sequences.", _escaped_twice
        ),
        "page-language-of-the-first": breaks(
            "HPP-LNG-01", "Every page is in the language of the first one.", _first_language_kept
        ),
        "page-name-counted-in-bytes": breaks(
            "HPP-NAM-01",
            "A name with diacritics may have fewer characters.",
            _rule("cardholder", lambda value, _context: len(value.encode()) <= 32, "invalid_name"),
        ),
        "page-name-of-three-words-refused": breaks(
            "HPP-NAM-01",
            "A name has two words and no more.",
            _rule("cardholder", lambda value, _context: len(value.split()) <= 2, "invalid_name"),
        ),
        "page-phone-digits-only": breaks(
            "HPP-ADR-14",
            "A phone number with other signs than digits is refused.",
            _rule("phone", lambda value, _context: value.isdigit(), "invalid"),
        ),
        "return-empty-value-dropped": breaks(
            "CHK-URL-02",
            "Parameters of the merchant without a value are lost.",
            _returning(lambda url: re.sub(r"&[^&=#]+=(?=&|#|$)", "", url)),
        ),
        "return-query-encoded-twice": breaks(
            "CHK-URL-02",
            "What is encoded in the merchant's query is encoded again.",
            _returning(lambda url: url.replace("%", "%25")),
        ),
    }
)
