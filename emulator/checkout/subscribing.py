"""Schedules that sessions start."""

from typing import TYPE_CHECKING

from emulator.checkout.record import record_of
from emulator.payments.model import Payment

if TYPE_CHECKING:
    from emulator.gateway import Gateway


def subscribe(gateway: "Gateway", payment: Payment) -> None:
    """Let the schedule of a settled initializing payment charge its payer from now on."""
    from emulator.checkout.recurring import charge_by_schedule  # noqa: PLC0415 - a charge may follow from a charge

    schedule = gateway.schedules.find(payment.account, payment.schedule_id) if payment.schedule_id else None
    if schedule is None:
        return
    day = gateway.design.checkout.first_day(payment)
    subscription = gateway.schedules.start(payment, schedule, day, lambda one: charge_by_schedule(gateway, one.initial))
    record_of(payment).first_recurring_date = subscription.due.date().isoformat()
