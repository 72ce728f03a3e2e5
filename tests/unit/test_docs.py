"""The pages for people: every link leads somewhere, and what they call exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gateway_conformance.command import HANDED_ON, app

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def anchor_of(heading: str) -> str:
    """Return how a page is linked to at a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert anchor in map(anchor_of, headings), f"{page.name}: {link}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_named_exist(page: Path) -> None:
    commands = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    named = set(re.findall(r"gateway-conformance (\w+)", page.read_text(encoding="utf-8")))

    assert set(HANDED_ON) <= commands
    assert named <= commands, named - commands
