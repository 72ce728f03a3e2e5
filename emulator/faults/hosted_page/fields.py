"""Faults of the hosted page's fields: rules that ask too little or too much, and fields that are not asked for."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.design import Change, Design, all_of
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.hosted_page.forms.country_names import STATES
from emulator.protocols.hosted_page.forms.offered_fields import Values, asked
from emulator.protocols.hosted_page.forms.rules import (
    EXPIRY,
    Check,
    PageContext,
    PageRule,
    digits,
    expiry_of,
    free_state,
    given,
    known_country,
    length,
    luhn,
    month_and_year,
    name_signs,
    not_expired,
    state_of_country,
    two_letters,
    two_words,
)
from emulator.protocols.hosted_page.session import PageSession

Asked = Callable[[PageSession, str, Values], tuple[str, ...]]
_WELL_KNOWN: Final = "01-38"


def _rules(change: Callable[[PageRule], PageRule | None]) -> Change:
    def changed(design: Design) -> Design:
        rules = (change(rule) for rule in design.page.rules)
        return design.in_page(rules=tuple(rule for rule in rules if rule is not None))

    return changed


def _without(field: str, *checks: Check) -> Change:
    return _rules(lambda rule: None if rule.field == field and rule.check in checks else rule)


def _without_length(field: str) -> Change:
    return _with_requirement(field, lambda _rule: None)


def _with_length(field: str, least: int, most: int) -> Change:
    return _with_requirement(field, lambda rule: replace(rule, check=length(least, most)))


def _with_requirement(field: str, change: Callable[[PageRule], PageRule | None]) -> Change:
    simple = {given, digits, luhn, month_and_year, not_expired, two_letters, known_country, two_words, name_signs}
    return _rules(lambda rule: change(rule) if rule.field == field and rule.check not in simple else rule)


def _instead(field: str, check: Check, other: Check) -> Change:
    return _rules(lambda rule: replace(rule, check=other) if rule.field == field and rule.check is check else rule)


def _extra(field: str, check: Check, message: str) -> Change:
    rule = PageRule(field, check, message)
    return lambda design: design.in_page(rules=(*design.page.rules, rule))


def asking(change: Callable[[tuple[str, ...], PageSession], tuple[str, ...]]) -> Change:
    """The page asks for what ``change`` makes of the fields that it should ask for."""

    def changed(design: Design) -> Design:
        before = design.page.asked

        def asks(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
            return change(before(session, method, values), session)

        return design.in_page(asked=asks)

    return changed


def not_asking(*fields: str) -> Change:
    """The page does not ask for ``fields``."""
    return asking(lambda names, _session: tuple(name for name in names if name not in fields))


def _reading(change: Callable[[dict[str, str]], dict[str, str]]) -> Change:
    return lambda design: design.in_page(reads=lambda _session, values: change(dict(values)))


def _any_expiry(values: dict[str, str]) -> dict[str, str]:
    expiry = values.get("expiry", "")
    return values if not expiry or EXPIRY.fullmatch(expiry) else values | {"expiry": _WELL_KNOWN}


def _month_13(values: dict[str, str]) -> dict[str, str]:
    return values | {"expiry": _WELL_KNOWN} if values.get("expiry", "").startswith("13") else values


def _expires_in(months: int) -> Check:
    def check(value: str, context: PageContext) -> bool:
        year, month = divmod(context.today.year * 12 + context.today.month - 1 + months, 12)
        return not_expired(value, replace(context, today=context.today.replace(year, month + 1, 1)))

    return check


def _four_digit_years(values: dict[str, str]) -> dict[str, str]:
    expiry = values.get("expiry", "")
    return values | {"expiry": f"{expiry[:2]}-{expiry[5:]}" if len(expiry) == len("mm-yyyy") else ""}


def _another_month(value: str, context: PageContext) -> bool:
    return not month_and_year(value, context) or expiry_of(value) != (context.today.month, context.today.year)


def _ascii_letters(value: str, _context: PageContext) -> bool:
    return value.isascii()


def _no(signs: str) -> Check:
    return lambda value, _context: not set(value) & set(signs)


def _ignoring_request(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    left_out = {"customer", "billing_address"}
    request = {name: value for name, value in session.request.items() if name not in left_out}
    return asked(replace(session, request=request), method, values)


def _state_everywhere(names: tuple[str, ...], _session: PageSession) -> tuple[str, ...]:
    if "city" not in names or "state" in names:
        return names
    place = names.index("city")
    return (*names[:place], "state", *names[place:])


_ADDRESS: Final = {"city": (7, 8), "address": (9, 10), "zip": (11, 12), "phone": (13, 14)}


def _address_faults() -> tuple[Fault, ...]:
    found: list[Fault] = []
    for field, (required, longest) in _ADDRESS.items():
        requirement, limit = f"HPP-ADR-{required:02}", f"HPP-ADR-{longest:02}"
        found += (
            Fault(f"page-{field}-optional", (requirement,), f"The page takes no {field}.", _without(field, given)),
            Fault(f"page-{field}-33", (limit,), f"The page takes a {field} of any length.", _without_length(field)),
            Fault(f"page-{field}-31", (limit,), f"The page refuses a {field} of 32.", _with_length(field, 0, 31)),
        )
    return tuple(found)


FAULTS: Final = (
    *faults(
        {
            "page-card-14-refused": breaks(
                "HPP-CRD-02", "Cards of 14 digits are refused.", _with_length("card_number", 15, 19)
            ),
            "page-card-19-refused": breaks(
                "HPP-CRD-02", "Cards of 19 digits are refused.", _with_length("card_number", 14, 18)
            ),
            "page-card-13-accepted": breaks(
                "HPP-CRD-03", "Cards of 13 digits pass.", _with_length("card_number", 13, 19)
            ),
            "page-card-20-accepted": breaks(
                "HPP-CRD-03", "Cards of 20 digits pass.", _with_length("card_number", 14, 20)
            ),
            "page-card-luhn-unchecked": breaks(
                "HPP-CRD-04", "The check digit is not looked at.", _without("card_number", luhn)
            ),
            "page-card-letters-accepted": breaks(
                "HPP-CRD-05", "Letters pass in card numbers.", _without("card_number", digits)
            ),
            "page-card-optional": breaks(
                "HPP-CRD-06", "A payment needs no card number.", _without("card_number", given)
            ),
            "page-card-other-words": breaks(
                "HPP-CRD-03 HPP-CRD-04 HPP-CRD-05",
                "A wrong card number is called required.",
                _rules(lambda rule: replace(rule, message="required") if rule.field == "card_number" else rule),
            ),
            "page-expiry-four-digit-year": breaks(
                "HPP-EXP-01", "The expiry date is taken with four digits of the year only.", _reading(_four_digit_years)
            ),
            "page-expired-accepted": breaks("HPP-EXP-02", "Expired cards pass.", _without("expiry", not_expired)),
            "page-expired-last-month-accepted": breaks(
                "HPP-EXP-02",
                "Cards pass until a month after their expiry date.",
                _instead("expiry", not_expired, _expires_in(-1)),
            ),
            "page-expired-other-words": breaks(
                "HPP-EXP-02",
                "An expired card is called invalid.",
                _rules(lambda rule: replace(rule, message="invalid_card") if rule.check is not_expired else rule),
            ),
            "page-expires-next-month-refused": breaks(
                "HPP-EXP-03",
                "A card that expires next month is called expired.",
                _instead("expiry", not_expired, _expires_in(2)),
            ),
            "page-expires-this-month-refused": breaks(
                "HPP-EXP-04",
                "A card is called invalid in the month that it names.",
                _extra("expiry", _another_month, "invalid_card"),
            ),
            "page-expiry-any-text": breaks("HPP-EXP-05", "Any text passes as expiry date.", _reading(_any_expiry)),
            "page-expiry-month-13": breaks("HPP-EXP-05", "Month 13 passes.", _reading(_month_13)),
            "page-cvv-3-refused": breaks("HPP-CVV-01", "Codes of 3 are refused.", _with_length("cvv", 4, 4)),
            "page-cvv-4-refused": breaks("HPP-CVV-01", "Codes of 4 are refused.", _with_length("cvv", 1, 3)),
            "page-cvv-5-accepted": breaks("HPP-CVV-02", "Codes of 5 pass.", _without_length("cvv")),
            "page-cvv-other-words": breaks(
                "HPP-CVV-02",
                "A wrong security code is called an invalid card.",
                _rules(lambda rule: replace(rule, message="invalid_card") if rule.field == "cvv" else rule),
            ),
            "page-name-33-accepted": breaks("HPP-NAM-01", "Names of 33 pass.", _without_length("cardholder")),
            "page-name-32-refused": breaks("HPP-NAM-01", "Names of 32 are refused.", _with_length("cardholder", 0, 31)),
            "page-name-one-word": breaks("HPP-NAM-02", "Names of one word pass.", _without("cardholder", two_words)),
            "page-name-ascii-only": breaks(
                "HPP-NAM-03", "Diacritics are refused in names.", _extra("cardholder", _ascii_letters, "invalid_name")
            ),
            "page-name-no-hyphen": breaks(
                "HPP-NAM-03", "Hyphens are refused in names.", _extra("cardholder", _no("-"), "invalid")
            ),
            "page-name-no-apostrophe": breaks(
                "HPP-NAM-03", "Apostrophes are refused in names.", _extra("cardholder", _no("'\u2019"), "invalid")
            ),
            "page-name-not-asked": breaks(
                "HPP-NAM-04", "The page does not ask for the cardholder.", not_asking("cardholder")
            ),
            "page-country-optional": breaks("HPP-ADR-01", "The page takes no country.", _without("country", given)),
            "page-country-any-text": breaks(
                "HPP-ADR-02", "Any text passes as a country.", _without("country", two_letters, known_country)
            ),
            "page-country-three-letters": breaks(
                "HPP-ADR-02",
                "Three letters pass as a country.",
                _instead("country", two_letters, lambda value, _context: value.isalpha() and len(value) in {2, 3}),
            ),
            "page-state-not-offered": breaks("HPP-ADR-03", "The page never asks for a state.", not_asking("state")),
            "page-state-any": breaks(
                "HPP-ADR-04", "States outside the list pass.", _without("state", state_of_country, free_state)
            ),
            "page-state-any-two-letters-down-under": breaks(
                "HPP-ADR-04",
                "Any two capitals pass as a state of Australia, Japan and India.",
                _instead(
                    "state",
                    state_of_country,
                    lambda value, context: (
                        state_of_country(value, context)
                        or (context.country in {"AU", "JP", "IN"} and re.fullmatch("[A-Z]{2}", value) is not None)
                    ),
                ),
            ),
            "page-state-of-any-country": breaks(
                "HPP-ADR-04",
                "A state of any country that has a list passes.",
                _instead(
                    "state",
                    state_of_country,
                    lambda value, context: context.country not in STATES or value in set().union(*STATES.values()),
                ),
            ),
            "page-state-everywhere": breaks(
                "HPP-ADR-05",
                "The page insists on a state in every country.",
                all_of(asking(_state_everywhere), _extra("state", given, "required")),
                since="6.7.0",
            ),
            "page-state-listed-countries-only": breaks(
                "HPP-ADR-06",
                "No state is taken where the country has no list.",
                _rules(
                    lambda rule: (
                        replace(rule, check=lambda _value, _context: False) if rule.check is free_state else rule
                    )
                ),
                until="6.6.5",
            ),
            "page-customer-not-asked": breaks(
                "HPP-ASK-01", "Customer data that a method needs is not asked for.", not_asking("email", "birth_date")
            ),
            "page-address-not-asked": breaks(
                "HPP-ASK-02",
                "The page never asks for the billing address.",
                not_asking("country", "state", "city", "zip", "address", "phone"),
            ),
            "page-asks-again": breaks(
                "HPP-ASK-03",
                "The page asks again for what the request gave.",
                lambda design: design.in_page(asked=_ignoring_request),
            ),
            **{
                f"page-{field.replace('_', '-')}-not-asked": breaks(
                    requirement, f"{title} is not asked for.", not_asking(field)
                )
                for field, requirement, title in (
                    ("document_number", "HPP-ASK-07", "document_number"),
                    ("document_type", "HPP-ASK-08", "document_type"),
                    ("member_id", "HPP-ASK-09", "memberId"),
                    ("personal_id", "HPP-ASK-10", "personal_id"),
                )
            },
            "page-national-id-not-asked": breaks(
                "HPP-ASK-11", "No national id is asked for.", not_asking("bank_cuil", "bank_curp")
            ),
            "page-national-id-of-mexico-not-asked": breaks(
                "HPP-ASK-11", "The national id of Mexico is not asked for.", not_asking("bank_curp")
            ),
            "page-trusts-the-browser": breaks(
                "HPP-OUT-10",
                "What is posted is looked at by the script of the page only.",
                _rules(lambda rule: rule if rule.check is given or rule.field == "expiry" else None),
            ),
        }
    ),
    *_address_faults(),
)
