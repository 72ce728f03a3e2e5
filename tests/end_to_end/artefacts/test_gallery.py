"""The gallery shows what a run prints: the lines of its findings come from such a run.

The run of the gallery is of the whole suite, so that checks of generated requests find one of the faults as well.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.end_to_end.runs import ROOT, run

GALLERY = ROOT / "docs" / "gallery.md"
FINDING = re.compile(r"^  F-\d+ .* \[[0-9a-f]{12}\]$", flags=re.MULTILINE)


def test_findings_of_the_gallery_are_printed_so(tmp_path: Path) -> None:
    page = GALLERY.read_text(encoding="utf-8")
    faults = re.findall(r"--fault=[\w.-]+", page)
    shown = FINDING.findall(page)
    broken = re.findall(r"· ([A-Z0-9-]+)", "\n".join(shown))

    ended = run(tmp_path / "out", *faults, "-n0", *(f"--requirement={name}" for name in broken))

    assert ended.status == 1, ended.said
    assert len(shown) == len(faults) == 2
    assert _without_counts(FINDING.findall(ended.said)) == _without_counts(shown)


def _without_counts(lines: list[str]) -> list[str]:
    return [re.sub(r", \d+ checks?", "", line) for line in lines]
