"""Actions of S2S CARD where nothing is settled at once, and posts that mean harm."""

from __future__ import annotations

import pytest

from tests.unit.emulator.probes.card_posts import CARD, EMAIL, Merchant, digest, fragment, order_id
from tests.unit.emulator.probes.probe import MAIN, Gateway, sale_form


def verified(fields: dict[str, str], email: str = EMAIL) -> bool:
    """Whether a callback carries the hash of Formula 2 over the digits that it shows."""
    digits = "".join(sign for sign in fields.get("card", "") if sign.isdigit())
    return fields["hash"] == digest(email[::-1] + MAIN.password + fields["trans_id"] + fragment(digits))


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
