"""The session endpoint of the reference gateway: rules, order of checks, duplicates, accounts."""

from typing import Any

import pytest

from emulator.accounts import FORM_ID, SCHEDULE_ID
from tests.unit.emulator.probes.probe import BY_NAME, Gateway, session_request

SCHEDULE = {"recurring_init": True, "schedule_id": SCHEDULE_ID}
FULL_ADDRESS = {
    "country": "US",
    "state": "CA",
    "city": "Los Angeles",
    "address": "Moor Building",
    "house_number": "35/2",
    "zip": "123456",
    "phone": "+1(347)7111-22",
    "phone_country_code": "1",
    "district": "Beverlywood",
    "language": "EN",
}

ACCEPTED: list[dict[str, Any]] = [
    {},
    {"operation": "debit"},
    {"operation": "credit"},
    {"operation": "transfer"},
    {"operation": "transfer", "order": {"amount": "-1"}},
    {"operation": "transfer", "payee": {"name": "Zoë Müller", "email": "z@example.com"}},
    {"operation": "credit", "card_token": ["a" * 64], "payee_first_name": "Zoë", "payee_last_name": "Müller"},
    {"card_token": ["a" * 64], "req_token": True},
    {"auth": True},
    {"auth": True, "order": {"amount": "0.00"}},
    {"recurring_init": True, "order": {"amount": "0.00"}},
    {"operation": "debit", "recurring_init": True},
    {**SCHEDULE, "schedule_start_date": "2031-02-28", "payment_schedule_amount": "9.99"},
    {"vat_calc": True, "form_id": FORM_ID, "url_target": "_top", "session_expiry": 720},
    {"checkout_language": "zho", "channel_id": "channel-16-chars", "methods": ["card"]},
    {"customer": {"name": "John Doe", "email": "doe@example.com", "birth_date": "1990-02-28"}},
    {"billing_address": FULL_ADDRESS},
    {"billing_address": {"country": "DE", "state": "x" * 200}},
    {"custom_data": {"a": {"b": [1, None, "c"]}}, "something": "else"},
    {"success_url": "myapp://return/here", "cancel_url": "https://m.example/" + "x" * 1006},
    {"order": {"number": "-!\"#$%&'()*+,./:;@Az09"}},
    {"order": {"amount": "10.00", "currency": "JPY"}},
    {"order": {"amount": "10.000", "currency": "BHD"}},
    {"order": {"amount": "10.0000", "currency": "CLF"}},
    {"order": {"amount": "0.00000001", "currency": "BTC"}},
    {"order": {"amount": "1.000000", "currency": "USDTRC"}},
    {"parameters": {"card": {"bnrg_installm_def": "00", "bnrg_installm_months": "12", "bnrg_installm_plan": "07"}}},
    {"parameters": {"card": {"shipping": {"cost": "1234567890123", "country": "DE", "type": "return"}}}},
    {"parameters": {"card": {"cart": {"items": [{"quantityUnit": "KG", "recipient": {"country": "276"}}]}}}},
    {"parameters": {"card": {"marketPlace": {"sellers": [{"id": "s", "amount": 12}]}}}},
    {"parameters": {"crypto-btg": {"crypto_type": "BTG", "network_type": "tron", "bech32": True}}},
    {"methods": ["local-document"]},
]
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"operation": "sale"}, "operation"),
    ({"operation": ...}, "operation"),
    ({"merchant_key": ...}, "merchant_key"),
    ({"success_url": ...}, "success_url"),
    ({"success_url": "not an address"}, "success_url"),
    ({"cancel_url": "https://m.example/" + "x" * 1007}, "cancel_url"),
    ({"error_url": "https://"}, "error_url"),
    ({"url_target": "_new"}, "url_target"),
    ({"session_expiry": 0}, "session_expiry"),
    ({"session_expiry": 721}, "session_expiry"),
    ({"session_expiry": 1.5}, "session_expiry"),
    ({"channel_id": "c" * 17}, "channel_id"),
    ({"channel_id": "nobody"}, "channel_id"),
    ({"hash": ...}, "hash"),
    ({"hash": ""}, "hash"),
    ({"order": "order"}, "order"),
    ({"order": {"number": "n" * 256}}, "order.number"),
    ({"order": {"number": "a b"}}, "order.number"),
    ({"order": {"number": "größe"}}, "order.number"),
    ({"order": {"amount": "10"}}, "order.amount"),
    ({"order": {"amount": "10,00"}}, "order.amount"),
    ({"order": {"amount": "1e2"}}, "order.amount"),
    ({"order": {"amount": "+10.00"}}, "order.amount"),
    ({"order": {"amount": "-10.00"}}, "amount"),
    ({"order": {"amount": "0.00"}}, "amount"),
    ({"order": {"amount": "-1"}}, "amount"),
    ({"order": {"amount": ...}}, "order.amount"),
    ({"order": {"amount": "10.50", "currency": "JPY"}}, "order.amount"),
    ({"order": {"amount": "10.00", "currency": "KWD"}}, "order.amount"),
    ({"order": {"amount": "0.000000001", "currency": "BTC"}}, "order.amount"),
    ({"order": {"currency": "ABC"}}, "order.currency"),
    ({"order": {"currency": "US"}}, "order.currency"),
    ({"order": {"currency": ["USD"]}}, "order.currency"),
    ({"order": {"description": "x"}}, "order.description"),
    ({"order": {"description": "x" * 1025}}, "order.description"),
    ({"customer": {"name": "Иван Петров"}}, "customer.name"),
    ({"customer": {"email": "nobody"}}, "customer.email"),
    ({"customer": {"birth_date": "1990-02-30"}}, "customer.birth_date"),
    ({"billing_address": {"country": "USA"}}, "billing_address.country"),
    ({"billing_address": {"country": "IN", "state": "x"}}, "billing_address.state"),
    ({"billing_address": {"phone": "12 34"}}, "billing_address.phone"),
    ({"methods": ["card", "unheard-of"]}, "methods[1]"),
    ({"card_token": "a" * 64}, "card_token"),
    ({"card_token": ["a" * 63]}, "card_token[0]"),
    ({"operation": "debit", "auth": True}, "auth"),
    ({"schedule_id": SCHEDULE_ID}, "schedule_id"),
    ({"recurring_init": True, "schedule_id": "5"}, "schedule_id"),
    ({"recurring_init": True, "schedule_start_date": "2031-02-28"}, "schedule_start_date"),
    ({**SCHEDULE, "schedule_start_date": "28.02.2031"}, "schedule_start_date"),
    ({**SCHEDULE, "payment_schedule_amount": "9.9"}, "payment_schedule_amount"),
    ({"form_id": "form"}, "form_id"),
    ({"crypto": {"network": "x" * 51}}, "crypto.network"),
    ({"operation": "transfer", "payee": {}}, "payee.name"),
    ({"operation": "transfer", "payee": {"name": "王伟王伟"}}, "payee.name"),
    ({"parameters": {"card": {"bnrg_installm_def": "00"}}}, "parameters.card.bnrg_installm_months"),
    ({"parameters": {"card": {"document_type": "rg"}}}, "parameters.card.document_type"),
    (
        {"parameters": {"card": {"cart": {"items": [{}, {"quantity": "6"}, {"quantity": "123456"}]}}}},
        "parameters.card.cart.items[2].quantity",
    ),
    ({"parameters": {"bank-account": {"bank_code": "X"}}}, "parameters.bank-account.bank_account_number"),
    ({"methods": ["bank-account"]}, "parameters"),
]


ABOVE_ZERO = "amount: This value should be greater than 0."


@pytest.mark.parametrize("changes", ACCEPTED, ids=str)
def test_what_the_contract_allows_opens_a_session(changes: dict[str, Any]) -> None:
    answer = Gateway().session(session_request(**changes))

    assert answer.opened, answer.raw


@pytest.mark.parametrize(("changes", "field"), REFUSED, ids=str)
def test_what_breaks_a_rule_is_refused_and_named(changes: dict[str, Any], field: str) -> None:
    answer = Gateway().session(session_request(**changes))

    assert answer.status == 400
    assert answer.body["result"] == "ERROR"
    assert answer.body["error_code"] == 100000
    # The text about amounts is the message itself where nothing else is wrong.
    is_amount = answer.body["errors"][0]["error_message"] == ABOVE_ZERO and len(answer.named()) == 1
    assert answer.body["error_message"] == (ABOVE_ZERO if is_amount else "Request data is invalid.")
    assert field in answer.named()


def test_all_invalid_fields_are_reported_together_and_before_the_signature() -> None:
    answer = Gateway().session(session_request(operation="x", session_expiry=0, customer={"email": "x"}, hash="0" * 40))

    assert answer.named() == ["operation", "session_expiry", "customer.email"]


def test_an_unsupported_language_has_a_message_of_its_own() -> None:
    answer = Gateway().session(session_request(checkout_language="xx"))

    assert (answer.status, answer.body["error_message"]) == (400, "The checkout_language parameter is incorrect")


def test_a_zero_amount_is_refused_where_the_provider_has_none() -> None:
    gateway = Gateway()
    for flag in ("auth", "recurring_init"):
        answer = gateway.session(session_request(BY_NAME["no_zero_amount"], order={"amount": "0.00"}, **{flag: True}))
        assert answer.body["error_message"] == "amount: This value should be greater than 0."
        assert answer.body["errors"][0]["error_message"] == "amount: This value should be greater than 0."


def test_a_number_is_taken_for_15_seconds_and_by_its_merchant_only() -> None:
    gateway = Gateway(control=True)
    request = session_request(order={"number": "same"})
    other = session_request(BY_NAME["second"], order={"number": "same"})

    assert gateway.session(request).opened
    again = gateway.session(request)
    assert (again.status, again.body["error_code"], again.body["error_message"]) == (400, "400", "Duplicate request.")
    assert gateway.session(other).opened
    assert gateway.advance(14).status == 200
    assert gateway.session(request).status == 400
    assert gateway.advance(2).status == 200
    assert gateway.session(request).opened


def test_a_refused_request_takes_no_number() -> None:
    gateway = Gateway()

    assert gateway.session(session_request(order={"number": "one"}, hash="0" * 40)).status == 400
    assert gateway.session(session_request(order={"number": "one"})).opened


@pytest.mark.parametrize(
    ("account", "code", "message"),
    [
        ("live_key", 220002, "Use merchant test key."),
        ("ip_allowlist", 100000, "Request from this ip is not allowed."),
    ],
)
def test_keys_that_are_not_served(account: str, code: int, message: str) -> None:
    answer = Gateway().session(session_request(BY_NAME[account]))

    assert (answer.status, answer.body["error_code"], answer.body["error_message"]) == (400, code, message)


def test_an_address_on_the_allowlist_is_served() -> None:
    assert Gateway(client="192.0.2.10").session(session_request(BY_NAME["ip_allowlist"])).opened


def test_an_unknown_key_is_refused() -> None:
    answer = Gateway().session(session_request(merchant_key="nobody"))

    assert (answer.status, answer.body["error_code"]) == (400, 100000)


@pytest.mark.parametrize("token", ["b" * 64, "c" * 64])
def test_a_card_token_of_another_merchant_or_of_nobody_is_not_found(token: str) -> None:
    answer = Gateway().session(session_request(card_token=[token]))

    assert (answer.status, answer.body["error_code"]) == (400, 205005)


@pytest.mark.parametrize("release", ["6.6.2", "6.6.3", "6.6.4", "6.6.5"])
def test_older_releases_do_not_know_what_came_later(release: str) -> None:
    gateway = Gateway(release=release)

    assert gateway.session(session_request()).opened
    assert gateway.session(session_request(operation="credit")).opened is (release in {"6.6.4", "6.6.5"})
    assert gateway.session(session_request(auth="neither")).opened
    assert not gateway.session(session_request(auth=True, order={"amount": "0.00"})).opened
    assert not gateway.session(session_request(operation="debit", recurring_init=True)).opened
    assert not gateway.session(session_request(billing_address={"country": "DE", "state": "x"})).opened
    assert gateway.session(session_request(schedule_start_date="never")).opened
