"""What ``declare``, ``gaps`` and ``waive`` draft from a real run, in an empty directory, does what it promises."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.end_to_end.runs import ROOT
from tests.support.small_gateway import small_gateway

FAULTS: Final = ("apm-void-status-settled", "apm-status-empty-arn")
"""One that breaks a platform fact, and one that breaks the specification."""
BY: Final = ("--reason=no portal of ours has it", "--owner=the gateway team")


@dataclass(frozen=True)
class Place:
    """An empty directory with a profile in it, in which the command is used."""

    directory: Path

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(ROOT / "gateway_conformance"), *words]
        return subprocess.run(command, cwd=self.directory, capture_output=True, text=True, timeout=600, check=False)

    def run(self, output: str, *words: str) -> tuple[int, dict[str, Any]]:
        """Run the suite; returns its status, and what ``conformance.json`` says."""
        ended = self.call("run", "--target", "profile.toml", "--output", output, "-q", "-n", "0", *words)
        report = self.directory / output / "conformance.json"
        assert report.exists(), ended.stdout + ended.stderr
        return ended.returncode, json.loads(report.read_text(encoding="utf-8"))


def verdicts(report: dict[str, Any], verdict: str) -> set[str]:
    return {each["id"] for each in report["requirements"] if each["verdict"] == verdict}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    directory = tmp_path_factory.mktemp("empty")
    with small_gateway(directory, *FAULTS):
        yield Place(directory)


def test_drafts_of_a_run_let_the_next_one_pass_the_gate_and_hide_nothing(place: Place) -> None:
    status, first = place.run("first")
    failed, undecided = verdicts(first, "fail"), verdicts(first, "inconclusive")
    assert (status, failed) == (1, {"APM-STA-09", "APM-VOI-03"})
    assert {"APM-REQ-10", "APM-SIG-23", "APM-STA-05"} <= undecided

    # Both files alone: the stream is judged again, and nothing is sent.
    for draft in ("gaps", "waive"):
        assert place.call(draft, "first", *BY, "--output", f"{draft}.toml").returncode == 0
    accepted = ("--gaps", "gaps.toml", "--waivers", "waive.toml")
    again = place.call("render", "first/results.jsonl", "--output", "again", *accepted)
    assert again.returncode == 0, again.stdout
    assert f"{len(undecided)} not covered (accepted)" in again.stdout
    assert "2 more requirements fail and are waived" in again.stdout

    # What the operator declares is of the profile from then on, and the rest stays accepted.
    assert place.call("declare", "first", BY[0], "--into", "profile.toml").returncode == 0
    declared = tomllib.loads((place.directory / "profile.toml").read_text(encoding="utf-8"))
    assert set(declared["otherwise"]) == {"APM-VOI-03"}
    assert {"account:live_key", "account:sha256", "test_data:apm.decline"} <= set(declared["not_offered"])
    assert place.call("check", "profile.toml").returncode == 0

    status, second = place.run("second", *accepted)

    assert (status, second["verdict"]) == (0, "conforming")
    assert verdicts(second, "fail") == {"APM-STA-09"}
    assert verdicts(second, "inconclusive") == set()
    needed = {each["id"]: each["verdict"] for each in second["requirements"] if each["id"] in undecided}
    assert needed["APM-REQ-10"] == needed["APM-STA-05"] == "not_applicable"
    assert "1 more requirement fails and is waived" in second["sentence"]
    assert "conforms" not in second["sentence"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("waive", "--reason=known"), "is no reason: write a sentence of 8 characters or more"),
        (("gaps", "--reason=known"), "is no reason: write a sentence of 8 characters or more"),
        (("waive", "--owner=X"), "is nobody: write a name of 2 characters or more"),
    ],
)
def test_draft_that_would_be_refused_when_it_is_read_is_not_written(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    ended = Place(tmp_path).call(words[0], "first", *words[1:])

    assert (ended.returncode, list(tmp_path.iterdir())) == (2, [])
    assert said in ended.stderr
