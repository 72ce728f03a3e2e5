"""S2S CARD posts signed as the platform signs them, written down a second time on purpose, and their callbacks."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from emulator.accounts import Account
from emulator.engine.callbacks.sender import Callbacks
from tests.unit.emulator.probes.probe import _LOOP, MAIN, Answer, Gateway, Json, sale_form
from tests.unit.emulator.probes.taking import TakingPoster

_NUMBERS = itertools.count(1)
CARD = "4111111111111111"
EMAIL = "doe@example.com"


def digest(text: str, account: Account = MAIN) -> str:
    return hashlib.new(account.hash, text.upper().encode(), usedforsecurity=False).hexdigest()


def fragment(number: str) -> str:
    return (number[:6] + number[-4:])[::-1] if number else ""


def order_id() -> str:
    return f"c-{next(_NUMBERS)}"


@dataclass
class Merchant:
    """A merchant at a gateway: posts what it is asked to, and keeps the callbacks that come."""

    account: Account = MAIN
    gateway: Gateway = field(default_factory=lambda: Gateway(control=True))
    received: list[dict[str, str]] = field(default_factory=list)

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

    def send(self, action: str, signed: str, **fields: str) -> Answer:
        """Post an action whose hash is the digest of ``signed``."""
        form = {"action": action, "client_key": self.account.key, **fields}
        return self.gateway.post(form | {"hash": fields.get("hash") or digest(signed, self.account)})

    def sale(self, **changes: str) -> Json:
        """A sale; returns its answer."""
        answer = self.gateway.post(sale_form(self.account, order_id=order_id(), **changes))
        return answer.body

    def operate(self, action: str, trans_id: str, email: str = EMAIL, number: str = CARD, **fields: str) -> Answer:
        """An operation on a payment, signed by Formula 2 or 6."""
        signed = email[::-1] + self.account.password + trans_id + fragment(number)
        return self.send(action, signed, trans_id=trans_id, **fields)

    def status(self, trans_id: str, email: str = EMAIL, number: str = CARD) -> str:
        """The status of a payment."""
        return str(self.operate("GET_TRANS_STATUS", trans_id, email, number).body["status"])

    def schedule(self, action: str, identifier: str = "", **fields: str) -> Answer:
        """A schedule action, signed by Formula 3 or 4."""
        given = {"schedule_id": identifier} if identifier else {}
        signed = (("" if action == "CREATE_SCHEDULE" else identifier) + self.account.password)[::-1]
        return self.send(action, signed, **given, **fields)

    def new_schedule(self, **fields: str) -> str:
        """A new schedule: every day, three times, unless the fields say otherwise; returns its id."""
        terms = {"name": "Daily", "interval_length": "1", "interval_unit": "day", "payments_count": "3"} | fields
        return str(self.schedule("CREATE_SCHEDULE", **terms).body["schedule_id"])

    def choose(self, answer: Mapping[str, Any], outcome: str = "pass") -> Answer:
        """Open the issuer's page of an answer and press one of its buttons."""
        path = str(answer["redirect_url"]).partition(":8000")[2]
        return self.gateway.send(
            "POST", f"{path}/outcome", urlencode({"outcome": outcome}).encode(), "application/x-www-form-urlencoded"
        )
