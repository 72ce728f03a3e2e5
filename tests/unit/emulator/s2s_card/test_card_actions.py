"""Every action of S2S CARD: its answer, the state that it leads to, and what the merchant sees."""

from __future__ import annotations

import pytest

from tests.unit.emulator.probes.card_posts import CARD, EMAIL, Merchant, digest, fragment, merchant_of, order_id
from tests.unit.emulator.probes.probe import MAIN, Gateway, sale_form

_NO_CARD = dict.fromkeys(("card_number", "card_exp_month", "card_exp_year", "card_cvv2"), "")


def verified(fields: dict[str, str], email: str = EMAIL) -> bool:
    """Whether a callback carries the hash of Formula 2 over the digits that it shows."""
    digits = "".join(sign for sign in fields.get("card", "") if sign.isdigit())
    return fields["hash"] == digest(email[::-1] + MAIN.password + fields["trans_id"] + fragment(digits))


def test_a_sale_settles_and_is_notified() -> None:
    merchant = Merchant()
    paid = merchant.sale(req_token="Y", recurring_init="Y", **{"custom_data[a][b]": "1"})

    assert (paid["result"], paid["status"]) == ("SUCCESS", "SETTLED")
    assert len(paid["card_token"]) == 64
    (callback,) = merchant.callbacks()
    assert verified(callback)
    assert (callback["action"], callback["result"], callback["status"]) == ("SALE", "SUCCESS", "SETTLED")
    assert (callback["card"], callback["card_expiration_date"]) == ("411111******1111", "01/2038")
    assert callback["custom_data[a][b]"] == "1"
    assert (callback["card_token"], callback["recurring_token"]) == (paid["card_token"], paid["recurring_token"])
    assert (callback["ARN"], callback["brand"], callback["authenticationFlow"]) == ("", "VISA", "Frictionless")
    assert merchant.status(paid["trans_id"]) == "SETTLED"


def test_an_authorization_is_captured_once() -> None:
    merchant = Merchant()
    held = merchant.sale(auth="Y")

    assert held["status"] == merchant.status(held["trans_id"]) == "PENDING"
    assert merchant.operate("CAPTURE", held["trans_id"], amount="11.00").body["error_code"] == 208004
    captured = merchant.operate("CAPTURE", held["trans_id"], amount="4.00").body
    assert (captured["result"], captured["status"], captured["amount"]) == ("SUCCESS", "SETTLED", "4.00")
    assert merchant.operate("CAPTURE", held["trans_id"]).body["error_code"] == 208003
    assert [callback["action"] for callback in merchant.callbacks()] == ["SALE", "CAPTURE"]


def test_a_capture_that_the_acquirer_refuses_leaves_the_payment_pending() -> None:
    merchant = Merchant()
    held = merchant.sale(auth="Y", card_exp_month="03")
    refused = merchant.operate("CAPTURE", held["trans_id"]).body

    assert (refused["result"], refused["status"]) == ("DECLINED", "PENDING")
    assert merchant.callbacks()[-1]["decline_reason"]


def test_a_settled_payment_is_voided_on_its_day_only() -> None:
    merchant = Merchant()
    paid, other = merchant.sale(), merchant.sale()

    voided = merchant.operate("VOID", paid["trans_id"]).body
    assert (voided["result"], voided["status"]) == ("SUCCESS", "VOID")
    assert merchant.status(paid["trans_id"]) == "VOID"
    assert merchant.operate("VOID", paid["trans_id"]).status == 400
    assert merchant.callbacks()[-1]["action"] == "VOID"
    merchant.gateway.advance(86_400)
    assert merchant.operate("VOID", other["trans_id"]).body["error_message"] == "Void is not allowed."


def test_a_payment_is_given_back_in_parts() -> None:
    merchant = Merchant()
    paid = merchant.sale()
    trans_id = paid["trans_id"]

    accepted = merchant.operate("CREDITVOID", trans_id, amount="4.00").body
    assert accepted["result"] == "ACCEPTED"
    assert "status" not in accepted
    assert merchant.status(trans_id) == "SETTLED"
    assert merchant.operate("CREDITVOID", trans_id, amount="7.00").body["error_code"] == 208006
    merchant.operate("CREDITVOID", trans_id)
    assert merchant.status(trans_id) == "REFUND"
    assert merchant.operate("CREDITVOID", trans_id).body["error_code"] == 208005
    callback = merchant.callbacks()[1:]
    assert [(one["action"], one["status"], one["amount"]) for one in callback] == [
        ("CREDITVOID", "SETTLED", "4.00"),
        ("CREDITVOID", "REFUND", "6.00"),
    ]


def test_an_authorization_is_released_as_a_whole() -> None:
    merchant = Merchant()
    trans_id = merchant.sale(auth="Y")["trans_id"]

    assert merchant.operate("CREDITVOID", trans_id, amount="4.00").body["error_code"] == 208009
    assert merchant.operate("CREDITVOID", trans_id).body["result"] == "ACCEPTED"
    assert merchant.status(trans_id) == "REVERSAL"


def test_a_debit_shows_its_token_and_is_reversed() -> None:
    merchant = Merchant()
    paid = merchant.debit()

    assert (paid["action"], paid["status"]) == ("DEBIT", "SETTLED")
    assert "card_token" not in paid
    (callback,) = merchant.callbacks()
    assert len(callback["card_token"]) == 64
    assert verified(callback, "")
    merchant.operate("CREDITVOID", paid["trans_id"], "")
    assert merchant.status(paid["trans_id"], "") == "REVERSAL"


def test_a_token_pays_and_shows_its_card() -> None:
    merchant = Merchant()
    token = merchant.sale(req_token="Y")["card_token"]
    signed = EMAIL[::-1] + MAIN.password + token[::-1]

    paid = merchant.sale(**_NO_CARD, card_token=token, hash=digest(signed))
    assert paid["status"] == merchant.status(paid["trans_id"]) == "SETTLED"
    assert merchant.callbacks()[-1]["card"] == "411111******1111"


@pytest.mark.parametrize(("account", "number"), [("main", ""), ("wallet_cards", CARD)])
def test_a_wallet_pays_with_or_without_a_card_on_file(account: str, number: str) -> None:
    merchant = merchant_of(account)
    signed = digest(EMAIL[::-1] + merchant.account.password, merchant.account)

    paid = merchant.sale(**_NO_CARD, payment_token="{}", digital_wallet="googlepay", hash=signed)
    assert (paid["status"], paid["digital_wallet"]) == ("SETTLED", "googlepay")
    details = merchant.operate("GET_TRANS_DETAILS", paid["trans_id"], number=number).body
    assert details.get("card") == ("411111******1111" if number else None)


def test_a_chain_charges_again() -> None:
    merchant = Merchant()
    first = merchant.sale(recurring_init="Y")

    charged = merchant.again(first, **{"custom_data[n]": "2"}).body
    assert (charged["action"], charged["status"], charged["currency"]) == ("RECURRING_SALE", "SETTLED", "USD")
    assert merchant.callbacks()[-1]["custom_data[n]"] == "2"
    other = merchant.sale(recurring_init="Y")
    mixed = merchant.again(first, recurring_token=other["recurring_token"])
    assert (mixed.status, mixed.body["error_message"]) == (400, "Incorrect transaction")
    held = merchant.again(first, auth="Y").body
    assert merchant.operate("CAPTURE", held["trans_id"]).body["status"] == "SETTLED"


def test_a_chain_of_debits_charges_again() -> None:
    merchant = Merchant()
    first = merchant.debit(recurring_init="Y")

    assert merchant.again(first, "RECURRING_DEBIT").body["status"] == "SETTLED"


def test_a_soft_decline_is_retried() -> None:
    merchant = merchant_of("soft_declines")
    first = merchant.sale(recurring_init="Y")
    declined = merchant.again(first).body

    assert declined["status"] == "DECLINED"
    assert merchant.operate("RETRY", first["trans_id"]).status == 400
    retried = merchant.operate("RETRY", declined["trans_id"]).body
    assert retried["result"] == "ACCEPTED"
    assert merchant.status(declined["trans_id"]) == "SETTLED"
    assert merchant.callbacks()[-1]["status"] == "SETTLED"


@pytest.mark.parametrize(("month", "status"), [("01", "SETTLED"), ("02", "DECLINED"), ("05", "3DS")])
def test_a_transfer_from_card_to_card(month: str, status: str) -> None:
    merchant = Merchant()
    moved = merchant.send(
        "CARD2CARD",
        MAIN.password + fragment(CARD),
        order_id=order_id(),
        order_amount="10.00",
        order_currency="USD",
        order_description="gift",
        payer_card_number=CARD,
        payer_card_exp_month=month,
        payer_card_exp_year="2038",
        payer_card_cvv2="123",
        payee_card_number="4601541833776519",
        payer_ip="192.0.2.7",
        term_url_3ds="https://merchant.example/3ds",
    ).body

    assert (moved["action"], moved["status"]) == ("CARD2CARD", status)


@pytest.mark.parametrize(
    ("number", "status"),
    [("4601541833776519", "SETTLED"), ("4917484589897107", "DECLINED"), ("4000000000000002", "PREPARE")],
)
def test_a_payout(number: str, status: str) -> None:
    merchant = Merchant()
    paid = merchant.send(
        "CREDIT2CARD",
        MAIN.password + fragment(number),
        order_id=order_id(),
        order_amount="10.00",
        order_currency="USD",
        order_description="gift",
        card_number=number,
        payer_email=EMAIL,
    ).body

    assert (paid["action"], paid["status"]) == ("CREDIT2CARD", status)
    assert "amount" not in paid
    assert merchant.status(paid["trans_id"], "", number) == status
    callback = merchant.callbacks()[-1]
    assert callback["type"] == "credit"
    assert verified(callback, "")


def test_an_order_is_looked_up() -> None:
    merchant = Merchant()
    paid = merchant.sale()
    order = paid["order_id"]

    found = merchant.send(
        "GET_TRANS_STATUS_BY_ORDER", EMAIL[::-1] + MAIN.password + order + fragment(CARD), order_id=order
    ).body
    assert (found["trans_id"], found["status"]) == (paid["trans_id"], "SETTLED")


def test_details_show_the_payer_and_the_history() -> None:
    merchant = Merchant()
    trans_id = merchant.sale(auth="Y")["trans_id"]
    merchant.operate("CAPTURE", trans_id)

    received = merchant.operate("GET_TRANS_DETAILS", trans_id).body
    assert (received["name"], received["mail"], received["ip"]) == ("John Doe", EMAIL, "192.0.2.7")
    assert (received["amount"], received["card"]) == ("10.00", "411111******1111")
    assert [(step["type"], step["amount"]) for step in received["transactions"]] == [
        ("AUTH", "10.00"),
        ("CAPTURE", "10.00"),
    ]


@pytest.mark.parametrize(
    ("month", "choice", "status"), [("05", "pass", "SETTLED"), ("05", "fail", "DECLINED"), ("06", "pass", "DECLINED")]
)
def test_a_payer_is_challenged(month: str, choice: str, status: str) -> None:
    merchant = Merchant()
    sent = merchant.sale(card_exp_month=month, term_url_target="frame<1>")

    assert (sent["result"], sent["status"], sent["redirect_method"]) == ("REDIRECT", "3DS", "POST")
    assert merchant.status(sent["trans_id"]) == "3DS"
    assert merchant.operate("CAPTURE", sent["trans_id"]).body["error_code"] == 208003
    path = sent["redirect_url"].partition(":8000")[2]
    page = merchant.gateway.send("GET", path)
    assert page.status == 200
    assert b'target="frame&lt;1&gt;"' in page.raw
    back = merchant.choose(sent, choice)
    assert (back.status, dict(back.headers)[b"location"]) == (303, b"https://merchant.example/3ds")
    assert merchant.status(sent["trans_id"]) == status
    assert merchant.choose(sent, "pass").status == 303
    first, last = merchant.callbacks()
    assert (first["result"], first["status"], first["transStatus"]) == ("REDIRECT", "3DS", "C")
    assert (last["status"], last["transStatus"]) == (status, "Y" if status == "SETTLED" else "N")
    assert first["redirect_url"] == sent["redirect_url"]


def test_a_payer_is_redirected_without_a_challenge() -> None:
    merchant = Merchant()
    sent = merchant.sale(card_exp_month="12")

    assert (sent["result"], sent["status"], sent["redirect_params"]) == ("REDIRECT", "REDIRECT", [])
    merchant.choose(sent)
    assert merchant.status(sent["trans_id"]) == "SETTLED"


def test_the_issuers_page_trusts_nothing_but_the_way_back() -> None:
    merchant = Merchant()
    sent = merchant.sale(card_exp_month="05", term_url_3ds="https://merchant.example:8443/3ds?a=<b>&ü=1")
    path = sent["redirect_url"].partition(":8000")[2]

    page = merchant.gateway.send("POST", path, b"PaReq=1&MD=2", "application/x-www-form-urlencoded")
    policy = dict(page.headers)[b"content-security-policy"].decode()
    assert "default-src 'none'" in policy
    assert "form-action 'self' https://merchant.example:8443;" in policy
    assert [page.raw.count(b'data-challenge="%s"' % choice) for choice in (b"pass", b"fail")] == [1, 1]
    assert b"<script" not in page.raw
    assert b"4111111111111111" not in page.raw
    location = dict(merchant.choose(sent).headers)[b"location"]
    assert location == b"https://merchant.example:8443/3ds?a=%3Cb%3E&%C3%BC=1"


def test_multipart_posts_are_served_unless_a_variation_refuses_them() -> None:
    form = sale_form()
    parts = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in form.items()
    )
    body = f"{parts}--x--\r\n".encode()
    picky = Gateway(variations=("card-multipart-refused",))

    answer = Gateway().send("POST", "/post", body, "multipart/form-data; boundary=x")
    assert (answer.status, answer.body["status"]) == (200, "SETTLED")
    assert Gateway().send("POST", "/post", body, "multipart/form-data; boundary=y").status == 400
    assert picky.send("POST", "/post", body, "multipart/form-data; boundary=x").status == 400


def test_hostile_posts_are_refused_and_no_more() -> None:
    merchant = Merchant()
    deep = "custom_data" + "[a]" * 400

    assert merchant.sale(**{deep: "1"})["status"] == "SETTLED"
    assert merchant.sale(order_amount="9" * 5000 + ".00")["result"] in {"SUCCESS", "ERROR"}
    assert merchant.schedule("CREATE_SCHEDULE", name="\x00", interval_length="٣").status == 400
    assert merchant.sale(**{"custom_data[x]": "\x00\x01\r\n"})["status"] == "SETTLED"
    assert len(merchant.callbacks()) >= 2
