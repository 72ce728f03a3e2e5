"""What of the suite is run when somebody asks for a part of it."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.runs import Finished, run


def chosen(*options: str, output: Path) -> tuple[Finished, list[str]]:
    ended = run(output, "--collect-only", *options)
    return ended, [line for line in ended.said.splitlines() if line.startswith("suites/")]


@pytest.mark.parametrize("options", [["--requirement=CHK-ORD-02"], ["-k", "CHK-ORD-02"]])
def test_checks_are_found_by_their_requirement(options: list[str], tmp_path: Path) -> None:
    ended, checks = chosen(*options, output=tmp_path / "out")

    assert ended.status == 0, ended.said
    assert checks
    assert all("order" in check for check in checks), checks
    assert not (tmp_path / "out").exists()


def test_checks_are_found_by_protocol_level_and_basis(tmp_path: Path) -> None:
    _, must = chosen("-m", "hosted_fields and must", output=tmp_path)
    _, platform = chosen("-m", "hosted_fields and must and platform", output=tmp_path)

    assert set(platform) < set(must)
    assert any(check.startswith("suites/hosted_fields/") for check in must)
    assert not any(check.startswith("suites/s2s_") for check in must)


@pytest.mark.parametrize("option", ["--requirement=CHK-NONE-*", "--shard=3/2"])
def test_choice_of_nothing_that_there_is_ends_with_2(option: str, tmp_path: Path) -> None:
    ended = run(tmp_path, option)

    assert ended.status == 2, ended.said
    assert option.partition("=")[0] in ended.said


def test_command_that_is_printed_with_a_failure_shows_it_again_from_anywhere(tmp_path: Path) -> None:
    ended = run(tmp_path / "out", "-n0", "--requirement=CHK-SES-26", "--fault=session_expiry.maximum.one-laxer")
    report = (tmp_path / "out" / "conformance.json").read_bytes()
    again = next(line.partition("again:")[2] for line in ended.said.splitlines() if line.lstrip().startswith("again:"))

    shown = subprocess.run(shlex.split(again), cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)

    assert shown.returncode == 1, shown.stdout + shown.stderr
    assert "CHK-SES-26" in shown.stdout
    assert (tmp_path / "out" / "conformance.json").read_bytes() == report
