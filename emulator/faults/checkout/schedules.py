"""Faults of schedules that sessions start."""

from datetime import date, datetime, timedelta
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.design import Change, Design, all_of
from emulator.engine.calendar import following_due
from emulator.engine.payments import Payment, Protocol
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.payment_record import record_of

_NEW: Final = "6.7.0"


def _days_later(days: int) -> Change:
    def first_day(payment: Payment) -> date | None:
        named = record_of(payment).schedule_start_date
        return date.fromisoformat(named) + timedelta(days=days) if named else None

    return lambda design: design.in_checkout(first_day=first_day)


def _date_only(days: int) -> Change:
    def moved(text: object) -> str:
        return (date.fromisoformat(str(text)) + timedelta(days=days)).isoformat()

    name = "first_recurring_date"
    return NOTICES.fields(lambda fields: fields | {name: moved(fields[name])} if name in fields else fields)


def _twice_as_late(terms: object, previous: datetime, anchor: int) -> datetime:
    return following_due(terms, following_due(terms, previous, anchor), anchor)  # type: ignore[arg-type]


def _never_for_debits(design: Design) -> Design:
    inner = design.schedules.may_charge

    def may_charge(subscription: object) -> bool:
        initial = subscription.initial  # type: ignore[attr-defined]
        debit = initial.protocol is Protocol.CHECKOUT and initial.action == "debit"
        return not debit and inner(subscription)  # type: ignore[arg-type]

    return design.in_schedules(may_charge=may_charge)


FAULTS: Final = faults(
    {
        "checkout-schedule-date-reported-later": breaks(
            "CHK-SCH-01", "first_recurring_date is a day late.", _date_only(1), since=_NEW
        ),
        "checkout-schedule-start-ignored": breaks(
            "CHK-SCH-01 CHK-SCH-02 CHK-SCH-03",
            "schedule_start_date has no effect.",
            lambda design: design.in_checkout(first_day=lambda _payment: None),
            since=_NEW,
        ),
        "checkout-schedule-starts-a-day-late": breaks(
            "CHK-SCH-03", "The first charge comes a day late.", all_of(_days_later(1), _date_only(-1)), since=_NEW
        ),
        "checkout-schedule-delay-wins": breaks(
            "CHK-SCH-02",
            "The delay of the schedule wins over schedule_start_date.",
            lambda design: design.in_checkout(
                first_day=lambda payment: (
                    None if payment.schedule_id.endswith("2") else design.checkout.first_day(payment)
                )
            ),
            since=_NEW,
        ),
        "checkout-schedule-skips-every-other": breaks(
            "CHK-SCH-04",
            "Every other charge is left out.",
            lambda design: design.in_schedules(following_due=_twice_as_late),
            since=_NEW,
        ),
        "checkout-schedule-amount-ignored": breaks(
            "CHK-SCH-05",
            "payment_schedule_amount has no effect.",
            lambda design: design.in_checkout(scheduled_amount=lambda payment: payment.amount_text),
            since=_NEW,
        ),
        "checkout-schedule-other-amount": breaks(
            "CHK-SCH-06",
            "Scheduled charges are of one unit.",
            lambda design: design.in_checkout(
                scheduled_amount=lambda payment: record_of(payment).schedule_amount or "1.00"
            ),
        ),
        "checkout-schedule-not-of-debits": breaks(
            "CHK-SCH-07", "Schedules do not charge chains of debits.", _never_for_debits, since=_NEW
        ),
    }
)
