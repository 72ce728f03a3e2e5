"""Where in the interface an exchange took place, in words: the action, the endpoint, the callback, the page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from urllib.parse import urlsplit

from reports.findings.bodies import CALLBACK, asked_of_target, fields_of
from reports.model import Exchange

_CHECKOUT: Mapping[str, str] = MappingProxyType(
    {
        "session": "session request",
        "session/token": "session token",
        "payment/status": "look-up",
        "payment/capture": "capture",
        "payment/refund": "refund",
        "payment/void": "void",
        "payment/recurring": "recurring charge",
        "payment/retry": "retry",
        "payment/card/credit": "card credit",
    }
)
"""What the endpoints of Checkout are called, by the end of their path."""
_LOOK_UPS = frozenset(
    {"GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS", "look-up", "SCHEDULE_INFO"}
)
_MAX = 60
_ACTION = re.compile(r"[A-Za-z0-9_]+")
"""What an action looks like, known or not; what a hostile one says is no matter of a title."""


def place_of_exchange(exchange: Exchange) -> str:
    """Return the place, such as ``S2S CARD CAPTURE``, ``Checkout session request`` or ``S2S APM callback``."""
    if exchange.protocol == CALLBACK:
        return f"{_protocol_of_callback(exchange)} callback"
    return f"{exchange.protocol[:_MAX]} {operation_of(exchange)}".strip()


def operation_of(exchange: Exchange) -> str:
    """Return the action or endpoint that was asked for; the method and path where it is no known one."""
    if exchange.protocol.startswith("S2S"):
        action = asked_of_target(exchange).get("action", "")[:_MAX]
        return action if not action or _ACTION.fullmatch(action) else "request"
    path = urlsplit(exchange.url).path
    if exchange.protocol == "Checkout":
        known = [name for end, name in _CHECKOUT.items() if path.endswith(f"/{end}")]
        return known[-1] if known else path[-_MAX:]
    return ""


def _protocol_of_callback(exchange: Exchange) -> str:
    fields = fields_of(exchange.request_body)
    if "order_number" in fields or ("order_status" in fields and "action" not in fields):
        return "Checkout"
    return "S2S" if "action" in fields else ""


def is_look_up(exchange: Exchange) -> bool:
    """Return whether an exchange only asks for what is, and changes nothing."""
    return operation_of(exchange) in _LOOK_UPS


def last_change(exchanges: Sequence[Exchange]) -> Exchange | None:
    """Return the last request of ours that is meant to change something."""
    ours = [each for each in exchanges if each.protocol != CALLBACK and not is_look_up(each)]
    return ours[-1] if ours else None
