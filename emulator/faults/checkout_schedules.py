"""Faults of schedules that sessions start."""

from datetime import date, datetime, timedelta
from typing import Final

from emulator.checkout.record import record_of
from emulator.design import Change, Design
from emulator.faults.checkout_ways import (
    all_of,
    told,
)
from emulator.faults.model import Fault
from emulator.payments.calendar import following_due
from emulator.payments.model import Payment, Protocol

_NEW: Final = "6.7.0"
_ON_SCHEDULES: Final = ("CHK-SCH-*", "CBK-ATT-2*")


def _days_later(days: int) -> Change:
    def first_day(payment: Payment) -> date | None:
        named = record_of(payment).schedule_start_date
        return date.fromisoformat(named) + timedelta(days=days) if named else None

    return lambda design: design.in_checkout(first_day=first_day)


def _date_only(days: int) -> Change:
    def moved(text: object) -> str:
        return (date.fromisoformat(str(text)) + timedelta(days=days)).isoformat()

    name = "first_recurring_date"
    return told(lambda fields: fields | {name: moved(fields[name])} if name in fields else fields)


def _twice_as_late(terms: object, previous: datetime, anchor: int) -> datetime:
    return following_due(terms, following_due(terms, previous, anchor), anchor)  # type: ignore[arg-type]


def _never_for_debits(design: Design) -> Design:
    inner = design.schedules.may_charge

    def may_charge(subscription: object) -> bool:
        initial = subscription.initial  # type: ignore[attr-defined]
        debit = initial.protocol is Protocol.CHECKOUT and initial.action == "debit"
        return not debit and inner(subscription)  # type: ignore[arg-type]

    return design.in_schedules(may_charge=may_charge)


FAULTS: Final = (
    Fault(
        "checkout-schedule-date-told-later",
        ("CHK-SCH-01",),
        "first_recurring_date is a day late.",
        _date_only(1),
        _ON_SCHEDULES,
        since=_NEW,
    ),
    Fault(
        "checkout-schedule-start-ignored",
        ("CHK-SCH-01", "CHK-SCH-02", "CHK-SCH-03"),
        "schedule_start_date has no effect.",
        lambda design: design.in_checkout(first_day=lambda _payment: None),
        _ON_SCHEDULES,
        since=_NEW,
    ),
    Fault(
        "checkout-schedule-starts-a-day-late",
        ("CHK-SCH-03",),
        "The first charge comes a day late.",
        all_of(_days_later(1), _date_only(-1)),
        _ON_SCHEDULES,
        since=_NEW,
    ),
    Fault(
        "checkout-schedule-delay-wins",
        ("CHK-SCH-02",),
        "The delay of the schedule wins over schedule_start_date.",
        lambda design: design.in_checkout(
            first_day=lambda payment: None if payment.schedule_id.endswith("2") else design.checkout.first_day(payment)
        ),
        _ON_SCHEDULES,
        since=_NEW,
    ),
    Fault(
        "checkout-schedule-skips-every-other",
        ("CHK-SCH-04",),
        "Every other charge is left out.",
        lambda design: design.in_schedules(following_due=_twice_as_late),
        ("CHK-SCH-*", "S2C-*"),
        since=_NEW,
    ),
    Fault(
        "checkout-schedule-amount-ignored",
        ("CHK-SCH-05",),
        "payment_schedule_amount has no effect.",
        lambda design: design.in_checkout(scheduled_amount=lambda payment: payment.amount_text),
        ("CHK-SCH-*",),
        since=_NEW,
    ),
    Fault(
        "checkout-schedule-other-amount",
        ("CHK-SCH-06",),
        "Scheduled charges are of one unit.",
        lambda design: design.in_checkout(
            scheduled_amount=lambda payment: record_of(payment).schedule_amount or "1.00"
        ),
        ("CHK-SCH-*",),
    ),
    Fault(
        "checkout-schedule-not-of-debits",
        ("CHK-SCH-07",),
        "Schedules do not charge chains of debits.",
        _never_for_debits,
        ("CHK-SCH-*",),
        since=_NEW,
    ),
)
