"""Faults of S2S CARD schedules that show after a change, in another spelling, or on the border of a year.

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final

from emulator.changes.s2s_card import NOTICES, instead
from emulator.design import Change, Design
from emulator.engine.calendar import Terms, months_later
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Payment
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt
from emulator.protocols.s2s_card.stages import check_deprecated, check_schedule_id
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_FRESH_SECONDS: Final = 60.0
_NO_UUID: Final = Refusal(Kind.SCHEDULE, "This is not a valid UUID.")
Perform = Callable[[CardAttempt], Reply]


def _performing(make: Callable[[Perform], Perform], action: str) -> Change:
    """An action is carried out by what ``make`` makes of the usual way."""

    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        return replace(behaviour, perform=make(behaviour.perform))

    return lambda design: design.in_posts(changed, action)


def _manual_amount(design: Design) -> Design:
    """The schedule goes on with the amount of the charge that was made by hand."""
    charged: dict[str, str] = {}
    inner = design.card.scheduled_amount

    def note(notice: Notice) -> list[Notice]:
        payment = notice.payment
        if payment.chain and not payment.schedule_id:
            charged[payment.chain] = payment.amount_text
        return [notice]

    def amount(initial: Payment) -> str:
        return charged.get(initial.id) or inner(initial)

    return NOTICES.changed(note)(design.in_card(scheduled_amount=amount))


def _length_reset(perform: Perform) -> Perform:
    def act(attempt: CardAttempt) -> Reply:
        reply, form, schedule = perform(attempt), attempt.form, attempt.schedule
        if schedule is not None and form.get("interval_unit") and not form.get("interval_length"):
            schedule.terms["interval_length"] = "1"
        return reply

    return act


def _once(perform: Perform) -> Perform:
    def act(attempt: CardAttempt) -> Reply:
        schedule = attempt.schedule
        if schedule is None or schedule.terms.get("changed"):
            return perform(replace(attempt, schedule=None))
        reply = perform(attempt)
        schedule.terms["changed"] = "once"
        return reply

    return act


def _info_remembered(design: Design) -> Design:
    """What a schedule says is answered again for a minute."""
    kept: dict[tuple[str, str], tuple[float, Reply]] = {}

    def make(perform: Perform) -> Perform:
        def act(attempt: CardAttempt) -> Reply:
            key = attempt.form.get("client_key", ""), attempt.form.get("schedule_id", "")
            now = attempt.gateway.clock.seconds()
            if key not in kept or now - kept[key][0] >= _FRESH_SECONDS:
                kept[key] = now, perform(attempt)
            return kept[key][1]

        return act

    return _performing(make, "SCHEDULE_INFO")(design)


def _zero_delays(perform: Perform) -> Perform:
    def act(attempt: CardAttempt) -> Reply:
        reply, schedule = perform(attempt), attempt.schedule
        if schedule is not None:
            schedule.terms.setdefault("delays", "0")
        return reply

    return act


def _small_letters_only(attempt: CardAttempt) -> Refusal | None:
    identifier = attempt.form.get("schedule_id", "")
    return _NO_UUID if identifier != identifier.lower() else check_schedule_id(attempt)


def _not_where_empty(attempt: CardAttempt) -> Refusal | None:
    return None if attempt.form.get("delays") == "" else check_deprecated(attempt)


def _new_year_counted_twice(design: Design) -> Design:
    inner = design.schedules.following_due

    def following_due(terms: Terms, previous: datetime, anchor: int) -> datetime:
        due = inner(terms, previous, anchor)
        return months_later(due, 1, anchor) if due.year > previous.year else due

    return design.in_schedules(following_due=following_due)


FAULTS: Final = faults(
    {
        "update-schedule-once-only": breaks(
            "S2C-SCH-31",
            "The second UPDATE_SCHEDULE of a schedule is answered as always, and changes nothing (line 359).",
            _performing(_once, "UPDATE_SCHEDULE"),
            since=_NEW,
        ),
        "schedule-info-remembered": breaks(
            "S2C-SCH-31",
            "SCHEDULE_INFO is answered again for 60 seconds, whatever was changed since (line 359).",
            _info_remembered,
        ),
        "update-schedule-unit-resets-length": breaks(
            "S2C-SCH-32",
            "UPDATE_SCHEDULE with interval_unit alone resets interval_length to 1 (line 359).",
            _performing(_length_reset, "UPDATE_SCHEDULE"),
            since=_NEW,
        ),
        "schedule-info-delays-zero-after-update": breaks(
            "S2C-SCH-48",
            "Once a schedule was changed, SCHEDULE_INFO reports delays as 0, not as null (line 303).",
            _performing(_zero_delays, "UPDATE_SCHEDULE"),
            since=_NEW,
        ),
        "schedule-id-in-capitals-no-uuid": breaks(
            "S2C-SCH-13",
            "CREATE_SCHEDULE refuses a UUID that is written in capitals (line 294).",
            instead(check_schedule_id, _small_letters_only, "CREATE_SCHEDULE"),
        ),
        "scheduled-amount-of-charge-by-hand": breaks(
            "S2C-SCP-14",
            "After a RECURRING_SALE the schedule of the chain charges its amount (line 63).",
            _manual_amount,
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "update-schedule-empty-delays-accepted": breaks(
            "S2C-SCH-17",
            "UPDATE_SCHEDULE takes the retired delays where it is sent empty (line 442).",
            instead(check_deprecated, _not_where_empty, "UPDATE_SCHEDULE"),
            since=_NEW,
        ),
        "schedule-over-new-year-a-month-late": breaks(
            "S2C-SCP-05",
            "The first charge of a new year comes a month later than the interval says (line 62).",
            _new_year_counted_twice,
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
