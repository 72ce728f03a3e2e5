"""Faults of S2S CARD: several payers of one schedule, ids that are cut off or in capitals, failed challenges (set G).

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import NOTICES, first, instead
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Payment, State
from emulator.engine.schedules import Schedule, Subscription
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt, Perform
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.protocols.s2s_card.stages import find_initial
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_NO_SCHEDULE: Final = Refusal(Kind.SCHEDULE, "Schedule not found")
_ABOUT_SCHEDULES: Final = ("SCHEDULE_INFO", "UPDATE_SCHEDULE", "DELETE_SCHEDULE")


def _noting(note: Callable[[Schedule], object], action: str) -> Change:
    """An action on a schedule is carried out and noted."""

    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        inner: Perform = behaviour.perform

        def perform(attempt: CardAttempt) -> Reply:
            reply = inner(attempt)
            if attempt.schedule is not None and not reply.is_error:
                note(attempt.schedule)
            return reply

        return replace(behaviour, perform=perform)

    return lambda design: design.in_posts(changed, action)


# --- schedules ---


def _counts_anew(design: Design) -> Design:
    updated: set[str] = set()
    forgotten: dict[str, int] = {}
    inner = design.schedules.is_over

    def is_over(subscription: Subscription) -> bool:
        if subscription.schedule.id in updated:
            before = forgotten.setdefault(subscription.initial.id, subscription.made)
            return inner(replace(subscription, made=subscription.made - before))
        return inner(subscription)

    return _noting(lambda schedule: updated.add(schedule.id), "UPDATE_SCHEDULE")(design.in_schedules(is_over=is_over))


class _FirstPayers:
    """Who was the first payer of each schedule."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def has(self, subscription: Subscription) -> bool:
        return self._first.setdefault(subscription.schedule.id, subscription.initial.id) == subscription.initial.id


def _end_spares_others(design: Design) -> Design:
    known, inner = _FirstPayers(), design.schedules.is_over

    def is_over(subscription: Subscription) -> bool:
        if known.has(subscription):
            return inner(subscription)
        return inner(replace(subscription, schedule=replace(subscription.schedule, deleted=False)))

    return design.in_schedules(is_over=is_over)


def _pause_spares_others(design: Design) -> Design:
    known, over, charges = _FirstPayers(), design.schedules.is_over, design.schedules.may_charge

    def is_over(subscription: Subscription) -> bool:
        known.has(subscription)
        return over(subscription)

    def may_charge(subscription: Subscription) -> bool:
        return not known.has(subscription) or charges(subscription)

    return design.in_schedules(is_over=is_over, may_charge=may_charge)


def _all_are_descheduled(design: Design) -> Design:
    ended, inner = set[str](), design.schedules.is_over

    def is_over(subscription: Subscription) -> bool:
        return subscription.schedule.id in ended or inner(subscription)

    return _noting(lambda schedule: ended.add(schedule.id), "DESCHEDULE")(design.in_schedules(is_over=is_over))


def _in_capitals(attempt: CardAttempt) -> Refusal | None:
    identifier = attempt.form.get("schedule_id", "")
    return _NO_SCHEDULE if identifier != identifier.lower() else None


def _date_moves_on(design: Design) -> Design:
    started: dict[str, Payment] = {}

    def changed(notice: Notice) -> list[Notice]:
        payment = notice.payment
        if payment.chain in started and payment.schedule_id:
            record_of(started[payment.chain]).first_recurring_date = payment.created.date().isoformat()
        elif payment.schedule_id and not payment.chain:
            started[payment.id] = payment
        return [notice]

    return NOTICES.changed(changed)(design)


# --- chains ---


def _cut_off(name: str) -> Change:
    """Of one of the two ids of a chain the beginning is enough."""

    def lenient(attempt: CardAttempt) -> Refusal | None:
        sent = attempt.form
        for started in attempt.gateway.payments.all():
            whole = {"recurring_first_trans_id": started.trans_id, "recurring_token": started.recurring_token}
            others_are_right = all(sent.get(other) == value for other, value in whole.items() if other != name)
            if others_are_right and sent.get(name) and whole[name].startswith(sent[name]):
                attempt.form = {**sent, **whole}
        refusal = find_initial(attempt)
        attempt.form = sent
        return refusal

    return instead(find_initial, lenient, "RECURRING_SALE", "RECURRING_DEBIT")


# --- challenges ---


def _failed_by_the_payer(notice: Notice) -> bool:
    payment = notice.payment
    return payment.state is State.DECLINED and payment.approves and record_of(payment).challenged


FAULTS: Final = faults(
    {
        "g-update-starts-the-count-anew": breaks(
            "S2C-SCP-06",
            "UPDATE_SCHEDULE of a name lets the schedule charge payments_count times once more (line 359).",
            _counts_anew,
            since=_NEW,
        ),
        "g-delete-schedule-spares-other-payers": breaks(
            "S2C-SCP-07",
            "DELETE_SCHEDULE stops the charges of the first payer of the schedule only (line 360).",
            _end_spares_others,
        ),
        "g-pause-spares-other-payers": breaks(
            "S2C-SCH-53",
            "PAUSE stops the charges of the first payer of the schedule only (line 361).",
            _pause_spares_others,
        ),
        "g-deschedule-ends-all-payers": breaks(
            "S2C-SCH-54",
            "DESCHEDULE of one payer ends the charges of all payers of the schedule (line 361).",
            _all_are_descheduled,
        ),
        "g-schedule-id-in-capitals-not-found": breaks(
            "S2C-SCH-15",
            "A schedule that was created under an id in capitals is not found by it (line 294).",
            first(_in_capitals, *_ABOUT_SCHEDULES),
        ),
        "g-first-recurring-date-moves-on": breaks(
            "S2C-SCP-16",
            "first_recurring_date in look-ups becomes the date of each charge that follows (line 288).",
            _date_moves_on,
            since=_NEW,
        ),
        "g-beginning-of-recurring-token-charges": breaks(
            "S2C-REC-14",
            "The beginning of a recurring_token is enough to charge the payer (line 445).",
            _cut_off("recurring_token"),
        ),
        "g-beginning-of-token-charges-a-debit": breaks(
            "S2C-REC-22",
            "The beginning of a recurring_token is enough for a RECURRING_DEBIT (line 445).",
            _cut_off("recurring_token"),
            since=_NEW,
        ),
        "g-beginning-of-first-trans-id-charges": breaks(
            "S2C-REC-13",
            "The beginning of recurring_first_trans_id is enough to charge the payer (line 445).",
            _cut_off("recurring_first_trans_id"),
        ),
        "g-failed-challenge-reported-as-passed": breaks(
            "CBK-S2C-22",
            "The payer of a good card fails the challenge, and the callback says transStatus Y (line 288).",
            NOTICES.where(_failed_by_the_payer, lambda fields: {**fields, "transStatus": "Y"}),
        ),
    }
)
