"""How the target answered the request that a check is about, in a few words that are kept of every check."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reports.findings.bodies import CALLBACK, fields_from_target
from reports.findings.cause import is_refusal
from reports.findings.places import place_of_exchange
from reports.model import Answer, Check, Exchange
from reports.text import one_line

_ITEM = re.compile(r"errors\.\d+\.error_message")
_MAX_ITEMS = 8
_MAX_TEXT = 200
_PROTOCOLS = ("Checkout", "S2S CARD", "S2S APM")


def answer_in(check: Check, exchanges: Sequence[Exchange]) -> Answer | None:
    """Return the answer to the changed request of a check, or the refusal with which another check ends."""
    ours = [each for each in exchanges if each.protocol in _PROTOCOLS and each.protocol != CALLBACK]
    if not ours or ours[-1].status is None:
        return None
    answer = _answer(ours[-1])
    return answer if check.change is not None or answer.refused else None


def _answer(exchange: Exchange) -> Answer:
    fields = fields_from_target(exchange)
    items = dict.fromkeys(text for path, text in fields.items() if _ITEM.fullmatch(path))
    return Answer(
        operation=place_of_exchange(exchange),
        refused=is_refusal(exchange, fields),
        status=exchange.status,
        code=one_line(fields.get("error_code", ""), _MAX_TEXT),
        message=one_line(fields.get("error_message", ""), _MAX_TEXT),
        items=tuple(one_line(text, _MAX_TEXT) for text in list(items)[:_MAX_ITEMS]),
    )
