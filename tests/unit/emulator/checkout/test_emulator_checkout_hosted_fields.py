"""Hosted Payment Fields: what they refuse, their frames, and whose address counts."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest

from tests.unit.emulator.probes.checkout_posts import Merchant
from tests.unit.emulator.probes.payer import Page
from tests.unit.emulator.probes.probe import Answer, Json, session_request

BACK = "https://merchant.example/back"
FORM = "application/x-www-form-urlencoded"
CARD = {"card_number": "4111 1111 1111 1111", "expiry": "01/38", "cvv": "123"}


def open_fields(merchant: Merchant, **changes: object) -> Answer:
    wanted: Json = {"success_url": ..., "return_url": BACK} | changes
    request = session_request(merchant.account, **wanted)
    return merchant.gateway.send("POST", "/api/v1/session/token", json.dumps(request).encode(), "application/json")


def token_of(merchant: Merchant, **changes: object) -> str:
    return str(open_fields(merchant, **changes).body["token"])


def typed(merchant: Merchant, session: str, **changes: str) -> Answer:
    form = urlencode({"token": session, **CARD, **changes}).encode()
    return merchant.gateway.send("POST", "/sdk/hosted-fields/card", form, FORM)


def processed(merchant: Merchant, token: str, operation: str = "purchase", **changes: object) -> Answer:
    body = {"name": "John Doe", "with_hosted_fields": True} | changes
    raw = json.dumps({name: value for name, value in body.items() if value is not ...}).encode()
    path = f"/api/v1/processing/{operation}/card"
    return merchant.gateway.send("POST", path, raw, "application/json", headers={"token": token} if token else {})


def test_customer_ip_wins_over_the_callers_address() -> None:
    merchant = Merchant()
    token = token_of(merchant, customer={"ip": "192.0.2.99"})
    typed(merchant, token)
    processed(merchant, token)
    assert merchant.last()["customer_ip"] == "192.0.2.99"


@pytest.mark.parametrize(
    "changes",
    [
        {"card_number": "4111111111111112"},
        {"expiry": "01/20"},
        {"expiry": "13/38"},
        {"cvv": "12345"},
        {"token": "?"},
    ],
)
def test_fields_take_no_nonsense(changes: dict[str, str]) -> None:
    merchant = Merchant()
    token = token_of(merchant)
    assert typed(merchant, token, **changes).status in {400, 401}
    assert processed(merchant, token).status == 400


def test_what_is_refused() -> None:
    merchant = Merchant()
    token = token_of(merchant)
    assert processed(merchant, "").status == 401
    assert processed(merchant, "x").status == 401
    assert processed(merchant, token, card_number="4111111111111111").status == 400
    typed(merchant, token)
    assert processed(merchant, token, name=...).named() == ["name"]
    assert open_fields(merchant, operation="credit").named() == ["operation"]
    assert open_fields(merchant, return_url=...).named() == ["return_url"]
    assert open_fields(merchant, hash="0" * 40).body["error_message"] == "Hash is not valid"
    merchant.gateway.advance(3601)
    assert processed(merchant, token).status == 401


def test_three_frames_and_a_script() -> None:
    gateway = Merchant().gateway
    assert b"HostedFields" in gateway.send("GET", "/sdk/hosted-fields.js").raw
    for name in ("card", "expiry", "cvv"):
        page = Page(gateway.send("GET", f"/sdk/hosted-fields/frames/{name}", query=b"token=%22%3E%3Cb%3E").raw.decode())
        assert len(page.forms) == 1
        assert page.forms[0].inputs[0]["value"] == '"><b>'
    assert gateway.send("GET", "/sdk/hosted-fields/frames/other").status == 404
