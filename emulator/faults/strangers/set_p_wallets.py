"""Faults of another author that the suite did not notice at first (set P), on wallets, and others of their class."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import post
from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.charging import charge, instrument_of, new_payment, pay
from emulator.protocols.s2s_card.sandbox_cards import WALLET_CARD
from emulator.wire.replies import Reply


def _decrypts(action: str, is_meant: Callable[[Mapping[str, str]], bool]) -> Change:
    """Some payments by wallet are carried out as if their account had the card flow."""

    def act(attempt: CardAttempt) -> Reply:
        account = attempt.account
        if account is None or not attempt.form.get("payment_token") or not is_meant(attempt.form):
            return pay(attempt)
        instrument = instrument_of(attempt, account)
        return charge(attempt, new_payment(attempt, account, replace(instrument, card=WALLET_CARD)), instrument.outcome)

    return post(action, perform=act)


def _asks(name: str) -> Callable[[Mapping[str, str]], bool]:
    return lambda form: form.get(name) == "Y"


FAULTS: Final = faults(
    {
        f"p-card-{action.lower()}-by-wallet-with-{slug}-keeps-its-card": breaks(
            f"S2C-WAL-05 S2C-WAL-08{also}",
            f"In the virtual flow a {action} by wallet with {name}=Y is decrypted and its card kept (line 18).",
            _decrypts(action, _asks(name)),
        )
        for action, name, slug, also in (
            ("SALE", "req_token", "req-token", ""),
            ("SALE", "recurring_init", "recurring-init", ""),
            ("SALE", "auth", "auth", " S2C-SIG-31"),
            ("DEBIT", "req_token", "req-token", ""),
        )
    }
)
