"""Requests that are refused once and carried out the second time, as in a gateway of another author (set W)."""

from typing import Final

from emulator.changes import checkout, s2s_apm, s2s_card
from emulator.changes.checkout import Handler
from emulator.design import Change, Design
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.messages.answers import named
from emulator.wire.replies import Reply

_NEW: Final = "6.7.0"
_CAPTURES: Final = "6.6.3"


class _Again:
    """Knows which payments in a state something was refused of, and answers the second request as if it were done."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._refused: set[str] = set()

    def answer(self, reply: Reply, payment: Payment | None, action: str) -> Reply:
        """The answer to a request about a payment."""
        if payment is None or payment.state is not self._state or not reply.is_error:
            return reply
        if payment.id not in self._refused:
            self._refused.add(payment.id)
            return reply
        body = named(payment, action, "SUCCESS", payment.status)
        return Reply(reply.kind, 200, body if action.isupper() else {"payment_id": payment.id, "result": "success"})


def _in_card(action: str, state: State) -> Change:
    def change(design: Design) -> Design:
        again = _Again(state)

        def act(perform: Perform, attempt: CardAttempt) -> Reply:
            return again.answer(perform(attempt), attempt.payment, action)

        return s2s_card.around(act, action)(design)

    return change


def _in_apm(action: str, state: State) -> Change:
    def change(design: Design) -> Design:
        again = _Again(state)

        def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
            return again.answer(handler(attempt, gateway), attempt.payment, action)

        return s2s_apm.around(act, action)(design)

    return change


def _in_checkout(name: str, state: State) -> Change:
    def change(design: Design) -> Design:
        again = _Again(state)

        def act(handler: Handler, attempt: PostAttempt) -> Reply:
            return again.answer(handler(attempt), attempt.payment, name)

        return checkout.around(act, name)(design)

    return change


_ALL: Final = (
    ("apm", _in_apm, "VOID", State.AUTHORIZED, "APM-VOI-04", "318 and 446", _NEW),
    ("apm", _in_apm, "VOID", State.DECLINED, "APM-VOI-07", "318", None),
    ("apm", _in_apm, "CAPTURE", State.DECLINED, "APM-CAP-06", "315", _NEW),
    ("apm", _in_apm, "CAPTURE", State.VOIDED, "APM-CAP-08", "315", _NEW),
    ("card", _in_card, "VOID", State.DECLINED, "S2C-VOI-05", "318", None),
    ("card", _in_card, "CAPTURE", State.DECLINED, "S2C-CAP-10", "315", None),
    ("checkout", _in_checkout, "capture", State.DECLINED, "CHK-CAP-07", "315", _CAPTURES),
    ("checkout", _in_checkout, "void", State.DECLINED, "CHK-RFD-17", "318", None),
)
FAULTS: Final = faults(
    {
        f"w-{protocol}-{action.lower()}-of-{state.name.lower()}-done-when-asked-again": breaks(
            requirement,
            f"{action} of what is {state.name} is refused once, and carried out the second time (line {lines}).",
            change(action, state),
            since=since,
        )
        for protocol, change, action, state, requirement, lines, since in _ALL
    }
)
