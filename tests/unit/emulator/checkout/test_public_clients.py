"""What public clients insist on in answers, callbacks and return addresses, which the emulator keeps to."""

from __future__ import annotations

import json
import re
from urllib.parse import urlencode

import pytest

from emulator.accounts import ASYMMETRIC_TOKEN
from tests.unit.emulator.probes.checkout_posts import CHALLENGED, order_number
from tests.unit.emulator.probes.payer import Payer
from tests.unit.emulator.probes.probe import BY_NAME, Json
from tests.unit.emulator.probes.public_clients import (
    CLIENTS,
    LARAVEL,
    REACT_NATIVE,
    SESSIONS,
    TESS,
    TOTALPAY,
    Client,
    Shop,
)

each_client = pytest.mark.parametrize("client", CLIENTS, ids=str)


@pytest.mark.parametrize(("client", "operation", "changes"), SESSIONS)
def test_session_is_opened_and_paid(client: Client, operation: str, changes: Json) -> None:
    shop = Shop(client)
    answer = shop.open(operation, **changes)

    assert answer.status == 200
    payer = Payer.sent_to(shop.merchant.gateway, answer.body["redirect_url"]).enter()
    assert payer.location.startswith(client.session["success_url"])
    kind = {"purchase": "sale"}.get(operation, operation)
    assert shop.received() == [(kind, "success", "pending" if "auth" in changes else "settled")]
    callback, wanted = shop.merchant.last(), client.session | changes
    sold = operation == "purchase"
    assert ("recurring_token" in callback) is (sold and bool(wanted.get("recurring_init")) and "auth" not in changes)
    assert ("card_token" in callback) is (operation == "debit" or (sold and wanted.get("req_token", False)))


@each_client
@pytest.mark.parametrize("account", ["main", "sha256"])
def test_callbacks_and_return_address_are_trusted(client: Client, account: str) -> None:
    shop = Shop(client, BY_NAME[account])
    payment = shop.sell(expiry=CHALLENGED)

    assert shop.received() == [("3ds", "success", "3ds"), ("sale", "success", "settled")]
    assert shop.trusts_return(shop.returned)
    assert shop.returned["trans_id"] == payment == shop.merchant.last()["id"]


@pytest.mark.parametrize(
    ("client", "opened", "trusted"),
    [(TESS, False, False), (REACT_NATIVE, True, True), (TOTALPAY, True, False), (LARAVEL, True, True)],
    ids=str,
)
def test_clients_disagree_on_letters_outside_ascii(client: Client, opened: bool, trusted: bool) -> None:
    shop = Shop(client)
    changes: Json = {"order": {"description": "Important g\u00eeft"}}

    assert shop.open(**changes).opened is opened
    if opened:
        shop.sell(**changes)
        assert shop.trusts_return(shop.returned) is shop.trusts(shop.merchant.last()) is trusted


@each_client
def test_look_ups_are_understood(client: Client) -> None:
    shop = Shop(client)
    payment = shop.sell()
    by_order = shop.post("payment/status", shop.order["number"], order_id=shop.order["number"])
    sized = shop.post("payment/status", shop.order["number"], order_id=shop.order["number"], size="5")

    for answer in (shop.of_payment("status", payment), by_order):
        assert answer.status == 200
        assert (answer.body["payment_id"], answer.body["status"]) == (payment, "settled")
        assert answer.body["order"] == shop.order
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", answer.body["date"])
    assert [one["payment_id"] for one in json.loads(sized.raw)] == [payment]


@each_client
def test_refunds_are_accepted_and_notified(client: Client) -> None:
    shop = Shop(client)
    payment = shop.sell(order={"amount": "10.00"})
    for amount in ("4.00", "6.00"):
        answer = shop.of_payment("refund", payment, amount)
        assert (answer.status, answer.body) == (200, {"payment_id": payment, "result": "accepted"})

    assert shop.received()[1:] == [("refund", "success", "settled"), ("refund", "success", "refund")]


@each_client
def test_void_is_answered_in_the_words_of_look_ups(client: Client) -> None:
    shop = Shop(client)
    payment = shop.sell()
    answer = shop.of_payment("void", payment)

    assert answer.status == 200
    assert answer.body["status"] == answer.body["payment_status"] == "void"
    assert answer.body["payment_id"] == payment
    assert answer.body["order"] == shop.order
    assert shop.received()[1:] == [("void", "success", "void")]


@pytest.mark.parametrize("client", [TOTALPAY, LARAVEL], ids=str)
def test_capture_says_the_final_state(client: Client) -> None:
    shop = Shop(client)
    answer = shop.of_payment("capture", shop.sell(auth=True), "10.00")

    assert (answer.status, answer.body["status"]) == (200, "settled")
    assert shop.received() == [("sale", "success", "pending"), ("capture", "success", "settled")]


@pytest.mark.parametrize("client", [TESS, LARAVEL], ids=str)
@pytest.mark.parametrize(("account", "status"), [("main", "settled"), ("soft_declines", "declined")])
def test_chain_is_charged_and_tried_again(client: Client, account: str, status: str) -> None:
    shop = Shop(client, BY_NAME[account])
    shop.sell(recurring_init=True)
    first = shop.merchant.last()
    chain = {name: first[name] for name in ("recurring_init_trans_id", "recurring_token")}
    order = {"number": order_number(), "amount": "5.00", "description": "again"}
    answer = shop.post("payment/recurring", *chain.values(), *order.values(), **chain, order=order)

    assert (answer.status, answer.body["status"]) == (200, status)
    payment = answer.body["payment_id"]
    if status == "declined":
        assert answer.body["reason"]
        assert shop.of_payment("retry", payment).body == {"payment_id": payment, "result": "accepted"}
    assert shop.received()[-1] == ("recurring", "success", "settled")


def test_card_credit_ignores_what_it_does_not_know() -> None:
    shop = Shop(LARAVEL)
    order = {
        "order_id": order_number(),
        "order_amount": "5.00",
        "order_currency": "USD",
        "order_description": "Payout",
    }
    payee = {"payee_first_name": "Grace", "payee_last_name": "Hopper", "payee_email": "g@example.com"}
    answer = shop.post(
        "payment/card/credit", *order.values(), **order, **payee, payee_ip="192.0.2.9", card_token=ASYMMETRIC_TOKEN
    )

    assert (answer.status, answer.body["result"]) == (200, "accepted")
    assert shop.received() == [("credit", "success", "settled")]


@pytest.mark.parametrize("operation", ["purchase", "debit"])
def test_hosted_fields_take_what_the_client_says_of_the_payer(operation: str) -> None:
    shop = Shop(LARAVEL)
    changes: Json = {
        "return_url": "https://shop.example/3ds",
        "customer": {"ip": "192.0.2.7"},
        "methods": ...,
        "req_token": ...,
    }
    token = shop.open_at("session/token", operation, changes).body["token"]
    card = {"token": token, "card_number": "4111111111111111", "expiry": "01/38", "cvv": "123"}
    form = "application/x-www-form-urlencoded"
    shop.merchant.gateway.send("POST", "/sdk/hosted-fields/card", urlencode(card).encode(), form)
    payer: Json = {
        "name": "John Doe",
        "email": "doe@example.com",
        "birth_date": "1990-01-01",
        "selected_language": "en",
        "billing_address": {"country": "US"},
        "browser_info": {"accept_header": "*/*", "user_agent": "x", "language": "en"},
    }
    answer = shop.post(f"processing/{operation}/card", token=token, with_hosted_fields=True, **payer)

    assert (answer.status, answer.body["result"]) == (200, "success")
    assert shop.trusts_return(answer.body["return_url_query_params"])
    assert shop.received() == [({"purchase": "sale"}.get(operation, operation), "success", "settled")]
    assert shop.merchant.last()["customer_ip"] == "192.0.2.7"


def test_contract_wins_over_a_client() -> None:
    odoo, laravel = Shop(TOTALPAY), Shop(LARAVEL)
    order = {"order_id": order_number(), "order_amount": "5.00", "order_currency": "USD", "order_description": "Payout"}
    by_number = laravel.post("payment/card/credit", *order.values(), **order, card_number="4601541833776519")
    released = laravel.of_payment("void", laravel.sell(auth=True))

    assert odoo.open(auth="Y").named() == ["auth"]
    assert by_number.named() == ["card_token"]
    assert (released.status, released.body["error_message"]) == (400, "Void is not allowed.")
