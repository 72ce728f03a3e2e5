"""Faults that unusual values of an order show: cents lost to binary fractions, texts cut, escaped, badly decoded."""

import html
from collections.abc import Callable
from decimal import Decimal
from typing import Final, cast

from emulator.changes.checkout import NOTICES, answering
from emulator.design import Change
from emulator.engine.callbacks.notice import Fields, Value
from emulator.faults.model import Fault, breaks, faults
from emulator.wire.replies import Kind
from emulator.wire.values import Object

Text = Callable[[str], str]


def _through_float(text: str) -> str:
    """Minor units as ``int(amount * 100)``, a cent less where the product falls short."""
    return f"{Decimal(int(float(text) * 100)) / 100:.2f}"


def _rounded(text: str) -> str:
    return f"{round(float(text), 1):.2f}"


def _whole(text: str) -> str:
    return f"{int(float(text))}.00"


def _badly_decoded(text: str) -> str:
    return text.encode().decode("latin-1")


def _ascii_only(text: str) -> str:
    return text.encode("ascii", "replace").decode()


def _first(length: int) -> Text:
    return lambda text: text[:length]


def _without_specials(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum() or letter in " -")


_CHANGES: Final[tuple[tuple[str, str, str, Text], ...]] = (
    ("amount", "cent-less", "The amount loses a cent to binary fractions.", _through_float),
    ("amount", "rounded", "The amount is rounded to tenths.", _rounded),
    ("amount", "whole", "The amount loses its cents.", _whole),
    ("description", "escaped", "The description is escaped for HTML.", html.escape),
    ("description", "badly-decoded", "The description is decoded as Latin-1.", _badly_decoded),
    ("description", "ascii", "Letters outside ASCII become question marks.", _ascii_only),
    ("description", "without-specials", "Signs are taken out of the description.", _without_specials),
    ("description", "first-20", "The description is cut to 20 characters.", _first(20)),
    ("number", "first-64", "The order number is cut to 64 characters.", _first(64)),
    ("number", "first-128", "The order number is cut to 128 characters.", _first(128)),
    ("number", "without-specials", "Signs are taken out of the order number.", _without_specials),
    ("number", "capitals", "The order number is written in capitals.", str.upper),
)


def _in_callbacks(name: str, change: Text) -> Change:
    field = f"order_{name}"
    return NOTICES.fields(lambda fields: {**fields, field: change(str(fields[field]))} if field in fields else fields)


def _in_look_ups(name: str, change: Text) -> Change:
    def changed(body: Object) -> Object:
        order = body.get("order")
        if not isinstance(order, dict):
            return body
        order = cast("Object", order)
        return body | {"order": order | {name: change(str(order[name]))}}

    return answering(changed, Kind.CHECKOUT_STATUS)


def _each_text(value: Value, change: Text) -> Value:
    if isinstance(value, dict):
        return {name: _each_text(below, change) for name, below in value.items()}
    return change(value) if isinstance(value, str) else value


def _each_key(value: Value, change: Text) -> Value:
    return (
        {change(name): _each_key(below, change) for name, below in value.items()} if isinstance(value, dict) else value
    )


def _flat(value: Value) -> Value:
    """Only two levels are kept."""
    if not isinstance(value, dict):
        return value
    return {
        name: {key: one for key, one in below.items() if isinstance(one, str)} if isinstance(below, dict) else below
        for name, below in value.items()
    }


def _without_lists(value: Value) -> Value:
    if not isinstance(value, dict):
        return value
    return {name: _without_lists(below) for name, below in value.items() if not isinstance(below, list)}


def _custom(change: Callable[[Value], Value]) -> Change:
    def changed(fields: Fields) -> Fields:
        return {**fields, "custom_data": change(fields["custom_data"])} if "custom_data" in fields else fields

    return NOTICES.fields(changed)


def _number(text: str) -> str:
    return str(int(text)) if text.isdigit() else text


_OF_CUSTOM_DATA: Final[dict[str, tuple[str, Callable[[Value], Value]]]] = {
    "keys-lower-case": ("Keys of custom_data are written in lower case.", lambda value: _each_key(value, str.lower)),
    "keys-without-dots": (
        "Dots in keys of custom_data become underscores.",
        lambda value: _each_key(value, lambda name: name.replace(".", "_")),
    ),
    "without-lists": ("Lists in custom_data do not come back.", _without_lists),
    "two-levels": ("Of custom_data two levels are kept.", _flat),
    "numbers": ("007 in custom_data becomes 7.", lambda value: _each_text(value, _number)),
    "escaped": ("custom_data are escaped for HTML.", lambda value: _each_text(value, html.escape)),
    "badly-decoded": ("custom_data are decoded as Latin-1.", lambda value: _each_text(value, _badly_decoded)),
    "plus-as-blank": (
        "A plus in custom_data becomes a blank.",
        lambda value: _each_text(value, lambda text: text.replace("+", " ")),
    ),
    "trimmed": ("Blanks around values of custom_data are lost.", lambda value: _each_text(value, str.strip)),
}


def _all() -> dict[str, Fault]:
    found: dict[str, Fault] = {}
    for name, kind, summary, change in _CHANGES:
        found[f"callback-{name}-{kind}"] = breaks("CBK-ATT-02", f"Callbacks: {summary}", _in_callbacks(name, change))
        found[f"look-up-{name}-{kind}"] = breaks("CHK-STA-18", f"Look-ups: {summary}", _in_look_ups(name, change))
    for kind, (summary, change_of) in _OF_CUSTOM_DATA.items():
        found[f"callback-custom-data-{kind}"] = breaks("CBK-ATT-13", summary, _custom(change_of))
    return found


FAULTS: Final = faults(_all(), prefix="checkout-unusual-")
