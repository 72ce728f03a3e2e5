"""Checkout requests signed as the platform signs them, written down a second time on purpose, and their callbacks."""

from __future__ import annotations

import hashlib
import itertools
import json
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from emulator.accounts import Account
from emulator.engine.callbacks.sender import Callbacks
from tests.unit.emulator.probes.payer import Payer
from tests.unit.emulator.probes.probe import _LOOP, MAIN, Answer, Gateway, Json
from tests.unit.emulator.probes.taking import TakingPoster

_NUMBERS = itertools.count(1)
CHALLENGED = "05-38"


def digest(text: str, account: Account = MAIN) -> str:
    inner = hashlib.new(account.hash, text.upper().encode(), usedforsecurity=False).hexdigest()
    return hashlib.sha1(inner.encode(), usedforsecurity=False).hexdigest()


def order_number() -> str:
    return f"p-{next(_NUMBERS)}"


@dataclass
class Merchant:
    """A merchant of Checkout: opens sessions whose payers pay, posts what follows, and keeps the callbacks."""

    account: Account = MAIN
    gateway: Gateway = field(default_factory=lambda: Gateway(control=True))
    received: list[dict[str, str]] = field(default_factory=list)
    returned: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        callbacks: Callbacks = self.gateway.app.state.gateway.callbacks
        callbacks.address = "http://merchant.example/callback"
        callbacks._poster = TakingPoster(take=self._take)

    def _take(self, body: str) -> int:
        self.received.append(dict(parse_qsl(body, keep_blank_values=True)))
        return 200

    def callbacks(self) -> list[dict[str, str]]:
        """The callbacks that came so far."""
        _LOOP.run_until_complete(self.gateway.app.state.gateway.callbacks.settled())
        return self.received

    def last(self) -> dict[str, str]:
        """The newest callback."""
        return self.callbacks()[-1]

    def pay(self, expiry: str = "01-38", *, headers: dict[str, str] | None = None, **changes: object) -> Payer:
        """Open a session and pay it by card; what the payer came back with is in ``returned``."""
        payer = Payer(self.gateway, self.account, headers, **changes).enter(expiry=expiry)
        return self.back(payer)

    def back(self, payer: Payer) -> Payer:
        """Take in what the payer came back with."""
        self.returned = dict(parse_qsl(urlsplit(payer.location).query))
        return payer

    @property
    def payment(self) -> str:
        """The id of the payment that the payer came back with."""
        return self.returned["payment_id"]

    def send(self, path: str, signed: str, **fields: object) -> Answer:
        """Post to an address; signed over ``signed`` and the password unless ``hash`` is among the fields."""
        body = {"merchant_key": self.account.key, "hash": digest(signed + self.account.password, self.account)}
        sent = {name: value for name, value in (body | fields).items() if value is not ...}
        return self.gateway.send("POST", f"/api/v1/{path}", json.dumps(sent).encode(), "application/json")

    def status(self, payment: str = "", **fields: object) -> Json:
        """What a look-up by payment shows."""
        wanted = payment or self.payment
        return self.send("payment/status", wanted, payment_id=wanted, **fields).body
