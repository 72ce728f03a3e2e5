"""The rules of the page's fields, as rows: what is checked, what the payer reads, and which requirement says so."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from emulator.protocols.hosted_page.forms.country_names import STATES
from emulator.protocols.hosted_page.forms.fields import BANKS, PERSON_TYPES
from emulator.protocols.hosted_page.forms.offered_fields import Values
from emulator.releases import order_of
from emulator.rules.countries import COUNTRIES
from emulator.rules.keywords import is_card_number, is_date

EXPIRY: Final = re.compile(r"(0[1-9]|1[0-2])[-/ ]*([0-9]{2})")
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_NAME_SIGNS: Final = frozenset(" .-'\u2019")
_LONGEST: Final = 32


@dataclass(frozen=True, slots=True)
class PageContext:
    """What a check may look at besides the value; so many attempts of the session were declined before."""

    today: date
    release: str
    country: str
    decimals: int
    operation: str = ""
    declines: int = 0


Check = Callable[[str, PageContext], bool]


@dataclass(frozen=True, slots=True)
class PageRule:
    """One rule of one field: ``check`` holds for values that are let through, ``message`` is a key of the texts.

    Empty values meet ``given`` only.
    """

    field: str
    check: Check
    message: str
    requirement: str = ""


def given(value: str, _context: PageContext) -> bool:
    """Something was entered."""
    return bool(value)


def digits(value: str, _context: PageContext) -> bool:
    """Nothing but digits."""
    return value.isascii() and value.isdigit()


def length(least: int, most: int) -> Check:
    """From ``least`` to ``most`` characters."""
    return lambda value, _context: least <= len(value) <= most


def luhn(value: str, context: PageContext) -> bool:
    """The check digit fits; what is no number has none."""
    return not digits(value, context) or is_card_number(value)


def month_and_year(value: str, _context: PageContext) -> bool:
    """A month and two digits of a year."""
    return EXPIRY.fullmatch(value) is not None


def expiry_of(value: str) -> tuple[int, int]:
    """Month, and year with four digits, of an expiry date; raises ValueError for anything else."""
    found = EXPIRY.fullmatch(value)
    if found is None:
        message = "no month and year"
        raise ValueError(message)
    return int(found[1]), 2000 + int(found[2])


def not_expired(value: str, context: PageContext) -> bool:
    """The card is valid until the end of the month that it names."""
    if not month_and_year(value, context):
        return True
    month, year = expiry_of(value)
    return (year, month) >= (context.today.year, context.today.month)


def two_words(value: str, _context: PageContext) -> bool:
    """At least two words."""
    return len(value.split()) > 1


def name_signs(value: str, _context: PageContext) -> bool:
    """Letters of any script with their diacritics, hyphens, apostrophes, full stops and blanks."""
    return all(sign in _NAME_SIGNS or unicodedata.category(sign)[0] in "LM" for sign in value)


def two_letters(value: str, _context: PageContext) -> bool:
    """The shape of a country code."""
    return re.fullmatch("[A-Za-z]{2}", value) is not None


def known_country(value: str, _context: PageContext) -> bool:
    """A country code of ISO 3166-1."""
    return value.upper() in COUNTRIES or len(value) != 2


def state_of_country(value: str, context: PageContext) -> bool:
    """A state of the list, where the country has one."""
    return context.country not in STATES or value in STATES[context.country]


def free_state(value: str, context: PageContext) -> bool:
    """A text of 2 to 32 characters where states were free texts."""
    free = order_of(context.release) < order_of("6.7.0") and context.country not in STATES
    return not free or 2 <= len(value) <= _LONGEST


def email(value: str, _context: PageContext) -> bool:
    """Something that looks like an address."""
    return len(value) <= 255 and _EMAIL.fullmatch(value) is not None


def calendar_date(value: str, _context: PageContext) -> bool:
    """A date, written YYYY-MM-DD."""
    return is_date(value)


def one_of(values: Iterable[str]) -> Check:
    """One of ``values``."""
    known = frozenset(values)
    return lambda value, _context: value in known


def payable(value: str, context: PageContext) -> bool:
    """An amount above nothing with no more decimals than the currency has."""
    decimals = rf"(\.[0-9]{{1,{context.decimals}}})?" if context.decimals else r"(\.0+)?"
    return re.fullmatch(rf"[0-9]{{1,12}}{decimals}", value) is not None and Decimal(value) > 0


_ADDRESS: Final = {
    "city": ("HPP-ADR-07", "HPP-ADR-08"),
    "address": ("HPP-ADR-09", "HPP-ADR-10"),
    "zip": ("HPP-ADR-11", "HPP-ADR-12"),
    "phone": ("HPP-ADR-13", "HPP-ADR-14"),
}
_TEXTS: Final = (
    "document_type", "document_number", "member_id", "personal_id", "bank_cuil", "bank_curp",
    "bank_code", "bank_account_number", "upi_id",
)  # fmt: skip

PAGE_RULES: Final = (
    PageRule("amount", given, "invalid_amount", "HPP-AMT-01"),
    PageRule("amount", payable, "invalid_amount", "HPP-AMT-01"),
    PageRule("card_number", given, "invalid_card", "HPP-CRD-06"),
    PageRule("card_number", digits, "invalid_card", "HPP-CRD-05"),
    PageRule("card_number", length(14, 19), "invalid_card", "HPP-CRD-03"),
    PageRule("card_number", luhn, "invalid_card", "HPP-CRD-04"),
    PageRule("expiry", given, "invalid_expiry", "HPP-EXP-05"),
    PageRule("expiry", month_and_year, "invalid_expiry", "HPP-EXP-05"),
    PageRule("expiry", not_expired, "expired", "HPP-EXP-02"),
    PageRule("cvv", given, "invalid_cvv"),
    PageRule("cvv", digits, "invalid_cvv"),
    PageRule("cvv", length(1, 4), "invalid_cvv", "HPP-CVV-02"),
    PageRule("cardholder", given, "invalid_name"),
    PageRule("cardholder", length(0, _LONGEST), "invalid_name", "HPP-NAM-01"),
    PageRule("cardholder", two_words, "invalid_name", "HPP-NAM-02"),
    PageRule("cardholder", name_signs, "invalid_name"),
    PageRule("country", given, "required", "HPP-ADR-01"),
    PageRule("country", two_letters, "invalid", "HPP-ADR-02"),
    PageRule("country", known_country, "invalid"),
    PageRule("state", state_of_country, "invalid", "HPP-ADR-04"),
    PageRule("state", free_state, "invalid", "HPP-ADR-06"),
    *(PageRule(name, given, "required", required) for name, (required, _) in _ADDRESS.items()),
    *(PageRule(name, length(0, _LONGEST), "invalid", longest) for name, (_, longest) in _ADDRESS.items()),
    PageRule("email", given, "required"),
    PageRule("email", email, "invalid"),
    PageRule("birth_date", given, "required"),
    PageRule("birth_date", calendar_date, "invalid"),
    *(PageRule(name, given, "required") for name in _TEXTS),
    *(PageRule(name, length(1, 64), "invalid") for name in _TEXTS),
    PageRule("bank", given, "required"),
    PageRule("bank", one_of(BANKS), "invalid"),
    PageRule("person_type", given, "required"),
    PageRule("person_type", one_of(PERSON_TYPES), "invalid"),
)


def violations(
    rules: Iterable[PageRule], asked: Iterable[str], values: Values, context: PageContext
) -> Mapping[str, str]:
    """The message of the first rule that each field breaks; fields that were not asked for are not looked at."""
    found: dict[str, str] = {}
    names = frozenset(asked)
    for rule in rules:
        if rule.field not in names or rule.field in found:
            continue
        value = values.get(rule.field, "")
        if (value or rule.check is given) and not rule.check(value, context):
            found[rule.field] = rule.message
    return found
