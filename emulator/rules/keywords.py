"""What each keyword of a field table checks, and how a refusal is worded."""

import ipaddress
import re
from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import Final, cast

from emulator.accounts import CHANNELS, FORMS, METHODS
from emulator.rules.countries import COUNTRIES
from emulator.rules.currencies import CRYPTO, EXPONENTS
from emulator.rules.model import Check, Context, JsonObject
from emulator.wire.values import text_of

DECIMAL: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?", re.ASCII)
_URL: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^\s/?#@\\]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^\s/?#:@\\\[\]]+)(?::[0-9]{1,5})?(?:[/?#]\S*)?"
)
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def is_url(value: str) -> bool:
    """Whether ``value`` is an absolute address with a scheme and a host; schemes of apps count."""
    return _URL.fullmatch(value) is not None


def is_web_url(value: str) -> bool:
    """Whether ``value`` is an absolute http or https address."""
    return is_url(value) and value.partition(":")[0].lower() in {"http", "https"}


def is_date(value: str) -> bool:
    """Whether ``value`` is a date of the calendar, written YYYY-MM-DD."""
    if _DATE.fullmatch(value) is None:
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def is_card_number(value: str) -> bool:
    """Whether ``value`` is made of digits with a correct Luhn check digit."""
    if re.fullmatch("[0-9]+", value) is None:
        return False
    digits = [int(digit) for digit in reversed(value)]
    doubled = (2 * digit if index % 2 else digit for index, digit in enumerate(digits))
    return sum(digit - 9 if digit > 9 else digit for digit in doubled) % 10 == 0


def is_ip(value: str) -> bool:
    """Whether ``value`` is an IPv4 or IPv6 address, and nothing else beside it."""
    try:
        ipaddress.ip_address(value)
    except ValueError:
        return False
    return True


FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "url": is_url,
    "web-url": is_web_url,
    "email": lambda value: _EMAIL.fullmatch(value) is not None,
    "date": is_date,
    "uuid": lambda value: _UUID.fullmatch(value) is not None,
    "decimal": lambda value: DECIMAL.fullmatch(value) is not None,
    "country": lambda value: value in COUNTRIES,
    "currency": lambda value: value in EXPONENTS or value in CRYPTO,
    "card-number": is_card_number,
    "ip": is_ip,
}

KNOWN: Final[Mapping[str, Collection[str]]] = {
    "method": METHODS,
    "channel": CHANNELS,
    "form": FORMS,
}


def _on_text(test: Callable[[str], bool]) -> Check:
    def check(value: object, _parent: JsonObject, _context: Context) -> bool:
        return not isinstance(value, str) or test(value)

    return check


def _min_length(bound: object) -> Check:
    least = cast("int", bound)
    return _on_text(lambda value: len(value) >= least)


def _max_length(bound: object) -> Check:
    most = cast("int", bound)
    return _on_text(lambda value: len(value) <= most)


def _length(bound: object) -> Check:
    exact = cast("Collection[int]", bound)
    return _on_text(lambda value: len(value) in exact)


def _pattern(bound: object) -> Check:
    expression = re.compile(cast("str", bound))
    return _on_text(lambda value: expression.fullmatch(value) is not None)


def _enum(bound: object) -> Check:
    allowed = frozenset(cast("Collection[str]", bound))
    return _on_text(lambda value: value in allowed)


def _format(bound: object) -> Check:
    return _on_text(FORMATS[cast("str", bound)])


def _known(bound: object) -> Check:
    return _on_text(KNOWN[cast("str", bound)].__contains__)


def _minimum(bound: object) -> Check:
    least = cast("int", bound)
    return lambda value, _parent, _context: not isinstance(value, int) or value >= least


def _maximum(bound: object) -> Check:
    most = cast("int", bound)
    return lambda value, _parent, _context: not isinstance(value, int) or value <= most


def _custom(bound: object) -> Check:
    return cast("Check", bound)


def _not_blank(_bound: object) -> Check:
    return lambda value, _parent, _context: value != ""


CHECKS: Final[Mapping[str, Callable[[object], Check]]] = {
    "notBlank": _not_blank,
    "minLength": _min_length,
    "maxLength": _max_length,
    "length": _length,
    "pattern": _pattern,
    "enum": _enum,
    "format": _format,
    "known": _known,
    "minimum": _minimum,
    "maximum": _maximum,
    "decimals": _custom,
    "positive": _custom,
    "combination": _custom,
}

_TEXTS: Final = {
    "required": "This value should not be blank.",
    "notBlank": "This value should not be blank.",
    "type": "This value should be of type {}.",
    "minLength": "This value is too short. It should have {} characters or more.",
    "maxLength": "This value is too long. It should have {} characters or less.",
    "minimum": "This value should be {} or more.",
    "maximum": "This value should be {} or less.",
    "enum": "The value you selected is not a valid choice.",
    "known": "The value you selected is not a valid choice.",
    "positive": "This value should be greater than 0.",
    "refusedOutside": "This field was not expected.",
    "null": "This value should not be null.",
}
_FORMAT_TEXTS: Final = {
    "url": "This value is not a valid URL.",
    "web-url": "This value is not a valid URL.",
    "email": "This value is not a valid email address.",
    "date": "This value is not a valid date.",
    "uuid": "This value is not a valid UUID.",
    "country": "This value is not a valid country.",
    "currency": "This value is not a valid currency.",
    "ip": "This is not a valid IP address.",
}


def wording(keyword: str, bound: object) -> str:
    """The text of a violation of ``keyword``."""
    if keyword == "format":
        return _FORMAT_TEXTS.get(cast("str", bound), "This value is not valid.")
    return _TEXTS.get(keyword, "This value is not valid.").format(text_of(bound))
