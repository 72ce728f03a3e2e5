"""Card tokens: what is kept of a card under a text of 64 characters, per merchant."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from emulator.accounts import ACCOUNTS, Account
from emulator.engine.payments import Card

_KEPT: Final = 20_000
# The card behind the tokens that accounts have from the start; it pays.
_ON_FILE: Final = Card("411111", "1111", "01", "2038", "Ada Lovelace", "VISA")


@dataclass(slots=True)
class Vault:
    """The cards on file, by merchant key and token."""

    _cards: OrderedDict[tuple[str, str], Card] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        """Put the cards of the accounts' first tokens on file."""
        for account in ACCOUNTS:
            self._cards.update({(account.key, token): _ON_FILE for token in account.card_tokens})

    def keep(self, account: Account, card: Card) -> str:
        """Put a card on file and return its token."""
        token = secrets.token_hex(32)
        self._cards[account.key, token] = card
        if len(self._cards) > _KEPT:
            self._cards.popitem(last=False)
        return token

    def card(self, account: Account, token: str) -> Card | None:
        """The card behind a token of the merchant."""
        return self._cards.get((account.key, token))
