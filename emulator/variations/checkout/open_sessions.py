"""Variations of look-ups that show what a session is opened for, before anybody pays it."""

import uuid
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import Handler, around
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import Object

_FOUND: Final = 200


def _with_the_session(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    number = str(attempt.body.get("order_id"))
    opened = attempt.gateway.sessions_of(str(attempt.body.get("merchant_key")), number)
    if reply.kind is Kind.CHECKOUT_STATUS or attempt.body.get("payment_id") is not None or not opened:
        return reply
    shown: Object = {
        "payment_id": str(uuid.uuid5(uuid.NAMESPACE_OID, opened[-1])),
        "date": attempt.gateway.clock.now().strftime("%Y-%m-%d %H:%M:%S"),
        "status": "pending",
        "order": {"number": number},
    }
    if attempt.body.get("size") is not None:
        return replace(reply, kind=Kind.CHECKOUT_STATUS, status=_FOUND, body={}, listed=(shown,))
    return replace(reply, kind=Kind.CHECKOUT_STATUS, status=_FOUND, body=shown)


VARIATIONS: Final = (
    Variation(
        "checkout-look-ups-show-sessions",
        "A look-up by order shows a session that nobody has paid as a payment that is pending, and an expired one too.",
        around(_with_the_session, "status"),
    ),
)
