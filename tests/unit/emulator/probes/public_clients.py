"""Public clients of Checkout: what they send and how they sign, written down anew, and a shop that speaks through one.

Each of them was run unchanged against the emulator; docs/architecture.md says what was found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from emulator.accounts import ASYMMETRIC_TOKEN, FORM_ID, SCHEDULE_ID, Account
from emulator.engine.signing import ascii_upper
from tests.unit.emulator.probes.checkout_posts import CHALLENGED, Merchant, order_number
from tests.unit.emulator.probes.payer import Payer
from tests.unit.emulator.probes.probe import MAIN, Answer, Json, merged


def php(body: Json) -> str:
    """As json_encode writes it."""
    return json.dumps(body, separators=(",", ":")).replace("/", "\\/")


def javascript(body: Json) -> str:
    """As JSON.stringify writes it."""
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Client:
    """How a client writes and signs; ``upper`` in requests, ``upper_callbacks`` in callbacks and return addresses."""

    name: str
    write: Callable[[Json], str]
    accept: str
    upper: Callable[[str], str]
    upper_callbacks: Callable[[str], str]
    session: Json = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


_SHOP = {"success_url": "https://shop.example/return?shop=1", "cancel_url": "https://shop.example/cancel"}
_PERSON = {"name": "John Doe", "email": "doe@example.com"}
_ORDER = {"amount": "10.00", "currency": "USD", "description": "Order #123"}
_ADDRESS = {
    "country": "US",
    "state": "CA",
    "city": "Los Angeles",
    "district": "Downtown",
    "address": "Street 1",
    "house_number": "12",
    "zip": "90001",
    "phone": "347771112233",
}
TESS = Client(
    "tess-php-sdk",
    php,
    "application/json",
    ascii_upper,
    ascii_upper,
    {
        **_SHOP,
        "order": _ORDER | {"amount": "1.00", "currency": "QAR"},
        "customer": _PERSON,
        "methods": ["applepay", "card"],
        "billing_address": {"country": "QA", "state": "QA", "zip": "123456"},
    },
)
REACT_NATIVE = Client(
    "react_native_openpaymentplatform",
    javascript,
    "*/*",
    str.upper,
    ascii_upper,
    {"success_url": "myapp://payment/success", "cancel_url": "myapp://payment/cancel", "order": _ORDER},
)
TOTALPAY = Client(
    "odoo_totalpay",
    json.dumps,
    "*/*",
    str.upper,
    str.upper,
    {
        **_SHOP,
        "expiry_url": "https://shop.example/expired",
        "error_url": "https://shop.example/error",
        "order": _ORDER | {"description": "Payment Order # INV/2026/00001-12 in the store http://localhost:8069/"},
        "custom_data": {"odoo_reference": "INV/2026/00001-12"},
    },
)
# recurring_init is sent with every session, whatever the merchant wanted.
LARAVEL = Client(
    "laravel-montyPay",
    php,
    "application/json",
    str.upper,
    ascii_upper,
    {
        **_SHOP,
        "error_url": "https://shop.example/decline",
        "order": _ORDER,
        "customer": _PERSON,
        "methods": ["card"],
        "req_token": True,
        "recurring_init": True,
    },
)
CLIENTS = (TESS, REACT_NATIVE, TOTALPAY, LARAVEL)
_CHAIN: Json = {"recurring_init": True, "schedule_id": SCHEDULE_ID}
_EVERY_OPTION: Json = {
    **_CHAIN,
    "channel_id": "main",
    "session_expiry": 30,
    "url_target": "_self",
    "req_token": True,
    "form_id": FORM_ID,
    "vat_calc": True,
    "customer": _PERSON | {"digital_wallet": "googlepay"},
    "billing_address": _ADDRESS,
    "parameters": {"card": {"descriptor": "shop"}},
    "custom_data": {"internal": 1, "a": {"b": True}},
}
_PAYEE = {"name": "Ada Lovelace"}
_SCHEDULED: Json = {**_CHAIN, "schedule_start_date": "2037-01-01", "payment_schedule_amount": "5.00"}
# Beside what the client sends with every session.
SESSIONS: tuple[tuple[Client, str, Json], ...] = (
    *((client, "purchase", {}) for client in CLIENTS),
    (TESS, "purchase", {"req_token": True}),
    (TESS, "purchase", {"card_token": [ASYMMETRIC_TOKEN]}),
    (TESS, "purchase", {"recurring_init": True}),
    (REACT_NATIVE, "purchase", _EVERY_OPTION),
    (REACT_NATIVE, "debit", {"methods": ["card"]}),
    (REACT_NATIVE, "transfer", {"payee": _PAYEE | {"email": None}, "payee_billing_address": _ADDRESS}),
    (TOTALPAY, "debit", {"req_token": True}),
    (TOTALPAY, "transfer", {}),
    (TOTALPAY, "credit", {}),
    (LARAVEL, "purchase", {"auth": True}),
    (LARAVEL, "purchase", _SCHEDULED | {"recurring_consent_required": True}),
    (LARAVEL, "transfer", {"payee": _PAYEE}),
    (LARAVEL, "credit", {"payee": _PAYEE}),
)
REQUIRED = (
    "id",
    "order_number",
    "order_amount",
    "order_currency",
    "order_description",
    "order_status",
    "type",
    "status",
)
STATUSES = {"prepare", "settled", "pending", "3ds", "redirect", "decline", "refund", "reversal", "void", "chargeback"}


@dataclass
class Shop:
    """A merchant whose shop speaks through a public client."""

    client: Client
    account: Account = MAIN
    order: Json = field(default_factory=dict)
    payer: Payer | None = None

    def __post_init__(self) -> None:
        self.merchant = Merchant(self.account)

    def signature(self, *values: str, upper: Callable[[str], str]) -> str:
        text = upper("".join(values) + self.account.password)
        inner = hashlib.new(self.account.hash, text.encode(), usedforsecurity=False).hexdigest()
        return hashlib.sha1(inner.encode(), usedforsecurity=False).hexdigest()

    def post(self, path: str, *signed: str, token: str = "", **fields: object) -> Answer:
        """Post as the client does; what is not signed carries the token of hosted fields."""
        identity = {"merchant_key": self.account.key, "hash": self.signature(*signed, upper=self.client.upper)}
        body = self.client.write(fields | (identity if signed else {})).encode()
        headers = {"accept": self.client.accept} | ({"token": token} if token else {})
        return self.merchant.gateway.send("POST", f"/api/v1/{path}", body, "application/json", headers=headers)

    def open(self, operation: str = "purchase", **changes: object) -> Answer:
        """Open a session of the hosted page."""
        return self.open_at("session", operation, changes)

    def open_at(self, path: str, operation: str, changes: Json) -> Answer:
        """Open a session with what the client always sends, and ``changes``."""
        numbered = {"operation": operation, "order": {"number": order_number()}}
        body = merged(merged(self.client.session, numbered), changes)
        self.order = body["order"]
        signed = (str(self.order[name]) for name in ("number", "amount", "currency", "description"))
        return self.post(path, *signed, **body)

    def sell(self, operation: str = "purchase", expiry: str = "01-38", **changes: object) -> str:
        """Let a payer pay; the id of the payment comes from the return address."""
        self.payer = Payer.sent_to(self.merchant.gateway, self.open(operation, **changes).body["redirect_url"])
        self.payer.enter(expiry=expiry)
        if expiry == CHALLENGED:
            self.payer.press("confirm")
        return self.returned["payment_id"]

    @property
    def returned(self) -> dict[str, str]:
        assert self.payer is not None
        return dict(parse_qsl(urlsplit(self.payer.location).query))

    def of_payment(self, operation: str, payment: str, amount: str = "") -> Answer:
        fields = {"payment_id": payment} | ({"amount": amount} if amount else {})
        return self.post(f"payment/{operation}", *fields.values(), **fields)

    def trusts(self, fields: dict[str, str]) -> bool:
        """Return whether the client takes a callback for genuine."""
        signed = (fields[name] for name in REQUIRED[:5])
        return fields["hash"] == self.signature(*signed, upper=self.client.upper_callbacks)

    def trusts_return(self, query: dict[str, str]) -> bool:
        """Return whether the client takes a return address for genuine; what it does not carry is the shop's own."""
        own = (str(self.order[name]) for name in ("amount", "currency", "description"))
        signed = self.signature(query["payment_id"], query["order_id"], *own, upper=self.client.upper_callbacks)
        return query["hash"] == signed

    def received(self) -> list[tuple[str, str, str]]:
        """Type, status and order_status of all callbacks, each of which the client trusts."""
        callbacks = self.merchant.callbacks()
        for one in callbacks:
            assert self.trusts(one)
            assert all(one[name] for name in REQUIRED)
            assert one["order_status"] in STATUSES
        return [(one["type"], one["status"], one["order_status"]) for one in callbacks]
