"""Replies of a target, changed at random: the status, the headers, or the body as bytes, as text and as JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from fixtures.wire.exchange import Reply
from fixtures.wire.transport import Transport

Json = Any
Mutation = Callable[[Reply, random.Random], Reply]

STATUSES = (200, 201, 202, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 409, 415, 422,
            451, 500, 502, 503, 504, 599)  # fmt: skip
LOCATIONS = (
    "",
    "/",
    "//",
    "http://[::1",
    "http://192.0.2.1/",
    "javascript:1",
    "data:,x",
    "\u202e",
    "?a=1#b",
    "x" * 9000,
)
KINDS = (
    "",
    "text/html",
    "application/json; charset=utf-16",
    "application/xml",
    "image/png",
    "multipart/form-data",
    ";",
)
PAGE = b"<!doctype html><form method=post action='http://[::1'><input name=a><select name=b></select></form>"


def _status(reply: Reply, choose: random.Random) -> Reply:
    return replace(reply, status=choose.choice(STATUSES))


def _redirect(reply: Reply, choose: random.Random) -> Reply:
    headers = {**reply.headers, "location": choose.choice(LOCATIONS)}
    return replace(reply, status=choose.choice((301, 302, 303, 307, 308)), headers=headers)


def _without_headers(reply: Reply, choose: random.Random) -> Reply:
    return replace(reply, headers={name: value for name, value in reply.headers.items() if choose.random() < 0.5})


def _other_kind(reply: Reply, choose: random.Random) -> Reply:
    return replace(reply, headers={**reply.headers, "content-type": choose.choice(KINDS)})


def _cut(reply: Reply, choose: random.Random) -> Reply:
    return replace(reply, body=reply.body[: choose.randrange(len(reply.body) + 1)], truncated=choose.random() < 0.3)


def _flipped(reply: Reply, choose: random.Random) -> Reply:
    body = bytearray(reply.body)
    for _ in range(min(len(body), 8)):
        body[choose.randrange(len(body))] = choose.randrange(256)
    return replace(reply, body=bytes(body))


def _twice(reply: Reply, _: random.Random) -> Reply:
    return replace(reply, body=reply.body * 2)


def _marked(reply: Reply, choose: random.Random) -> Reply:
    return replace(reply, body=choose.choice((b"\xef\xbb\xbf", b"\xff\xfe", b")]}',\n", b"\0")) + reply.body)


def _page(reply: Reply, _: random.Random) -> Reply:
    return replace(reply, body=PAGE, headers={**reply.headers, "content-type": "text/html"})


def _of_json(change: Callable[[Json, random.Random], Json]) -> Mutation:
    def mutation(reply: Reply, choose: random.Random) -> Reply:
        try:
            document = json.loads(reply.body)
        except (ValueError, RecursionError):
            return _flipped(reply, choose)
        return replace(reply, body=json.dumps(change(document, choose)).encode())

    return mutation


def _holders(value: Json) -> list[dict[str, Json]]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = [value] if isinstance(value, dict) and value else []
    return own + [found for one in inner for found in _holders(one)]


def _in_one_object(change: Callable[[dict[str, Json], str, random.Random], None]) -> Mutation:
    def changed(document: Json, choose: random.Random) -> Json:
        holders = _holders(document)
        if holders:
            holder = choose.choice(holders)
            change(holder, choose.choice(sorted(holder)), choose)
        return document

    return _of_json(changed)


def _lose(holder: dict[str, Json], name: str, _: random.Random) -> None:
    del holder[name]


def _rename(holder: dict[str, Json], name: str, choose: random.Random) -> None:
    holder[choose.choice((name.upper(), f" {name}", f"{name}[]", "", "__proto__"))] = holder.pop(name)


def _exchange(holder: dict[str, Json], name: str, choose: random.Random) -> None:
    other = choose.choice(sorted(holder))
    holder[name], holder[other] = holder[other], holder[name]


def _wrap(holder: dict[str, Json], name: str, choose: random.Random) -> None:
    holder[name] = choose.choice(([holder[name]], {"value": holder[name]}, str(holder[name]), [], {}, None))


MUTATIONS: Sequence[Mutation] = (
    _status, _redirect, _without_headers, _other_kind, _cut, _flipped, _twice, _marked, _page,
    _of_json(lambda document, _: [document]), _of_json(lambda document, _: {"data": document}),
    _of_json(lambda document, _: json.dumps(document)),
    _in_one_object(_lose), _in_one_object(_rename), _in_one_object(_exchange), _in_one_object(_wrap),
)  # fmt: skip
"""Ways to change a reply."""


@contextmanager
def replies_changed_by(change: Callable[[str, str, bytes, Reply], Reply]) -> Iterator[None]:
    """Change replies that this process receives; ``change`` is given method, address and body of the request."""
    exchange = Transport._exchange

    def changed(self: Transport, method: str, url: str, headers: Mapping[str, str], content: bytes) -> Reply:
        reply = exchange(self, method, url, headers, content)
        return reply if reply.status is None else change(method, url, content, reply)

    Transport._exchange = changed  # type: ignore[method-assign]
    try:
        yield
    finally:
        Transport._exchange = exchange  # type: ignore[method-assign]


@contextmanager
def mutated_replies(seed: int, *, share: float) -> Iterator[None]:
    """Change a share of all replies that this process receives, each in a way of its own."""
    choose = random.Random(seed)  # noqa: S311 - no secret

    def change(_method: str, _url: str, _content: bytes, reply: Reply) -> Reply:
        return choose.choice(MUTATIONS)(reply, choose) if choose.random() < share else reply

    with replies_changed_by(change):
        yield
