"""Faults of S2S CARD by another author that the suite did not notice at first (set K), and others of their classes."""

from collections.abc import Iterable
from typing import Final

from emulator.changes.s2s_card import post
from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.schedules import update
from emulator.wire.replies import Reply

_DELAY: Final = ("delayed_first_payment", "first_payment_interval_length", "first_payment_day_of_week")
_MONTHLY: Final = ("first_payment_day_of_month",)
_PLAIN: Final = ("payments_count", "interval_length")


def _dropping(dropped: Iterable[str], when: str) -> Change:
    """An UPDATE_SCHEDULE that names one parameter forgets others."""

    def act(attempt: CardAttempt) -> Reply:
        if attempt.schedule is not None and attempt.form.get(when):
            for name in dropped:
                attempt.schedule.terms.pop(name, None)
        return update(attempt)

    return post("UPDATE_SCHEDULE", perform=act)


FAULTS: Final = faults(
    {
        f"k-card-update-of-{when.replace('_', '-')}-drops-{what}": breaks(
            "S2C-SCH-32",
            f"UPDATE_SCHEDULE with {when} drops {', '.join(dropped)}, which were not sent (line 359).",
            _dropping(dropped, when),
            since="6.7.0",
        )
        for when, what, dropped in (
            ("interval_length", "the-delay", _DELAY),
            ("name", "the-delay", _DELAY),
            ("payments_count", "the-day-of-the-month", _MONTHLY),
            ("interval_unit", "the-day-of-the-week", _DELAY),
            ("delayed_first_payment", "the-interval", _PLAIN),
        )
    }
)
