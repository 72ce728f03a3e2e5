"""The bodies of exchanges as fields: what was sent or came, member by member, whatever its encoding."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from urllib.parse import parse_qsl

from reports.model import Exchange, Json

_MAX_FIELDS = 300
_MAX_DEPTH = 8
CALLBACK = "Callback"
"""The protocol of exchanges that the target began."""
RETURN = "Return"
"""The protocol of addresses to which a payer was sent back."""


@lru_cache(maxsize=1024)
def fields_of(body: str) -> Mapping[str, str]:
    """Return a body of JSON or of form fields as flat text by path; empty where it is neither.

    Paths are written as the contract writes them: ``order.amount``, ``errors.0.error_message``,
    ``parameters[crypto_type]``.
    """
    text = body.strip()
    if text[:1] in {"{", "["}:
        try:
            return MappingProxyType(_flat(json.loads(text)))
        except (ValueError, RecursionError):
            return MappingProxyType({})
    if not text or text[:1] == "<" or "=" not in text:
        return MappingProxyType({})
    try:
        return MappingProxyType(dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS)))
    except ValueError:
        return MappingProxyType({})


def _flat(document: Json) -> dict[str, str]:
    found: dict[str, str] = {}
    _collect(document, "", 0, found)
    return found


def _collect(value: Json, path: str, depth: int, found: dict[str, str]) -> None:
    if len(found) >= _MAX_FIELDS:
        return
    if depth < _MAX_DEPTH and isinstance(value, dict) and value:
        for name, member in value.items():
            _collect(member, f"{path}.{name}" if path else str(name), depth + 1, found)
    elif depth < _MAX_DEPTH and isinstance(value, list) and value:
        for number, member in enumerate(value):
            _collect(member, f"{path}.{number}" if path else str(number), depth + 1, found)
    elif path:
        found[path] = value if isinstance(value, str) else json.dumps(value)


def fields_from_target(exchange: Exchange) -> Mapping[str, str]:
    """Return the fields that the target wrote: those of its reply, or of the callback that it posted."""
    return fields_of(exchange.request_body if exchange.protocol == CALLBACK else exchange.response_body)


def asked_of_target(exchange: Exchange) -> Mapping[str, str]:
    """Return the fields that the suite wrote; none where the target began."""
    return {} if exchange.protocol == CALLBACK else fields_of(exchange.request_body)
