"""The variations of the reference gateway: each has an effect, and none breaks what every check stands on."""

import re
import time

import pytest

from emulator.variations import answers as answering
from emulator.variations import registry, requests, sales, windows, wire
from tests.emulator.comparing import answers, deviates
from tests.emulator.corpus import corpus
from tests.emulator.probe import Gateway, session_request

CORPUS = corpus()
EXPECTED = list(answers(Gateway(control=True), CORPUS))


# What the requests of the corpus reach; other variations show in the tests of their own protocol.
OF_SESSIONS_AND_SALES = [
    variation.name for module in (answering, requests, sales, windows, wire) for variation in module.VARIATIONS
]


@pytest.mark.parametrize("name", [name for name in OF_SESSIONS_AND_SALES if not name.startswith(("slow", "page-"))])
def test_a_variation_changes_an_answer(name: str) -> None:
    assert deviates(Gateway(variations=(name,), control=True), CORPUS, EXPECTED)


@pytest.mark.parametrize("name", registry())
def test_a_variation_leaves_the_baseline_and_its_refusals_alone(name: str) -> None:
    gateway = Gateway(variations=(name,))
    request = session_request()

    opened = gateway.session(request)
    assert opened.status in {200, 201}
    assert re.match(r"http://(127\.0\.0\.1|localhost):8000/pay/", opened.body["redirect_url"])
    repeated = gateway.session(request)
    assert (repeated.status, repeated.body["error_code"]) == (400, "400")
    wrong = gateway.session(session_request(hash="0" * 40))
    assert (wrong.status, wrong.body["error_code"]) == (400, 100000)
    assert wrong.body["error_message"].rstrip(".") == "Hash is not valid"
    invalid = gateway.session(session_request(session_expiry=0))
    assert (invalid.status, invalid.body["error_code"]) == (400, 100000)
    assert "session_expiry" in str(invalid.body["errors"])


@pytest.mark.parametrize("name", [name for name in registry() if name.startswith("page-")])
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
