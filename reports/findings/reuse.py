"""Addresses that a target gives for more than one session: every payer after the first meets the page of another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reports.findings.bodies import fields_from_target
from reports.findings.places import place_of_exchange
from reports.model import Exchange

_PROOF = "redirect_url"
SESSION = "Checkout session request"
"""The place of what a target says of sessions."""


def reused(stories: Iterable[Sequence[Exchange]]) -> frozenset[str]:
    """Return the addresses that answer more than one session request.

    Args:
        stories: the exchanges of each failing check.
    """
    requests: dict[str, set[str]] = {}
    for exchanges in stories:
        for address, request in _sessions(exchanges):
            requests.setdefault(address, set()).add(request)
    return frozenset(address for address, bodies in requests.items() if len(bodies) > 1)


def meets(exchanges: Sequence[Exchange], addresses: frozenset[str]) -> bool:
    """Return whether a session among some exchanges was answered with one of some addresses."""
    return any(address in addresses for address, _ in _sessions(exchanges))


def _sessions(exchanges: Sequence[Exchange]) -> Iterator[tuple[str, str]]:
    for exchange in exchanges:
        if place_of_exchange(exchange) == SESSION:
            address = fields_from_target(exchange).get(_PROOF)
            if address:
                yield address, exchange.request_body
