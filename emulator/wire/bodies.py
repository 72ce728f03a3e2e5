"""Reading request bodies: bounded, and refused with a reason where they cannot be read."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, Final
from urllib.parse import parse_qsl

from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import MalformedError, Object, read_json

BOUND: Final = 1024 * 1024
_DRAINED: Final = 16 * BOUND
_FIELDS: Final = 500

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Headers = Iterable[tuple[bytes, bytes]]


class RefusedError(Exception):
    """The body cannot be worked with; ``refusal`` says why."""

    def __init__(self, refusal: Refusal) -> None:
        """Keep the refusal for the answer."""
        super().__init__(refusal.message)
        self.refusal = refusal


def _malformed(text: str) -> RefusedError:
    return RefusedError(Refusal(Kind.MALFORMED, INVALID_DATA, violations=(("body", text),)))


def header(headers: Headers, name: bytes) -> str:
    """The first value of a header, or an empty text."""
    return next((value.decode("latin-1") for key, value in headers if key == name), "")


async def read(receive: Receive) -> bytes:
    """The whole body; raises RefusedError with 413 for one beyond the bound, after taking in a reasonable rest."""
    parts: list[bytes] = []
    size = 0
    more = True
    while more and size <= _DRAINED:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        part: bytes = message.get("body", b"")
        size += len(part)
        if size <= BOUND:
            parts.append(part)
        more = message.get("more_body", False)
    if size > BOUND:
        raise RefusedError(Refusal(Kind.TOO_LARGE, f"The request is larger than {BOUND} bytes.", status=413))
    return b"".join(parts)


def media_type(headers: Headers) -> str:
    """The media type of the body, without parameters, in lower case."""
    return header(headers, b"content-type").partition(";")[0].strip().lower()


def json_object(body: bytes) -> Object:
    """The JSON object that the body holds; raises RefusedError for anything else."""
    try:
        value = read_json(body)
    except MalformedError as error:
        text = "This is not a JSON text that can be read."
        raise _malformed(text) from error
    if not isinstance(value, dict):
        text = "This value should be a JSON object."
        raise _malformed(text)
    return value


def form(body: bytes) -> dict[str, str]:
    """The fields of a form body; raises RefusedError for what is no form or names a field twice."""
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, strict_parsing=False, errors="strict", max_num_fields=_FIELDS
        )
    except ValueError as error:
        text = "This is not a form that can be read."
        raise _malformed(text) from error
    fields = dict(pairs)
    if len(fields) != len(pairs) and any(not name.endswith("[]") for name in _repeated(pairs)):
        text = "A field is named twice."
        raise _malformed(text)
    return fields


def _repeated(pairs: list[tuple[str, str]]) -> set[str]:
    counts = Counter(name for name, _ in pairs)
    return {name for name, count in counts.items() if count > 1}


def wrong_media_type(expected: str) -> RefusedError:
    """The refusal of a body in another format than ``expected``."""
    return _malformed(f"The content type should be {expected}.")
