"""Faults of S2S CARD: when schedules charge, whom, and how much."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from emulator.design import Change
from emulator.faults.model import Fault
from emulator.faults.posts import ANY, answering, first, instead, leaving_out, post, refusing
from emulator.payments.calendar import Terms, first_due, following_due
from emulator.payments.schedules import Subscription, is_over
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.s2s_card.conduct import CardAttempt
from emulator.s2s_card.stages import check_schedule_id, find_chosen_schedule
from emulator.values import Object

_DAY: Final = timedelta(days=1)
_CHARGES: Final = ("S2C-SCP-*", "S2C-SCH-2?", "S2C-SCH-30", "S2C-SCH-5?", "CHK-SCH-*", "CBK-*")
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
    return first(refusing(lambda attempt: name in attempt.form, _REFUSED), "SALE")


def _existence_only(attempt: CardAttempt) -> Refusal | None:
    return _NO_SCHEDULE if check_schedule_id(attempt) else None


def _unknown_ignored(attempt: CardAttempt) -> Refusal | None:
    find_chosen_schedule(attempt)
    return None


def _tomorrow(body: Object) -> Object:
    told = body.get("first_recurring_date")
    later = date.fromisoformat(str(told)) + 3 * _DAY if told else None
    return body | {"first_recurring_date": later.isoformat()} if later else body


FAULTS: Final = (
    *(
        Fault(
            f"schedule-delay-{mode.replace('_', '-')}-ignored",
            (requirement,),
            f"delayed_first_payment {mode} counts for nothing.",
            _by_own_interval(mode),
            since="6.7.0",
        )
        for mode, requirement in (
            ("by_interval", "S2C-SCH-28"),
            ("to_day_of_week", "S2C-SCH-29"),
            ("to_day_of_month", "S2C-SCH-30"),
        )
    ),
    Fault(
        "schedule-delayed-by-default",
        ("S2C-SCH-24",),
        "Without delayed_first_payment the first charge is late.",
        _schedules(first_due=_by_default_delayed),
        _CHARGES,
        since="6.7.0",
    ),
    Fault(
        "paused-schedule-charges",
        ("S2C-SCH-53",),
        "A paused schedule charges.",
        _schedules(may_charge=lambda _: True),
    ),
    Fault(
        "descheduled-payer-charged",
        ("S2C-SCH-54",),
        "DESCHEDULE ends nothing.",
        post("DESCHEDULE", perform=_descheduled),
    ),
    Fault(
        "ended-subscription-charges",
        ("S2C-SCH-54",),
        "A payer who was taken off a schedule is charged.",
        _schedules(is_over=_ended_goes_on),
    ),
    Fault(
        "sale-with-schedule-refused",
        ("S2C-SCP-01",),
        "A sale that names a schedule is refused.",
        first(refusing(_has_schedule, _REFUSED), "SALE"),
        ANY,
    ),
    Fault(
        "sale-schedule-existence-before-uuid",
        ("S2C-SCP-02",),
        "A schedule_id of a sale that is no UUID is refused as unknown.",
        instead(check_schedule_id, _existence_only, "SALE"),
    ),
    Fault(
        "sale-unknown-schedule-accepted",
        ("S2C-SCP-03",),
        "A sale with an unknown schedule is accepted.",
        instead(find_chosen_schedule, _unknown_ignored, "SALE"),
        ("S2C-SCH-45",),
    ),
    Fault(
        "sale-schedule-untold",
        ("S2C-SCP-04",),
        "Neither answer nor look-up of a sale with a schedule names it.",
        leaving_out(("schedule_id",), *_ANSWERS),
        ("S2C-STA-09", "S2C-SCP-01"),
    ),
    Fault(
        "schedule-charges-nobody",
        ("S2C-SCP-05",),
        "A schedule charges nobody.",
        _schedules(may_charge=lambda _: False),
        _CHARGES,
    ),
    Fault(
        "schedule-other-interval",
        ("S2C-SCP-05",),
        "Charges do not follow the interval.",
        _schedules(following_due=_late),
        _CHARGES,
    ),
    Fault(
        "schedule-charges-once-more",
        ("S2C-SCP-06",),
        "A schedule charges once more than it says.",
        _schedules(is_over=_once_more),
        _CHARGES,
    ),
    Fault(
        "schedule-charges-twice-less",
        ("S2C-SCP-06",),
        "A schedule charges twice less than it says.",
        _schedules(is_over=_twice_less),
        _CHARGES,
    ),
    Fault(
        "deleted-schedule-charges",
        ("S2C-SCP-07",),
        "A deleted schedule charges.",
        _schedules(is_over=_deleted_goes_on),
    ),
    Fault(
        "schedule-start-date-ignored",
        ("S2C-SCP-10",),
        "schedule_start_date counts for nothing.",
        _schedules(first_due=_never_asked),
        ("S2C-SCP-11", "S2C-SCP-16"),
        since="6.7.0",
    ),
    Fault(
        "schedule-delay-wins",
        ("S2C-SCP-10",),
        "delayed_first_payment wins over schedule_start_date.",
        _schedules(first_due=_delay_wins),
        since="6.7.0",
    ),
    Fault(
        "schedule-start-date-once",
        ("S2C-SCP-11",),
        "Charges after the first do not follow schedule_start_date by the interval.",
        _schedules(following_due=_days_only),
        _CHARGES,
        since="6.7.0",
    ),
    Fault(
        "schedule-amount-ignored",
        ("S2C-SCP-14",),
        "payment_schedule_amount counts for nothing.",
        lambda design: design.in_card(scheduled_amount=lambda initial: initial.amount_text),
        since="6.7.0",
    ),
    Fault(
        "first-recurring-date-untold",
        ("S2C-SCP-16",),
        "Neither answer nor look-up tells the date of the first charge.",
        leaving_out(("first_recurring_date",), *_ANSWERS),
        ("S2C-SCP-10",),
        since="6.7.0",
    ),
    Fault(
        "first-recurring-date-wrong",
        ("S2C-SCP-16",),
        "The date of the first charge is another one.",
        answering(_tomorrow, *_ANSWERS),
        ("S2C-SCP-10",),
        since="6.7.0",
    ),
    *(
        Fault(
            f"{name.replace('_', '-')}-early-refused",
            ("S2C-SCP-17",),
            f"{name} is refused before its release.",
            _refuses(name),
            until="6.6.5",
        )
        for name in ("schedule_start_date", "payment_schedule_amount")
    ),
)
