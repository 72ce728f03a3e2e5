"""Allure 2 and 3 read what is written: every check once, the failures of each finding, and the history of two runs.

Both are installed from npm into a directory of the test; it is skipped where npm or Java is missing, or the registry.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from contract.catalogue import load_catalogue
from reports.conclusion import Conclusion, conclude
from reports.formats.allure import write_allure
from reports.model import Check, Failure, Footer, Header, Run, Verdict
from tests.support.npm import installed

ALLURE = {"allure-commandline": "2.46.1", "allure": "3.18.0"}
PASSED, FAILED, OPEN = 40, 3, 5


@pytest.fixture(scope="module")
def node_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("java") is None:
        pytest.skip("there is no Java on this machine, which Allure 2 needs")
    return installed(ALLURE, tmp_path_factory.mktemp("npm"))


def _check(number: int, verdict: Verdict) -> Check:
    failed = verdict is Verdict.FAIL
    return Check(
        id=f"suites/checkout/sessions/test_order.py::test_order[{number}]",
        title=f"order [{number}]",
        requirements=("CHK-ORD-02",),
        verdict=verdict,
        reason=f"order {number}" if verdict is not Verdict.PASS else "",
        failure=Failure(expected=f"a refusal, for field_{number}", received="HTTP 200 '{}'") if failed else None,
        started="2030-01-01T10:00:00.000Z",
        duration_s=0.5,
    )


@pytest.fixture(scope="module")
def conclusion() -> Conclusion:
    verdicts = [Verdict.PASS] * PASSED + [Verdict.FAIL] * FAILED + [Verdict.INCONCLUSIVE] * OPEN
    header = Header(run_id="r1", started="2030-01-01T10:00:00.000Z", release="6.7.0")
    checks = tuple(_check(number, verdict) for number, verdict in enumerate(verdicts))
    run = Run(header=header, checks=checks, footer=Footer(ended="2030-01-01T10:01:00.000Z"))
    return conclude(run, load_catalogue())


def _generate(words: list[str], results: Path, report: Path) -> None:
    done = subprocess.run(
        [*words, "generate", str(results), "-o", str(report)],
        cwd=results.parent, capture_output=True, text=True, timeout=1_200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def _json(file: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(file.read_text(encoding="utf-8"))
    return found


def test_allure_2_counts_every_check_and_keeps_the_history(
    node_modules: Path, conclusion: Conclusion, tmp_path: Path
) -> None:
    results, report = tmp_path / "allure-results", tmp_path / "report"
    allure = [str(shutil.which("node")), str(node_modules / "allure-commandline" / "bin" / "allure")]
    write_allure(conclusion, results)
    _generate(allure, results, report)

    statistic = _json(report / "widgets" / "summary.json")["statistic"]
    assert statistic == {"failed": FAILED, "broken": 0, "skipped": OPEN, "passed": PASSED, "unknown": 0, "total": 48}
    (ran,) = json.loads((report / "widgets" / "executors.json").read_text(encoding="utf-8"))
    concerned = conclusion.coverage.concerned
    assert ran["buildName"] == f"not conforming: 0 of {concerned} requirements are kept"
    groups = {child["name"]: len(child["children"]) for child in _json(report / "data" / "categories.json")["children"]}  # type: ignore[attr-defined]
    assert sum(count for name, count in groups.items() if name.startswith("F-")) == FAILED
    assert groups["Could not decide"] == OPEN

    shutil.copytree(report / "history", results / "history")
    _generate(allure, results, tmp_path / "second")
    trend = json.loads((tmp_path / "second" / "widgets" / "history-trend.json").read_text(encoding="utf-8"))
    items = json.loads((tmp_path / "second" / "history" / "history.json").read_text(encoding="utf-8"))
    assert len(trend) == 2
    assert {len(each["items"]) for each in items.values()} == {2}


def test_allure_3_counts_every_check(node_modules: Path, conclusion: Conclusion, tmp_path: Path) -> None:
    results, report = tmp_path / "allure-results", tmp_path / "report"
    write_allure(conclusion, results)
    _generate([str(node_modules / ".bin" / "allure")], results, report)

    statistic = _json(next(report.rglob("statistic.json")))
    assert statistic == {"total": 48, "passed": PASSED, "failed": FAILED, "skipped": OPEN}
