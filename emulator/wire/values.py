"""JSON values: how they are read, kept as written, and converted where a gateway converts them."""

import json
from collections.abc import Callable
from typing import Final, Self, cast

Object = dict[str, object]


class JsonFloat(float):
    """A JSON number with fraction or exponent that remembers how it was written."""

    text: str

    def __new__(cls, text: str) -> Self:
        """Read ``text``, which the JSON reader found to be a number."""
        number = super().__new__(cls, text)
        number.text = text
        return number


class MalformedError(ValueError):
    """The body is not a JSON text that can be worked with."""


def _unique(pairs: list[tuple[str, object]]) -> Object:
    result = dict(pairs)
    if len(result) != len(pairs):
        message = "a key occurs twice in one object"
        raise MalformedError(message)
    return result


def _no_constant(name: str) -> object:
    message = f"{name} is not JSON"
    raise MalformedError(message)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_float=JsonFloat, parse_constant=_no_constant)


def read_json(body: bytes) -> object:
    """Read a JSON text in UTF-8; raises MalformedError for anything else, repeated keys and deep nesting included."""
    try:
        text = body.decode("utf-8")
        value: object = _DECODER.decode(text)
        if "\\ud" in text or "\\uD" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        message = "the body cannot be read as JSON"
        raise MalformedError(message) from error
    return value


def text_of(value: object) -> str:
    """A scalar as text, numbers the way they were written."""
    return value.text if isinstance(value, JsonFloat) else str(value)


class _Invalid:
    """What a conversion returns when the value has another type."""


INVALID: Final = _Invalid()
Converter = Callable[[object], object]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _only(kind: type) -> Converter:
    return lambda value: value if type(value) is kind else INVALID


def _numeric(value: object) -> object:
    if isinstance(value, str):
        return value
    return text_of(value) if _is_number(value) else INVALID


def _any_boolean(value: object) -> object:
    if isinstance(value, bool):
        return value
    return {"true": True, "1": True, "false": False, "0": False}.get(text_of(value).lower(), INVALID)


def _any_integer(value: object) -> object:
    if type(value) is int:
        return value
    text = text_of(value)
    return int(text) if isinstance(value, str) and text.isascii() and text.isdigit() and len(text) < 10 else INVALID


STRICT: Final[dict[str, Converter]] = {
    "string": _only(str),
    "integer": _only(int),
    "boolean": _only(bool),
    "array": _only(list),
    "object": _only(dict),
    "numeric": _numeric,
}
CONVERTING: Final[dict[str, Converter]] = {
    **STRICT,
    "string": _numeric,
    "integer": _any_integer,
    "boolean": _any_boolean,
}


def child(value: object, *names: str) -> object:
    """The value at a path of names, or None where the path leads nowhere."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = cast("Object", value).get(name)
    return value
