"""Faults of S2S CARD by another author that the suite did not notice at first (set J)."""

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_card import post
from emulator.design import Design
from emulator.engine.calendar import Terms
from emulator.engine.payments import Payment
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.charging import charge, instrument_of, new_payment, pay
from emulator.protocols.s2s_card.sandbox_cards import WALLET_CARD
from emulator.wire.replies import Reply


def _charged_in_cents(design: Design) -> Design:
    inner = design.card.scheduled_amount

    def scheduled_amount(initial: Payment) -> str:
        return f"{Decimal(inner(initial)):.2f}"

    return design.in_card(scheduled_amount=scheduled_amount)


def _apple_decrypts(attempt: CardAttempt) -> Reply:
    """A SALE by one of both wallets is carried out as if its account had the card flow."""
    account = attempt.account
    if account is None or attempt.form.get("digital_wallet") != "applepay":
        return pay(attempt)
    instrument = instrument_of(attempt, account)
    return charge(attempt, new_payment(attempt, account, replace(instrument, card=WALLET_CARD)), instrument.outcome)


def _every_second_month(design: Design) -> Design:
    inner = design.schedules.following_due

    def following_due(terms: Terms, previous: datetime, anchor: int) -> datetime:
        due = inner(terms, previous, anchor)
        return inner(terms, due, anchor) if terms.get("interval_unit") == "month" else due

    return design.in_schedules(following_due=following_due)


def _back_to_the_first_day(_terms: Terms, start: datetime, _due: datetime) -> int:
    return start.day


FAULTS: Final = faults(
    {
        "j-card-scheduled-amount-in-cents": breaks(
            "S2C-SCP-14",
            "What a schedule charges is rounded to two decimals: 10.245 KWD are charged as 10.24 (lines 63 and 88).",
            _charged_in_cents,
        ),
        "j-card-months-left-out": breaks(
            "S2C-SCP-20",
            "A schedule with an interval of a month charges every second month (line 62).",
            _every_second_month,
        ),
        "j-card-start-date-forgotten-by-later-charges": breaks(
            "S2C-SCP-20",
            "After a charge on schedule_start_date a monthly schedule returns to the day of the SALE (line 62).",
            lambda design: design.in_schedules(anchor_day=_back_to_the_first_day),
        ),
        "j-card-one-wallet-always-decrypted": breaks(
            "S2C-WAL-05 S2C-WAL-08 S2C-SIG-31 S2C-SIG-32",
            "A SALE by one of both wallets keeps a card, though the account has the virtual flow (line 18).",
            post("SALE", perform=_apple_decrypts),
        ),
    }
)
