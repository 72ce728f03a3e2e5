"""Faults of VOID of S2S APM."""

from typing import Final

from emulator.changes.s2s_apm import around, instead
from emulator.changes.s2s_apm_payments import (
    HELD,
    PAID,
    SINCE_AUTH,
    accepting,
    anything,
    of_anybody,
    other_code,
    other_text,
    refusing,
    settled,
    standing,
    unknown_served,
    without_effect,
    worded,
)
from emulator.engine.moves import Obstacle
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.stages import find_payment
from emulator.wire.replies import Kind, Reply


def _is_late(attempt: ApmAttempt, gateway: ApmGateway) -> bool:
    payment = attempt.payment
    if payment is None or payment.state is not State.SETTLED:
        return False
    return not gateway.apm.same_financial_day(payment, gateway.clock.now())


def _void_only_in_words_later(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is None or not _is_late(attempt, gateway):
        return handler(attempt, gateway)
    named: dict[str, object] = {"action": "VOID", "order_id": payment.order_number, "trans_id": payment.trans_id}
    return Reply(Kind.APM_VOID, 200, named | {"result": "SUCCESS", "status": "VOID"})


def _refused_and_done_later(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    late = _is_late(attempt, gateway)
    reply = handler(attempt, gateway)
    if late and attempt.payment is not None:
        attempt.payment.state = State.VOIDED
    return reply


FAULTS: Final = faults(
    {
        "refused": breaks("APM-VOI-01", "Every void is refused.", refusing("VOID", anything)),
        "without-effect": breaks(
            "APM-VOI-02", "A void succeeds and changes nothing.", without_effect("VOID", anything)
        ),
        "refunds": breaks(
            "APM-VOI-03", "A voided payment is reported as REFUND.", accepting("VOID", PAID, State.REFUNDED)
        ),
        "of-authorization": breaks(
            "APM-VOI-04", "An authorization is voided.", accepting("VOID", HELD, State.VOIDED), since=SINCE_AUTH
        ),
        "of-authorization-other-text": breaks(
            "APM-VOI-04",
            "A void of an authorization is refused in other words.",
            worded("VOID", other_text, Obstacle.WRONG_STATE),
            since=SINCE_AUTH,
        ),
        "of-authorization-other-code": breaks(
            "APM-VOI-04",
            "A void of an authorization is refused with another code.",
            worded("VOID", other_code, Obstacle.WRONG_STATE),
            since=SINCE_AUTH,
        ),
        "refused-and-done": breaks(
            "APM-VOI-05",
            "A void of an authorization is refused, and the authorization is gone.",
            refusing("VOID", HELD, State.RELEASED),
            since=SINCE_AUTH,
        ),
        "of-captured-refused": breaks(
            "APM-VOI-06",
            "A captured authorization cannot be voided.",
            refusing("VOID", settled(captured=True)),
            since=SINCE_AUTH,
        ),
        "of-declined": breaks(
            "APM-VOI-07", "A declined payment is voided.", accepting("VOID", standing(State.DECLINED))
        ),
        "twice": breaks("APM-VOI-08", "A void can be repeated.", accepting("VOID", standing(State.VOIDED))),
        "of-released": breaks(
            "APM-VOI-09",
            "A released authorization is voided.",
            accepting("VOID", standing(State.RELEASED)),
            since=SINCE_AUTH,
        ),
        "of-redirected": breaks(
            "APM-VOI-10",
            "A payment is voided before the payer came back.",
            accepting("VOID", standing(State.REDIRECTED), State.VOIDED),
        ),
        "of-refunded": breaks(
            "APM-VOI-11", "What was given back is voided.", accepting("VOID", standing(State.REFUNDED))
        ),
        "on-a-later-day-without-effect": breaks(
            "APM-VOI-12",
            "A void on a later day is answered as done, and the payment stays SETTLED.",
            around(_void_only_in_words_later, "VOID"),
        ),
        "on-a-later-day-refused-and-done": breaks(
            "APM-VOI-12",
            "A void on a later day is refused, and the payment is voided all the same.",
            around(_refused_and_done_later, "VOID"),
        ),
        "unknown-served": breaks("APM-VOI-13", "An unknown payment is voided.", unknown_served("VOID")),
        "of-other-merchant": breaks(
            "APM-VOI-15", "Other merchants' payments can be voided.", instead(find_payment, of_anybody, "VOID")
        ),
    },
    prefix="apm-void-",
)
