"""Faults of the hosted page by another author that the suite did not notice at first (set I)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.protocols.hosted_page.forms.offered_fields import Values, country_of
from emulator.protocols.hosted_page.forms.rules import Check, PageContext, PageRule, given
from emulator.protocols.hosted_page.languages import LANGUAGES, Wishes, choose
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession

_WITHOUT_ZIP: Final = frozenset({"AE", "AO", "BS", "BZ", "HK", "QA"})
_OF_ONE_CITY: Final = frozenset({"HK", "MC", "SG", "VA"})


def _not_asked_in(field: str, countries: frozenset[str]) -> Change:
    """A field is neither asked for nor required once the payer chose one of ``countries``."""

    def change(design: Design) -> Design:
        inner = design.page.asked

        def asked(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
            names = inner(session, method, values)
            left_out = {field} if country_of(session, values) in countries else set()
            return tuple(name for name in names if name not in left_out)

        return design.in_page(asked=asked)

    return change


def _unchecked_in(field: str, countries: frozenset[str]) -> Change:
    """What is typed into a field is not looked at in some countries, if only there is something."""

    def unless(check: Check) -> Check:
        def unchecked(value: str, context: PageContext) -> bool:
            return context.country in countries or check(value, context)

        return unchecked

    def changed(rule: PageRule) -> PageRule:
        is_meant = rule.field == field and rule.check is not given
        return replace(rule, check=unless(rule.check)) if is_meant else rule

    return lambda design: design.in_page(rules=tuple(map(changed, design.page.rules)))


def _also(field: str, check: Check, message: str) -> Change:
    return lambda design: design.in_page(rules=(*design.page.rules, PageRule(field, check, message)))


def _ten_signs_in_britain(value: str, context: PageContext) -> bool:
    return context.country != "GB" or len(value) <= 10


def _state_in_brazil_too(design: Design) -> Design:
    inner = design.page.asked

    def asked(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
        names = inner(session, method, values)
        return (*names, "state") if country_of(session, values) == "BR" and "state" not in names else names

    return _also("state", given, "required")(design.in_page(asked=asked))


def _billing_language_as_spelled(wishes: Wishes) -> str:
    is_known = wishes.billing_language in LANGUAGES
    return choose(wishes if is_known else replace(wishes, billing_language=""))


def _sent_late(way: Callable[[str, PageSession], str]) -> Change:
    """Who sends the form after the session expired goes where ``way`` says, of the address and the session."""

    def change(design: Design) -> Design:
        inner = design.page.destination

        def destination(session: PageSession, end: End) -> str:
            address = inner(session, end)
            return way(address, session) if end == "expired" and session.is_posted else address

        return design.in_page(destination=destination)

    return change


def _breaks_without(address: str, _session: PageSession) -> str:
    if not address:
        raise LookupError("expiry_url")
    return address


_LEFT_OUT: Final[Mapping[str, tuple[str, frozenset[str], str]]] = {
    "city": ("HPP-ADR-07", _OF_ONE_CITY, "states of one city"),
    "address": ("HPP-ADR-09", frozenset({"AE"}), "the Emirates, where people have a P.O. box"),
    "zip": ("HPP-ADR-11", _WITHOUT_ZIP, "countries without postal codes"),
    "phone": ("HPP-ADR-13", frozenset({"HK"}), "Hong Kong"),
}

FAULTS: Final = faults(
    {
        **{
            f"page-{field}-left-out-in-some-countries": breaks(
                requirement, f"The page takes no {field} in {where} (line 126).", _not_asked_in(field, countries)
            )
            for field, (requirement, countries, where) in _LEFT_OUT.items()
        },
        "page-zip-of-any-length-in-britain": breaks(
            "HPP-ADR-12", "A British zip code may have any length.", _unchecked_in("zip", frozenset({"GB"}))
        ),
        "page-zip-of-ten-in-britain": breaks(
            "HPP-ADR-12", "A British zip code has 10 signs at most.", _also("zip", _ten_signs_in_britain, "invalid")
        ),
        "page-phone-of-any-length-in-britain": breaks(
            "HPP-ADR-14", "A British phone number may have any length.", _unchecked_in("phone", frozenset({"GB"}))
        ),
        "page-state-insisted-on-in-brazil": breaks(
            "HPP-ADR-05",
            "The page insists on a state in Brazil as well as where it lists them.",
            _state_in_brazil_too,
            since="6.7.0",
        ),
        "page-billing-language-in-lower-case-only": breaks(
            "HPP-LNG-04",
            "The language of the billing address is known in lower case only (line 114).",
            lambda design: design.in_page(language=_billing_language_as_spelled),
        ),
        "page-form-sent-late-is-cancelled": breaks(
            "CHK-URL-13",
            "Who sends the form of an expired session is sent to cancel_url; who reloads it, to expiry_url (line 44).",
            _sent_late(lambda _address, session: session.given("cancel_url")),
        ),
        "page-form-sent-late-breaks": breaks(
            "CHK-URL-18", "Without expiry_url a form that is sent late is a server error.", _sent_late(_breaks_without)
        ),
    }
)
