"""The start of a schedule by the payment that names it."""

from datetime import date
from typing import TYPE_CHECKING

from emulator.payments.model import Payment
from emulator.rules.keywords import is_date
from emulator.s2s_card.record import record_of

if TYPE_CHECKING:
    from emulator.gateway import Gateway


def subscribe(gateway: "Gateway", payment: Payment) -> None:
    """Let the schedule of a payment, where it has one, charge its payer from now on."""
    from emulator.s2s_card.charging import charge_by_schedule  # noqa: PLC0415 - a charge may follow from a charge

    schedule = gateway.schedules.find(payment.account, payment.schedule_id) if payment.schedule_id else None
    if schedule is None:
        return
    record = record_of(payment)
    day = date.fromisoformat(record.schedule_start_date) if is_date(record.schedule_start_date) else None
    subscription = gateway.schedules.start(payment, schedule, day, lambda one: charge_by_schedule(gateway, one.initial))
    record.first_recurring_date = subscription.due.date().isoformat()
