"""The hosted page as its payer has it: in a browser, with and without scripts, on a desktop and on a phone."""

import itertools
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from emulator.serving import Running, serve_in_thread
from emulator.settings import Settings
from fixtures.payer.chromium.installed import program
from tests.unit.emulator.probes.probe import BY_NAME, session_request

CHROMIUM = program()
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: install it or set CHROMIUM to its path")

Open = Callable[..., Page]
_NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serve_in_thread(Settings(control=True)) as found:
        yield found


class _Shop(BaseHTTPRequestHandler):
    """A merchant: every address is a page, and the shop's shows another one in a frame."""

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        body = f"<iframe src='{query}' width=900 height=700></iframe>" if path == "/shop" else "<h1>merchant</h1>"
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(f"<!doctype html><link rel=icon href=data:,>{body}".encode())

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def merchant() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Shop) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Browser, running: Running, merchant: str) -> Iterator[Open]:
    contexts = []
    errors: list[str] = []

    def opens(
        account: str = "main", *, javascript: bool = True, width: int = 1200, framed: bool = False, **fields: object
    ) -> Page:
        changes: dict[str, Any] = {
            "customer": ...,
            "billing_address": ...,
            "success_url": f"{merchant}/success",
        } | fields
        request = session_request(BY_NAME[account], **changes)
        address = httpx.post(f"{running.url}/api/v1/session", json=request).json()["redirect_url"]
        context = browser.new_context(java_script_enabled=javascript, viewport={"width": width, "height": 850})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(f"{merchant}/shop?{address}" if framed else address)
        return page

    yield opens
    for context in contexts:
        context.close()
    assert errors == []


def _pay(page: Page, expiry: str = "0138") -> None:
    page.get_by_label("Card number").press_sequentially("4111111111111111")
    page.get_by_label("Expiry date").press_sequentially(expiry)
    page.get_by_label("Security code").fill("123")
    page.get_by_label("Cardholder").fill("Jean-Luc O\u2019Brien")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("javascript", [True, False])
def test_a_card_is_paid_by_keyboard(opened: Open, *, javascript: bool) -> None:
    page = opened(javascript=javascript)
    _pay(page)

    page.wait_for_url("**/success?*")
    assert "payment_id=" in page.url


def test_numbers_are_grouped_while_they_are_typed(opened: Open) -> None:
    page = opened()
    page.get_by_label("Card number").press_sequentially("41111111")
    page.get_by_label("Expiry date").press_sequentially("0138")

    assert page.get_by_label("Card number").input_value() == "4111 1111"
    assert page.get_by_label("Expiry date").input_value() == "01-38"


def test_the_first_wrong_field_has_the_focus(opened: Open) -> None:
    page = opened()
    _pay(page, "0120")

    page.get_by_text("The card is expired").wait_for()
    focused = page.evaluate("[document.activeElement.id, document.activeElement.getAttribute('aria-describedby')]")
    assert focused == ["expiry", "expiry-error"]


def test_the_notice_of_a_decline_has_the_focus(opened: Open) -> None:
    page = opened()
    _pay(page, "0238")

    page.get_by_text("Declined by processing.").wait_for()
    assert page.evaluate("document.activeElement.getAttribute('role')") == "alert"


CONTROLS = """() => [...document.querySelectorAll("input, select, button, a")]
  .filter((control) => control.type !== "hidden" && control.checkVisibility())
  .map((control) => ({
    id: control.id, labels: control.labels ? [...control.labels].map((label) => label.textContent.trim()) : [],
    fills: control.autocomplete || "", isField: control.matches("input, select"), text: control.textContent.trim(),
    place: [control.getBoundingClientRect().top, control.getBoundingClientRect().left],
  }))"""
AUTOFILL = {
    "card_number": "cc-number",
    "expiry": "cc-exp",
    "cvv": "cc-csc",
    "cardholder": "cc-name",
    "country": "country",
    "city": "address-level2",
    "zip": "postal-code",
    "address": "street-address",
    "phone": "tel",
}


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl")])
def test_every_field_has_a_label_and_an_autofill_name_and_the_tab_key_goes_from_top_to_bottom(
    opened: Open, language: str, direction: str
) -> None:
    page = opened("payer_address_required", checkout_language=language)
    found = page.evaluate(CONTROLS)
    visited = []
    for _ in found:
        page.keyboard.press("Tab")
        visited.append(
            page.evaluate(
                "[...document.querySelectorAll('input, select, button, a')].filter((control) => "
                "control.type !== 'hidden' && control.checkVisibility()).indexOf(document.activeElement)"
            )
        )
    sign = 1 if direction == "ltr" else -1

    assert page.evaluate("[document.documentElement.lang, document.documentElement.dir]") == [language, direction]
    assert {one["id"]: one["fills"] for one in found if one["isField"]} == AUTOFILL
    assert all(one["labels"] if one["isField"] else one["text"] for one in found)
    assert visited == list(range(len(found)))
    places = [(one["place"][0], sign * one["place"][1]) for one in found]
    assert places == sorted(places)


def test_the_states_follow_the_country(opened: Open) -> None:
    page = opened("payer_address_required")
    assert page.get_by_label("State/Region").count() == 0
    page.get_by_label("Country").select_option("US")
    assert page.get_by_label("State/Region").locator("option").count() == 52
    page.get_by_label("Country").select_option("FR")
    assert page.get_by_label("State/Region").count() == 0


def test_countries_are_named_in_the_language_of_the_page(opened: Open) -> None:
    page = opened("payer_address_required", checkout_language="de")

    assert page.locator("option[value=JP]").inner_text() == "Japan"
    assert page.locator("option[value=DE]").inner_text() == "Deutschland"


@pytest.mark.parametrize("language", ["en", "ar", "ru", "de"])
@pytest.mark.parametrize("width", [320, 1200])
def test_nothing_is_wider_than_the_screen(opened: Open, language: str, width: int) -> None:
    order = {"description": "W" * 300, "number": f"{next(_NUMBERS):0>255}"}
    page = opened("payer_address_required", width=width, checkout_language=language, order=order, vat_calc=True)

    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_challenge_stands_between(opened: Open) -> None:
    page = opened()
    _pay(page, "0538")
    page.get_by_role("heading", name="Card verification").wait_for()
    page.get_by_role("button", name="Confirm").click()

    page.wait_for_url("**/success?*")


def test_the_page_leaves_its_frame_for_the_top_window(opened: Open) -> None:
    page = opened(framed=True, url_target="_top")
    frame = page.frame_locator("iframe")
    frame.get_by_label("Card number").fill("4111111111111111")
    frame.get_by_label("Expiry date").fill("01-38")
    frame.get_by_label("Security code").fill("123")
    frame.get_by_label("Cardholder").fill("Jean Dupont")
    frame.get_by_role("button", name="Pay", exact=False).last.click()

    page.wait_for_url("**/success?*")


def test_a_forced_top_window_is_a_new_one_behind_continue(opened: Open) -> None:
    page = opened("link_target", framed=True)
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="Google Pay").click()
    link = frame.get_by_role("link", name="Continue")
    link.wait_for()
    with page.context.expect_page() as found:
        link.click()

    found.value.wait_for_url("**/success?*")
    assert "/shop?" in page.url
