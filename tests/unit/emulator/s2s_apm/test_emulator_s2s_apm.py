"""The S2S APM address of the reference gateway: what its actions do."""

from __future__ import annotations

import base64
from urllib.parse import urlsplit

import pytest

from emulator.rules.s2s_apm.operators import OPERATORS
from tests.unit.emulator.probes.apm_probe import apm_payout, apm_sale, made, on_payment, send, status_of
from tests.unit.emulator.probes.probe import BY_NAME, MAIN, Gateway

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


def test_an_authorization_is_captured_once_and_can_be_voided_then() -> None:
    payment = made(GATEWAY, apm_sale(auth="Y"))

    assert send(GATEWAY, on_payment("VOID", payment)).body["error_message"] == "Void is not allowed."
    captured = send(GATEWAY, on_payment("CAPTURE", payment))
    assert (captured.body["result"], captured.body["status"]) == ("SUCCESS", "SETTLED")
    assert send(GATEWAY, on_payment("CAPTURE", payment)).body["error_code"] == 208003
    assert send(GATEWAY, on_payment("VOID", payment)).body["status"] == "VOID"
    assert status_of(GATEWAY, payment) == "VOID"


def test_an_authorization_is_released() -> None:
    payment = made(GATEWAY, apm_sale(auth="Y"))

    released = send(GATEWAY, on_payment("CREDITVOID", payment)).body
    assert {"action": "CREDITVOID", "result": "ACCEPTED", "trans_id": payment}.items() <= released.items()
    assert "status" not in released
    assert status_of(GATEWAY, payment) == "REVERSAL"
    assert send(GATEWAY, on_payment("CREDITVOID", payment)).status == 400


def test_a_settled_payment_is_given_back_in_parts() -> None:
    payment = made(GATEWAY, apm_sale())

    assert send(GATEWAY, on_payment("CREDITVOID", payment, amount="4.00")).status == 200
    assert status_of(GATEWAY, payment) == "SETTLED"
    assert send(GATEWAY, on_payment("CREDITVOID", payment, amount="6.01")).body["error_code"] == 208006
    assert send(GATEWAY, on_payment("CREDITVOID", payment, amount="6.00")).status == 200
    assert status_of(GATEWAY, payment) == "REFUND"


def test_a_void_comes_too_late_the_next_day() -> None:
    gateway = Gateway(control=True)
    payment = made(gateway, apm_sale())
    gateway.advance(86_400)

    assert send(gateway, on_payment("VOID", payment)).body["error_message"] == "Void is not allowed."
    assert status_of(gateway, payment) == "SETTLED"


@pytest.mark.parametrize(("button", "status"), [("pass", "SETTLED"), ("fail", "DECLINED")])
def test_the_payer_decides_on_the_page_and_comes_back(button: str, status: str) -> None:
    answer = send(GATEWAY, apm_sale(identifier="redirect@gmail.com")).body
    path = urlsplit(answer["redirect_url"]).path

    page = GATEWAY.send("GET", path)
    assert f'data-challenge="{button}"'.encode() in page.raw
    back = GATEWAY.send("POST", path, f"challenge={button}".encode(), "application/x-www-form-urlencoded")
    assert (back.status, dict(back.headers)[b"location"]) == (303, b"https://merchant.example/back?order=1")
    assert status_of(GATEWAY, answer["trans_id"]) == status


@pytest.mark.parametrize(
    ("identifier", "status"),
    [("executed@bank.example", "SETTLED"), ("rejected@bank.example", "DECLINED"), ("pending@bank.example", "PENDING")],
)
def test_the_bank_decides_on_a_qr_payment(identifier: str, status: str) -> None:
    answer = send(GATEWAY, apm_sale(brand="instant-qr", identifier=identifier)).body

    assert base64.b64decode(answer["redirect_params"]["qr_code"], validate=True).startswith(b"\x89PNG\r\n\x1a\n")
    assert status_of(GATEWAY, answer["trans_id"]) == status


def test_a_qr_code_that_nobody_scans_expires() -> None:
    gateway = Gateway(control=True)
    payment = made(gateway, apm_sale(brand="instant-qr", identifier=""))

    gateway.advance(59)
    assert status_of(gateway, payment) == "REDIRECT"
    gateway.advance(2)
    assert status_of(gateway, payment) == "DECLINED"


@pytest.mark.parametrize(
    ("email", "result", "status"),
    [
        ("payee@example.com", "SUCCESS", "SETTLED"),
        ("fail@gmail.com", "DECLINED", "DECLINED"),
        ("undefined@gmail.com", "UNDEFINED", "PREPARE"),
    ],
)
def test_outcomes_of_a_payout(email: str, result: str, status: str) -> None:
    answer = send(GATEWAY, apm_payout(parameters__customer_email=email))

    assert (answer.body["result"], answer.body["status"]) == (result, status)
    assert status_of(GATEWAY, answer.body["trans_id"]) == status


@pytest.mark.parametrize("slug", OPERATORS)
def test_limits_of_an_operator(slug: str) -> None:
    operator = OPERATORS[slug]
    number = {"gh": "233241234567", "ke": "254712345678", "ci": "2250512345678", "cm": "237670123456",
              "tz": "255712345678", "eg": "201012345678"}[slug[-2:]]  # fmt: skip
    decimals = "" if operator.currency in {"XOF", "XAF"} else ".00"

    def answered(amount: int) -> int:
        form = apm_payout(
            parameters__mobile_money_operator=slug,
            parameters__mobile_number=number,
            order_currency=operator.currency,
            order_amount=f"{amount}{decimals}",
        )
        return send(GATEWAY, form).status

    amounts = (operator.least, operator.most, operator.least - 1, operator.most + 1)
    assert [answered(amount) for amount in amounts] == [200, 200, 400, 400]


def test_unknown_payments_and_those_of_others() -> None:
    second = BY_NAME["second"]
    payment = made(GATEWAY, apm_sale())

    for action, code, message in (
        ("GET_TRANS_STATUS", 101000, "Transaction does not exist."),
        ("CAPTURE", 101000, "Transaction does not exist."),
        ("VOID", 100000, "Payment not found."),
        ("CREDITVOID", 100000, "Payment not found."),
    ):
        for form in (on_payment(action, "no-such-payment"), on_payment(action, payment, second)):
            answer = send(GATEWAY, form)
            assert (answer.status, answer.body["error_code"], answer.body["error_message"]) == (400, code, message)
    assert status_of(GATEWAY, payment) == "SETTLED"
