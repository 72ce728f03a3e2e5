"""A target whose answers hold hostile values: one member of a reply is another value than it should be."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import httpx

from fixtures.callbacks.callback import Callback
from fixtures.callbacks.inbox import Answer, Inbox
from fixtures.wire.exchange import Reply
from fixtures.wire.transport import Transport

Json = Any
Raw = str
"""A value as it is written in JSON: some cannot be written by a JSON library."""

VALUES: Mapping[str, Raw] = MappingProxyType(
    {
        "half-a-character": '"\\ud800"',
        "other-half": '"a\\udfffb"',
        "not-a-number": "NaN",
        "infinity": "-Infinity",
        "text-not-a-number": '"NaN"',
        "text-infinity": '"Infinity"',
        "ten-thousand-digits": "9" * 10_000,
        "text-of-digits": f'"{"9" * 10_000}"',
        "minus-zero": '"-0"',
        "exponent": '"1e999999999"',
        "number-with-exponent": "1e400",
        "list": '["a", {"b": [1]}]',
        "object": '{"a": {"b": ["c"]}}',
        "empty": '""',
        "null": "null",
        "true": "true",
        "number": "7",
        "fraction": "0.1",
        "control": '"a\\u0000b\\r\\nX-Injected: 1\\u0007"',
        "bidi": '"\\u202eabc\\u2066"',
        "ansi": '"\\u001b[2J\\u001b]0;title\\u0007"',
        "full-width": '"\\uff11\\uff12\\uff13"',
        "percent": '"%s%n%(x)s{0}{x!r}%ZZ%"',
        "path": '"../../../../etc/hostname\\u0000.html"',
        "url": '"http://[::1"',
        "long": f'"{"a" * 200_000}"',
        "date": '"9999-99-99 99:99:99"',
        "nested": "[" * 500 + "]" * 500,
    }
)
"""Hostile values by name."""
MARK = "\u0001hostile\u0001"


def spoiled(body: bytes, value: Raw, choose: random.Random) -> bytes:
    """Return a JSON body in which one member, wherever it stands, is another value; any other body as it is."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return body
    places = list(_places(document))
    if not places:
        return body
    holder, name = choose.choice(places)
    holder[name] = MARK
    return json.dumps(document).replace(json.dumps(MARK), value).encode("utf-8", "surrogatepass")


def _places(value: Json) -> Iterator[tuple[Json, Json]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield value, name
            yield from _places(inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield value, place
            yield from _places(inner)


@contextmanager
def hostile_values(value: Callable[[], Raw], *, seed: int, share: float) -> Iterator[None]:
    """Spoil a share of all answers and JSON callbacks that this process receives.

    Args:
        value: gives the next hostile value.
        seed: which answers and members are chosen.
        share: how many of a hundred answers, as a fraction.
    """
    choose = random.Random(seed)  # noqa: S311 - no secret
    exchange, take = Transport._exchange, Inbox.take

    def spoiled_exchange(self: Transport, method: str, url: str, headers: Mapping[str, str], content: bytes) -> Reply:
        reply = exchange(self, method, url, headers, content)
        if reply.status is None or reply.status == httpx.codes.TOO_MANY_REQUESTS or choose.random() >= share:
            return reply
        return Reply(reply.status, reply.headers, spoiled(reply.body, value(), choose), truncated=reply.truncated)

    def spoiled_take(self: Inbox, callback: Callback) -> Answer:
        if choose.random() >= share or not callback.fields:
            return take(self, callback)
        body = spoiled(json.dumps(dict(callback.fields)).encode(), value(), choose)
        headers = {**callback.headers, "content-type": "application/json"}
        return take(self, Callback(0, callback.received_at, callback.method, callback.path, headers, body))

    Transport._exchange, Inbox.take = spoiled_exchange, spoiled_take  # type: ignore[method-assign]
    try:
        yield
    finally:
        Transport._exchange, Inbox.take = exchange, take  # type: ignore[method-assign]
