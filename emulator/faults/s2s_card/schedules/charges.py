"""Faults of S2S CARD: when schedules charge, whom, and how much."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from emulator.changes.s2s_card import answering, first, instead, post
from emulator.changes.stages import refusal_if
from emulator.design import Change
from emulator.engine.calendar import Terms, first_due, following_due
from emulator.engine.schedules import Subscription, is_over
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import check_schedule_id, find_chosen_schedule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_DAY: Final = timedelta(days=1)
_ANSWERS: Final = ("SALE", "DEBIT", "GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")
_REFUSED: Final = Refusal(Kind.SCHEDULE, INVALID_DATA, violations=(("schedule_id", "This was not expected."),))
_NO_SCHEDULE: Final = Refusal(Kind.SCHEDULE, "Schedule not found")


def _schedules(**changes: object) -> Change:
    return lambda design: design.in_schedules(**changes)


def _by_own_interval(mode: str) -> Change:
    """One mode of delay counts for nothing."""

    def due(terms: Terms, start: datetime, day: date | None) -> datetime:
        plain = {**terms, "delayed_first_payment": "none"}
        return first_due(plain if terms.get("delayed_first_payment") == mode else terms, start, day)

    return _schedules(first_due=due)


def _first_by(unit: Callable[[Terms], str]) -> Change:
    """The first interval is counted in another unit."""

    def due(terms: Terms, start: datetime, day: date | None) -> datetime:
        return first_due({**terms, "first_payment_interval_unit": unit(terms)}, start, day)

    return _schedules(first_due=due)


def _delay_wins(terms: Terms, start: datetime, day: date | None) -> datetime:
    delayed = terms.get("delayed_first_payment", "none") != "none"
    return first_due(terms, start, None if delayed else day)


def _never_asked(terms: Terms, start: datetime, _day: date | None) -> datetime:
    return first_due(terms, start, None)


def _by_default_delayed(terms: Terms, start: datetime, day: date | None) -> datetime:
    due = first_due(terms, start, day)
    return due if "delayed_first_payment" in terms or day is not None else due + (due - start)


def _days_only(terms: Terms, previous: datetime, _anchor: int) -> datetime:
    return previous + (_DAY if terms.get("interval_length") != "1" else 2 * _DAY)


def _late(terms: Terms, previous: datetime, anchor: int) -> datetime:
    return following_due(terms, previous, anchor) + 5 * _DAY


def _once_more(subscription: Subscription) -> bool:
    return is_over(replace(subscription, made=subscription.made - 1))


def _twice_less(subscription: Subscription) -> bool:
    return is_over(replace(subscription, made=subscription.made + 2))


def _deleted_goes_on(subscription: Subscription) -> bool:
    schedule = replace(subscription.schedule, deleted=False)
    return is_over(replace(subscription, schedule=schedule))


def _ended_goes_on(subscription: Subscription) -> bool:
    return is_over(replace(subscription, ended=False))


def _descheduled(attempt: CardAttempt) -> Reply:
    return Reply(Kind.SCHEDULE, 200, {"action": attempt.action, "result": "SUCCESS"})


def _has_schedule(attempt: CardAttempt) -> bool:
    return bool(attempt.form.get("schedule_id"))


def _refuses(name: str) -> Change:
    return first(refusal_if(lambda attempt: name in attempt.form, _REFUSED), "SALE")


def _existence_only(attempt: CardAttempt) -> Refusal | None:
    return _NO_SCHEDULE if check_schedule_id(attempt) else None


def _unknown_ignored(attempt: CardAttempt) -> Refusal | None:
    find_chosen_schedule(attempt)
    return None


def _tomorrow(body: Object) -> Object:
    first_date = body.get("first_recurring_date")
    later = date.fromisoformat(str(first_date)) + 3 * _DAY if first_date else None
    return body | {"first_recurring_date": later.isoformat()} if later else body


FAULTS: Final = faults(
    {
        **{
            f"schedule-delay-{mode.replace('_', '-')}-ignored": breaks(
                requirement, f"delayed_first_payment {mode} counts for nothing.", _by_own_interval(mode), since="6.7.0"
            )
            for mode, requirement in (
                ("by_interval", "S2C-SCH-28"),
                ("to_day_of_week", "S2C-SCH-29"),
                ("to_day_of_month", "S2C-SCH-30"),
            )
        },
        "schedule-first-interval-by-the-unit-of-the-others": breaks(
            "S2C-SCH-28",
            "by_interval takes interval_unit in place of first_payment_interval_unit.",
            _first_by(lambda terms: terms.get("interval_unit", "day")),
            since="6.7.0",
        ),
        "schedule-first-interval-always-by-days": breaks(
            "S2C-SCH-28",
            "by_interval counts days, whatever first_payment_interval_unit says.",
            _first_by(lambda _terms: "day"),
            since="6.7.0",
        ),
        "schedule-delayed-by-default": breaks(
            "S2C-SCH-24",
            "Without delayed_first_payment the first charge is late.",
            _schedules(first_due=_by_default_delayed),
            since="6.7.0",
        ),
        "paused-schedule-charges": breaks(
            "S2C-SCH-53", "A paused schedule charges.", _schedules(may_charge=lambda _: True)
        ),
        "descheduled-payer-charged": breaks(
            "S2C-SCH-54", "DESCHEDULE ends nothing.", post("DESCHEDULE", perform=_descheduled)
        ),
        "ended-subscription-charges": breaks(
            "S2C-SCH-54", "A payer who was taken off a schedule is charged.", _schedules(is_over=_ended_goes_on)
        ),
        "sale-with-schedule-refused": breaks(
            "S2C-SCP-01", "A sale that names a schedule is refused.", first(refusal_if(_has_schedule, _REFUSED), "SALE")
        ),
        "sale-schedule-existence-before-uuid": breaks(
            "S2C-SCP-02",
            "A schedule_id of a sale that is no UUID is refused as unknown.",
            instead(check_schedule_id, _existence_only, "SALE"),
        ),
        "sale-unknown-schedule-accepted": breaks(
            "S2C-SCP-03",
            "A sale with an unknown schedule is accepted.",
            instead(find_chosen_schedule, _unknown_ignored, "SALE"),
        ),
        "schedule-charges-nobody": breaks(
            "S2C-SCP-05", "A schedule charges nobody.", _schedules(may_charge=lambda _: False)
        ),
        "schedule-other-interval": breaks(
            "S2C-SCP-05", "Charges do not follow the interval.", _schedules(following_due=_late)
        ),
        "schedule-charges-once-more": breaks(
            "S2C-SCP-06", "A schedule charges once more than it says.", _schedules(is_over=_once_more)
        ),
        "schedule-charges-twice-less": breaks(
            "S2C-SCP-06", "A schedule charges twice less than it says.", _schedules(is_over=_twice_less)
        ),
        "deleted-schedule-charges": breaks(
            "S2C-SCP-07", "A deleted schedule charges.", _schedules(is_over=_deleted_goes_on)
        ),
        "schedule-start-date-ignored": breaks(
            "S2C-SCP-10", "schedule_start_date counts for nothing.", _schedules(first_due=_never_asked), since="6.7.0"
        ),
        "schedule-delay-wins": breaks(
            "S2C-SCP-10",
            "delayed_first_payment wins over schedule_start_date.",
            _schedules(first_due=_delay_wins),
            since="6.7.0",
        ),
        "schedule-start-date-once": breaks(
            "S2C-SCP-11",
            "Charges after the first do not follow schedule_start_date by the interval.",
            _schedules(following_due=_days_only),
            since="6.7.0",
        ),
        "schedule-amount-ignored": breaks(
            "S2C-SCP-14",
            "payment_schedule_amount counts for nothing.",
            lambda design: design.in_card(scheduled_amount=lambda initial: initial.amount_text),
            since="6.7.0",
        ),
        "first-recurring-date-wrong": breaks(
            "S2C-SCP-16", "The date of the first charge is another one.", answering(_tomorrow, *_ANSWERS), since="6.7.0"
        ),
        **{
            f"{name.replace('_', '-')}-early-refused": breaks(
                "S2C-SCP-17", f"{name} is refused before its release.", _refuses(name), until="6.6.5"
            )
            for name in ("schedule_start_date", "payment_schedule_amount")
        },
    }
)
