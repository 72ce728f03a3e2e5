"""Ways to change what S2S APM does to payments that were made: CAPTURE, CREDITVOID and VOID."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_apm import around, finding_nothing
from emulator.design import Change
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.outcomes import number_of
from emulator.protocols.s2s_apm.stages import find_payment
from emulator.wire.replies import Kind, Refusal, Reply

Applies = Callable[[Payment], bool]
_KINDS: Final[Mapping[str, Kind]] = {
    "CAPTURE": Kind.APM_CAPTURE,
    "CREDITVOID": Kind.APM_CREDITVOID,
    "VOID": Kind.APM_VOID,
}
SINCE_AUTH: Final = "6.7.0"
_TEXT: Final = "Request is not acceptable"


def _captured(payment: Payment) -> bool:
    return any(step.type == Move.CAPTURE.value for step in payment.transactions)


def standing(*states: State) -> Applies:
    """The payment is in one of ``states``."""
    return lambda payment: payment.state in states


def settled(*, captured: bool) -> Applies:
    """The payment is settled, by a capture or at once."""
    return lambda payment: payment.state is State.SETTLED and _captured(payment) is captured


def accepting(action: str, applies: Applies, after: State | None = None) -> Change:
    """``action`` on payments that ``applies`` holds for is answered like one that succeeded."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment = attempt.payment
        if payment is None or not applies(payment):
            return handler(attempt, gateway)
        payment.state = after or payment.state
        body: dict[str, object] = {
            "action": action,
            "result": "ACCEPTED" if action == "CREDITVOID" else "SUCCESS",
            "status": payment.status,
            "order_id": payment.order_number,
            "trans_id": payment.trans_id,
        }
        return Reply(_KINDS[action], 200, body)

    return around(act, action)


def refusing(action: str, applies: Applies, after: State | None = None) -> Change:
    """``action`` on payments that ``applies`` holds for is refused; it may leave a trace."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment = attempt.payment
        if payment is None or not applies(payment):
            return handler(attempt, gateway)
        payment.state = after or payment.state
        return gateway.answers.refuse(gateway.apm.obstacle_refusals[action, Obstacle.WRONG_STATE])

    return around(act, action)


def without_effect(action: str, applies: Applies) -> Change:
    """``action`` is answered as always, and changes nothing of payments that ``applies`` holds for."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment = attempt.payment
        if payment is None or not applies(payment):
            return handler(attempt, gateway)
        before = payment.state, payment.captured, payment.refunded
        reply = handler(attempt, gateway)
        payment.state, payment.captured, payment.refunded = before
        return reply

    return around(act, action)


def with_amount(action: str, amount: Callable[[str, Payment], str], applies: Applies) -> Change:
    """``action`` works with another amount than the post names, where it names one."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment, sent = attempt.payment, attempt.form.get("amount", "")
        if payment is None or not sent or not applies(payment):
            return handler(attempt, gateway)
        form = {name: value for name, value in attempt.form.items() if name != "amount"}
        taken = amount(sent, payment)
        return handler(replace(attempt, form=form | ({"amount": taken} if taken else {})), gateway)

    return around(act, action)


def nothing_named(_sent: str, _payment: Payment) -> str:
    """Whatever is named, all is taken."""
    return ""


def at_most_all(sent: str, payment: Payment) -> str:
    """Where too much is named, all is taken."""
    return "" if number_of(sent) > (payment.held or payment.amount) else sent


def too_large_taken(action: str, applies: Applies, after: State) -> Change:
    """``action`` with too large an amount is refused, and carried out all the same."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment, sent = attempt.payment, attempt.form.get("amount", "")
        reply = handler(attempt, gateway)
        if payment is not None and applies(payment) and number_of(sent) > payment.amount:
            payment.state = after
        return reply

    return around(act, action)


def parts_refused(action: str, applies: Applies) -> Change:
    """``action`` with less than all is refused."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment, sent = attempt.payment, attempt.form.get("amount", "")
        if payment is not None and applies(payment) and sent and number_of(sent) < payment.amount:
            return gateway.answers.refuse(gateway.apm.obstacle_refusals[action, Obstacle.PARTIAL])
        return handler(attempt, gateway)

    return around(act, action)


def of_anybody(attempt: ApmAttempt) -> Refusal | None:
    """Find the payment that the post names, whoever made it."""
    wanted = attempt.form.get("trans_id", "")
    for payment in attempt.gateway.payments.latest(500):
        if payment.trans_id == wanted and payment.protocol is Protocol.S2S_APM:
            attempt.payment = payment
            return None
    return find_payment(attempt)


def worded(action: str, change: Callable[[Refusal], Refusal], *obstacles: Obstacle) -> Change:
    """Refusals of ``action`` for ``obstacles`` are worded otherwise."""
    return lambda design: design.in_apm(
        obstacle_refusals={
            key: change(refusal) if key[0] == action and key[1] in obstacles else refusal
            for key, refusal in design.apm.obstacle_refusals.items()
        }
    )


def other_code(refusal: Refusal) -> Refusal:
    """The refusal with another code."""
    return replace(refusal, code=100999)


def other_text(refusal: Refusal) -> Refusal:
    """The refusal in other words."""
    return replace(refusal, message=_TEXT)


def anything(_payment: Payment) -> bool:
    """Any payment."""
    return True


def unknown_served(action: str) -> Change:
    """``action`` on an unknown payment is answered with HTTP 200."""
    return finding_nothing(action, Refusal(Kind.NOT_FOUND, "", status=200))


def unknown_breaks(action: str) -> Change:
    """``action`` on an unknown payment is a server error."""
    return finding_nothing(action, Refusal(Kind.NOT_FOUND, "Internal error", code=0, status=500))


HELD: Final = standing(State.AUTHORIZED)
PAID: Final = standing(State.SETTLED)
