"""Faults of S2S CARD by another author that the suite did not notice at first (set J)."""

from decimal import Decimal
from typing import Final

from emulator.design import Design
from emulator.engine.payments import Payment
from emulator.faults.model import breaks, faults


def _charged_in_cents(design: Design) -> Design:
    inner = design.card.scheduled_amount

    def scheduled_amount(initial: Payment) -> str:
        return f"{Decimal(inner(initial)):.2f}"

    return design.in_card(scheduled_amount=scheduled_amount)


FAULTS: Final = faults(
    {
        "j-card-scheduled-amount-in-cents": breaks(
            "S2C-SCP-14",
            "What a schedule charges is rounded to two decimals: 10.245 KWD are charged as 10.24 (lines 63 and 88).",
            _charged_in_cents,
        ),
    }
)
