"""The action CREDIT2VIRTUAL: money to a mobile phone."""

from typing import TYPE_CHECKING

from emulator.payments.model import State
from emulator.replies import Kind, Reply
from emulator.s2s_apm.brands import Outcome
from emulator.s2s_apm.conduct import ApmAttempt
from emulator.s2s_apm.outcomes import answer, approve, decline, leave_open, new_payment
from emulator.values import child, text_of

if TYPE_CHECKING:
    from emulator.gateway import Gateway


def payout(attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    """Answer a payout."""
    payment = new_payment(attempt, State.SETTLED)
    email = text_of(child(attempt.body, "parameters", "customer_email"))
    match gateway.design.apm.payout_outcome(email):
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
