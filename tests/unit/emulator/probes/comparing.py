"""Sends a corpus of requests to a gateway and says whether its answers are the expected ones."""

import json
from collections.abc import Iterator
from typing import Any, cast

from tests.unit.emulator.probes.probe import Answer, Gateway, Json

_SESSION = "/api/v1/session"


def answers(gateway: Gateway, sent: list[tuple[str, Any]]) -> Iterator[tuple[object, ...]]:
    """What a gateway answers to each, one after the other, with what differs from run to run taken out."""
    return (_comparable(_send(gateway, road, what)) for road, what in sent)


def deviates(gateway: Gateway, sent: list[tuple[str, Any]], expected: list[tuple[object, ...]]) -> bool:
    """Whether a gateway answers any of it otherwise than expected."""
    return any(left != right for left, right in zip(answers(gateway, sent), expected, strict=True))


def _send(gateway: Gateway, road: str, what: object) -> Answer:
    way, *waits = road.split(", then after ")
    answer = _send_once(gateway, way, what)
    for seconds in waits:
        gateway.advance(float(seconds))
        answer = _send_once(gateway, way, what)
    return answer


def _send_once(gateway: Gateway, way: str, what: object) -> Answer:
    match way:
        case "session":
            return gateway.session(what)
        case "form":
            return gateway.post(cast("Json", what))
        case "POST" | "PUT":
            return gateway.send(way, str(what))
        case content_type:
            return gateway.send("POST", _SESSION, json.dumps(what).encode(), content_type)


def _comparable(answer: Answer) -> tuple[object, ...]:
    try:
        body = answer.body
    except ValueError:
        return (answer.status, answer.headers, answer.raw)
    digits_only = str(body.pop("trans_id", "")).isdigit()
    for volatile in ("trans_date", "recurring_token", "request_id"):
        body.pop(volatile, None)
    address = body.get("redirect_url")
    if isinstance(address, str):
        body["redirect_url"] = address.partition("/pay/")[0]
    layout = (answer.raw[:3], answer.raw.count(b"\n"), answer.raw.count(b"\\"), digits_only)
    types = dict(answer.headers).get(b"content-type"), len(answer.headers)
    return (answer.status, types, layout, tuple(sorted(map(repr, body.items()))), tuple(body))
