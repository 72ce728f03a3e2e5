"""Amounts of S2S CARD that are none, and a page that nobody was sent to."""

from __future__ import annotations

import pytest

from tests.unit.emulator.probes.card_posts import Merchant
from tests.unit.emulator.probes.probe import Answer, Gateway


def said(answer: Answer) -> tuple[int, str]:
    assert answer.status == 400
    assert answer.body["result"] == "ERROR"
    return answer.body["error_code"], answer.body["error_message"]


@pytest.mark.parametrize("action", ["CAPTURE", "CREDITVOID"])
@pytest.mark.parametrize(
    ("amount", "message"),
    [
        ("0.00", "amount: This value should be greater than 0."),
        ("-1.00", "amount: This value should be greater than 0."),
        ("much", "Request data is invalid."),
        ("1.001", "Request data is invalid."),
    ],
)
def test_amounts_that_are_none(action: str, amount: str, message: str) -> None:
    merchant = Merchant()
    held = merchant.sale(auth="Y" if action == "CAPTURE" else "N")
    before = merchant.status(held["trans_id"])

    answer = merchant.operate(action, held["trans_id"], amount=amount)
    assert said(answer) == (100000, message)
    assert answer.named() == ["amount"]
    assert merchant.status(held["trans_id"]) == before


def test_a_payers_page_that_nobody_was_sent_to() -> None:
    gateway = Gateway()

    assert gateway.send("GET", "/issuer/unknown").status == 404
    form = "application/x-www-form-urlencoded"
    assert gateway.send("POST", "/issuer/unknown/outcome", b"outcome=pass", form).status == 404
