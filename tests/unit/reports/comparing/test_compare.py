"""What changed between two runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reports.__main__ import main
from reports.comparing.compare import compare, read_judged
from reports.conclusion import conclude
from reports.formats.conformance import write_conformance
from reports.model import FollowedReading
from tests.unit.reports.small_run import REQUIREMENTS, catalogue_of, check, passing, requirement, run_of

ROOT = Path(__file__).parents[4]


def _judged(file: Path, verdict: str, claims: str = "CHK-SES-01", without: str = "") -> Path:
    known = catalogue_of(*(requirement(**each) for each in REQUIREMENTS if each["id"] != without))
    write_conformance(conclude(run_of(check("a", verdict, claims), check("b", "pass", "CHK-SES-03")), known), file)
    return file


@pytest.mark.parametrize(
    ("before", "after", "kind", "status"),
    [
        ("pass", "fail", "newly failing", 1),
        ("inconclusive", "fail", "newly failing", 1),
        ("pass", "inconclusive", "newly undecided", 1),
        ("pass", "not_run", "newly undecided", 1),
        ("fail", "pass", "fixed", 0),
        ("fail", "inconclusive", "failed before, and no verdict now", 0),
        ("pass", "not_applicable", "no longer applicable", 0),
        ("inconclusive", "pass", "newly decided", 0),
        ("fail", "fail", None, 0),
    ],
)
def test_each_change_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, before: str, after: str, kind: str | None, status: int
) -> None:
    old, new = _judged(tmp_path / "old.json", before), _judged(tmp_path / "new.json", after)
    found = {name for name, changed in compare(read_judged(old), read_judged(new)).changes.items() if changed}
    assert found == ({kind} if kind else set())
    assert main(["compare", str(old), str(new)]) == status
    received = capsys.readouterr().out
    assert (f"{kind} (1):\n  CHK-SES-01: " if kind else "No requirement changed.") in received


def test_added_and_removed_requirements_are_reported(tmp_path: Path) -> None:
    old = read_judged(_judged(tmp_path / "old.json", "pass", without="CHK-STA-01"))
    new = read_judged(_judged(tmp_path / "new.json", "pass", without="CHK-STA-02"))
    changes = compare(old, new).changes
    assert [changed.id for changed in changes["added"]] == ["CHK-STA-01"]
    assert [changed.id for changed in changes["removed"]] == ["CHK-STA-02"]


def test_runs_that_are_hard_to_compare_are_reported(tmp_path: Path) -> None:
    old, new = _judged(tmp_path / "old.json", "pass"), _judged(tmp_path / "new.json", "pass")
    document = json.loads(new.read_text(encoding="utf-8"))
    new.write_text(json.dumps({**document, "release": "6.6.5", "complete": False}), encoding="utf-8")
    notes = compare(read_judged(old), read_judged(new)).notes
    assert notes == ("the runs have another release: 6.7.0, then 6.6.5", "the second run is not complete")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema": 1}', '{"schema": 9}', None])
def test_what_is_no_conformance_json_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    old, new = _judged(tmp_path / "old.json", "pass"), tmp_path / "new.json"
    if content is not None:
        new.write_text(content, encoding="utf-8")
    assert main(["compare", str(old), str(new)]) == 2
    assert "new.json" in capsys.readouterr().err


def test_another_reading_is_reported_and_is_no_regression(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = catalogue_of(*(requirement(**each) for each in REQUIREMENTS))

    def following(name: str, reading: str) -> Path:
        followed = (FollowedReading(requirement="CHK-STA-02", reading=reading),)
        run = run_of(*passing("CHK-STA-02"), check("r", "pass", "CHK-STA-02", readings=followed))
        write_conformance(conclude(run, known), tmp_path / name)
        return tmp_path / name

    assert main(["compare", str(following("old", "upper")), str(following("new", "lower"))]) == 0
    assert "another reading followed (1):\n  CHK-STA-02: upper -> lower" in capsys.readouterr().out


def test_who_reads_the_beginning_only_is_not_bothered(tmp_path: Path) -> None:
    old, new = _judged(tmp_path / "old.json", "pass"), _judged(tmp_path / "new.json", "fail")
    command = [sys.executable, "-m", "reports", "compare", str(old), str(new)]
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False, cwd=ROOT, text=True)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, "")
