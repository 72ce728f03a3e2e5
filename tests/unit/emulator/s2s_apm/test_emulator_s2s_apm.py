"""Sales of S2S APM: outcomes that no card of the contract has, and QR codes that expire."""

from __future__ import annotations

import pytest

from tests.unit.emulator.probes.apm_probe import apm_sale, made, send, status_of
from tests.unit.emulator.probes.probe import MAIN, Gateway

GATEWAY = Gateway()
COINS = {"brand": "crypto-btg", "order_currency": "BTC", "order_amount": "", "parameters__crypto_type": "BTC"}


@pytest.mark.parametrize(
    ("changes", "result", "status"),
    [
        ({}, "SUCCESS", "SETTLED"),
        ({"identifier": "fail@gmail.com"}, "DECLINED", "DECLINED"),
        ({"identifier": "redirect@gmail.com"}, "REDIRECT", "REDIRECT"),
        ({"identifier": "undefined@gmail.com"}, "UNDEFINED", "PREPARE"),
        ({"auth": "Y"}, "SUCCESS", "PENDING"),
        ({"auth": "y"}, "SUCCESS", "SETTLED"),
        (COINS, "SUCCESS", "PENDING"),
        ({"brand": "instant-qr", "identifier": ""}, "REDIRECT", "REDIRECT"),
        ({"brand": "instant-account", "parameters__upi_id": "ada@upi"}, "SUCCESS", "SETTLED"),
    ],
)  # fmt: skip
def test_outcomes_of_a_sale(changes: dict[str, str], result: str, status: str) -> None:
    answer = send(GATEWAY, apm_sale(MAIN, **changes))

    assert answer.status == 200, answer.raw
    assert (answer.body["result"], answer.body["status"]) == (result, status)
    assert status_of(GATEWAY, answer.body["trans_id"]) == status


def test_a_qr_code_that_nobody_scans_expires() -> None:
    gateway = Gateway(control=True)
    payment = made(gateway, apm_sale(brand="instant-qr", identifier=""))

    gateway.advance(59)
    assert status_of(gateway, payment) == "REDIRECT"
    gateway.advance(2)
    assert status_of(gateway, payment) == "DECLINED"
