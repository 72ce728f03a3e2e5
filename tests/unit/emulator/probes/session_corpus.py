"""Session requests that together touch everything of sessions that is not a field rule."""

from emulator.accounts import FORM_ID, SCHEDULE_ID
from tests.unit.emulator.probes.operation_sessions import operation_sessions
from tests.unit.emulator.probes.probe import BY_NAME, Json, session_hash, session_request
from tests.unit.emulator.probes.signed_sessions import signed_sessions


def session_corpus() -> list[Json]:
    """Of orders, signatures, accounts and operations, in this order."""
    return [*_order_sessions(), *signed_sessions(), *_account_sessions(), *operation_sessions()]


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
