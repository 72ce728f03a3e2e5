"""axe-core finds nothing on the report, in light and dark, wide and narrow, with everything unfolded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from contract.catalogue import load_catalogue
from fixtures.payer.chromium.installed import program
from reports.conclusion import Conclusion
from reports.pages.page import page
from reports.pages.statement import statement
from tests.support.npm import installed
from tests.unit.reports.example_runs import hostile_run, mixed_run

CHROMIUM = program()
AXE = {"axe-core": "4.14.1"}
UNFOLD = "document.querySelectorAll('main details:not([data-group])').forEach((each) => { each.open = true; })"
LOOK = "axe.run({exclude: ['[data-group]']}, {resultTypes: ['violations']})"

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: install it or set CHROMIUM to its path")


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    script = installed(AXE, tmp_path_factory.mktemp("npm")) / "axe-core" / "axe.min.js"
    return script.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()


def _violations(text: str, browser: Browser, axe: str, file: Path, *, width: int, scheme: str) -> list[str]:
    file.write_text(text, encoding="utf-8")
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
        bypass_csp=True,
    )
    try:
        opened = context.new_page()
        opened.goto(file.as_uri())
        opened.evaluate(UNFOLD)
        opened.evaluate(axe)
        found = opened.evaluate(LOOK)["violations"]
        return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
    finally:
        context.close()


@pytest.mark.parametrize(("make", "width", "scheme"), [(mixed_run, 1440, "light"), (hostile_run, 400, "dark")])
def test_report_is_accessible(  # noqa: PLR0917 - the cases and what is needed to look
    make: object, width: int, scheme: str, browser: Browser, axe: str, tmp_path: Path
) -> None:
    assert callable(make)
    conclusion: Conclusion = make(load_catalogue())

    assert _violations(page(conclusion), browser, axe, tmp_path / "page.html", width=width, scheme=scheme) == []


def test_statement_is_accessible(browser: Browser, axe: str, tmp_path: Path) -> None:
    text = statement(mixed_run(load_catalogue()), "abc")

    assert _violations(text, browser, axe, tmp_path / "page.html", width=1440, scheme="light") == []
