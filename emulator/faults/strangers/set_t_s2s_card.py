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

_NO_PAIR: Final = Refusal(Kind.STATE, "Incorrect transaction")
_NOT_OF_RETRIED: Final = Refusal(Kind.STATE, "Void is not allowed.")


def _is_settled_by_retry(attempt: CardAttempt) -> bool:
    payment = attempt.payment
    return payment is not None and payment.state is State.SETTLED and record_of(payment).soft


def _has_lost_its_schedule(attempt: CardAttempt) -> bool:
    """The schedule that the first payment of a chain started was deleted."""
    initial, account = attempt.payment, attempt.account
    if initial is None or account is None or not initial.schedule_id:
        return False
    return attempt.gateway.schedules.find(account, initial.schedule_id) is None


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
        **{
            f"t-chain-of-deleted-schedule-refused-{action.lower().replace('_', '-')}": breaks(
                "S2C-SCP-23",
                f"{action} is refused once the schedule of its chain was deleted (lines 360 and 445).",
                last(refusal_if(_has_lost_its_schedule, _NO_PAIR), action),
                since=since,
            )
            for action, since in (("RECURRING_SALE", None), ("RECURRING_DEBIT", "6.7.0"))
        },
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
