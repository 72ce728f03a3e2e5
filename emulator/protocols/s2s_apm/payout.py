"""The action CREDIT2VIRTUAL: money to a mobile phone."""

from emulator.engine.payments import State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway
from emulator.protocols.s2s_apm.outcomes import answer, approve, decline, leave_open, new_payment
from emulator.rules.s2s_apm.brands import Outcome
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import child, text_of


def payout(attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Answer a payout."""
    payment = new_payment(attempt, State.SETTLED)
    email = text_of(child(attempt.body, "parameters", "customer_email"))
    match gateway.apm.payout_outcome(email):
        case Outcome.DECLINED:
            decline(gateway, payment)
            result = "DECLINED"
        case Outcome.UNDEFINED:
            leave_open(gateway, payment)
            result = "UNDEFINED"
        case _:
            approve(gateway, payment)
            result = "SUCCESS"
    return Reply(Kind.APM_PAYOUT, 200, answer(gateway, payment, result))
