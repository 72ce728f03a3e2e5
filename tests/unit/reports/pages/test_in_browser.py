"""The HTML report as its reader has it: in a browser, without a network, filtered, and with hostile data in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from contract.catalogue import load_catalogue
from fixtures.payer.chromium.installed import program
from reports.conclusion import Conclusion, conclude
from reports.model import Evidence, Exchange, Failure, Run
from reports.pages.page import page as rendered
from tests.unit.reports.small_run import check, run_of

CHROMIUM = program()
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: install it or set CHROMIUM to its path")


@dataclass
class Opened:
    """A report in a browser, and what the page did meanwhile."""

    page: Page
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)


Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    contexts = []

    def opens(conclusion: Conclusion, *, javascript: bool = True, width: int = 1280) -> Opened:
        file = tmp_path / "conformance.html"
        file.write_text(rendered(conclusion), encoding="utf-8")
        context = browser.new_context(java_script_enabled=javascript, viewport={"width": width, "height": 800})
        contexts.append(context)
        seen = Opened(context.new_page())
        seen.page.on("request", lambda request: seen.requests.append(request.url))
        seen.page.on("pageerror", lambda error: seen.errors.append(str(error)))
        # A dialog that is listened to stays open, so no test may expect the page to go on after one.
        seen.page.on("dialog", lambda dialog: seen.dialogs.append(dialog.message))
        seen.page.goto(file.as_uri())
        return seen

    yield opens
    for context in contexts:
        context.close()


def test_page_asks_for_nothing_and_breaks_nothing(opened: Open, mixed: Conclusion) -> None:
    seen = opened(mixed)

    assert [address for address in seen.requests if not address.startswith("file:")] == []
    assert seen.errors == []


def test_hostile_target_runs_nothing_in_the_reader_s_browser(opened: Open, hostile: Conclusion) -> None:
    seen = opened(hostile)
    for details in seen.page.locator("details").all():
        details.evaluate("element => element.open = true")

    assert seen.dialogs == []
    assert seen.errors == []
    assert [address for address in seen.requests if not address.startswith("file:")] == []
    assert seen.page.locator("img, iframe, object, embed").count() == 0


def test_verdict_comes_first(opened: Open, mixed: Conclusion) -> None:
    text = opened(mixed).page.locator("body").inner_text()

    assert "does not conform" in text[:300]


def test_filter_by_verdict_hides_the_others(opened: Open, mixed: Conclusion) -> None:
    page = opened(mixed).page
    for box in page.locator("#filter input[type=checkbox]").all():
        if box.get_attribute("value") != "fail":
            box.uncheck()

    shown = page.locator("tr[data-verdict]:visible")
    assert shown.count() == 2
    assert {row.get_attribute("data-verdict") for row in shown.all()} == {"fail"}


def test_filter_by_text_finds_a_requirement(opened: Open, mixed: Conclusion) -> None:
    page = opened(mixed).page

    page.locator("#filter-text").fill("usual path")

    assert page.locator("tr[data-verdict]:visible").count() == 1
    assert "1 of" in page.locator("#filter-count").inner_text()


def test_filter_is_reached_and_used_with_the_keyboard(opened: Open, mixed: Conclusion) -> None:
    page = opened(mixed).page
    page.locator("#filter input[type=checkbox]").first.focus()

    page.keyboard.press("Space")

    assert not page.locator("#filter input[type=checkbox]").first.is_checked()


def test_address_keeps_the_filter_and_a_deep_link_opens_what_is_folded(opened: Open, mixed: Conclusion) -> None:
    page = opened(mixed).page
    page.locator("#filter-text").fill("usual path")

    page.reload()

    assert page.locator("#filter-text").input_value() == "usual path"
    assert page.locator("tr[data-verdict]:visible").count() == 1

    page.evaluate("location.hash = '#CHK-SES-01'")

    page.locator("#CHK-SES-01").wait_for(state="visible")
    assert page.locator("#filter-text").input_value() == ""


def test_a_finding_shows_the_exchange_that_decides(opened: Open, mixed: Conclusion) -> None:
    page = opened(mixed).page

    story = page.locator("#F-1 .story")
    story.wait_for()  # a busy machine opens the finding later than the page is there
    assert story.inner_text().startswith("1. session request → HTTP 200")
    assert "curl --include" in page.locator("#F-1 .again").inner_html()


def test_page_is_whole_without_javascript(opened: Open, mixed: Conclusion) -> None:
    page = opened(mixed, javascript=False).page
    page.locator("details.protocol > summary").first.click()

    assert page.locator("tr[data-verdict]:visible").count() == 5
    assert page.locator("#filter").is_hidden()


@pytest.mark.parametrize("width", [360, 768, 1440, 2560])
def test_page_fits_each_screen_and_breaks_no_word(opened: Open, mixed: Conclusion, width: int) -> None:
    page = opened(mixed, width=width).page
    page.locator("#filter-text").fill("CHK")

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for cell in page.locator(".matrix th[scope=row]:visible, .matrix thead th:visible").all():
        assert cell.evaluate("element => element.scrollWidth <= element.clientWidth")


def _much_is_wrong(failing: int) -> Conclusion:
    """A run in which each of many requirements fails for a cause of its own, with a long story."""
    catalogue = load_catalogue()
    body = json.dumps({f"member_{number}": "value" * 5 for number in range(20)})
    exchange = Exchange(
        protocol="Checkout", method="POST", url="https://acme.example/api/v1/session", status=200,
        request_body=body, response_body=body,
    )  # fmt: skip
    failure = Failure(expected="another answer", received=f"HTTP 200 {body!r}", explanation="It is none." * 20)
    names = [name for name in catalogue if name.startswith("CHK-")][:failing]
    checks = [check(f"c{number}", "fail", name, failure=failure, evidence=("e1",)) for number, name in enumerate(names)]
    run: Run = run_of(*checks)
    others = tuple(exchange.model_copy(update={"response_body": "{}"}) for _ in range(7))
    evidence = {"e1": Evidence(id="e1", check="c", exchanges=(*others, exchange))}
    return conclude(run.model_copy(update={"evidence": evidence}), catalogue)


@pytest.mark.parametrize("failing", [3, 131, 400])
def test_report_of_a_failing_run_is_short_on_paper(opened: Open, failing: int) -> None:
    conclusion = _much_is_wrong(failing)
    sheets = len(re.findall(rb"/Type\s*/Page\b", opened(conclusion).page.pdf(format="A4")))

    assert len(conclusion.findings) == failing
    assert 1 <= sheets <= 20


def test_text_is_copied_whole_with_one_press(opened: Open, mixed: Conclusion) -> None:
    page = opened(mixed).page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#F-1 .again > summary").click()
    ticket = page.locator("#F-1 .again pre").last
    button = page.locator("#F-1 .again button").last

    button.click()

    button.filter(has_text="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == ticket.text_content()
    assert copied.startswith("# ")
    assert "## What comes instead" in copied


def test_evidence_unfolds_and_folds_with_one_press(opened: Open, mixed: Conclusion) -> None:
    page = opened(mixed).page
    steps = page.locator("#F-1 .story details")

    for is_open in (True, False):
        page.locator("#unfold").click()
        assert {each.evaluate("element => element.open") for each in steps.all()} == {is_open}


@pytest.mark.parametrize("width", [400, 820, 1440])
def test_deep_link_lands_below_the_bar(opened: Open, width: int) -> None:
    page = opened(_much_is_wrong(40), width=width).page

    page.evaluate("location.hash = '#F-30'")

    page.wait_for_function("document.getElementById('F-30').getBoundingClientRect().top < innerHeight / 2")
    top = page.locator("#F-30").evaluate("element => element.getBoundingClientRect().top")
    bar = page.locator("#filter").evaluate("element => element.getBoundingClientRect().bottom")
    assert top >= max(bar, 0)
