"""The S2S CARD address of the reference gateway."""

import pytest

from emulator.protocols.s2s_card.messages.action_names import ACTIONS, REJECTED
from tests.unit.emulator.probes.probe import BY_NAME, Gateway, Json, sale_form

GATEWAY = Gateway()


@pytest.mark.parametrize("action", [*REJECTED, "sale", "Sale", "get_trans_status", "AUTH", "", " SALE"])
def test_names_that_are_no_actions(action: str) -> None:
    answer = GATEWAY.post(sale_form() | {"action": action})

    assert (answer.status, answer.body["error_code"]) == (404, 0)
    assert answer.body["error_message"] == "Route or parameters is not supported"


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_every_action_is_served(action: str) -> None:
    answer = GATEWAY.post({"action": action})

    assert (answer.status, answer.body["error_message"]) == (400, "Request data is invalid.")
    assert "client_key" in answer.named()


def test_an_action_of_a_later_release_is_unknown() -> None:
    assert Gateway(release="6.6.5").post(sale_form(action="UPDATE_SCHEDULE")).status == 404


@pytest.mark.parametrize(
    ("changes", "result", "status"),
    [
        ({}, "SUCCESS", "SETTLED"),
        ({"card_exp_month": "02"}, "DECLINED", "DECLINED"),
        ({"auth": "Y"}, "SUCCESS", "PENDING"),
        ({"auth": "Y", "order_amount": "0.00"}, "SUCCESS", "PENDING"),
        ({"recurring_init": "Y", "order_amount": "0.00"}, "SUCCESS", "SETTLED"),
        ({"payer_address": "", "payer_country": "", "payer_city": "", "payer_zip": ""}, "SUCCESS", "SETTLED"),
        ({"card_number": "4601541833776519", "card_exp_month": "11"}, "SUCCESS", "SETTLED"),
    ],
)
def test_outcomes_of_a_sale(changes: Json, result: str, status: str) -> None:
    answer = GATEWAY.post(sale_form(**changes))

    assert answer.status == 200
    assert (answer.body["result"], answer.body["status"]) == (result, status)
    assert b"4111111111111111" not in answer.raw
    assert ("recurring_token" in answer.body) is (changes.get("recurring_init") == "Y")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"order_id": ""}, "order_id"),
        ({"order_amount": "10"}, "order_amount"),
        ({"card_number": "4111111111111112"}, "card_number"),
        ({"card_number": ""}, "card_number"),
        ({"card_exp_month": "13"}, "card_exp_month"),
        ({"card_exp_year": "2020"}, "card_exp_year"),
        ({"payer_email": "nobody"}, "payer_email"),
        ({"payer_ip": "300.1.1.1"}, "payer_ip"),
        ({"term_url_3ds": "nowhere"}, "term_url_3ds"),
        ({"auth": "yes"}, "auth"),
    ],
)
def test_what_breaks_a_rule_of_a_sale(changes: Json, field: str) -> None:
    answer = GATEWAY.post(sale_form(**changes))

    assert answer.body["error_message"] == "Request data is invalid."
    assert field in answer.named()


def test_amount_of_nothing_has_a_message_of_its_own() -> None:
    answer = GATEWAY.post(sale_form(order_amount="0.00"))

    assert answer.body["error_message"] == "amount: This value should be greater than 0."
    assert "amount" in answer.named()


def test_the_payers_address_is_required_where_the_protocol_mapping_says_so() -> None:
    missing: Json = {"payer_address": "", "payer_country": "", "payer_city": "", "payer_zip": ""}

    answer = GATEWAY.post(sale_form(BY_NAME["payer_address_required"], **missing))
    assert answer.named() == list(missing)
    assert Gateway(release="6.6.5").post(sale_form(**missing)).named() == list(missing)


def test_a_sale_is_signed_by_the_digest_of_the_account() -> None:
    assert GATEWAY.post(sale_form(BY_NAME["sha256"])).status == 200
    wrong = GATEWAY.post(sale_form(hash="0" * 32))
    assert (wrong.status, wrong.body["error_code"], wrong.body["error_message"]) == (400, 100000, "Hash is not valid")


def test_an_order_is_not_taken_twice() -> None:
    gateway = Gateway(control=True)
    form = sale_form()

    assert gateway.post(form).status == 200
    again = gateway.post(form)
    assert (again.status, again.body["error_code"]) == (400, 100000)
    assert again.body["error_message"] == "order_id: Duplicate payment."
    gateway.advance(16)
    assert gateway.post(form).status == 200


@pytest.mark.parametrize("account", ["live_key", "ip_allowlist"])
def test_keys_that_are_not_served(account: str) -> None:
    assert GATEWAY.post(sale_form(BY_NAME[account])).status == 400


def test_a_json_body_is_refused() -> None:
    answer = GATEWAY.post(sale_form(), content_type="application/json")

    assert (answer.status, answer.body["result"]) == (400, "ERROR")


def test_a_field_named_twice_is_refused() -> None:
    body = b"action=SALE&order_id=1&order_id=2"

    assert GATEWAY.send("POST", "/post", body, "application/x-www-form-urlencoded").status == 400
