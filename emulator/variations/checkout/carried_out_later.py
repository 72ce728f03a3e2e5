"""Variations of changes that are answered first and carried out later: lines 315 and 338 show no more than a result."""

from collections.abc import Collection
from typing import Final

from emulator.changes.checkout import Handler, around
from emulator.design import Change
from emulator.engine.payments import State
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import notify
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Reply

_SECONDS: Final = 0.2
_TOO_LATE: Final = (State.DECLINED, State.VOIDED, State.REFUNDED)
"""States of payments that nothing can be taken back of."""


def _later(name: str, kind: Kind, states: Collection[State]) -> Change:
    """A change of payments in some states is accepted; what came of it is reported by callback."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        payment = attempt.payment
        if payment is None or payment.state not in states or "amount" in attempt.body:
            return handler(attempt)

        def carry_out() -> None:
            if handler(attempt).is_error:
                notify(attempt.gateway, payment, name, "fail")

        attempt.gateway.agenda.after(_SECONDS, carry_out)
        return Reply(kind, 200, {"payment_id": payment.id, "result": "accepted"})

    return around(act, name)


VARIATIONS: Final = (
    Variation(
        "checkout-captures-carried-out-later",
        "A capture of the whole is accepted and carried out a little later; what cannot be is reported as failed.",
        _later("capture", Kind.CHECKOUT_CAPTURE, (State.AUTHORIZED,)),
    ),
    Variation(
        "checkout-refunds-carried-out-later",
        "A refund of the whole is accepted and carried out a little later; what cannot be is reported as failed.",
        _later("refund", Kind.CHECKOUT_REFUND, (State.SETTLED,)),
    ),
    Variation(
        "checkout-voids-carried-out-later",
        "A void is accepted and carried out a little later; what cannot be is reported as failed.",
        _later("void", Kind.CHECKOUT_VOID, (State.SETTLED, *_TOO_LATE)),
    ),
)
