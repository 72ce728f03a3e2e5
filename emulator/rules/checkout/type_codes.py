"""Rows made from the type codes of the extended card set."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from emulator.rules.model import Rule

_CODE: Final = re.compile(r"(AN|N|A)([0-9]*)")
_DIGITS: Final = "[0-9]*"
_LETTERS: Final = "[A-Za-z]*"
_TWO_DECIMALS: Final = r"[0-9]{1,10}(?:\.[0-9]{1,2})?"
_LETTERS_OR_NUMBER: Final = "[A-Za-z]{2}|[0-9]{1,3}"
# Dates and addresses: their own signs are none that AN is sure to allow, so their limit may be out of reach.
_OPEN: Final = frozenset({"expectedDate", "deliveryDate", "email", "recipient.email"})


def coded_rows(prefix: str, table: Iterable[tuple[str, str, str]]) -> Iterator[Rule]:
    """Rows for lines of (names, type code, requirement) below ``prefix``."""
    for names, code, requirement in table:
        for name in names.split():
            yield from _rows(f"{prefix}.{name}", code, requirement, name)


def _rows(path: str, code: str, requirement: str, name: str) -> Iterator[Rule]:
    match code:
        case "country":
            yield Rule(path, "type", "string")
            yield Rule(path, "format", "country", requirement=requirement)
        case "url":
            yield Rule(path, "type", "string")
            yield Rule(path, "format", "url", requirement=requirement)
        case "boolean":
            yield Rule(path, "type", "boolean", requirement=requirement)
        case "N10.N2":
            yield Rule(path, "type", "numeric")
            yield Rule(path, "pattern", _TWO_DECIMALS, requirement=requirement)
        case "A2orN3":
            yield Rule(path, "type", "numeric")
            yield Rule(path, "pattern", _LETTERS_OR_NUMBER, requirement=requirement)
        case code if "|" in code:
            yield Rule(path, "type", "string")
            yield Rule(path, "enum", tuple(code.split("|")), requirement=requirement)
        case _:
            yield from _lettered(path, code, requirement, name)


def _lettered(path: str, code: str, requirement: str, name: str) -> Iterator[Rule]:
    found = _CODE.fullmatch(code)
    if found is None:
        message = f"{path}: the type code {code} is not known"
        raise ValueError(message)
    kind, size = found.groups()
    yield Rule(path, "type", "string" if kind == "A" else "numeric")
    if kind != "AN":
        yield Rule(path, "pattern", _DIGITS if kind == "N" else _LETTERS, requirement=requirement, tag="signs")
    if size:
        faults = ("ignored", "one-laxer") if name in _OPEN else None
        yield Rule(path, "maxLength", int(size), requirement=requirement, faults=faults)
    else:
        yield Rule(path, "accepted", requirement=requirement)
