"""The command that sends one request again: a fresh order number, and a signature made anew by a line of Python."""

from __future__ import annotations

import json
import shlex
from urllib.parse import parse_qsl

from reports.evidence.formulas import OPENING
from reports.evidence.signing import MD5, hash_expression
from reports.findings.bodies import asked_of_target
from reports.findings.places import operation_of
from reports.model import Exchange, Json
from reports.text import visible

REDACTED = ("[redacted]", "******", "%2A%2A")
_MASKS = (*REDACTED, "**")
_LEFT_OUT = frozenset({"content-length", "host", "connection", "accept-encoding"})
_ORDERS = frozenset({"order_id", "order.number"})
_SECRETS = {"card_number": "CARD", "card_cvv2": "CVV"}
_FRESH = 'f"again-{time.time_ns()}"'


def curl(exchange: Exchange, email: str = "", *, as_recorded: bool = False, keep_order: bool = False) -> str:
    """Return a ``curl`` command that makes the request anew where its formula is known, and else as it was recorded.

    Secrets come from the environment: ``PASSWORD``, ``CARD``, ``CVV``, and others by their names in capitals.

    Args:
        exchange: the request.
        email: of the payer of an earlier request, which some formulas sign.
        as_recorded: with the signature that was sent, since that is what is wrong.
        keep_order: with the order number that was sent, likewise.
    """
    words = ["curl", "--include", "--request", exchange.method or "POST"]
    for name, value in exchange.request_headers.items():
        if name.lower() not in _LEFT_OUT:
            words += ["--header", f"{name}: {value}"]
    if not as_recorded and (code := _making(exchange, email, keep_order=keep_order)):
        made = f'"$(python3 -c {shlex.quote(code)})"'
        return visible(f"{shlex.join(words)} --data-raw {made} {shlex.quote(exchange.url)}")
    if exchange.request_body:
        words += ["--data-raw", exchange.request_body]
    return visible(shlex.join([*words, exchange.url]))


def _making(exchange: Exchange, email: str, *, keep_order: bool) -> str:
    """Return the line of Python that prints the body; empty where the request cannot be signed anew."""
    is_json = exchange.request_body.lstrip().startswith("{")
    fields = asked_of_target(exchange)

    def value_of(name: str) -> str:
        if name not in fields:
            return repr(email) if email else 'e.get("EMAIL", "")'
        return "f" + "".join(f"[{part!r}]" for part in (name.split(".") if is_json else [name]))

    signed = hash_expression(exchange, value_of, MD5)
    if not signed:
        return ""
    if is_json:
        made, written = _literal(json.loads(exchange.request_body), ""), "json.dumps(f)"
    else:
        pairs = parse_qsl(exchange.request_body, keep_blank_values=True)
        made = "{" + ", ".join(f"{name!r}: {_value(name, value)}" for name, value in pairs) + "}"
        written = "urllib.parse.urlencode(f)"
    if operation_of(exchange) in OPENING and not keep_order:
        for name in _ORDERS & fields.keys():
            made = made.replace(repr(fields[name]), _FRESH, 1)
    names = [f'{name} = e["{name}"]' for name in ("PASSWORD", "CARD", "CVV") if name in f"{made} {signed}"]
    statements = ["import hashlib, json, os, time, urllib.parse", "e = os.environ", *names]
    return "; ".join([*statements, f"f = {made}", f'f["hash"] = {signed}', f'print({written}, end="")'])


def _literal(value: Json, path: str) -> str:
    if isinstance(value, dict):
        inner = (f"{key!r}: {_literal(each, f'{path}.{key}' if path else str(key))}" for key, each in value.items())
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_literal(member, path) for member in value) + "]"
    return _value(path, value) if isinstance(value, str) else repr(value)


def _value(name: str, value: str) -> str:
    if any(mark in value for mark in _MASKS):
        return _SECRETS.get(name) or f'e.get({name.upper()!r}, "")'
    return repr(value)


def is_masked(exchange: Exchange) -> bool:
    """Return whether something was removed from the request, so that it comes from the environment."""
    return any(mark in exchange.request_body for mark in _MASKS)
