"""Payers who were sent to the issuer, by the token of the address that they were sent to."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from emulator.engine.payments import Payment

_KEPT: Final = 20_000


@dataclass(slots=True)
class Challenges:
    """Payments by the token of their challenge; the oldest are forgotten."""

    _payments: OrderedDict[str, Payment] = field(default_factory=OrderedDict)

    def add(self, token: str, payment: Payment) -> None:
        """Remember a payment under the token of its challenge."""
        self._payments[token] = payment
        if len(self._payments) > _KEPT:
            self._payments.popitem(last=False)

    def find(self, token: str) -> Payment | None:
        """The payment of a challenge."""
        return self._payments.get(token)
