"""The command that sends one request again, as it was recorded."""

from __future__ import annotations

import shlex

from reports.model import Exchange
from reports.text import visible

REDACTED = ("[redacted]", "******", "%2A%2A")
_LEFT_OUT = frozenset({"content-length", "host", "connection", "accept-encoding"})


def curl(exchange: Exchange) -> str:
    """Return a ``curl`` command; what the evidence masks (cards, codes, passwords) stays masked in it."""
    words = ["curl", "--include", "--request", exchange.method or "POST"]
    for name, value in exchange.request_headers.items():
        if name.lower() not in _LEFT_OUT:
            words += ["--header", f"{name}: {value}"]
    if exchange.request_body:
        words += ["--data-raw", exchange.request_body]
    return visible(shlex.join([*words, exchange.url]))


def is_masked(exchange: Exchange) -> bool:
    """Return whether something was removed from the request, so that it has to be filled in by hand."""
    return any(mark in exchange.request_body for mark in REDACTED)
