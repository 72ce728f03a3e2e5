"""Session requests that show what is treated otherwise on some operations, amounts and addresses only."""

from tests.unit.emulator.probes.probe import MAIN, Json, session_request

_TOKEN = MAIN.card_tokens[0]
_CHANGES: tuple[Json, ...] = (
    {"operation": "debit", "methods": ["card"]},
    {"operation": "debit", "req_token": True},
    {"operation": "debit", "card_token": [_TOKEN]},
    {"operation": "credit", "payee": {"name": "Z"}},
    {"card_token": [_TOKEN, _TOKEN]},
    {"card_token": [_TOKEN, "c" * 63]},
    {"expiry_url": "https://merchant.example/?a=1"},
    {"customer": {"name": "Zo\u00eb M\u00fcller"}},
    {"success_url": "shop://payment/done"},
    {"methods": ["card"], "hash": "0" * 40},
    {"channel_id": "main", "hash": "0" * 40},
)
_ORDERS: tuple[Json, ...] = (
    {"amount": "0.50"},
    {"amount": "1000.00"},
    {"amount": "0.00", "currency": "JPY"},
    {"description": "\u793c" * 1024},
    {"description": "\u793c" * 1025},
)


def operation_sessions() -> list[Json]:
    """One request for each of these changes."""
    changed = [session_request(**changes) for changes in _CHANGES]
    return [*changed, *(session_request(order=order) for order in _ORDERS)]
