"""Checkout payments: what payers' entries become, and what merchants do with the payments afterwards."""

from __future__ import annotations

import json

import pytest

from tests.unit.emulator.probes.checkout_posts import (
    CHALLENGED,
    DECLINED,
    FAILS_CHALLENGE,
    Merchant,
    digest,
    merchant_of,
)
from tests.unit.emulator.probes.payer import CANCEL, Payer
from tests.unit.emulator.probes.probe import BY_NAME, MAIN, Gateway, Json

_ORDER = ("order_number", "order_amount", "order_currency", "order_description")


def kinds(merchant: Merchant) -> list[tuple[str, str, str]]:
    return [(callback["type"], callback["order_status"], callback["status"]) for callback in merchant.callbacks()]


def signed_callback(fields: dict[str, str]) -> str:
    return digest(fields["id"] + "".join(fields[name] for name in _ORDER) + MAIN.password)


def test_a_purchase_settles_and_is_notified() -> None:
    merchant = Merchant()
    merchant.pay(custom_data={"a": {"b": "c"}, "n": 1})
    callback = merchant.last()
    found = merchant.status()

    assert kinds(merchant) == [("sale", "settled", "success")]
    assert callback["id"] == merchant.payment == found["payment_id"]
    assert callback["hash"] == signed_callback(callback) == merchant.returned["hash"]
    assert (callback["custom_data[a][b]"], callback["custom_data[n]"]) == ("c", "1")
    assert found["status"] == "settled"
    assert found["order"]["amount"] == callback["order_amount"] == "10.00"
    assert merchant.returned["payment_method"] == "card"
    assert "card_token" not in callback
    assert callback["ARN"] == ""
    assert callback["card"] == found["card"] == "411111******1111"
    assert callback["customer_ip"] == "127.0.0.1"


def test_a_declined_purchase_says_why() -> None:
    merchant = Merchant()
    payer = merchant.pay(DECLINED)
    assert not payer.location
    callback = merchant.last()
    assert kinds(merchant) == [("sale", "decline", "fail")]
    assert callback["reason"] == merchant.status(callback["id"])["reason"] == "Declined by processing"


@pytest.mark.parametrize(
    ("expiry", "status", "order_status"),
    [
        (CHALLENGED, "success", "settled"),
        (FAILS_CHALLENGE, "fail", "decline"),
    ],
)
def test_a_challenge_is_notified_before_its_outcome(expiry: str, status: str, order_status: str) -> None:
    merchant = Merchant()
    payer = merchant.pay(expiry)
    waiting = merchant.status(merchant.last()["id"])["status"]
    payer.press("confirm")

    assert waiting == "3ds"
    assert kinds(merchant) == [("3ds", "3ds", "success"), ("sale", order_status, status)]
    assert [received["transStatus"] for received in merchant.received] == ["C", "Y" if status == "success" else "N"]
    assert {received["authenticationFlow"] for received in merchant.received} == {"Challenge"}


def test_an_authorization_is_captured_once() -> None:
    merchant = Merchant()
    merchant.pay(auth=True)
    assert merchant.status()["status"] == "pending"
    assert merchant.capture(amount="10.01").body["error_code"] == 208004
    assert merchant.capture(amount="4.00").body["status"] == "settled"
    assert merchant.capture().body["error_code"] == 208003
    assert kinds(merchant) == [("sale", "pending", "success"), ("capture", "settled", "success")]


def test_refunds_in_parts_and_voids() -> None:
    merchant = Merchant()
    merchant.pay()
    assert merchant.refund(amount="4.00").body == {"payment_id": merchant.payment, "result": "accepted"}
    assert merchant.status()["status"] == "settled"
    assert merchant.refund(amount="6.01").body["error_code"] == 208006
    assert merchant.refund(amount="6.00").status == 200
    assert merchant.status()["status"] == "refund"
    assert merchant.refund(amount="1.00").body["error_code"] == 208005

    merchant.pay()
    assert merchant.void().body["payment_status"] == "void"
    assert merchant.void().body["error_message"] == "Void is not allowed."
    assert kinds(merchant)[-1] == ("void", "void", "success")


def test_a_chain_is_charged_again() -> None:
    merchant = Merchant()
    merchant.pay(recurring_init=True)
    first = merchant.last()
    answer = merchant.again(first["recurring_init_trans_id"], first["recurring_token"], custom_data={"x": "y"})
    callback = merchant.last()

    assert answer.body["status"] == "settled"
    assert (callback["type"], callback["custom_data[x]"], callback["order_currency"]) == ("recurring", "y", "USD")
    assert merchant.again(first["id"], "unknown").body["error_message"] == "Incorrect transaction"


def test_a_soft_decline_is_tried_again() -> None:
    merchant = merchant_of("soft_declines")
    merchant.pay(recurring_init=True)
    first = merchant.last()
    declined = merchant.again(first["id"], first["recurring_token"])
    assert (declined.status, declined.body["status"]) == (200, "declined")
    assert merchant.retry(declined.body["payment_id"]).body["result"] == "accepted"
    assert merchant.status(declined.body["payment_id"])["status"] == "settled"
    assert merchant.retry(declined.body["payment_id"]).status == 400
    assert merchant.void(declined.body["payment_id"]).status == 200


def test_a_card_on_file_pays_later() -> None:
    merchant = Merchant()
    merchant.pay(req_token=True)
    token = merchant.last()["card_token"]
    assert len(token) == 64
    assert merchant.pay(card_token=[token]).paid
    assert "card_token" not in merchant.last()
    merchant.pay(operation="debit", card_token=[token])
    assert (merchant.last()["card_token"], merchant.last()["type"]) == (token, "debit")
    assert merchant.last()["card_expiration_date"] == "01/2038"


def test_card_credits_pay_out_or_refund() -> None:
    merchant = Merchant()
    answer = merchant.credit(order_id="out-1", payee_first_name="Grace", payee_last_name="Hopper")
    assert answer.status == 200
    assert (merchant.last()["type"], merchant.last()["payee_name"]) == ("credit", "Grace Hopper")
    assert merchant.of_order("out-1").body["payment_id"] == answer.body["payment_id"]
    assert merchant.credit(order_id="out-1").body["error_message"] == "order_id: Duplicate payment."

    merchant.pay()
    number = merchant.returned["order_id"]
    assert merchant.credit(order_id=number).body["payment_id"] == merchant.payment
    assert merchant.status()["status"] == "refund"
    assert merchant.last()["type"] == "refund"
    merchant.pay(DECLINED)
    assert merchant.credit(order_id=merchant.last()["order_number"]).body["error_code"] == 208005


def test_the_other_operations() -> None:
    merchant = Merchant()
    assert merchant.pay(operation="credit", payee={"name": "Ada Lovelace"}).paid
    payer = Payer(merchant.gateway, operation="transfer", payee={"name": "Ada Lovelace"}, order={"amount": "-1"}).enter(
        amount="7.50"
    )
    assert payer.paid
    assert kinds(merchant) == [("credit", "settled", "success"), ("transfer", "settled", "success")]
    assert merchant.last()["order_amount"] == "7.50"


@pytest.mark.parametrize(
    ("email", "status"),
    [
        ("executed@bank.example", "settled"),
        ("rejected@bank.example", "decline"),
        ("pending@bank.example", "pending"),
    ],
)
def test_the_bank_decides_on_qr_payments(email: str, status: str) -> None:
    merchant = Merchant()
    order = {"number": f"qr-{status}"}
    Payer(merchant.gateway, methods=["instant-qr"], order=order, customer={"email": email, "name": "A B"}).enter()
    merchant.gateway.advance(61)
    assert merchant.of_order(order["number"]).body["status"] == status


def test_look_ups_by_order_count() -> None:
    merchant = Merchant()
    order = {"number": "many"}
    payer = Payer(merchant.gateway, order=order).enter(expiry=DECLINED)
    payer.enter()
    assert merchant.of_order("many").body["status"] == "settled"
    assert len(_listed(merchant, 1)) == 1
    assert [one["status"] for one in _listed(merchant, 50)] == ["settled", "decline"]
    for wrong in (0, 101, -1, "x", 1.5):
        assert merchant.of_order("many", size=wrong).status == 400
    assert merchant.of_order("many", size=101).body["error_message"] == "size should be within 1..100"


def _listed(merchant: Merchant, size: int) -> list[Json]:
    found: list[Json] = json.loads(merchant.of_order("many", size=size).raw)
    return found


def test_schedules_charge() -> None:
    merchant = Merchant()
    merchant.pay(
        recurring_init=True, schedule_id="5c4ed01e-0000-4000-8000-000000000001", payment_schedule_amount="3.00"
    )
    assert merchant.last()["first_recurring_date"]
    merchant.gateway.advance(32 * 86_400)
    assert (merchant.last()["type"], merchant.last()["order_amount"]) == ("recurring", "3.00")


def test_declines_end_the_session() -> None:
    merchant = merchant_of("declines")
    payer = merchant.pay(DECLINED).enter(expiry=DECLINED)
    merchant.back(payer)
    assert payer.location.startswith(CANCEL)
    assert merchant.status()["status"] == "decline"


@pytest.mark.parametrize(
    ("operation", "flag", "members"),
    [
        ("transfer", "req_token", {"card_token", "source"}),
        ("credit", "recurring_init", {"recurring_token", "source"}),
        ("debit", "vat_calc", {"vat_amount"}),
        ("transfer", "vat_calc", {"vat_amount"}),
    ],
)
def test_a_flag_of_another_operation_has_no_effect(operation: str, flag: str, members: set[str]) -> None:
    gateway = Gateway(control=True, variations=("operation-fields-ignored",))
    merchant = Merchant(BY_NAME["options"], gateway)
    payee: Json = {} if operation == "debit" else {"payee": {"name": "Ada Lovelace"}}
    changes: Json = {"operation": operation, flag: True, **payee}
    merchant.pay(**changes)

    assert merchant.last()["order_status"] == "settled"
    assert not members & set(merchant.last())
