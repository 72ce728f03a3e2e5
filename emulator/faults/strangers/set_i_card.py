"""Faults of S2S CARD in the hands of another author, that the suite did not notice at first (set I).

Numbers of lines are those of the interface description.
"""

from typing import Final

from emulator.changes.s2s_card import first
from emulator.design import Design
from emulator.engine.schedules import Subscription
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.wire.replies import Kind, Refusal

_NEW: Final = "6.7.0"
_OF_ANOTHER_OPERATION: Final = Refusal(Kind.SCHEDULE, "Schedule not found")


# --- schedules ---


def _charges_one_operation(design: Design) -> Design:
    inner, operations = design.schedules.is_over, dict[str, str]()

    def is_over(subscription: Subscription) -> bool:
        operation = operations.setdefault(subscription.schedule.id, subscription.initial.action)
        return subscription.initial.action != operation or inner(subscription)

    return design.in_schedules(is_over=is_over)


def _started_by_one_operation(design: Design) -> Design:
    operations: dict[str, str] = {}

    def refuse(attempt: CardAttempt) -> Refusal | None:
        identifier = attempt.form.get("schedule_id", "")
        if not identifier or operations.setdefault(identifier, attempt.action) == attempt.action:
            return None
        return _OF_ANOTHER_OPERATION

    return first(refuse, "SALE", "DEBIT")(design)


FAULTS: Final = faults(
    {
        "i-schedule-charges-payers-of-its-first-operation": breaks(
            "S2C-SCP-19",
            "A schedule that charges the payer of a SALE never charges that of a DEBIT, or the reverse (line 61).",
            _charges_one_operation,
            since=_NEW,
        ),
        "i-schedule-is-of-its-first-operation": breaks(
            "S2C-SCP-18",
            "A schedule that a SALE started is not found by a DEBIT, or the reverse (line 61).",
            _started_by_one_operation,
            since=_NEW,
        ),
    }
)
