"""The S2S APM address of the reference gateway: what it refuses, in which words, and what it never stumbles over."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from emulator.faults import registry
from emulator.wire.nested_forms import nested
from tests.unit.emulator.probes.apm_probe import apm_payout, apm_sale, made, on_payment, send, status_of
from tests.unit.emulator.probes.probe import BY_NAME, MAIN, Gateway

GATEWAY = Gateway()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        *(({name: ""}, name) for name in ("brand", "order_id", "order_currency", "order_description", "payer_ip")),
        ({"return_url": "nowhere"}, "return_url"),
        ({"order_amount": "10"}, "order_amount"),
        ({"order_currency": "EURO"}, "order_currency"),
        ({"payer_birth_date": "1.1.2000"}, "payer_birth_date"),
        ({"payer_city": "x" * 41}, "payer_city"),
        ({"brand": "bank-account", "parameters__bank_code": "X"}, "parameters.bank_account_number"),
        ({"brand": "crypto-btg", "parameters__crypto_type": "BTC", "parameters__bech32": "x"}, "parameters.bech32"),
        ({"brand": "product-instalments", "parameters__product_quantity": "12345"}, "parameters.product_quantity"),
        ({"brand": "googlepay"}, "parameters.paymentToken"),
        ({"order_id__x": "nested", "order_id": ""}, "order_id"),
    ],
)
def test_what_breaks_a_rule_of_a_sale(changes: dict[str, str], field: str) -> None:
    answer = send(GATEWAY, apm_sale(MAIN, **changes))

    assert (answer.status, answer.body["error_message"]) == (400, "Request data is invalid.")
    assert answer.named() == [field]


def test_amount_of_nothing_has_a_message_of_its_own() -> None:
    answer = send(GATEWAY, apm_sale(MAIN, order_amount="0.00"))

    assert answer.body["error_message"] == "amount: This value should be greater than 0."
    assert answer.named() == ["amount"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"parameters__customer_email": ""}, "parameters.customer_email"),
        ({"payee_last_name": ""}, "payee_last_name"),
        ({"order_currency": "EUR"}, "order_currency"),
        ({"order_currency": "KES"}, "order_currency"),
        ({"parameters__mobile_money_operator": "nobody-gh"}, "parameters.mobile_money_operator"),
        ({"parameters__mobile_number": "254712345678"}, "parameters.mobile_number"),
        ({"payee_email": "nobody"}, "payee_email"),
    ],
)
def test_what_breaks_a_rule_of_a_payout(changes: dict[str, str], field: str) -> None:
    assert send(GATEWAY, apm_payout(MAIN, **changes)).named() == [field]


def test_whole_units_of_francs() -> None:
    changes = {"parameters__mobile_money_operator": "mtn-cm", "parameters__mobile_number": "237670123456"}

    def status(amount: str) -> int:
        return send(GATEWAY, apm_payout(MAIN, order_currency="XAF", order_amount=amount, **changes)).status

    assert [status(amount) for amount in ("100", "100.50", "100.00")] == [200, 400, 400]


@pytest.mark.parametrize("action", ["REFUND", "sale", "Void", "", "DEBIT2VIRTUAL"])
def test_names_that_are_no_actions(action: str) -> None:
    answer = send(GATEWAY, apm_sale() | {"action": action})

    assert (answer.status, answer.body["error_code"]) == (404, 0)


@pytest.mark.parametrize("action", ["CAPTURE", "CREDITVOID"])
def test_actions_of_a_later_release_are_unknown_before_it(action: str) -> None:
    gateway = Gateway(release="6.6.5")
    payment = made(gateway, apm_sale(auth="Y"))

    assert status_of(gateway, payment) == "SETTLED"
    assert send(gateway, on_payment(action, payment)).status == 404
    unknown = send(gateway, on_payment("GET_TRANS_STATUS", "no-such-payment")).body
    assert (unknown["error_code"], unknown["error_message"]) == (100000, "This value is not correct.")


@pytest.mark.parametrize(
    ("account", "code", "message"),
    [
        ("live_key", 220002, "Use merchant test key."),
        ("ip_allowlist", 100000, "Request from this ip is not allowed."),
    ],
)
def test_keys_and_addresses_that_are_not_served(account: str, code: int, message: str) -> None:
    answer = send(GATEWAY, apm_sale(BY_NAME[account]))

    assert (answer.status, answer.body["error_code"], answer.body["error_message"]) == (400, code, message)


@pytest.mark.parametrize("make", [apm_sale, apm_payout])
def test_an_order_id_is_not_taken_twice_within_the_window(make: object) -> None:
    gateway = Gateway(control=True)
    form = apm_sale() if make is apm_sale else apm_payout()

    assert send(gateway, form).status == 200
    assert send(gateway, form).body["error_message"] == "order_id: Duplicate payment."
    gateway.advance(16)
    assert send(gateway, form).status == 200


def test_signatures_keep_the_case_of_the_password() -> None:
    payment = made(GATEWAY, apm_sale())
    raw = on_payment("GET_TRANS_STATUS", payment)

    assert send(GATEWAY, raw).status == 200
    assert send(GATEWAY, raw | {"hash": raw["hash"].upper()}).body["error_message"] == "Hash is not valid"
    assert send(GATEWAY, apm_sale(BY_NAME["sha256"])).status == 200


def test_accounts_that_may_not_refund() -> None:
    for name, code, message in (
        ("no_refunds", 100000, "Refund is not allowed"),
        ("connector_refunds", 210002, "Refund via API is not supported. Only from the connector admin portal."),
    ):
        account = BY_NAME[name]
        payment = made(GATEWAY, apm_sale(account))
        answer = send(GATEWAY, on_payment("CREDITVOID", payment, account)).body
        assert (answer["error_code"], answer["error_message"]) == (code, message)
        assert status_of(GATEWAY, payment, account) == "SETTLED"


@pytest.mark.parametrize(
    "changes",
    [
        {"custom_data" + "[x]" * 300: "deep"},
        {"order_amount": "9" * 5000 + ".00"},
        {"order_amount": "NaN"},
        {"parameters": "text"},
        {"parameters[a]": "1", "parameters[a][b]": "2"},
        {"brand[x]": "vcard", "brand": ""},
        {"client_key[x]": "1"},
        {"order_id": "\ud800"},
    ],
    ids=repr,
)
def test_odd_fields_are_no_reason_to_fail(changes: dict[str, str]) -> None:
    form = apm_sale() | {name: value.encode("utf-8", "replace").decode() for name, value in changes.items()}

    assert send(GATEWAY, form).status in {200, 400}


def test_bracket_keys_are_nested() -> None:
    assert nested({"a": "1", "b[c]": "2", "b[d][e]": "3", "f[]": "4", "[g": "5"}) == {
        "a": "1",
        "b": {"c": "2", "d": {"e": "3"}},
        "f": {"0": "4"},
        "[g": "5",
    }
    assert nested({"a": "1", "a[b]": "2"}) == {"a": {"b": "2"}}


def test_every_requirement_that_can_be_tested_has_a_fault() -> None:
    catalogue = Path(__file__).parents[4] / "contract" / "requirements" / "s2s_apm.toml"
    listed = tomllib.loads(catalogue.read_text(encoding="utf-8"))["requirement"]
    broken = {requirement for fault in registry().values() for requirement in fault.requirements}

    assert [entry["id"] for entry in listed if "not_testable" not in entry and entry["id"] not in broken] == []
