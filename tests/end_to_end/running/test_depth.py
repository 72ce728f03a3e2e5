"""A smoke run and a run with a budget find what they look for, and never say that a target conforms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.runs import run


@pytest.fixture(scope="module")
def smoke_report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    ended = run(tmp_path_factory.mktemp("smoke"), "--depth=smoke", "-n0", "suites/s2s_apm")
    assert ended.status == 3, ended.said
    assert "A run of depth smoke found nothing that decides against emulator, and cannot show" in ended.said
    assert "nothing is known of what the others would find" in ended.said
    return ended.report


def test_smoke_run_sends_fewer_requests_than_a_whole_one(smoke_report: dict[str, object]) -> None:
    assert isinstance(smoke_report["requests"], int)
    assert 300 < smoke_report["requests"] < 1_000


def test_smoke_run_finds_what_a_check_of_it_catches(tmp_path: Path) -> None:
    ended = run(tmp_path, "--depth=smoke", "-n0", "--fault=session_expiry.maximum.one-laxer", "-x", "suites/checkout")

    assert ended.status == 1, ended.said


def test_budget_is_kept(tmp_path: Path) -> None:
    ended = run(tmp_path, "--budget=3s", "-n0")

    assert ended.status == 3, ended.said
    assert "budget of 3s" in ended.said
    assert 0 < ended.report["requests"] < 400


@pytest.mark.parametrize("options", [["--depth=deep"], ["--budget=soon"], ["--budget=5s", "--depth=smoke"]])
def test_wrong_depth_or_budget_ends_with_2_or_pytest_s_4(options: list[str], tmp_path: Path) -> None:
    ended = run(tmp_path, *options)

    assert ended.status in {2, 4}, ended.said
    assert "--budget" in ended.said or "--depth" in ended.said
