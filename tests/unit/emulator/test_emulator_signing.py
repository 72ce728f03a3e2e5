"""Signatures of the reference gateway against vectors that were computed elsewhere."""

import pytest

from emulator.engine.signing import Digest, FormValues, Order, as_specified, card_fragment, formula_1
from tests.unit.emulator.probes.probe import BY_NAME, Gateway, session_hash, session_request

ORDER = Order("order-1234", "10.00", "USD", "Important gift")


def test_the_session_recipe_yields_the_known_hash() -> None:
    assert as_specified("m3rch4ntP4ss", "md5", ORDER) == "29478736ac36042734a48df28522e1ddb9255cf3"


def test_formula_1_yields_the_known_hash() -> None:
    values = FormValues("doe@example.com", card_fragment("4111111111111111"))

    assert formula_1("13a4822c5907ed235f3a068c76184fc3", "md5", values) == "2702ae0c4f99506dc29b5615ba9ee3c0"


@pytest.mark.parametrize(
    ("email", "instrument", "digest", "expected"),
    [
        ("", "4111111111", "md5", "4758c701fc1157f4c7f8c22e46b77a9e"),
        (
            "doe@example.com",
            "4111111111",
            "sha256",
            "847930a9b324122b35aff02a96c2f3bdbbbbc3e716e26e43a24ed1d66a1f3bef",
        ),
        ("doe@example.com", "", "md5", "e2dbee6ed22ec2cb33b22a9d2a700682"),
        (
            "doe@example.com",
            "0356db60aea1cf3e3ae07c73fc4a81380ba10200bc88c6a09c1ef6102fedd4f8",
            "md5",
            "1e73d60cddf6be8fe486d9f8f984cf94",
        ),
    ],
)
def test_formula_1_leaves_out_what_is_missing(email: str, instrument: str, digest: Digest, expected: str) -> None:
    assert formula_1("13a4822c5907ed235f3a068c76184fc3", digest, FormValues(email, instrument)) == expected


def test_a_sha256_account_signs_with_sha256_inside() -> None:
    gateway, account = Gateway(), BY_NAME["sha256"]

    assert gateway.session(session_request(account)).opened
    literal = session_request(account)
    literal["hash"] = session_hash(literal["order"], account.password, "md5")
    assert gateway.session(literal).body["error_message"] == "Hash is not valid"


def test_a_description_outside_ascii_is_upper_cased_as_a_whole() -> None:
    assert Gateway().session(session_request(order={"description": "Подарок für Zoë"})).opened


def test_a_crypto_purchase_without_amount_is_signed_without_it() -> None:
    assert Gateway().session(session_request(order={"amount": ..., "currency": "BTC"})).opened


@pytest.mark.parametrize("name", ["number", "amount", "currency", "description"])
def test_a_signed_value_cannot_be_changed_afterwards(name: str) -> None:
    request = session_request()
    request["order"][name] = {"amount": "11.00", "currency": "EUR"}.get(name, "something-else")

    answer = Gateway().session(request)

    assert (answer.status, answer.body["error_code"], answer.body["error_message"]) == (
        400,
        100000,
        "Hash is not valid",
    )


def test_values_are_not_shown() -> None:
    assert "gift" not in repr(ORDER)
    assert "doe@" not in repr(FormValues("doe@example.com", "x"))
