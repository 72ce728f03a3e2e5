"""Variations of the reference gateway whose effect no check can show."""

import time

import pytest

from emulator.variations import registry
from tests.unit.emulator.probes.checkout_posts import Merchant
from tests.unit.emulator.probes.probe import BY_NAME, Gateway, Json, session_request


@pytest.mark.parametrize(
    "name", [name for name in registry() if name.startswith("page-address-")] + ["page-token-like-ip"]
)
def test_pages_at_other_addresses_open(name: str) -> None:
    gateway = Gateway(variations=(name,))
    standard = Gateway().session(session_request()).body["redirect_url"]
    address = gateway.session(session_request()).body["redirect_url"]
    path, _, query = address.partition(":8000")[2].partition("#")[0].partition("?")

    assert gateway.send("GET", path, query=query.encode()).status == 200
    assert len(address) != len(standard) or ":" in path or "localhost" in address


def test_slow_answers_take_their_time() -> None:
    gateway = Gateway(variations=("slow",))
    started = time.perf_counter()
    gateway.session(session_request())

    assert time.perf_counter() - started >= 0.05


def test_scalars_of_another_type_are_converted_where_that_is_asked_for() -> None:
    gateway = Gateway(variations=("scalars-converted",))

    assert gateway.session(session_request(session_expiry="60", req_token="true")).opened
    assert not gateway.session(session_request(req_token="maybe")).opened
    number = session_request(order={"amount": "10.50"}, signed=True)
    number["order"]["amount"] = 10.50
    assert "order.amount" in gateway.session(number).named()
    exact = session_request(order={"number": "5"})
    exact["order"]["number"] = 5
    assert gateway.session(exact).opened


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
