"""Faults of another author that the suite did not notice at first (set T), and others of their classes: S2S CARD."""

from typing import Final

from emulator.changes.s2s_card import around, last
from emulator.changes.s2s_card_moves import allowing
from emulator.changes.stages import refusal_if
from emulator.design import Design
from emulator.engine.moves import Move
from emulator.engine.payments import State
from emulator.engine.schedules import Subscription
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.wire.replies import Kind, Refusal, Reply

_NOT_OF_RETRIED: Final = Refusal(Kind.STATE, "Void is not allowed.")


def _is_settled_by_retry(attempt: CardAttempt) -> bool:
    payment = attempt.payment
    return payment is not None and payment.state is State.SETTLED and record_of(payment).soft


def _charging_once_changed(design: Design) -> Design:
    """A schedule that is paused charges all the same once it was changed, and is shown as paused."""
    inner, changed = design.schedules.may_charge, set[int]()

    def update(perform: Perform, attempt: CardAttempt) -> Reply:
        if attempt.schedule is not None:
            changed.add(id(attempt.schedule))
        return perform(attempt)

    def may_charge(subscription: Subscription) -> bool:
        return inner(subscription) or id(subscription.schedule) in changed

    return around(update, "UPDATE_SCHEDULE")(design.in_schedules(may_charge=may_charge))


FAULTS: Final = faults(
    {
        "t-paused-schedule-charges-once-changed": breaks(
            "S2C-SCH-53",
            "A paused schedule charges its payers once UPDATE_SCHEDULE has changed it (line 359).",
            _charging_once_changed,
            since="6.7.0",
        ),
        "t-retried-charge-not-voided": breaks(
            "S2C-VOI-01",
            "VOID of a charge that a RETRY settled is refused (line 318).",
            last(refusal_if(_is_settled_by_retry, _NOT_OF_RETRIED), "VOID"),
        ),
        "t-retried-charge-not-given-back": breaks(
            "S2C-CVD-02",
            "CREDITVOID of a charge that a RETRY settled is refused (line 356).",
            last(refusal_if(_is_settled_by_retry, _NOT_OF_RETRIED), "CREDITVOID"),
        ),
        "t-retried-charge-retried-again": breaks(
            "S2C-REC-26",
            "RETRY of a charge that a RETRY settled charges it once more (line 356).",
            allowing((State.SETTLED, Move.RETRY, State.SETTLED)),
        ),
    }
)
