"""Schedules that sessions start."""

from typing import TYPE_CHECKING

from emulator.payments.model import Payment

if TYPE_CHECKING:
    from emulator.gateway import Gateway


def subscribe(gateway: "Gateway", payment: Payment) -> None:
    """Let the schedule of a settled initializing payment charge its payer from now on."""
