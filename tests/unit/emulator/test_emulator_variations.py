"""The variations of the reference gateway: each has an effect."""

import time

import pytest

from emulator.variations import answers as answering
from emulator.variations import duplicate_windows, registry, requests, wire
from emulator.variations.s2s_card import sales as s2s_card_sales
from tests.unit.emulator.probes.comparing import answers, deviates
from tests.unit.emulator.probes.corpus import corpus
from tests.unit.emulator.probes.probe import Gateway, session_request

CORPUS = corpus()
EXPECTED = list(answers(Gateway(control=True), CORPUS))


# What the requests of the corpus reach; other variations show in the tests of their own protocol.
OF_SESSIONS_AND_SALES = [
    variation.name
    for module in (answering, requests, s2s_card_sales, duplicate_windows, wire)
    for variation in module.VARIATIONS
]


@pytest.mark.parametrize("name", [name for name in OF_SESSIONS_AND_SALES if not name.startswith(("slow", "page-"))])
def test_a_variation_changes_an_answer(name: str) -> None:
    assert deviates(Gateway(variations=(name,), control=True), CORPUS, EXPECTED)


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
