"""Variations whose operations have ids of their own: line 427 does not show what the callback of an operation names."""

import uuid
from dataclasses import replace
from typing import Final

from emulator.changes import checkout, s2s_apm
from emulator.changes.notices import Notices
from emulator.design import Change
from emulator.engine.callbacks.notice import Notice
from emulator.variations.model import Variation

_OPERATIONS: Final = frozenset({"CAPTURE", "VOID", "CREDITVOID", "REFUND"})
_IDS: Final = ("id", "payment_id", "trans_id")


def _of_its_own(notice: Notice) -> list[Notice]:
    if notice.event.upper() not in _OPERATIONS:
        return [notice]
    own = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{notice.payment.id} {notice.event}"))
    return [replace(notice, fields={**notice.fields, **{name: own for name in _IDS if name in notice.fields}})]


def _own_ids(notices: Notices) -> Change:
    return notices.changed(_of_its_own)


VARIATIONS: Final = (
    Variation(
        "checkout-operations-have-ids-of-their-own",
        "Callbacks of captures, voids and refunds of Checkout name their order, and an id of their own.",
        _own_ids(checkout.NOTICES),
    ),
    Variation(
        "apm-operations-have-ids-of-their-own",
        "Callbacks of CAPTURE, VOID and CREDITVOID of S2S APM name their order, and an id of their own.",
        _own_ids(s2s_apm.NOTICES),
    ),
)
