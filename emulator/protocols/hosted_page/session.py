"""A session as its page sees it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Final, cast

from emulator.accounts import METHODS, Account
from emulator.rules.currencies import CRYPTO, EXPONENTS
from emulator.wire.values import child

_AMOUNT_BY_PAYER = "-1"
_PAYS: Final = frozenset({"purchase", "debit"})
# The operations that a flag belongs to; on others it has no effect.
_FLAGS: Final[Mapping[str, frozenset[str]]] = {
    "auth": frozenset({"purchase"}),
    "vat_calc": frozenset({"purchase"}),
    "req_token": _PAYS,
    "recurring_init": _PAYS,
}


@dataclass(frozen=True, slots=True)
class KeptSession:
    """A session that was opened: what was asked for, and when its page closes, in seconds of the clock."""

    request: Mapping[str, object]
    closes: float


@dataclass(frozen=True, slots=True)
class PageSession:
    """What the merchant asked for, whose account it is, and the gateway's time and release.

    ``client`` is the address of the payer, ``browser`` what the payer's browser says of itself, by the names of the
    attributes in callbacks. ``cookies`` are what it sends back. ``is_posted``: a form was sent. ``declines``: so many
    attempts to pay it were declined before.
    """

    token: str
    request: Mapping[str, object]
    account: Account | None
    release: str
    now: datetime
    client: str = ""
    browser: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    is_posted: bool = False
    declines: int = 0

    def given(self, *names: str) -> str:
        """The text at a path of the request, or an empty one."""
        value = child(dict(self.request), *names)
        return value if isinstance(value, str) else ""

    def asks(self, flag: str) -> bool:
        """Whether the merchant set a flag, on an operation that it belongs to."""
        return self.request.get(flag) is True and self.operation in _FLAGS[flag]

    def _texts(self, name: str) -> tuple[str, ...]:
        value = self.request.get(name)
        return tuple(str(item) for item in cast("list[object]", value)) if isinstance(value, list) else ()

    @property
    def operation(self) -> str:
        """purchase, debit, credit or transfer."""
        return self.given("operation")

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods that the merchant restricts the page to, or none."""
        return self._texts("methods")

    @property
    def tokens(self) -> tuple[str, ...]:
        """The stored cards that the merchant offers; a transfer takes none."""
        return () if self.operation == "transfer" else self._texts("card_token")

    @property
    def currency(self) -> str:
        """The code of the currency."""
        return self.given("order", "currency")

    @property
    def amount(self) -> str:
        """The amount as sent, or nothing where the payer enters it."""
        amount = self.given("order", "amount")
        return "" if amount == _AMOUNT_BY_PAYER else amount

    @property
    def payer_enters_amount(self) -> bool:
        """Whether the page asks for the amount."""
        return self.operation == "transfer" and self.given("order", "amount") == _AMOUNT_BY_PAYER

    @property
    def decimals(self) -> int:
        """How many decimals an amount of the currency has."""
        return CRYPTO.get(self.currency, EXPONENTS.get(self.currency, 2))

    @property
    def vat(self) -> tuple[str, str] | None:
        """The rate and the amount of the VAT that is included, where the merchant wants it calculated."""
        if not self.asks("vat_calc") or self.account is None or not self.amount:
            return None
        rate = Decimal(self.account.vat_rate)
        part = Decimal(self.amount) * rate / (100 + rate)
        return self.account.vat_rate, f"{part:.{max(self.decimals, 2)}f}"


def family(method: str) -> str:
    """The family of method-specific parameters that a method belongs to."""
    return METHODS.get(method, "")
