"""Sends requests to a gateway in this process, without a network."""

import asyncio
import hashlib
import itertools
import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from emulator import Settings, create_app
from emulator.accounts import ACCOUNTS, Account
from emulator.releases import LATEST

BY_NAME = {account.name: account for account in ACCOUNTS}
MAIN = BY_NAME["main"]
_NUMBERS = itertools.count(1)
_LOOP = asyncio.new_event_loop()

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What came back: status, headers, and the body as bytes."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    raw: bytes

    @property
    def body(self) -> Json:
        found = json.loads(self.raw)
        assert isinstance(found, dict)
        return found

    def named(self) -> list[str]:
        """Field paths that the items of errors name."""
        return [item["error_message"].partition(":")[0] for item in self.body.get("errors", [])]

    @property
    def opened(self) -> bool:
        return self.status == 200 and "redirect_url" in self.body


class Gateway:
    """A gateway in this process."""

    def __init__(
        self,
        client: str = "127.0.0.1",
        *,
        release: str = LATEST,
        faults: tuple[str, ...] = (),
        variations: tuple[str, ...] = (),
        control: bool = False,
    ) -> None:
        self.app = create_app(Settings(release=release, faults=faults, variations=variations, control=control))
        self.client = client

    def send(  # noqa: PLR0917 - the parts of a request
        self,
        method: str,
        path: str,
        body: bytes = b"",
        content_type: str = "",
        query: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        sent_headers = {"content-type": content_type} if content_type else {}
        sent_headers |= headers or {}
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query,
            "headers": [(name.encode(), value.encode()) for name, value in sent_headers.items()],
            "client": (self.client, 5),
            "server": ("127.0.0.1", 8000),
            "scheme": "http",
        }
        sent: list[Mapping[str, Any]] = []

        async def receive() -> Json:
            return {"type": "http.request", "body": body, "more_body": False}

        async def take(message: Mapping[str, Any]) -> None:
            sent.append(message)

        _LOOP.run_until_complete(self.app(scope, receive, take))
        return Answer(sent[0]["status"], tuple(sent[0]["headers"]), sent[1]["body"])

    def session(self, body: object) -> Answer:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.send("POST", "/api/v1/session", raw, "application/json")

    def post(self, form: Mapping[str, str], content_type: str = "application/x-www-form-urlencoded") -> Answer:
        return self.send("POST", "/post", urlencode(form).encode(), content_type)

    def advance(self, seconds: float) -> Answer:
        return self.send("POST", "/-/clock", json.dumps({"advance_seconds": seconds}).encode(), "application/json")


def session_hash(order: Json, password: str, inner: str = "md5") -> str:
    """The session signature, written down a second time on purpose."""
    text = "".join(str(order[name]) for name in ("number", "amount", "currency", "description") if name in order)
    digest = hashlib.new(inner, (text + password).upper().encode(), usedforsecurity=False).hexdigest()
    return hashlib.sha1(digest.encode(), usedforsecurity=False).hexdigest()


def merged(base: Json, changes: Json) -> Json:
    """``base`` with ``changes`` laid over it, object by object; a value of ... takes the field away."""
    result = deepcopy(base)
    for name, value in changes.items():
        if value is ...:
            result.pop(name, None)
        elif isinstance(value, dict):
            below = result.get(name)
            result[name] = merged(below if isinstance(below, dict) else {}, value)
        elif isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            below = result.get(name)
            first = below[0] if isinstance(below, list) and isinstance(below[0], dict) else {}
            result[name] = [merged(first, value[0])]
        else:
            result[name] = value
    return result


def session_request(account: Account = MAIN, *, signed: bool = True, **changes: object) -> Json:
    """A valid session request with ``changes``, signed afterwards unless ``hash`` is among them."""
    base: Json = {
        "merchant_key": account.key,
        "operation": "purchase",
        "success_url": "https://merchant.example/success?order=1",
        "order": {
            "number": f"n-{next(_NUMBERS)}",
            "amount": "10.00",
            "currency": "USD",
            "description": "Important gift",
        },
        "customer": {"name": "John Doe", "email": "doe@example.com"},
        "billing_address": {"country": "US", "city": "Reno", "address": "Street 1", "zip": "89501", "phone": "1"},
    }
    request = merged(base, changes)
    order = request.get("order")
    if signed and "hash" not in changes and isinstance(order, dict):
        request["hash"] = session_hash(order, account.password, account.hash)
    return request


def sale_hash(email: str, password: str, number: str, digest: str = "md5") -> str:
    """Formula 1, written down a second time on purpose."""
    fragment = (number[:6] + number[-4:]) if number else ""
    return hashlib.new(digest, (email[::-1] + password + fragment[::-1]).upper().encode()).hexdigest()


def sale_form(account: Account = MAIN, **changes: str) -> dict[str, str]:
    """A valid sale with ``changes``; an empty change takes the field away. Signed unless ``hash`` is among them."""
    form = {
        "action": "SALE",
        "client_key": account.key,
        "order_id": f"s-{next(_NUMBERS)}",
        "order_amount": "10.00",
        "order_currency": "USD",
        "order_description": "Important gift",
        "card_number": "4111111111111111",
        "card_exp_month": "01",
        "card_exp_year": "2038",
        "card_cvv2": "411",
        "payer_first_name": "John",
        "payer_last_name": "Doe",
        "payer_email": "doe@example.com",
        "payer_phone": "199999999",
        "payer_ip": "192.0.2.7",
        "payer_address": "Big street",
        "payer_country": "US",
        "payer_city": "City",
        "payer_zip": "12345",
        "term_url_3ds": "https://merchant.example/3ds",
    } | changes
    form = {name: value for name, value in form.items() if value}
    if "hash" not in changes:
        form["hash"] = sale_hash(
            form.get("payer_email", ""), account.password, form.get("card_number", ""), account.hash
        )
    return form
