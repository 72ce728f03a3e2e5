"""Variations of look-ups that show a payment as it was for a moment after something was done with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from emulator.changes import checkout
from emulator.changes import s2s_apm as apm
from emulator.design import Design
from emulator.engine.payments import STATUS, Payment, State
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import WORDS
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import Reply

_SECONDS: Final = 0.3
_SUCCESS: Final = 200
_CHANGES: Final = ("CAPTURE", "VOID", "CREDITVOID")
_LOOK_UPS: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")


@dataclass(frozen=True)
class _Before:
    """What a payment was, how many steps it had gone, and since when it is another."""

    status: str
    steps: int
    since: datetime


@dataclass
class _Lagging:
    """A copy that learns late what is done with payments: of each, what it was and since when it is another."""

    words: Mapping[State, str] = field(default_factory=lambda: STATUS)
    before: dict[str, _Before] = field(default_factory=dict)

    def note(self, payment: Payment | None, now: datetime) -> None:
        """Something is done with a payment."""
        if payment is not None:
            self.before[payment.id] = _Before(self.words[payment.state], len(payment.transactions), now)

    def shown(self, reply: Reply, payment: Payment | None, now: datetime) -> Reply:
        """The look-up, with the status and the steps that the copy knows."""
        known = None if payment is None else self.before.get(payment.id)
        if known is None or reply.status != _SUCCESS or "status" not in reply.body:
            return reply
        if (now - known.since).total_seconds() >= _SECONDS:
            return reply
        body: dict[str, object] = {name: value for name, value in reply.body.items() if name != "ARN"}
        if isinstance(steps := body.get("transactions"), list):
            body["transactions"] = steps[: known.steps]
        return replace(reply, body=body | {"status": known.status})


def _card(design: Design) -> Design:
    copy = _Lagging()

    def noting(behaviour: ActionBehaviour) -> ActionBehaviour:
        def perform(attempt: CardAttempt) -> Reply:
            copy.note(attempt.payment, attempt.gateway.clock.now())
            return behaviour.perform(attempt)

        return replace(behaviour, perform=perform)

    def lagging(behaviour: ActionBehaviour) -> ActionBehaviour:
        return replace(
            behaviour,
            perform=lambda attempt: copy.shown(
                behaviour.perform(attempt), attempt.payment, attempt.gateway.clock.now()
            ),
        )

    return design.in_posts(noting, *_CHANGES).in_posts(lagging, *_LOOK_UPS)


def _apm(design: Design) -> Design:
    copy = _Lagging()

    def noting(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        copy.note(attempt.payment, gateway.clock.now())
        return handler(attempt, gateway)

    def lagging(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        return copy.shown(handler(attempt, gateway), attempt.payment, gateway.clock.now())

    change: Callable[[Design], Design] = apm.around(noting, *_CHANGES)
    return apm.around(lagging, "GET_TRANS_STATUS")(change(design))


def _checkout(design: Design) -> Design:
    copy = _Lagging(WORDS)

    def noting(handler: checkout.Handler, attempt: PostAttempt) -> Reply:
        copy.note(attempt.payment, attempt.gateway.clock.now())
        return handler(attempt)

    def lagging(handler: checkout.Handler, attempt: PostAttempt) -> Reply:
        gateway, account, named = attempt.gateway, attempt.account, attempt.body.get("payment_id")
        reply = handler(attempt)
        if account is None or reply.listed is not None:
            return reply
        shown = reply.body.get("payment_id") if named is None else named
        return copy.shown(reply, gateway.payments.find(account, str(shown)), gateway.clock.now())

    changed = checkout.around(noting, "capture", "refund", "void", "card_credit")(design)
    return checkout.around(lagging, "status")(changed)


_SENTENCE: Final = "Look-ups show a payment as it was for 300 ms after something was done with it."
VARIATIONS: Final = (
    Variation("card-look-ups-lag-behind-changes", _SENTENCE, _card),
    Variation("checkout-look-ups-lag-behind-changes", _SENTENCE, _checkout),
    Variation("apm-look-ups-lag-behind-changes", _SENTENCE, _apm),
)
