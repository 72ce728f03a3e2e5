"""Faults of charges by schedule that show on a later charge, on a border of days, or for another merchant.

Numbers of lines are those of the interface description.
"""

from collections import Counter
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from emulator.accounts import Account
from emulator.changes.checkout import NOTICES
from emulator.design import Design
from emulator.engine.callbacks.notice import Fields
from emulator.engine.payments import Payment
from emulator.engine.schedules import Schedule, Subscription, is_over
from emulator.faults.model import breaks, faults

_NEW: Final = "6.7.0"


def _third_charge_a_day_late(design: Design) -> Design:
    inner = design.schedules.may_charge

    def may_charge(subscription: Subscription) -> bool:
        if subscription.made == 1:
            subscription.due += timedelta(days=1)
            subscription.anchor = subscription.due.day
        return inner(subscription)

    return design.in_schedules(may_charge=may_charge)


def _amount_of_first_charge_only(design: Design) -> Design:
    inner = design.checkout.scheduled_amount
    charged: Counter[str] = Counter()

    def amount(payment: Payment) -> str:
        charged[payment.id] += 1
        return inner(payment) if charged[payment.id] == 1 else payment.amount_text

    return design.in_checkout(scheduled_amount=amount)


def _goes_on_once_charged(subscription: Subscription) -> bool:
    if not subscription.schedule.deleted or subscription.made == 0:
        return is_over(subscription)
    count = subscription.schedule.terms.get("payments_count", "0")
    return subscription.ended or (count.isdigit() and 0 < int(count) <= subscription.made)


def _deleted_for_everybody(design: Design) -> Design:
    """Schedules of one id are one schedule, whoever has them."""
    owns, over = design.schedules.owns, design.schedules.is_over
    seen: dict[str, dict[str, Schedule]] = {}

    def noting(account: Account, schedule: Schedule) -> bool:
        seen.setdefault(schedule.id, {})[schedule.owner] = schedule
        return owns(account, schedule)

    def ended(subscription: Subscription) -> bool:
        same = seen.get(subscription.schedule.id, {}).values()
        return over(subscription) or any(one.deleted for one in same)

    return design.in_schedules(owns=noting, is_over=ended)


def _three_hours_ahead(fields: Fields) -> Fields:
    written, named = fields.get("date"), fields.get("first_recurring_date")
    if not isinstance(written, str) or not isinstance(named, str):
        return fields
    is_late = datetime.fromisoformat(written).hour >= 21
    moved = date.fromisoformat(named) + timedelta(days=int(is_late))
    return fields | {"first_recurring_date": moved.isoformat()}


def _leap_day_later(design: Design) -> Design:
    inner = design.checkout.first_day

    def first_day(payment: Payment) -> date | None:
        day = inner(payment)
        return day + timedelta(days=1) if day is not None and (day.month, day.day) == (2, 29) else day

    return design.in_checkout(first_day=first_day)


def _drifting(design: Design) -> Design:
    """The day of the month to come back to is that of the charge before."""
    inner = design.schedules.following_due
    rules = replace(
        design.schedules, following_due=lambda terms, previous, _anchor: inner(terms, previous, previous.day)
    )
    return replace(design, schedules=rules)


FAULTS: Final = faults(
    {
        "schedule-third-charge-a-day-late": breaks(
            "CHK-SCH-04",
            "The third charge of a schedule comes a day later than its interval says, and so do later ones (line 62).",
            _third_charge_a_day_late,
        ),
        "schedule-amount-of-first-charge-only": breaks(
            "CHK-SCH-05",
            "From the second charge on a schedule charges the initiating amount (line 63).",
            _amount_of_first_charge_only,
            since=_NEW,
        ),
        "schedule-start-on-leap-day-later": breaks(
            "CHK-SCH-01",
            "A schedule_start_date of 29 February starts on 1 March (line 62).",
            _leap_day_later,
            since=_NEW,
        ),
        "deleted-schedule-goes-on-once-charged": breaks(
            "S2C-SCP-07",
            "Payers whom a schedule charged before are charged on after DELETE_SCHEDULE (line 360).",
            lambda design: design.in_schedules(is_over=_goes_on_once_charged),
        ),
        "deleted-schedule-ends-for-everybody": breaks(
            "S2C-SCH-56",
            "DELETE_SCHEDULE of one merchant ends the schedules of others that have the same id (line 360).",
            _deleted_for_everybody,
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "first-recurring-date-three-hours-ahead": breaks(
            "CHK-SCH-01",
            "first_recurring_date of chains started after 21:00 UTC is the day after the first charge (line 288).",
            NOTICES.fields(_three_hours_ahead),
            since=_NEW,
        ),
        "schedule-drifts-from-end-of-month": breaks(
            "CHK-SCH-04",
            "Monthly charges that start on the 29th to the 31st stay on the 28th once February is over (line 62).",
            _drifting,
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
