"""Requests that show the faults of narrow and loose rules, of loose signatures and of quiet answers."""

import hashlib
from typing import Any, Final

from emulator.accounts import FORM_ID, SCHEDULE_ID
from tests.unit.emulator.probes.probe import BY_NAME, MAIN, Json, sale_form, sale_hash, session_hash, session_request

_SCHEDULE: Final[Json] = {"recurring_init": True, "schedule_id": SCHEDULE_ID}
_WRONG: Final = "0" * 40

SESSIONS: Final[tuple[Json, ...]] = (
    {"order": {"amount": "10.55"}},
    {"order": {"amount": "\u0661\u0660.\u0660\u0660"}},
    {"order": {"description": "Gift \U0001f381"}},
    {"order": {"description": ""}},
    {"order": {"description": " Gift "}},
    {"order": {"number": f"brackets[{FORM_ID}]"}},
    {"order": {"amount": "0.00"}, "auth": False},
    {"order": {"amount": "-1"}, "operation": "debit"},
    {"order": {"amount": ..., "currency": "BTC"}, "hash": _WRONG},
    {"card_token": MAIN.card_tokens[:1], "hash": _WRONG},
    {"recurring_init": True, "hash": _WRONG},
    {"success_url": ""},
    {"operation": ""},
    {"operation": "debit"},
    {"operation": "credit", "success_url": "nowhere"},
    {"operation": "transfer", "payee_billing_address": {"city": "x"}},
    {"url_target": "_anything"},
    {"checkout_language": "it"},
    {"customer": {"birth_date": "1970-13-45"}},
    {**_SCHEDULE, "schedule_start_date": "2035-02-30"},
    {"billing_address": {"zip": "SW1A 1AA"}},
    {"billing_address": {"address": "x"}},
    {"billing_address": {"city": {"a": "b"}}},
    {"parameters": {"card": "text"}},
    {"parameters": {"card": {"shipping": {"cost": "-15"}}}},
    {"parameters": {"card": {"shipping": {"trackingNumber": "AB123"}}}},
    {"methods": [{"a": "b"}, "card"]},
    {"custom_data": {}},
    {"parameters": {}},
    {"crypto": "text"},
)


def _with_tail() -> Json:
    request = session_request()
    return request | {"hash": request["hash"] + "zz"}


def _password_as_typed() -> Json:
    request = session_request()
    order = request["order"]
    text = "".join(order[name] for name in ("number", "amount", "currency", "description")).upper() + MAIN.password
    inner = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
    return request | {"hash": hashlib.sha1(inner.encode(), usedforsecurity=False).hexdigest()}


def _other_amount() -> tuple[Json, Json]:
    first = session_request()
    order = first["order"] | {"amount": "11.00"}
    return first, first | {"order": order, "hash": session_hash(order, MAIN.password)}


def _sales() -> list[dict[str, str]]:
    sale = sale_form()
    email, number = sale["payer_email"], sale["card_number"]
    return [
        *(sale_form() | {"hash": sale_hash(email, word, number)} for word in ("", BY_NAME["second"].password)),
        *(sale_form(MAIN, **{flag: "Y", "hash": "0" * 32}) for flag in ("auth", "recurring_init")),
        *(sale_form() | {"action": name} for name in ("recurring_debit", "getTransStatus")),
    ]


def gateway_corpus() -> list[tuple[str, Any]]:
    """The requests as (road, what)."""
    sessions = [*(session_request(**changes) for changes in SESSIONS), _with_tail(), _password_as_typed()]
    return [
        *(("session", request) for request in (*sessions, *_other_amount())),
        *(("form", sale) for sale in _sales()),
    ]
