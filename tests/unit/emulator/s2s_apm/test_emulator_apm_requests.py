"""What the S2S APM address of the reference gateway never stumbles over, and accounts that may not refund."""

from __future__ import annotations

import pytest

from emulator.wire.nested_forms import nested
from tests.unit.emulator.probes.apm_probe import apm_sale, made, on_payment, send, status_of
from tests.unit.emulator.probes.probe import BY_NAME, Gateway

GATEWAY = Gateway()


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
