"""What the hosted page does beside its requirements: one payment a session, safe pages, ways back to the merchant."""

import re
import string
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emulator.protocols.checkout.page_payments import CheckoutPayments
from emulator.protocols.hosted_page.forms.country_names import COUNTRY_NAMES, STATES
from emulator.protocols.hosted_page.languages import LANGUAGES, Wishes, choose, texts
from emulator.protocols.hosted_page.outcomes import Broken, Challenge, Elsewhere
from emulator.protocols.hosted_page.qr import png
from emulator.protocols.hosted_page.returns import return_address
from emulator.serving import Running, serve_in_thread
from emulator.settings import Settings
from tests.unit.emulator.probes.payer import CANCEL, ERROR, SUCCESS, VALID, Payer
from tests.unit.emulator.probes.probe import BY_NAME, MAIN, Gateway, session_request

GATEWAY = Gateway(control=True)
FRAMED = {"sec-fetch-dest": "iframe"}
FORCED = BY_NAME["link_target"]


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serve_in_thread(Settings()) as found:
        yield found


def test_a_payment_over_http_ends_at_success_url_with_parameters(running: Running) -> None:
    with httpx.Client(base_url=running.url) as client:
        opened = client.post("/api/v1/session", json=session_request(customer=...))
        address = opened.json()["redirect_url"]
        assert "card_number" in client.get(address).text
        form = {name: VALID[name] for name in ("card_number", "expiry", "cvv", "cardholder")}
        wrong = client.post(address, data=form | {"cvv": "12345"})
        assert (wrong.status_code, "Invalid security code" in wrong.text) == (200, True)
        paid = client.post(address, data=form)

    assert paid.status_code == 303
    parts = urlsplit(paid.headers["location"])
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == SUCCESS
    query = parse_qs(parts.query)
    assert query["order"] == ["1"]
    assert {"payment_id", "trans_id", "order_id", "hash"} <= query.keys()
    assert re.fullmatch("[0-9a-f]{40}", query["hash"][0])


def test_a_session_is_paid_once() -> None:
    payer = Payer(GATEWAY)
    form = {name: VALID[name] for name in ("card_number", "expiry", "cvv", "cardholder")}
    with patch.object(CheckoutPayments, "pay", autospec=True, side_effect=CheckoutPayments.pay) as pay:
        payer.post(action="pay", **form)
        assert payer.paid
        payer.location = ""
        payer.post(action="pay", **form)

    assert pay.call_count == 1
    assert not payer.location
    assert "Payment successful" in payer.page.text
    assert payer.page.attribute("a", "href")[0].startswith(SUCCESS)


def test_a_form_that_is_sent_twice_counts_as_one_decline() -> None:
    payer = Payer(GATEWAY)
    form = {name: VALID[name] for name in ("card_number", "cvv", "cardholder")} | {"expiry": "02-38", "attempt": "1"}
    payer.post(action="pay", **form).post(action="pay", **form)

    assert "Attempts left: 2" in payer.page.text


def test_declines_are_counted_down_and_the_last_ends_at_cancel_url_with_parameters() -> None:
    payer = Payer(GATEWAY).enter(expiry="02-38")
    assert "Declined by processing." in payer.page.text
    assert "Attempts left: 2" in payer.page.text
    payer.enter(expiry="02-38").enter(expiry="02-38")

    assert payer.location.startswith(CANCEL)
    assert "trans_id=" in payer.location
    assert payer.visit().page.entry is None


def test_a_card_of_an_unknown_brand_is_declined_in_the_platforms_words() -> None:
    payer = Payer(GATEWAY).enter(card_number="1111222233334444")

    assert "Bad Request. Brand of card does not support." in payer.page.text


def test_who_leaves_before_paying_brings_no_parameters_and_who_was_declined_does() -> None:
    assert Payer(GATEWAY).press("cancel").location == CANCEL
    assert "payment_id=" in Payer(GATEWAY).enter(expiry="02-38").press("cancel").location
    assert "cancelled" in Payer(GATEWAY, cancel_url=...).press("cancel").page.text


def test_an_expired_session_without_expiry_url_is_reported_on_the_page() -> None:
    payer = Payer(GATEWAY, session_expiry=1, expiry_url=...)
    GATEWAY.advance(61)

    assert payer.visit().status == 410
    assert payer.page.entry is None


def test_a_technical_error_leads_to_error_url_or_to_a_page_that_closes_itself() -> None:
    with patch.object(CheckoutPayments, "pay", return_value=Broken()):
        assert Payer(GATEWAY).enter().location == ERROR
        payer = Payer(GATEWAY, error_url=...).enter()
    assert not payer.location
    assert any("data-closes" in found for _, found in payer.page.tags)


def test_a_payment_may_go_on_elsewhere() -> None:
    with patch.object(CheckoutPayments, "pay", return_value=Elsewhere("https://provider.example/go?a=1")):
        assert Payer(GATEWAY).enter().location == "https://provider.example/go?a=1"


@pytest.mark.parametrize(
    ("method", "action", "code"),
    [
        ("member-id", "confirm", ""),
        ("instant-account", "confirm", ""),
        ("bank-account", "code", "123456"),
        ("crypto-deposit", "confirm", ""),
        ("instant-qr", "confirm", ""),
    ],
)
def test_other_methods_stop_in_between_and_end_at_success_url(method: str, action: str, code: str) -> None:
    needed = {
        "bank-account": {"bank_code": "DEUTDEFF", "bank_account_number": "1"},
        "instant-account": {"upi_id": "a@b"},
        "crypto-deposit": {"cryptoCurrency": "BTC"},
    }
    changes: dict[str, Any] = {"parameters": {method: needed[method]}} if method in needed else {}
    payer = Payer(GATEWAY, methods=[method], **changes).enter()
    assert not payer.location

    assert payer.press(action, code=code).paid


def test_a_wrong_code_is_a_decline() -> None:
    parameters = {"bank-account": {"bank_code": "DEUTDEFF", "bank_account_number": "1"}}
    payer = Payer(GATEWAY, methods=["bank-account"], parameters=parameters).enter().press("code", code="000000")

    assert "Attempts left: 2" in payer.page.text


def test_what_is_pending_is_asked_for_whenever_the_page_is_opened() -> None:
    with patch.object(CheckoutPayments, "pay", return_value=Challenge("1", "processing")):
        payer = Payer(GATEWAY).enter()
    assert "being processed" in payer.page.text
    assert "being processed" in payer.press("check").page.text


def test_the_qr_can_be_renewed_and_is_an_image() -> None:
    payer = Payer(GATEWAY, methods=["instant-qr"]).enter()
    GATEWAY.advance(61)
    assert "expired" in payer.visit().page.text
    assert payer.press("retry").page.attribute("img", "src")
    image = png("order-1|10.00|USD")
    assert image.startswith(b"\x89PNG")
    start = image.index(b"IDAT") + 4
    assert len(zlib.decompress(image[start : image.index(b"IEND") - 8])) == 270 * 271


def test_some_fields_depend_on_the_billing_country() -> None:
    german = Payer(GATEWAY, methods=["local-document"], billing_address={"country": "DE"})
    brazilian = Payer(GATEWAY, methods=["local-document"], billing_address={"country": "BR"})

    assert "person_type" not in german.page.asked
    assert "person_type" in brazilian.page.asked


def test_vat_is_shown_where_it_is_asked_for() -> None:
    assert "VAT 20 % included 1.67 USD" in Payer(GATEWAY, vat_calc=True).page.text
    assert "VAT" not in Payer(GATEWAY).page.text


@pytest.mark.parametrize(
    ("currency", "amount", "taken"), [("USD", "1.234", False), ("JOD", "1.234", True), ("USD", "0.00", False)]
)
def test_the_amount_of_a_transfer_goes_by_the_currency(currency: str, amount: str, *, taken: bool) -> None:
    order = {"amount": "-1", "currency": currency}
    payer = Payer(GATEWAY, operation="transfer", order=order, payee={"name": "Jane Roe"}).enter(amount=amount)

    assert payer.paid is taken


@pytest.mark.parametrize(
    ("target", "account", "headers", "window"),
    [
        ("_top", MAIN, {}, None),
        ("_self", MAIN, FRAMED, None),
        ("_top", MAIN, FRAMED, "_top"),
        ("_parent", MAIN, FRAMED, "_parent"),
        ("_self", FORCED, FRAMED, "_blank"),
        ("_parent", FORCED, {}, None),
    ],
)
def test_a_payer_in_a_frame_returns_by_a_link_in_the_right_window(
    target: str, account: object, headers: dict[str, str], window: str | None
) -> None:
    payer = Payer(GATEWAY, account, headers, url_target=target).enter()

    if window is None:
        assert payer.paid
    else:
        links = [found for tag, found in payer.page.tags if tag == "a"]
        assert [(link["target"], link["href"].startswith(SUCCESS)) for link in links] == [(window, True)]


def test_card_data_is_never_written_back() -> None:
    payer = Payer(GATEWAY).enter(cvv="7431x", cardholder="John")

    assert payer.refused
    assert "4111" not in payer.raw
    assert "7431" not in payer.raw


def test_stored_cards_do_not_show_their_tokens() -> None:
    assert "a" * 64 not in Payer(GATEWAY, card_token=["a" * 64]).raw


def test_pages_are_safe_to_show() -> None:
    payer = Payer(GATEWAY, order={"description": '<script>alert("1")</script>'})
    headers = payer.answer_headers
    policy = headers["content-security-policy"]

    assert "<script>alert" not in payer.raw
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "https://merchant.example" in policy
    assert (headers["cache-control"], headers["referrer-policy"]) == ("no-store", "no-referrer")
    assert "noindex" in headers["x-robots-tag"]
    assert [found.get("src") for tag, found in payer.page.tags if tag == "script"] == ["/pay-assets/page.js"]
    assert not [name for _, found in payer.page.tags for name in found if name.startswith("on") or name == "style"]


def test_every_input_has_a_label_and_every_error_is_tied_to_its_input() -> None:
    page = Payer(GATEWAY, BY_NAME["payer_address_required"]).enter(cardholder="John", city="", country="").page
    shown = [
        found for tag, found in page.tags if tag in {"input", "select"} and found.get("type") not in {"hidden", "radio"}
    ]
    ids = {found["id"] for _, found in page.tags if "id" in found}

    assert all(page.labels.get(found["id"]) for found in shown)
    wrong = [found for found in shown if found.get("aria-invalid") == "true"]
    assert len(wrong) == len(page.errors) == 3
    assert all(found["aria-describedby"] in ids for found in wrong)
    assert all("autocomplete" in found for found in shown)


def test_assets_are_served_and_nothing_else() -> None:
    script = GATEWAY.send("GET", "/pay-assets/page.js")
    assert b'"NV": "Nevada"' in script.raw
    assert dict(script.headers)[b"content-type"].startswith(b"text/javascript")
    assert GATEWAY.send("GET", "/pay-assets/page.css").status == 200
    assert GATEWAY.send("GET", "/pay-assets/secret").status == 404


@settings(max_examples=120, deadline=None, derandomize=True, database=None)
@given(
    name=st.sampled_from([*VALID, "action", "attempt", "method", "card_token"]),
    value=st.text(max_size=40),
    raw=st.binary(max_size=30),
)
def test_no_form_is_a_server_error(name: str, value: str, raw: bytes) -> None:
    payer = Payer(GATEWAY, BY_NAME["payer_address_required"])
    text = value.encode("utf-8", "ignore").decode()

    assert payer.post(**(VALID | {"action": "pay", name: text})).status in {200, 303}
    assert GATEWAY.send("POST", payer.path, raw, "application/x-www-form-urlencoded").status in {200, 303, 400}


def test_a_body_beyond_the_bound_is_refused_on_a_page() -> None:
    payer = Payer(GATEWAY)
    answer = GATEWAY.send("POST", payer.path, b"a=" + b"x" * (1024 * 1024), "application/x-www-form-urlencoded")

    assert (answer.status, answer.raw[:15]) == (413, b"<!doctype html>")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_every_text_with_the_same_gaps(language: str) -> None:
    english, other = texts("en"), texts(language)

    def gaps(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    assert other.keys() == english.keys()
    assert [key for key in english if gaps(english[key]) != gaps(other[key])] == []
    same = [key for key in english if other[key] == english[key]]
    assert language == "en" or len(same) <= 2


def test_every_text_of_the_tables_is_used_on_a_page() -> None:
    package = Path("emulator/protocols/hosted_page")
    sources = [*package.rglob("*.py"), *package.glob("templates/*.html")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    made = re.compile("(card|details|address)_section|(challenge|provider|app|otp|processing)_(title|text)")

    unused = {key for key in texts("en") if not re.search(f"[\"']{key}[\"']", code) and not made.fullmatch(key)}
    assert unused == set()


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        (Wishes("es", "de", "fr"), "es"),
        (Wishes("", "DE", "fr"), "de"),
        (Wishes("", "xx", "it, uk;q=0.3, pt"), "ua"),
        (Wishes("", "", "fr;q=0.2, nb-NO;q=0.9, en;q=0"), "no"),
        (Wishes("", "", "zh-TW"), "zh"),
        (Wishes("", "", "it,*;q=x,;;"), "en"),
        (Wishes(), "en"),
    ],
)
def test_the_language_is_the_first_supported_wish(wishes: Wishes, language: str) -> None:
    assert choose(wishes) == language


def test_arabic_is_written_from_the_right() -> None:
    page = Payer(GATEWAY, checkout_language="ar").page

    assert ("html", {"lang": "ar", "dir": "rtl"}) in page.tags


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://a.example/x", "https://a.example/x?k=v+1"),
        ("https://a.example/x?a=%20b#end", "https://a.example/x?a=%20b&k=v+1#end"),
        ("https://a.example/é x\r\nset-cookie: a", "https://a.example/%C3%A9%20x%0D%0Aset-cookie:%20a?k=v+1"),
    ],
)
def test_parameters_are_appended_to_an_address_that_is_safe_in_a_header(address: str, expected: str) -> None:
    assert return_address(address, {"k": "v 1"}) == expected


def test_nobody_returns_to_an_address_that_runs_in_the_page() -> None:
    payer = Payer(GATEWAY)
    kept = GATEWAY.app.state.gateway.kept_session(payer.path.rpartition("/")[2])
    kept.request["cancel_url"] = "javascript://x/%0aalert(1)"

    assert not payer.press("cancel").location
    assert "javascript:" not in payer.raw


def test_states_were_free_texts_before_they_were_listed() -> None:
    page = Payer(Gateway(release="6.6.5"), BY_NAME["payer_address_required"]).page

    assert [found["type"] for _, found in page.tags if found.get("id") == "state"] == ["text"]


def test_places_are_complete() -> None:
    assert len(COUNTRY_NAMES) == 249
    assert {code: len(names) for code, names in STATES.items()} == {"US": 51, "CA": 13, "AU": 8, "JP": 47, "IN": 36}


def test_an_account_may_allow_fewer_declines() -> None:
    strict = replace(MAIN, maximum_declines=1)
    with patch("emulator.protocols.hosted_page.routes.find_account", return_value=strict):
        assert Payer(GATEWAY).enter(expiry="02-38").location.startswith(CANCEL)
