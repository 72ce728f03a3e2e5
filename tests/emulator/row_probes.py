"""Requests on both sides of a rule, for each row of the field tables."""

import itertools
from collections.abc import Iterator
from typing import cast

from emulator.rules.model import Rule
from tests.emulator.probe import BY_NAME, MAIN, Json, merged, sale_form, session_hash, session_request
from tests.emulator.session_bases import BASES

_SHAPES: tuple[object, ...] = ({"x": 1}, [{"x": 1}], "maybe", "", 5, True)
_SPECIAL: tuple[object, ...] = (
    True, False, "true", 5, "x y-z", "EN", "https://merchant.example/?a=1", "app://back", "a@b", 'a"b', "a;b", "-1",
    "10.50", "x" * 300, "07", "purchase", "debit", "credit", "transfer", "_blank", ["card", "card"], ["card"],
    {"a": {"b": 1}}, "a+b@merchant.example", "ada@mail.example.com", "x" * 70_000, "2000-02-29",
)  # fmt: skip
_SALE_TEXTS = (
    "::1",
    "49",
    "_self",
    "411111111111111",
    "6" * 11,
    "99",
    "a@b.example".rjust(256, "a"),
    "4" * 20,
    "abcdefg",
)
_BAD_TEXTS = ("x", "1x", "nope", "12 34", "Иван", "1.234", "1,5", "12345678901.23", "USA", "a b", "2031-13-01", "9.9")


def placed(path: str, value: object) -> Json:
    """A request fragment that holds ``value`` at ``path``."""
    name, _, rest = path.partition(".")
    below = placed(rest, value) if rest else value
    return {name.removesuffix("[]"): [below] if name.endswith("[]") else below}


def _texts_of_length(row: Rule) -> Iterator[object]:
    for length in (cast("int", row.bound) + step for step in (0, 1, -1)):
        yield from ("a" * length, "1" * length)
        if "_url" in row.path:
            yield "https://m.example/".ljust(length, "x")


def values_for(row: Rule) -> Iterator[object]:
    """Values on both sides of the rule."""
    bound = row.bound
    match row.keyword:
        case "minLength" | "maxLength":
            yield from _texts_of_length(row)
        case "length":
            yield from ("1", "11", "111", 5)
        case "minimum" | "maximum":
            yield from (cast("int", bound) + step for step in (0, 1, -1))
        case "enum":
            yield from (*cast("tuple[str, ...]", bound), "nope")
        case "required" | "notBlank" | "optional" | "combination" | "decimals":
            yield from (..., "", "9.9", "2031-01-01", "5.00")
        case "handledWithout":
            yield ...
        case "type":
            yield from _SHAPES
        case "pattern" | "format" | "known":
            yield from _BAD_TEXTS
        case _:
            yield from _SPECIAL


def probes_for(row: Rule) -> Iterator[Json]:
    """Requests that stand on both sides of the rule, over every kind of session."""
    bases = [session_request(**base) for base in BASES]
    for base in bases:
        yield base
    values = list(values_for(row))
    for base, value in itertools.product(bases, values):
        yield _renumbered(merged(base, placed(row.path, value)), row.path)
    for value in values:
        yen = session_request(order={"currency": "JPY"})
        yield _renumbered(merged(yen, placed(row.path, value)), row.path)


def sale_probes_for(row: Rule) -> Iterator[dict[str, str]]:
    """Sales that stand on both sides of the rule, those of another country, account and instrument included."""
    values = {"" if value is ... else str(value) for value in values_for(row)} | set(_SALE_TEXTS)
    accounts = (MAIN, BY_NAME["payer_address_required"])
    bases: tuple[Json, ...] = ({}, {"payer_country": "DE"})
    for value, account, base in itertools.product(sorted(values, key=len), accounts, bases):
        form = sale_form(account, **{**base, row.path: value})
        yield form
        if not value:
            yield sale_form(account, **base) | {row.path: ""}


def _renumbered(request: Json, path: str) -> Json:
    order = request.get("order")
    if isinstance(order, dict):
        if path != "order.number":
            order["number"] = session_request()["order"]["number"]
        if path != "hash":
            request["hash"] = session_hash(order, MAIN.password)
    return request
