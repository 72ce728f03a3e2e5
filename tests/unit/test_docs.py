"""The pages for people: every link leads somewhere, and what they call exists."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from contract.catalogue import load_catalogue
from gateway_conformance.command import app
from gateway_conformance.handed_on import HANDED_ON
from reports.evidence.formulas import APM_FORMULAS, CARD_FORMULAS, CHECKOUT_FORMULAS

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
GENERATED = "generated/"
"""Pages that `make docs` writes; tests/end_to_end/artefacts/test_site.py follows the links to them."""
CODE = re.compile(r"^```[a-z]*\n(.*?)^```|`([^`\n]+)`", flags=re.MULTILINE | re.DOTALL)
PROGRAMS = ("gateway-conformance", r"python -m (?:pytest|emulator|reports|fixtures\.signing)", "make")


def anchor_of(heading: str) -> str:
    """Return how a page is linked to at a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link or link.startswith(GENERATED):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name}: {link}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert anchor in map(anchor_of, headings), f"{page.name}: {link}"


def test_page_of_needs_has_every_name() -> None:
    named = set(
        re.findall(r"`((?:account|test_data):[\w.]+)`", (ROOT / "docs" / "needs.md").read_text(encoding="utf-8"))
    )
    needed = {need for known in load_catalogue().values() for need in known.needs if not need.startswith("capability:")}

    assert named == needed | {"test_data:cards.decline"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_named_exist(page: Path) -> None:
    commands = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    named = set(re.findall(r"gateway-conformance (\w+)", page.read_text(encoding="utf-8")))

    assert set(HANDED_ON) <= commands
    assert named <= commands, named - commands


def commands_of(page: Path) -> list[tuple[str, list[str]]]:
    """Return the commands that a page shows as code, each as the program and its words."""
    text = page.read_text(encoding="utf-8")
    found = []
    for block, inline in CODE.findall(text):
        for line in (block or inline).replace("\\\n", " ").splitlines():
            shown = re.sub(r"\s{2,}#.*|…", "", line)
            match = re.search(rf"(?:^|[\s/])({'|'.join(PROGRAMS)})((?: .*)?)$", shown)
            if match and (not match[2] or re.match(r" (-|\w)", match[2])):
                # A line that is cut off ends within a quoted word.
                words = match[2].rpartition("'")[0] if match[2].count("'") % 2 else match[2]
                found.append((match[1], shlex.split(words)))
    return found


@cache
def help_of(*words: str) -> str:
    """Return what a command says of its options."""
    ended = subprocess.run([sys.executable, *words, "--help"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return re.sub(r"\x1b\[[0-9;]*m", "", ended.stdout)


def options_of(program: str, words: list[str]) -> str:
    """Return the text that names the options of a command."""
    door = str(ROOT / "gateway_conformance")
    if program == "gateway-conformance":
        command = next((word for word in words if not word.startswith("-")), "")
        if command == "run":
            return help_of(door, "run") + help_of("-m", "pytest")
        return help_of(door, command) if command else help_of(door)
    return help_of(*program.removeprefix("python ").split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_that_are_shown_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    for program, words in commands_of(page):
        if program == "make":
            assert {word for word in words if "=" not in word} <= targets, words
            continue
        options = {re.split("[= ]", word)[0] for word in words if re.match(r"--?[a-z]", word)}
        known = options_of(program, words)
        for option in options:
            assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", known), f"{page.name}: {program} {words}"


def test_commands_are_found() -> None:
    found = commands_of(ROOT / "README.md")

    assert ("make", ["conformance"]) in found
    assert ("gateway-conformance", ["run", "--target", "my-sandbox.toml"]) in found
    assert len(found) > 8


@pytest.mark.parametrize("name", HANDED_ON)
def test_help_of_a_command_begins_with_what_it_does(name: str) -> None:
    paragraphs = help_of(str(ROOT / "gateway_conformance"), name).split("\n\n")

    assert paragraphs[0].startswith(f"usage: gateway-conformance {name}")
    assert re.match(r"[A-Z].{14,}", paragraphs[1]), paragraphs[1]


@pytest.mark.parametrize("table", [CHECKOUT_FORMULAS, CARD_FORMULAS, APM_FORMULAS])
def test_page_of_signatures_shows_how_each_request_is_signed(table: Mapping[str, str]) -> None:
    page = (ROOT / "docs" / "signatures.md").read_text(encoding="utf-8").replace("\\|", "\0")
    cells = [line.split("|") for line in page.splitlines() if line.startswith("| ")]
    rows = [(row[2].strip().split(", "), row[3].strip().replace("\0", "|")) for row in cells if len(row) > 4]

    for operation, formula in table.items():
        assert f"`{formula}`" in [joined for operations, joined in rows if operation in operations], operation
