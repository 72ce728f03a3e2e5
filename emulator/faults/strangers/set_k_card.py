"""Faults of S2S CARD by another author that the suite did not notice at first (set K), and others of their classes."""

from collections.abc import Callable, Iterable
from typing import Final

from emulator.changes.s2s_card import post
from emulator.design import Change
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.charging import Instrument, charge, instrument_of, new_payment, pay
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


def _settled_at_once(paid_with: Callable[[Instrument], str]) -> Change:
    """A SALE by another instrument than a card never only holds."""

    def act(attempt: CardAttempt) -> Reply:
        account = attempt.account
        instrument = instrument_of(attempt, account) if account is not None else None
        if account is None or instrument is None or not paid_with(instrument):
            return pay(attempt)
        payment = new_payment(attempt, account, instrument)
        payment.intended = State.SETTLED
        return charge(attempt, payment, instrument.outcome)

    return post("SALE", perform=act)


FAULTS: Final = faults(
    {
        "k-card-authorization-by-token-settles": breaks(
            "S2C-AMT-01",
            "A SALE by card_token with auth=Y is settled at once (lines 27 and 352).",
            _settled_at_once(lambda instrument: instrument.token),
        ),
        "k-card-authorization-by-wallet-settles": breaks(
            "S2C-AMT-01",
            "A SALE by a wallet with auth=Y is settled at once (lines 27 and 352).",
            _settled_at_once(lambda instrument: instrument.wallet),
        ),
    }
    | {
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
