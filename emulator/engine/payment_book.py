"""The payments that the gateway remembers."""

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from emulator.accounts import Account
from emulator.engine.payments import Payment

_KEPT: Final = 20_000

Owns = Callable[[Account, Payment], bool]


def same_merchant(account: Account, payment: Payment) -> bool:
    """A payment belongs to the account that asked for it."""
    return account.key == payment.account.key


@dataclass(slots=True)
class PaymentBook:
    """Finds payments by id and by order number; the oldest are forgotten. ``owns`` keeps merchants apart."""

    owns: Owns = same_merchant
    _by_id: OrderedDict[str, Payment] = field(default_factory=OrderedDict)
    _by_order: dict[str, list[Payment]] = field(default_factory=lambda: defaultdict(list))

    def add(self, payment: Payment) -> None:
        """Remember a payment."""
        self._by_id[payment.id] = payment
        self._by_id[payment.trans_id] = payment
        self._by_order[payment.order_number].append(payment)
        if len(self._by_id) > _KEPT:
            self._forget()

    def find(self, account: Account, identifier: str) -> Payment | None:
        """The merchant's payment with this payment id or transaction id."""
        found = self._by_id.get(identifier)
        return found if found is not None and self.owns(account, found) else None

    def of_order(self, account: Account, number: str) -> list[Payment]:
        """The merchant's payments of an order, the newest first."""
        return [payment for payment in reversed(self._by_order.get(number, ())) if self.owns(account, payment)]

    def issued(self, account: Account, recurring_token: str) -> bool:
        """Whether the merchant was given this recurring token."""
        return any(one.recurring_token == recurring_token and self.owns(account, one) for one in self._by_id.values())

    def latest(self, count: int) -> list[Payment]:
        """The payments that were made last, of all merchants."""
        found = {id(payment): payment for payment in islice(reversed(self._by_id.values()), 2 * count)}
        return list(found.values())[:count]

    def all(self) -> list[Payment]:
        """Every payment, each once, the oldest first."""
        return list({id(payment): payment for payment in self._by_id.values()}.values())

    def lose(self, payment: Payment) -> None:
        """Forget a payment."""
        self._by_id.pop(payment.id, None)
        self._by_id.pop(payment.trans_id, None)
        self._by_order[payment.order_number].remove(payment)

    def _forget(self) -> None:
        _, oldest = self._by_id.popitem(last=False)
        self._by_id.pop(oldest.trans_id, None)
        self._by_id.pop(oldest.id, None)
        of_order = self._by_order[oldest.order_number]
        of_order.remove(oldest)
        if not of_order:
            del self._by_order[oldest.order_number]
