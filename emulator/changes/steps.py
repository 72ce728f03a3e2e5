"""Callbacks of a step before the outcome: line 427 says that which event is notified is not shown."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.notices import EVERY_NOTICE
from emulator.design import Change
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Protocol, State

_LATER: Final = frozenset({"CAPTURE", "VOID", "CREDITVOID", "capture", "void", "refund", "reversal"})
_OPENED: Final[Mapping[Protocol, Fields]] = {
    Protocol.CHECKOUT: {"type": "init", "order_status": "prepare", "status": "waiting"},
    Protocol.S2S_CARD: {"status": "PENDING"},
    Protocol.S2S_APM: {"status": "PENDING"},
}


def _opened_first(notice: Notice) -> list[Notice]:
    if notice.payment.state is not State.SETTLED or notice.event in _LATER:
        return [notice]
    # What the acquirer says of it is not known yet.
    waiting: Fields = {"ARN": ""} if "ARN" in notice.fields else {}
    return [replace(notice, fields={**notice.fields, **waiting, **_OPENED[notice.payment.protocol]}), notice]


OPENED_FIRST: Final[Change] = EVERY_NOTICE.changed(_opened_first)
"""A payment that settles is notified once before, as one that is under way."""
