"""Variations of schedules: what the contract leaves open in when and how often they charge."""

from dataclasses import replace
from typing import Final

from emulator.engine.schedules import Subscription, is_over
from emulator.variations.model import Variation


def _first_payment_counts(subscription: Subscription) -> bool:
    return is_over(replace(subscription, made=subscription.made + 1))


VARIATIONS: Final = (
    Variation(
        "first-payment-counts",
        "The payment that starts a schedule is the first of payments_count.",
        lambda design: design.in_schedules(is_over=_first_payment_counts),
    ),
)
