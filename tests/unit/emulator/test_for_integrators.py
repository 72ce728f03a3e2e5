"""What integrators need of the reference gateway: each point of it, and the defects that public clients found."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlencode

import httpx
import pytest

from emulator import Settings, create_app, offers
from emulator.accounts import ACCOUNTS, METHODS
from emulator.protocols.s2s_card.sandbox_cards import ALWAYS_GOOD
from emulator.rules.s2s_apm.brands import BANK_REPORTS, IDENTIFIERS
from emulator.rules.s2s_apm.operators import OPERATORS
from emulator.wire.start_page import APM_PATHS
from tests.unit.emulator.probes.apm_probe import apm_sale, on_payment
from tests.unit.emulator.probes.card_posts import Merchant as CardMerchant
from tests.unit.emulator.probes.checkout_posts import Merchant as CheckoutMerchant
from tests.unit.emulator.probes.probe import MAIN, Answer, Gateway, sale_form, session_request

FORM: Final = "application/x-www-form-urlencoded"
FORWARDED: Final = {"x-forwarded-host": "shop.example", "x-forwarded-proto": "https"}
CHALLENGED: Final[Mapping[str, str]] = {"card_exp_month": "05", "card_exp_year": "2038"}
REDIRECTED: Final = {"identifier": "redirect@gmail.com"}
WRONG: Final = "0" * 32


def multipart(fields: Mapping[str, str], boundary: str = "a-boundary") -> tuple[bytes, str]:
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    return "".join([*parts, f"--{boundary}--\r\n"]).encode(), f"multipart/form-data; boundary={boundary}"


def served(settings: Settings) -> Gateway:
    gateway = Gateway()
    gateway.app = create_app(settings)
    return gateway


def sent(gateway: Gateway, path: str, form: Mapping[str, str], headers: Mapping[str, str] | None = None) -> Answer:
    return gateway.send("POST", path, urlencode(form).encode(), FORM, headers=headers)


def addresses_of(settings: Settings, headers: Mapping[str, str] | None = None) -> list[str]:
    """Where payers are sent: by Checkout, by a challenge of S2S CARD, and by S2S APM."""
    gateway = served(settings)
    session = json.dumps(session_request()).encode()
    answers = (
        gateway.send("POST", "/api/v1/session", session, "application/json", headers=headers),
        sent(gateway, "/post", sale_form(MAIN, **CHALLENGED), headers),
        sent(gateway, "/apm/post", apm_sale(MAIN, **REDIRECTED), headers),
    )
    return [str(answer.body["redirect_url"]) for answer in answers]


@pytest.mark.parametrize(("path", "form"), [("/post", sale_form), *((path, apm_sale) for path in APM_PATHS)])
def test_multipart_bodies_are_taken_by_default(path: str, form: Callable[[], dict[str, str]]) -> None:
    assert Gateway().send("POST", path, *multipart(form())).body["result"] == "SUCCESS"


def test_s2s_apm_is_also_served_at_post_va() -> None:
    gateway = Gateway()
    sale = sent(gateway, "/post-va", apm_sale())

    status = sent(gateway, "/apm/post", on_payment("GET_TRANS_STATUS", sale.body["trans_id"]))

    assert status.body["status"] == "SETTLED"


def test_redirect_addresses_follow_the_public_url() -> None:
    for address in addresses_of(Settings(public_url="https://box.example/gateway/"), FORWARDED):
        assert address.startswith("https://box.example/gateway/")
        assert "//" not in address.removeprefix("https://")


def test_forwarded_addresses_count_only_where_they_are_trusted() -> None:
    assert all(address.startswith("http://127.0.0.1:8000/") for address in addresses_of(Settings(), FORWARDED))
    for address in addresses_of(Settings(trusts_proxy=True), FORWARDED):
        assert address.startswith("https://shop.example/")


def test_start_page_shows_all_there_is_to_test_with() -> None:
    text = Gateway().send("GET", "/").raw.decode()
    cards = {cell for table in offers.tables() if table.caption == "Test cards" for row in table.rows for cell in row}
    endpoints = ("/api/v1/session", "/api/v1/payment/card/credit", "/api/v1/payment/capture", "/post", *APM_PATHS)
    accounts = [cell for account in ACCOUNTS for cell in (account.name, account.key, account.password)]

    wanted = {*cards, *endpoints, *accounts, *METHODS, *IDENTIFIERS, *BANK_REPORTS, *OPERATORS, "googlepay", "applepay"}
    assert {word for word in wanted if word not in text} == set()


def test_start_page_says_what_is_special_about_each_account() -> None:
    lines = Gateway().send("GET", "/").raw.decode().splitlines()
    nothing_said = [
        account.name
        for account in ACCOUNTS
        for line in lines
        if f"<code>{account.name}</code>" in line and account.key in line and line.endswith("<code></code></td></tr>")
    ]

    assert nothing_said == ["main"]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (httpx.ConnectError("connection refused"), "nothing came back: connection refused"),
        (httpx.Response(500), "HTTP 500 came back"),
    ],
    ids=["no-connection", "refused"],
)
def test_undeliverable_callback_is_logged_with_what_was_expected(
    reply: httpx.Response | Exception, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    merchant = CardMerchant()
    callbacks = merchant.gateway.app.state.gateway.callbacks

    def answer(_request: httpx.Request) -> httpx.Response:
        if isinstance(reply, Exception):
            raise reply
        return reply

    callbacks._client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    with caplog.at_level(logging.INFO, logger="emulator"):
        order = merchant.sale()["order_id"]
        merchant.callbacks()

    (line,) = [record.getMessage() for record in caplog.records if "callback of" in record.getMessage()]
    assert order in line
    assert "http://merchant.example/callback" in line
    assert said in line
    assert "expected is HTTP 2xx" in line
    assert MAIN.password not in line


@pytest.mark.parametrize(
    ("path", "form", "wanted"),
    [
        ("/post", sale_form, "reversed e-mail address, password"),
        ("/apm/post", apm_sale, "Identifier, order and password, reversed"),
    ],
)
def test_wrong_hash_of_s2s_is_logged_with_what_was_expected(
    path: str, form: Callable[..., dict[str, str]], wanted: str, caplog: pytest.LogCaptureFixture
) -> None:
    request = form(hash=WRONG)
    with caplog.at_level(logging.INFO, logger="emulator"):
        assert sent(Gateway(), path, request).body["error_message"] == "Hash is not valid"

    (line,) = [record.getMessage() for record in caplog.records if "wrong hash" in record.getMessage()]
    assert wanted in line
    secrets = (MAIN.password, WRONG, request.get("card_number", "4111111111111111"))
    assert [secret for secret in secrets if secret in line] == []


@pytest.mark.parametrize("number", [ALWAYS_GOOD, "4111111111111111"])
def test_initial_sale_with_any_good_card_answers_a_recurring_token(number: str) -> None:
    assert ALWAYS_GOOD == "4601541833776519"
    merchant = CardMerchant()

    answer = merchant.sale(card_number=number, recurring_init="Y")

    assert (answer["status"], bool(answer["recurring_token"])) == ("SETTLED", True)
    assert merchant.callbacks()[-1]["recurring_token"] == answer["recurring_token"]


def callbacks_of_apm() -> dict[str, str]:
    merchant = CardMerchant()
    assert sent(merchant.gateway, "/apm/post", apm_sale()).status == 200
    return merchant.callbacks()[-1]


def test_callbacks_of_s2s_apm_name_the_reference_as_the_contract_does() -> None:
    came = callbacks_of_apm()

    assert [name for name in came if name.lower() == "arn"] == ["ARN"]


def test_extended_data_stand_alike_in_the_callbacks_of_all_protocols() -> None:
    checkout, card = CheckoutMerchant(), CardMerchant()
    checkout.pay()
    card.sale()

    for came in (checkout.last(), card.callbacks()[-1], callbacks_of_apm()):
        assert {"connector_name", "rrn", "approval_code", "issuer_bank"} <= set(came)
    nested = [name for came in (card.callbacks()[-1], callbacks_of_apm()) for name in came if "extended_data" in name]
    assert nested == []


@pytest.mark.parametrize(
    "answer",
    [
        lambda: Gateway().session(session_request(order={"amount": "0.00"})),
        lambda: Gateway().post(sale_form(order_amount="0.00")),
        lambda: sent(Gateway(), "/apm/post", apm_sale(order_amount="0.00")),
    ],
    ids=["checkout", "s2s-card", "s2s-apm"],
)
def test_zero_amount_is_named_in_the_message_and_in_errors(answer: Callable[[], Answer]) -> None:
    body = answer().body

    assert body["error_message"] == "amount: This value should be greater than 0."
    assert [item["error_message"] for item in body["errors"]] == [body["error_message"]]
