"""The exit status says what happened: conforming, not conforming, wrong usage, undecided."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixtures.plugin import DEFAULT_TARGET
from tests.end_to_end.runs import run, sandbox
from tests.support.hostile_targets import target

FEW = ("-k", "session_expiry or test_session_response")


def test_broken_gateway_ends_with_1_and_names_the_requirement(tmp_path: Path) -> None:
    ended = run(tmp_path, "-n", "0", "--fault=session_expiry.maximum.one-laxer", "suites/checkout/sessions", *FEW)

    assert ended.status == 1, ended.said
    assert ended.report["verdict"] == "not_conforming"
    failed = [each["id"] for each in ended.report["requirements"] if each["verdict"] == "fail"]
    assert failed == ["CHK-SES-26"]
    assert "CHK-SES-26" in ended.said


def test_whole_suite_finds_it_with_workers_and_nothing_else(tmp_path: Path) -> None:
    profile = tmp_path / "profile.toml"
    text = DEFAULT_TARGET.read_text(encoding="utf-8")
    # Generated requests find faults of their own tests; without them the run is as complete.
    profile.write_text(text.replace("[run]\n", "[run]\nfuzz_requests = 0\n"), encoding="utf-8")

    ended = run(tmp_path / "out", f"--target={profile}", "-n", "2", "--fault=session_expiry.maximum.one-laxer")

    assert ended.status == 1, ended.said
    assert [each["id"] for each in ended.report["requirements"] if each["verdict"] == "fail"] == ["CHK-SES-26"]
    assert ended.report["complete"]


def test_part_of_the_suite_is_never_green(tmp_path: Path) -> None:
    ended = run(tmp_path, "-n", "0", "-k", "test_session_response")

    assert ended.status == 3, ended.said
    assert ended.report["verdict"] == "undecided"
    assert not ended.report["complete"]


def test_unreachable_target_is_undecided(tmp_path: Path) -> None:
    ended = run(tmp_path / "out", f"--target={sandbox(tmp_path, 'http://127.0.0.1:9')}")

    assert ended.status == 3, ended.said
    assert {each["verdict"] for each in ended.report["checks"]} <= {"inconclusive", "not_applicable"}
    assert "[endpoints]" in ended.said


@pytest.mark.parametrize("name", ["accepts-everything", "refuses-everything", "fails-at-everything", "answers-html"])
def test_hostile_target_is_never_green(name: str, tmp_path: Path) -> None:
    with target(name) as url:
        ended = run(
            tmp_path / "out", f"--target={sandbox(tmp_path, url)}", "suites/checkout/sessions/test_session_response.py"
        )

    assert ended.status in (1, 3), ended.said
    # Only reading requirements may be followed by a target that accepts or refuses everything.
    passed = [each["id"] for each in ended.report["requirements"] if each["verdict"] == "pass"]
    assert name == "accepts-everything" or passed == []


@pytest.mark.parametrize(
    ("profile", "text"),
    [
        ("[target]\nname = 'x'\nenvironment = 'sandbx'\n", "environment"),
        ("[target\n", "profile.toml"),
        ("[target]\nname = 'x'\nenvironment = 'sandbox'\nfoo = 1\n", "foo"),
    ],
)
def test_wrong_profile_ends_with_2_and_says_what_to_do(profile: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "profile.toml"
    file.write_text(profile, encoding="utf-8")

    ended = run(tmp_path / "out", f"--target={file}")

    assert ended.status == 2, ended.said
    assert text in ended.said
    assert "Traceback" not in ended.said


def test_production_is_refused_unless_it_is_named(tmp_path: Path) -> None:
    profile = sandbox(tmp_path, "http://127.0.0.1:9")
    profile.write_text(profile.read_text(encoding="utf-8").replace('"sandbox"', '"production"'), encoding="utf-8")

    assert run(tmp_path / "out", f"--target={profile}").status == 2
    assert (
        run(tmp_path / "out", f"--target={profile}", "--production=somewhere", "suites/checkout/sessions").status == 3
    )


def test_release_that_nobody_knows_ends_with_2(tmp_path: Path) -> None:
    ended = run(tmp_path, "--release=9.9.9")

    assert ended.status == 2, ended.said
    assert "6.7.0" in ended.said


def test_fault_that_nobody_knows_ends_with_2(tmp_path: Path) -> None:
    ended = run(tmp_path, "--fault=session_expiry.maximum.ignore")

    assert ended.status == 2, ended.said
    assert "session_expiry.maximum.ignored" in ended.said
