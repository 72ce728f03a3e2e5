"""Many runs through time: since when a requirement fails, what is flaky, and what the page shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reports.comparing.compare import CompareError
from reports.comparing.history import read_history
from reports.comparing.pages import write_history
from reports.conclusion import Conclusion
from reports.formats.conformance import conformance


@pytest.fixture
def runs(mixed: Conclusion, tmp_path: Path) -> Path:
    """Five runs: CHK-SES-01 fails from the third on, CHK-SES-03 comes and goes."""
    for number in range(5):
        document = conformance(mixed)
        verdicts = {"CHK-SES-01": "fail" if number >= 2 else "pass", "CHK-SES-03": "fail" if number % 2 else "pass"}
        for each in document["requirements"]:
            each["verdict"] = verdicts.get(each["id"], "pass")
        document |= {"started": f"2030-01-0{number + 1}T10:00:00Z", "commit": f"c0ffee{number}"}
        place = tmp_path / f"run-{9 - number}" / "out"
        place.mkdir(parents=True)
        (place / "conformance.json").write_text(json.dumps(document), encoding="utf-8")
    return tmp_path


def test_runs_stand_in_the_order_of_time(runs: Path) -> None:
    assert [run.commit for run in read_history(runs).runs] == [f"c0ffee{number}" for number in range(5)]


def test_a_failing_requirement_has_its_first_failing_run(runs: Path) -> None:
    lines = {line.id: line for line in read_history(runs).lines}

    assert lines["CHK-SES-01"].first_failing == 2
    assert not lines["CHK-SES-01"].is_flaky
    assert lines["CHK-SES-03"].is_flaky
    assert lines["CHK-SES-03"].first_failing is None


def test_what_never_changed_is_counted(runs: Path) -> None:
    history = read_history(runs)

    assert len(history.lines) == 2
    assert history.steady == 3


def test_page_names_the_first_failing_commit(runs: Path) -> None:
    write_history(read_history(runs), runs / "history.html")
    text = (runs / "history.html").read_text(encoding="utf-8")

    assert "<strong>CHK-SES-01</strong> since run 3 (2030-01-03, commit <code>c0ffee2</code>)" in text
    assert "<script" not in text


def test_what_is_no_run_is_left_out(runs: Path) -> None:
    (runs / "conformance.json").write_text("[]", encoding="utf-8")

    history = read_history(runs)

    assert len(history.runs) == 5
    assert len(history.unreadable) == 1


def test_without_runs_there_is_no_history(tmp_path: Path) -> None:
    with pytest.raises(CompareError, match="no run below it"):
        read_history(tmp_path)


def test_history_is_json_as_well(runs: Path) -> None:
    write_history(read_history(runs), runs / "history.html")
    document = json.loads((runs / "history.json").read_text(encoding="utf-8"))

    lines = {line["id"]: line for line in document["requirements"]}
    assert [run["commit"] for run in document["runs"]] == [f"c0ffee{number}" for number in range(5)]
    assert lines["CHK-SES-01"]["first_failing_commit"] == "c0ffee2"
    assert lines["CHK-SES-01"]["verdicts"] == ["pass", "pass", "fail", "fail", "fail"]
    assert (lines["CHK-SES-03"]["flaky"], lines["CHK-SES-03"]["first_failing_commit"]) == (True, None)
    assert document["steady"] == 3
