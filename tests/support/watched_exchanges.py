"""Exchanges and callbacks shown to the watchers of one run, and the requirements that they found broken."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import count
from types import MappingProxyType
from urllib.parse import urlencode

from fixtures.callbacks import Callback
from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile import Profile, load_profile
from fixtures.watchers import Watch
from fixtures.wire.exchange import Exchange, Reply
from fixtures.wire.redaction import Redactor

PROFILE = load_profile(DEFAULT_TARGET)
ACCOUNT = PROFILE.credentials.s2s_card
assert ACCOUNT is not None
PASSWORD = ACCOUNT.password.reveal()
KEY = ACCOUNT.key
OTHER_KEY = PROFILE.accounts["second"].key
CARD = PROFILE.test_data.cards.success.number.reveal() if PROFILE.test_data.cards.success else ""
TRANS_ID = "0d1f7c52-1111-11f0-8000-0242ac120002"
SALE = {"action": "SALE", "client_key": KEY, "order_id": "o-1", "order_amount": "10.00", "order_currency": "USD"}
SHOWN = {"action": "SALE", "status": "SETTLED", "order_id": "o-1", "trans_id": TRANS_ID, "amount": "10.00", "ARN": ""}
STATUS = {"action": "GET_TRANS_STATUS", "client_key": KEY, "trans_id": TRANS_ID}
FOUND = {"action": "GET_TRANS_STATUS", "result": "SUCCESS", "order_id": "o-1", "trans_id": TRANS_ID}
NOT_FOUND = {"result": "ERROR", "error_code": 101000, "error_message": "Transaction does not exist."}

_NUMBERS = count(1)


def watching(profile: Profile = PROFILE) -> Watch:
    return Watch(profile, Redactor(profile.secrets()))


def exchange(
    watch: Watch,
    sent: Mapping[str, str | bytes],
    body: object,
    *,
    status: int = 200,
    headers: Mapping[str, str] = MappingProxyType({}),
    operation: str = "",
    protocol: str = "",
    at: float = 0.0,
) -> None:
    """Show what a merchant posted and got, and when: to S2S CARD, or to an operation of Checkout."""
    content = urlencode(sent).encode()
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {"content-type": "application/json", **headers}
    reply = Reply(status, named, raw)
    clean = watch.redactor
    record = Exchange(
        protocol=protocol or ("Checkout" if operation else "S2S CARD"),
        method="POST",
        url=f"https://gateway.example/{operation or 'post'}",
        request_headers={"content-type": "application/x-www-form-urlencoded"},
        request_body=content.decode(),
        status=status,
        response_headers=clean.headers(named),
        response_body=clean.text(reply.text),
        truncated=False,
        duration_ms=0.0,
        signed_with="",
        note="",
        at=at,
    )
    watch.exchanged(record, content, reply)


def called_back(watch: Watch, **fields: str) -> None:
    """Let a callback arrive, and take it."""
    arrives(watch, fields)


def arrives(watch: Watch, fields: Mapping[str, str], *, answered: int | None = 200) -> None:
    """Let a callback arrive, and answer it with a status; with none by hanging up."""
    kind = {"content-type": "application/x-www-form-urlencoded"}
    callback = Callback(next(_NUMBERS), 0.0, "POST", "/", kind, urlencode(fields).encode(), answered)
    watch.arrived = lambda after: [callback] if callback.number > after else []
    watch.settle()


def broken(watch: Watch) -> set[str]:
    assert not watch.broken
    return {name for name, _ in watch.breaches()}
