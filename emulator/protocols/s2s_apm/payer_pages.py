"""The payments that wait for their payer, by the token of the page that the payer is sent to."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from emulator.engine.payments import Payment

_KEPT: Final = 5_000


@dataclass(slots=True)
class PayerPages:
    """The payments that wait for a payer, by the token of their page; the oldest are forgotten."""

    _payments: OrderedDict[str, Payment] = field(default_factory=OrderedDict)

    def open(self, payment: Payment, token: str = "") -> str:
        """A token for the page of a payment: a new one, unless one is given."""
        token = token or secrets.token_urlsafe(24)
        self._payments[token] = payment
        if len(self._payments) > _KEPT:
            self._payments.popitem(last=False)
        return token

    def find(self, token: str) -> Payment | None:
        """The payment of a page."""
        return self._payments.get(token)
