"""What S2S CARD refuses, and in which words."""

from __future__ import annotations

import pytest

from tests.unit.emulator.probes.card_posts import CARD, EMAIL, Merchant, digest, fragment, merchant_of, order_id
from tests.unit.emulator.probes.probe import BY_NAME, MAIN, Answer, Gateway, sale_form

_NOBODY = "00000000-0000-4000-8000-0000000000ff"
_NO_TRANSACTION = (101000, "Transaction does not exist.")
_NO_PAYMENT = (100000, "Payment not found.")
_PAYOUT = {
    "order_amount": "10.00",
    "order_currency": "USD",
    "order_description": "gift",
    "card_number": CARD,
}
_TRANSFER = {
    "order_amount": "10.00",
    "order_currency": "USD",
    "order_description": "gift",
    "payer_card_number": CARD,
    "payer_card_exp_month": "01",
    "payer_card_exp_year": "2038",
    "payer_card_cvv2": "123",
    "payee_card_number": CARD,
    "payer_ip": "192.0.2.7",
    "term_url_3ds": "https://merchant.example/3ds",
}
_REQUIRED = {
    "DEBIT": [
        "order_id",
        "order_amount",
        "order_currency",
        "order_description",
        "card_number",
        "card_exp_month",
        "card_exp_year",
        "card_cvv2",
        "payer_ip",
        "term_url_3ds",
    ],
    "RECURRING_SALE": [
        "order_id",
        "order_amount",
        "order_description",
        "recurring_first_trans_id",
        "recurring_token",
    ],
    "CARD2CARD": ["order_id", *_TRANSFER],
    "CREDIT2CARD": ["order_id", "order_amount", "order_currency", "order_description", "card_number"],
    "CAPTURE": ["trans_id"],
    "VOID": ["trans_id"],
    "CREDITVOID": ["trans_id"],
    "RETRY": ["trans_id"],
    "GET_TRANS_STATUS": ["trans_id"],
    "GET_TRANS_STATUS_BY_ORDER": ["order_id"],
    "GET_TRANS_DETAILS": ["trans_id"],
    "CREATE_SCHEDULE": ["name", "interval_length", "interval_unit", "payments_count"],
    "DESCHEDULE": ["recurring_token", "schedule_id"],
}


def said(answer: Answer) -> tuple[int, str]:
    assert answer.status == 400
    assert answer.body["result"] == "ERROR"
    return answer.body["error_code"], answer.body["error_message"]


@pytest.mark.parametrize("action", _REQUIRED)
def test_what_an_action_cannot_do_without(action: str) -> None:
    answer = Merchant().send(action, "")

    assert said(answer) == (100000, "Request data is invalid.")
    assert answer.named() == _REQUIRED[action]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("CAPTURE", _NO_TRANSACTION),
        ("GET_TRANS_STATUS", _NO_TRANSACTION),
        ("GET_TRANS_DETAILS", _NO_TRANSACTION),
        ("VOID", _NO_PAYMENT),
        ("CREDITVOID", _NO_PAYMENT),
        ("RETRY", _NO_PAYMENT),
    ],
)
def test_payments_that_there_are_none_of_however_signed(action: str, expected: tuple[int, str]) -> None:
    merchant = Merchant()

    assert said(merchant.operate(action, _NOBODY)) == expected
    other = merchant_of("second")
    other.gateway = merchant.gateway
    paid = merchant.sale()
    assert said(other.operate(action, paid["trans_id"])) == expected
    assert merchant.status(paid["trans_id"]) == "SETTLED"


def test_orders_that_there_are_none_of() -> None:
    answer = Merchant().send("GET_TRANS_STATUS_BY_ORDER", "", order_id="never")

    assert said(answer) == (101000, "Order does not exist.")


@pytest.mark.parametrize("action", ["GET_TRANS_STATUS", "CAPTURE"])
def test_ids_were_not_distinguished_before(action: str) -> None:
    merchant = merchant_of(release="6.6.5")

    assert said(merchant.operate(action, _NOBODY)) == (100000, "This value is not correct.")
    assert said(merchant.operate("VOID", _NOBODY)) == _NO_PAYMENT


def test_an_order_is_paid_once_by_whatever_action() -> None:
    merchant = Merchant()
    order = order_id()
    first = merchant.sale(recurring_init="Y")
    signed = MAIN.password + fragment(CARD)

    assert merchant.send("CREDIT2CARD", signed, order_id=order, **_PAYOUT).status == 200
    duplicate = (100000, "order_id: Duplicate payment.")
    assert said(merchant.send("CREDIT2CARD", signed, order_id=order, **_PAYOUT)) == duplicate
    assert said(merchant.send("CARD2CARD", signed, order_id=order, **_TRANSFER)) == duplicate
    assert said(merchant.again(first, order_id=order)) == duplicate
    merchant.gateway.advance(16)
    assert merchant.again(first, order_id=order).status == 200


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        ("live_key", (220002, "Use merchant test key.")),
        ("ip_allowlist", (100000, "Request from this ip is not allowed.")),
    ],
)
@pytest.mark.parametrize("action", ["GET_TRANS_STATUS", "CREATE_SCHEDULE", "DEBIT"])
def test_keys_that_are_not_served(account: str, expected: tuple[int, str], action: str) -> None:
    assert said(Merchant(BY_NAME[account]).send(action, "")) == expected


def test_refunds_that_an_account_does_not_make() -> None:
    forbidden, portal = merchant_of("no_refunds"), merchant_of("connector_refunds")

    assert said(forbidden.operate("CREDITVOID", forbidden.sale()["trans_id"])) == (100000, "Refund is not allowed")
    assert said(portal.operate("CREDITVOID", portal.sale()["trans_id"]))[0] == 210002
    held = forbidden.sale(auth="Y")
    assert forbidden.operate("CREDITVOID", held["trans_id"]).body["result"] == "ACCEPTED"


def test_an_action_that_routing_cannot_carry_out() -> None:
    merchant = merchant_of("unroutable")
    signed = merchant.account.password + fragment(CARD)

    answer = merchant.send("CARD2CARD", signed, order_id=order_id(), **_TRANSFER)
    assert said(answer) == (204005, "Payment action not supported")


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


def test_states_in_which_nothing_is_done() -> None:
    merchant = Merchant()
    declined = merchant.sale(card_exp_month="02")["trans_id"]
    held = merchant.sale(auth="Y")["trans_id"]

    assert said(merchant.operate("CAPTURE", declined))[0] == 208003
    assert said(merchant.operate("VOID", declined)) == (100000, "Void is not allowed.")
    assert said(merchant.operate("VOID", held)) == (100000, "Void is not allowed.")
    assert said(merchant.operate("CREDITVOID", declined))[0] == 208005
    assert said(merchant.operate("RETRY", declined))[0] == 100000


@pytest.mark.parametrize(
    ("action", "signed"),
    [
        ("DEBIT", "x"),
        ("CREDIT2CARD", "x"),
        ("CREATE_SCHEDULE", MAIN.password),
    ],
)
def test_hashes_that_are_wrong(action: str, signed: str) -> None:
    given = {
        **_PAYOUT,
        "order_id": order_id(),
        "card_exp_month": "01",
        "card_exp_year": "2038",
        "card_cvv2": "123",
        "payer_ip": "192.0.2.7",
        "term_url_3ds": "https://merchant.example/3ds",
        "name": "a",
        "interval_length": "1",
        "interval_unit": "day",
        "payments_count": "1",
    }

    assert said(Merchant().send(action, signed, **given)) == (100000, "Hash is not valid")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"digital_wallet": "googlepay"}, "payment_token"),
        ({"payment_token": "{}"}, "digital_wallet"),
        ({"digital_wallet": "purse", "payment_token": "{}"}, "digital_wallet"),
        ({"schedule_start_date": "2038-01-01"}, "schedule_id"),
        ({"payment_schedule_amount": "1.00"}, "schedule_id"),
        ({"parameters[descriptor]": "x" * 21}, "parameters[descriptor]"),
    ],
)
def test_fields_that_need_each_other(changes: dict[str, str], field: str) -> None:
    assert Gateway().post(sale_form(MAIN, **changes)).named() == [field]


def test_cards_of_others_and_of_nobody() -> None:
    merchant = Merchant()
    no_card = dict.fromkeys(("card_number", "card_exp_month", "card_exp_year", "card_cvv2"), "")
    for token in ("b" * 64, "c" * 64):
        signed = digest(EMAIL[::-1] + MAIN.password + token[::-1])
        answer = merchant.gateway.post(sale_form(MAIN, **no_card, card_token=token, hash=signed))
        assert said(answer) == (205005, "Card token is invalid or not found.")


def test_what_came_with_a_release_is_not_there_before() -> None:
    merchant = merchant_of(release="6.6.5")
    paid = merchant.sale(payer_present="Y")
    debit = merchant.debit(recurring_init="Y")

    assert "recurring_token" not in debit
    callback = merchant.callbacks()
    assert not {"ARN", "brand", "transStatus", "browser_language", "card_token"} & {
        name for one in callback for name in one
    }
    assert "card" not in merchant.operate("GET_TRANS_STATUS", paid["trans_id"]).body


def test_a_payers_page_that_nobody_was_sent_to() -> None:
    gateway = Gateway()

    assert gateway.send("GET", "/issuer/unknown").status == 404
    form = "application/x-www-form-urlencoded"
    assert gateway.send("POST", "/issuer/unknown/outcome", b"outcome=pass", form).status == 404
