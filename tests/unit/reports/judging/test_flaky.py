"""Flaky checks: they changed and changed back among the runs that lie in the output."""

from __future__ import annotations

import json
from pathlib import Path

from reports.formats.flaky import flaky_checks
from tests.unit.reports.small_run import check, run_of

STEADY, SHAKY = check("steady"), check("shaky")


def earlier(output: Path, *verdicts: str, target: str = "acme") -> None:
    for number, verdict in enumerate(verdicts):
        place = output / "earlier" / f"2030010{number}T100000.0Z"
        place.mkdir(parents=True)
        checks = [{"id": STEADY.id, "verdict": "pass"}, {"id": SHAKY.id, "verdict": verdict}]
        document = {"target": {"name": target}, "release": "6.7.0", "checks": checks}
        (place / "conformance.json").write_text(json.dumps(document), encoding="utf-8")


def test_a_check_that_changes_and_changes_back_is_flaky(tmp_path: Path) -> None:
    earlier(tmp_path, "pass", "fail")

    assert flaky_checks(run_of(STEADY, SHAKY), tmp_path) == {SHAKY.id}


def test_a_check_that_was_fixed_is_not_flaky(tmp_path: Path) -> None:
    earlier(tmp_path, "fail", "fail")

    assert flaky_checks(run_of(STEADY, SHAKY), tmp_path) == frozenset()


def test_runs_of_another_target_say_nothing(tmp_path: Path) -> None:
    earlier(tmp_path, "pass", "fail", target="other")

    assert flaky_checks(run_of(STEADY, SHAKY), tmp_path) == frozenset()
