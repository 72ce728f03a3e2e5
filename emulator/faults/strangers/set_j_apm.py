"""Faults of S2S APM by another author that the suite did not notice at first (set J)."""

from typing import Final

from emulator.changes.s2s_apm import around
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.wire.replies import Reply


def _released_like_refunds(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is not None and payment.state is State.AUTHORIZED and not payment.account.refunds:
        return gateway.answers.refuse(gateway.apm.no_refunds)
    return handler(attempt, gateway)


FAULTS: Final = faults(
    {
        "j-apm-release-needs-refunds": breaks(
            "APM-CVD-01",
            "An account that allows no refunds cannot release an authorization (lines 317 and 371).",
            around(_released_like_refunds, "CREDITVOID"),
            since="6.7.0",
        ),
    }
)
