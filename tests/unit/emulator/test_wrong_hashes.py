"""A wrong hash is logged with what had to be signed, in every protocol, and without a secret."""

from __future__ import annotations

import json
import logging

import pytest

from tests.unit.emulator.probes.probe import MAIN, Gateway, session_request

ID = "8a8a7234-e688-11f1-b394-02fc00000001"
WRONG = "0" * 40


@pytest.mark.parametrize(
    ("path", "body", "wanted"),
    [
        ("/api/v1/session", session_request(hash=WRONG), "order.number, order.amount, order.currency"),
        ("/api/v1/payment/status", {"payment_id": ID}, "the identifier that decides"),
        ("/api/v1/payment/refund", {"payment_id": ID, "amount": "1.00"}, "payment_id, amount, and the password"),
        ("/api/v1/payment/void", {"payment_id": ID}, "payment_id, and the password"),
    ],
)
def test_wrong_hash_of_checkout_is_logged_with_what_was_expected(
    path: str, body: dict[str, object], wanted: str, caplog: pytest.LogCaptureFixture
) -> None:
    request = {"merchant_key": MAIN.key, **body, "hash": WRONG}
    with caplog.at_level(logging.INFO, logger="emulator"):
        answer = Gateway().send("POST", path, json.dumps(request).encode(), "application/json")

    assert answer.body["error_message"] == "Hash is not valid"
    (line,) = [record.getMessage() for record in caplog.records if "wrong hash" in record.getMessage()]
    assert "of account main" in line
    assert wanted in line
    assert "SHA1 of that digest" in line
    for secret in (MAIN.password, WRONG):
        assert secret not in line
