"""Faults of schedules that sessions start."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.design import Change, Design, all_of
from emulator.engine.calendar import following_due
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.schedules import Subscription
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


def _first_amount_where(applies: Callable[[Payment], bool]) -> Change:
    """payment_schedule_amount has no effect on some chains."""

    def change(design: Design) -> Design:
        inner = design.checkout.scheduled_amount
        return design.in_checkout(
            scheduled_amount=lambda payment: payment.amount_text if applies(payment) else inner(payment)
        )

    return change


def _in_cents(payment: Payment) -> str:
    return f"{Decimal(record_of(payment).schedule_amount or payment.amount_text):.2f}"


def _was_held(payment: Payment) -> bool:
    return payment.intended is State.AUTHORIZED


def _is_checkout(subscription: Subscription) -> bool:
    return subscription.initial.protocol is Protocol.CHECKOUT


def _charging_anyway(design: Design) -> Design:
    """A pause does not concern chains of Checkout."""
    inner = design.schedules.may_charge
    return design.in_schedules(may_charge=lambda one: _is_checkout(one) or inner(one))


def _never_over(over: Callable[[Subscription], bool]) -> Change:
    """Chains of Checkout end by ``over`` only."""

    def change(design: Design) -> Design:
        inner = design.schedules.is_over
        return design.in_schedules(is_over=lambda one: over(one) if _is_checkout(one) else inner(one))

    return change


def _counted(subscription: Subscription) -> bool:
    count = int(str(subscription.schedule.terms.get("payments_count") or 0))
    return subscription.ended or 0 < count <= subscription.made


def _not_where_held(design: Design) -> Design:
    inner = design.schedules.may_charge
    return design.in_schedules(may_charge=lambda one: inner(one) and not (_is_checkout(one) and _was_held(one.initial)))


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
        "checkout-schedule-amount-ignored-after-nothing": breaks(
            "CHK-SCH-05",
            "Of a chain that nothing was paid for the schedule charges nothing.",
            _first_amount_where(lambda payment: payment.amount == 0),
            since=_NEW,
        ),
        "checkout-schedule-amount-ignored-after-capture": breaks(
            "CHK-SCH-05",
            "payment_schedule_amount has no effect where the first payment was captured.",
            _first_amount_where(_was_held),
            since=_NEW,
        ),
        "checkout-schedule-amount-in-cents": breaks(
            "CHK-SCH-05 CHK-SCH-06",
            "Scheduled charges are rounded to cents in every currency.",
            lambda design: design.in_checkout(scheduled_amount=_in_cents),
            since=_NEW,
        ),
        "checkout-schedule-not-of-captured": breaks(
            "CHK-SCH-05",
            "Schedules do not charge chains whose first payment was captured.",
            _not_where_held,
            since=_NEW,
        ),
        "checkout-schedule-paused-charges": breaks(
            "S2C-SCH-53", "A paused schedule charges chains of Checkout.", _charging_anyway, since=_NEW
        ),
        "checkout-schedule-deleted-charges": breaks(
            "S2C-SCP-07", "A deleted schedule charges chains of Checkout.", _never_over(_counted), since=_NEW
        ),
        "checkout-schedule-uncounted": breaks(
            "S2C-SCP-06",
            "payments_count ends no chain of Checkout.",
            _never_over(lambda one: one.ended or one.schedule.deleted),
            since=_NEW,
        ),
    }
)
