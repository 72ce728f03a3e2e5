"""Requests that show whether a gateway deviates: per field rule, and a corpus for everything else."""

import hashlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any, cast

from emulator.accounts import FORM_ID, SCHEDULE_ID, Account
from emulator.rules.model import Rule
from emulator.s2s_card.actions import REJECTED
from tests.emulator.gateway_probes import gateway_corpus
from tests.emulator.probe import BY_NAME, MAIN, Json, merged, sale_form, session_hash, session_request

_CARD_SETS: Json = {
    "bnrg_installm_def": "00",
    "bnrg_installm_months": "12",
    "bnrg_installm_plan": "05",
    "document_type": "cpf",
    "document_number": "12345678900",
    "social_name": "John",
    "fiscal_country": "BR",
    "descriptor": "gift",
    "shipping_street1": "Street",
    "customer_telnocc": "1",
    "shipping_postcode": "12345",
    "shipping_country": "276",
    "payer_country_of_birth": "DE",
    "payee_middle_name": "Ann",
    "shipping": {"street1": "Street", "houseNumber1": "7", "country": "DE", "cost": "10", "comment": "soft"},
    "cart": {
        "items": [
            {"name": "gift", "description": "box", "giftMessage": "hi", "quantity": "1", "recipient": {"city": "Bonn"}}
        ],
        "payments": [{"name": "gift", "primary": True}],
    },
    "marketPlace": {"sellers": [{"id": "s1", "amount": "5"}]},
}
_METHODS: Json = {
    "crypto-btg": {"crypto_type": "BTG", "bech32": True, "network_type": "eth", "accountId": "a"},
    "local-document": {"document_number": "1", "document_type": "d"},
    "member-id": {"memberId": "m"},
    "personal-id": {"personal_id": "p"},
    "bank-account": {"bank_code": "B", "bank_account_number": "1"},
    "instant-account": {"upi_id": "u"},
    "crypto-deposit": {"cryptoCurrency": "BTC"},
    "trading-deposit": {"paymentGatewayName": "n", "paymentCurrency": "USD", "tradingAccountLogin": "l"},
    "trading-withdrawal": {"withdrawCurrency": "USD", "address": "a", "tradingAccountLogin": "l"},
    "conversion": {"toCurrency": "USD"},
    "product-instalments": {
        "product_reference_id": "r",
        "product_name": "n",
        "product_quantity": "1",
        "product_sku": "s",
        "product_category": "c",
        "product_url": "u",
        "product_image_url": "i",
        "product_type": "t",
    },
    "national-id": {"bank_cuil": "1", "bank_curp": "2"},
}
_ADDRESS: Json = {
    "country": "US",
    "state": "CA",
    "city": "Los Angeles",
    "address": "Street",
    "zip": "123456",
    "phone": "123",
    "house_number": "3",
    "district": "West",
    "phone_country_code": "1",
    "language": "en",
}
_FULL: Json = {
    "cancel_url": "https://merchant.example/cancel",
    "session_expiry": 60,
    "checkout_language": "en",
    "customer": {"name": "John Doe", "email": "doe@example.com", "birth_date": "1990-01-01"},
    "billing_address": _ADDRESS,
    "parameters": {"card": _CARD_SETS, **_METHODS},
    "crypto": {"network": "ERC20"},
    "form_id": FORM_ID,
}
_SCHEDULED: Json = {"recurring_init": True, "schedule_id": SCHEDULE_ID}
_DATED: Json = {"schedule_start_date": "2031-01-01", "payment_schedule_amount": "5.00"}
_PAYEE: Json = {"payee": {"name": "Zoe Doe", "email": "z@example.com"}, "payee_billing_address": _ADDRESS}

BASES: tuple[Json, ...] = (
    {
        **_FULL,
        **_SCHEDULED,
        **_DATED,
        "channel_id": "main",
        "methods": ["card"],
        "req_token": False,
        "custom_data": {"a": [1]},
    },
    {"operation": "purchase", "card_token": ["a" * 64], "req_token": True, "auth": True, "vat_calc": True},
    {"operation": "debit", "custom_data": {"a": "b"}, **_SCHEDULED},
    {
        "operation": "credit",
        "custom_data": {"a": "b"},
        "card_token": ["a" * 64],
        "payee_first_name": "Z",
        "payee_last_name": "D",
        **_PAYEE,
    },
    {"operation": "transfer", **_PAYEE},
    {"order": {"amount": ..., "currency": "BTC"}, "operation": "purchase"},
    {"schedule_id": SCHEDULE_ID},
    {"parameters": {"card": {"bnrg_installm_def": "00", "bnrg_installm_months": "12", "bnrg_installm_plan": "05"}}},
)
_SHAPES: tuple[object, ...] = ({"x": 1}, [{"x": 1}], "maybe", "", 5, True)
_SPECIAL: tuple[object, ...] = (
    True, False, "true", 5, "x y-z", "EN", "https://merchant.example/?a=1", "app://back", "a@b", 'a"b', "a;b", "-1",
    "10.50", "x" * 300, "07", "purchase", "debit", "credit", "transfer", "_blank", ["card", "card"], ["card"],
    {"a": {"b": 1}}, "a+b@merchant.example", "ada@mail.example.com", "x" * 70_000, "2000-02-29",
)  # fmt: skip
_SALE_TEXTS = (
    "::1",
    "49",
    "_self",
    "411111111111111",
    "6" * 11,
    "99",
    "a@b.example".rjust(256, "a"),
    "4" * 20,
    "abcdefg",
)
_BAD_TEXTS = ("x", "1x", "nope", "12 34", "Иван", "1.234", "1,5", "12345678901.23", "USA", "a b", "2031-13-01", "9.9")


def placed(path: str, value: object) -> Json:
    """A request fragment that holds ``value`` at ``path``."""
    name, _, rest = path.partition(".")
    below = placed(rest, value) if rest else value
    return {name.removesuffix("[]"): [below] if name.endswith("[]") else below}


def _texts_of_length(row: Rule) -> Iterator[object]:
    for length in (cast("int", row.bound) + step for step in (0, 1, -1)):
        yield from ("a" * length, "1" * length)
        if "_url" in row.path:
            yield "https://m.example/".ljust(length, "x")


def values_for(row: Rule) -> Iterator[object]:
    """Values on both sides of the rule."""
    bound = row.bound
    match row.keyword:
        case "minLength" | "maxLength":
            yield from _texts_of_length(row)
        case "length":
            yield from ("1", "11", "111", 5)
        case "minimum" | "maximum":
            yield from (cast("int", bound) + step for step in (0, 1, -1))
        case "enum":
            yield from (*cast("tuple[str, ...]", bound), "nope")
        case "required" | "notBlank" | "optional" | "combination" | "decimals":
            yield from (..., "", "9.9", "2031-01-01", "5.00")
        case "handledWithout":
            yield ...
        case "type":
            yield from _SHAPES
        case "pattern" | "format" | "known":
            yield from _BAD_TEXTS
        case _:
            yield from _SPECIAL


def probes_for(row: Rule) -> Iterator[Json]:
    """Requests that stand on both sides of the rule, over every kind of session."""
    bases = [session_request(**base) for base in BASES]
    for base in bases:
        yield base
    values = list(values_for(row))
    for base, value in itertools.product(bases, values):
        yield _renumbered(merged(base, placed(row.path, value)), row.path)
    for value in values:
        yen = session_request(order={"currency": "JPY"})
        yield _renumbered(merged(yen, placed(row.path, value)), row.path)


def sale_probes_for(row: Rule) -> Iterator[dict[str, str]]:
    """Sales that stand on both sides of the rule, those of another country, account and instrument included."""
    values = {"" if value is ... else str(value) for value in values_for(row)} | set(_SALE_TEXTS)
    accounts = (MAIN, BY_NAME["payer_address_required"])
    bases: tuple[Json, ...] = ({}, {"payer_country": "DE"})
    for value, account, base in itertools.product(sorted(values, key=len), accounts, bases):
        form = sale_form(account, **{**base, row.path: value})
        yield form
        if not value:
            yield sale_form(account, **base) | {row.path: ""}


def _renumbered(request: Json, path: str) -> Json:
    order = request.get("order")
    if isinstance(order, dict):
        if path != "order.number":
            order["number"] = session_request()["order"]["number"]
        if path != "hash":
            request["hash"] = session_hash(order, MAIN.password)
    return request


def _altered(name: str, value: str) -> Json:
    request = session_request()
    request["order"][name] = value
    return request


def corpus() -> list[tuple[str, Any]]:
    """Requests as (road, what) that together touch everything that is not a field rule."""
    sessions = [*_order_sessions(), *_signed_sessions(), *_account_sessions()]
    return [("session", request) for request in sessions] + _others() + gateway_corpus()


def _order_sessions() -> list[Json]:
    amounts = {
        "USD": ("10", "10.0", "10.00", "10.000", "0.00", "-5.00", "-1", "10,00", "1,000.00", "1.00e1", "+10.00"),
        "JPY": ("10", "10.0", "10.00", "10.000", "10.50"),
        "BHD": ("10.00", "10.000", "10.0000"),
        "CLF": ("10.000", "10.0000", "10.00000"),
        "BTC": ("1.00000000", "1.000000000", "1.0000000"),
    }
    pairs = [(currency, amount) for currency, several in amounts.items() for amount in several]
    zero: Json = {"order": {"amount": "0.00"}}
    poor = BY_NAME["no_zero_amount"]
    return [
        *(session_request(order={"amount": amount, "currency": currency}) for currency, amount in pairs),
        *(session_request(order={"currency": currency}) for currency in ("US", "usd", "ABCDEFG", "ABC")),
        session_request(order={"amount": ..., "currency": "BTC"}),
        *(session_request(**(zero | {flag: True})) for flag in ("auth", "recurring_init")),
        *(session_request(poor, **(zero | {flag: True})) for flag in ("auth", "recurring_init")),
        session_request(checkout_language="xx"),
        session_request(billing_address={"country": "DE", "state": "x"}),
        session_request(unheard_of=True),
        session_request(order={"description": "x"}, customer={"email": "x"}),
        session_request(order={"description": "Schlüssel"}),
        session_request(order={"description": "this & that"}),
        session_request(cancel_url="https://merchant.example/cancel"),
        session_request(session_expiry=30),
        *(
            session_request(operation=operation, order={"amount": amount})
            for operation in ("debit", "transfer")
            for amount in ("0.00", "-5.00")
        ),
        session_request(operation="debit", success_url="nowhere"),
    ]


def _signed_sessions() -> list[Json]:
    def signed(text: str, inner: str = "md5") -> Json:
        request = session_request()
        order = dict(request["order"])
        return request | {
            "hash": session_hash({**order, "description": order["description"] + text}, MAIN.password, inner)
        }

    request = session_request()
    order = request["order"]
    reordered = {
        "number": order["amount"],
        "amount": order["number"],
        **{k: order[k] for k in ("currency", "description")},
    }
    raw = "".join(order.values()) + MAIN.password
    return [
        signed("x"),
        signed("", "sha256"),
        session_request(hash="0" * 40),
        session_request(hash=""),
        session_request(hash=...),
        request | {"hash": request["hash"].upper()},
        request | {"hash": session_hash(reordered, MAIN.password)},
        request | {"hash": session_hash(order, MAIN.key)},
        request | {"hash": session_hash(order, BY_NAME["second"].password)},
        request | {"hash": session_hash(order, "")},
        request | {"hash": session_hash({**order, "amount": "10"}, MAIN.password)},
        request | {"hash": _digest(_digest(raw, "md5"), "sha1")},
        request | {"hash": _raw_digest(raw.upper())},
        _altered("number", "other-number"),
        session_request(operation="debit", hash="0" * 40),
        session_request(auth=True, hash="0" * 40),
        session_request(hash=True),
        request | {"hash": request["hash"][:-1]},
        request | {"hash": _digest(_digest(raw.upper(), "md5").upper(), "sha1")},
        request | {"hash": _digest(raw.upper(), "sha1")},
        request | {"hash": _digest(raw.upper(), "md5")},
        request | {"hash": _digest(_digest(raw.upper(), "md5"), "md5")},
    ]


def _digest(text: str, algorithm: str) -> str:
    return hashlib.new(algorithm, text.encode()).hexdigest()


def _raw_digest(text: str) -> str:
    return hashlib.sha1(hashlib.md5(text.encode(), usedforsecurity=False).digest(), usedforsecurity=False).hexdigest()


def _account_sessions() -> list[Json]:
    same = session_request()
    debit = session_request(operation="debit")
    sha256 = session_request(BY_NAME["sha256"])
    literal = session_request(BY_NAME["sha256"])
    literal["hash"] = session_hash(literal["order"], BY_NAME["sha256"].password)
    again = session_request(BY_NAME["second"], order={"number": same["order"]["number"]})
    unknown_token = session_request(card_token=["c" * 64])
    retried = session_request(order={"number": unknown_token["order"]["number"]})
    return [
        same,
        same,
        again,
        debit | {"order": same["order"], "hash": same["hash"]},
        session_request(merchant_key=...),
        session_request(card_token=["b" * 64]),
        session_request(merchant_key="nobody"),
        session_request(merchant_key=""),
        session_request(BY_NAME["live_key"]),
        session_request(BY_NAME["live_key"], session_expiry=0),
        session_request(BY_NAME["ip_allowlist"]),
        sha256,
        literal,
        session_request(card_token=["a" * 63]),
        unknown_token,
        retried,
        *(session_request(**changes) for changes in _TOLERATED),
    ]


_TOLERATED: tuple[Json, ...] = (
    {"req_token": "true"},
    {"customer": None},
    {"customer": ...},
    {"customer": {"name": ...}},
    {"billing_address": ...},
    {"cancel_url": ""},
    {"methods": ["card", "unheard-of"]},
    {"channel_id": "nobody"},
    {"form_id": SCHEDULE_ID},
    {"recurring_init": True, "schedule_id": FORM_ID},
    {"schedule_id": SCHEDULE_ID},
    {"recurring_init": True, "schedule_id": SCHEDULE_ID, "schedule_start_date": "2001-01-01"},
    {"customer": {"name": "John O'Neil-Doe"}},
    {"customer": {"name": "J0hn"}},
    {"customer": {"birth_date": "2093-01-01"}},
    {"operation": "debit", "vat_calc": True},
    {"operation": "transfer", "methods": ["card"]},
    {"operation": "transfer"},
    {"operation": "transfer", "payee": {"name": "Zoë"}},
    {"url_target": "_blank"},
    {"success_url": "app://back"},
    {"success_url": "http://merchant.example/"},
    {"billing_address": {"country": "us"}},
    {"billing_address": {"country": "ZZ"}},
    {"billing_address": {"phone": "12 34"}},
    {"parameters": {"card": {"shipping": {"street1": "Big street 5"}}}},
    {"session_expiry": True},
    {"session_expiry": 0},
    {"parameters": {"card": {"marketPlace": {"sellers": [{"id": "s1"}, {"id": "s" * 256}]}}}},
)


def _others() -> list[tuple[str, Any]]:
    sale = sale_form()
    refused = sale_form(payer_ip="nowhere")
    return [
        ("session", b"{"),
        ("session", b'{"a": "' + b"x" * (1024 * 1024) + b'"}'),
        ("text/plain", session_request()),
        ("POST", "/api/v1/unheard-of"),
        ("PUT", "/api/v1/session"),
        *(("form", form) for form in SALES),
        ("form", sale),
        ("form", sale),
        ("form", sale | {"client_key": BY_NAME["second"].key, "hash": sale_form(BY_NAME["second"])["hash"]}),
        *((f"session, then after {seconds}", session_request()) for seconds in (12, 14.9, 15.5, 28)),
        ("session, then after 9, then after 9", session_request()),
        ("form", refused),
        ("form", sale_form(order_id=refused["order_id"])),
        *((f"form, then after {seconds}", sale_form()) for seconds in (12, 28)),
    ]


def _hashed(change: Callable[[str, str, str], str], account: Account = MAIN) -> dict[str, str]:
    """A sale whose hash is ``change`` of email address, password and card fragment."""
    form = sale_form(account)
    number = form["card_number"]
    return form | {"hash": change(form["payer_email"], account.password, number[:6] + number[-4:])}


def _joined(email: str, password: str, fragment: str) -> str:
    return email[::-1] + password + fragment[::-1]


def _digits_of_19() -> dict[str, str]:
    return sale_form(card_number="4111111111119876508")


_NO_CARD: Json = dict.fromkeys(("card_number", "card_exp_month", "card_exp_year", "card_cvv2"), "")


def _by_token() -> dict[str, str]:
    token = MAIN.card_tokens[1]
    text = _joined("doe@example.com", MAIN.password, token).upper()
    return sale_form(**_NO_CARD, card_token=token, hash=_digest(text, "md5"))


def _by_wallet() -> dict[str, str]:
    text = _joined("doe@example.com", MAIN.password, "").upper()
    return sale_form(**_NO_CARD, payment_token="{}", digital_wallet="googlepay", hash=_digest(text, "md5"))


SALES = (
    *(sale_form() | {"action": name} for name in REJECTED),
    *(sale_form() | {"action": name} for name in ("sale", "Sale", "refund", "Refund", "UNHEARD_OF", "PAUSE_SCHEDULE")),
    *(sale_form() | {"action": name} for name in ("CAPTURE", "RECURRING_DEBIT", "UPDATE_SCHEDULE")),
    {name: value for name, value in sale_form().items() if name != "action"},
    {name: value for name, value in sale_form().items() if name != "hash"},
    sale_form(BY_NAME["sha256"]),
    sale_form(hash="0" * 32),
    sale_form(hash="0" * 32, payer_ip="nowhere"),
    sale_form(card_exp_year="2020"),
    sale_form(card_number="4601541833776519", card_exp_year="2020"),
    sale_form(payer_ip="", payer_phone=""),
    sale_form(payer_city="x" * 40),
    _hashed(lambda email, password, fragment: _digest(_joined(email, password, fragment).upper(), "md5").upper()),
    _hashed(lambda email, password, fragment: _digest(_joined(email, password, fragment).upper(), "md5")[:20]),
    _hashed(lambda email, password, fragment: _digest(_joined(email, password, fragment).upper(), "sha256")),
    _hashed(lambda email, password, fragment: _digest(_joined(email, password, fragment), "md5")),
    _hashed(lambda email, password, fragment: _digest((password + email[::-1] + fragment[::-1]).upper(), "md5")),
    _hashed(lambda email, _password, fragment: _digest(_joined(email, MAIN.key, fragment).upper(), "md5")),
    _hashed(lambda email, password, fragment: _digest((email + password + fragment).upper(), "md5")),
    _hashed(
        lambda email, password, fragment: _digest(_digest(_joined(email, password, fragment).upper(), "md5"), "sha1")
    ),
    _hashed(
        lambda email, password, fragment: _digest(_joined(email, password, fragment).upper(), "md5"), BY_NAME["sha256"]
    ),
    sale_form(payer_country="DE", payer_state="x" * 40),
    sale_form(payer_email="John.Doe@merchant.example"),
    sale_form() | {"custom_data[a][b]": "1"},
    sale_form() | {"parameters[descriptor]": "1"},
    _digits_of_19(),
    _by_token(),
    _by_wallet(),
)
