"""The project's vocabulary: words of standards, and none that a reader has to guess."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("words_to_avoid.txt")
ROOMS = ("contract", "docs", "emulator", "fixtures", "gateway_conformance", "profiles", "reports", "suites", "tests")
KINDS = {".py", ".md", ".toml", ".yaml", ".jinja"}
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""Words within names: ``must_tell`` and ``MustTell`` have two each."""


def read_words() -> dict[str, str]:
    """Return each word to avoid, and what to write instead; codespell reads the same list, in its own format."""
    lines = (line.partition("->") for line in LIST.read_text(encoding="utf-8").splitlines())
    return {word: instead.rstrip(",") for word, _, instead in lines}


def found_in(text: str, words: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield line number and word of each word to avoid."""
    for number, line in enumerate(text.splitlines(), 1):
        for part in PARTS.findall(line):
            if part.lower() in words:
                yield number, part.lower()


def test_nobody_has_to_guess_a_word() -> None:
    words = read_words()
    pages = [page for page in ROOT.glob("*.md") if page.name != "CHANGELOG.md"]  # History names what was renamed.
    files = [*pages, *(path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in KINDS)]
    assert len(files) > len(ROOMS)

    found = [
        f"{path.relative_to(ROOT)}:{number}: {word!r}; write: {words[word]}"
        for path in files
        if path not in (LIST, Path(__file__))
        for number, word in found_in(path.read_text(encoding="utf-8"), words)
    ]

    if found:
        pytest.fail("\n".join(found), pytrace=False)


def test_parts_of_names_are_words() -> None:
    words = {"tell": "", "he": ""}

    assert list(found_in("must_tell(MustTell, the, HEAD, shell)\nHe", words)) == [(1, "tell"), (1, "tell"), (2, "he")]
