"""Targets that are broken, prove nothing, are not to be touched or have no such fault.

``test_statuses.py`` has each status, ``test_wrong_profiles.py`` what is wrong with a profile.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile import load_profile
from tests.end_to_end.runs import run, sandbox
from tests.support.hostile_targets import target

CHECKS = "suites/checkout/sessions/test_session_response.py"


def test_complete_run_finds_a_fault_with_workers_and_nothing_else(tmp_path: Path) -> None:
    known = load_profile(DEFAULT_TARGET).credentials.s2s_apm
    assert known is not None
    profile = tmp_path / "profile.toml"
    profile.write_text(
        f"""
[target]
name = "the embedded gateway, of S2S APM alone"
environment = "emulator"
[emulator]
start = true
[credentials.s2s_apm]
key = "{known.key}"
password = "{known.password.reveal()}"
[capabilities]
s2s_apm = true
[test_data.apm.success]
brand = "vcard"
identifier = "success@gmail.com"
[run]
fuzz_requests = 0
""",
        encoding="utf-8",
    )

    ended = run(tmp_path / "out", f"--target={profile}", "-n", "2", "--fault=apm-void-key-unneeded")

    assert ended.status == 1, ended.said
    assert [each["id"] for each in ended.report["requirements"] if each["verdict"] == "fail"] == ["APM-REQ-04"]
    assert len([each for each in ended.report["checks"] if each["verdict"] == "pass"]) > 300
    assert ended.report["complete"]


def test_unreachable_target_is_undecided(tmp_path: Path) -> None:
    # It is a target of Checkout alone: the other suites have no endpoint.
    ended = run(tmp_path / "out", f"--target={sandbox(tmp_path, 'http://127.0.0.1:9')}", "suites/checkout")

    assert ended.status == 3, ended.said
    assert {each["verdict"] for each in ended.report["checks"]} <= {"inconclusive", "not_applicable"}
    assert "[endpoints]" in ended.said


@pytest.mark.parametrize("name", ["accepts-everything", "refuses-everything", "fails-at-everything", "answers-html"])
def test_hostile_target_is_never_green(name: str, tmp_path: Path) -> None:
    with target(name) as url:
        ended = run(tmp_path / "out", f"--target={sandbox(tmp_path, url)}", CHECKS)

    assert ended.status in (1, 3), ended.said
    # Only reading requirements may be followed by a target that accepts or refuses everything.
    passed = [each["id"] for each in ended.report["requirements"] if each["verdict"] == "pass"]
    assert name == "accepts-everything" or passed == []


def test_production_is_refused_unless_it_is_named(tmp_path: Path) -> None:
    profile = sandbox(tmp_path, "http://127.0.0.1:9")
    profile.write_text(profile.read_text(encoding="utf-8").replace('"sandbox"', '"production"'), encoding="utf-8")

    assert run(tmp_path / "out", f"--target={profile}").status == 2
    assert run(tmp_path / "out", f"--target={profile}", "--production=somewhere", CHECKS).status == 3


def test_fault_that_nobody_knows_ends_with_2(tmp_path: Path) -> None:
    ended = run(tmp_path, "--fault=session_expiry.maximum.ignore", CHECKS)

    assert ended.status == 2, ended.said
    assert "session_expiry.maximum.ignored" in ended.said
