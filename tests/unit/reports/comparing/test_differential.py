"""Two runs side by side: what was intended, what nobody documented, what regressed."""

from __future__ import annotations

import json
from pathlib import Path

from contract.catalogue import Catalogue
from reports.comparing.differential import Differential, Kind, differential, lines_of_differential
from reports.comparing.pages import write_differential
from reports.conclusion import Conclusion, conclude
from reports.model import Answer, Check
from tests.unit.reports.small_run import HEADER, catalogue_of, check, requirement, run_of


def catalogue() -> Catalogue:
    return catalogue_of(
        requirement(id="CHK-SES-01", sentence="What always held is kept."),
        requirement(id="CHK-SES-02", sentence="What came last is kept.", since="6.7.0"),
    )


def judged(*checks: Check, release: str = "6.7.0", seed: int = 0) -> Conclusion:
    header = HEADER.model_copy(update={"release": release, "seed": seed})
    return conclude(run_of(*checks).model_copy(update={"header": header}), catalogue())


def kinds(found: Differential) -> list[tuple[Kind, str]]:
    return [(each.kind, each.requirement.id) for each in found.differences]


def refused(message: str) -> Answer:
    return Answer(operation="Checkout session request", refused=True, status=400, code="100000", message=message)


def test_equal_runs_do_not_differ() -> None:
    found = differential(judged(check("a")), judged(check("a")))

    assert found.differences == ()
    assert not found.regressed


def test_what_was_kept_and_is_broken_is_a_regression() -> None:
    found = differential(judged(check("a")), judged(check("a", "fail")))

    assert kinds(found) == [(Kind.REGRESSION, "CHK-SES-01")]
    assert found.regressed


def test_what_came_with_a_release_is_intended() -> None:
    before = judged(check("a"), check("b", "not_applicable", "CHK-SES-02"), release="6.6.5")
    after = judged(check("a"), check("b", "pass", "CHK-SES-02"))

    assert kinds(differential(before, after)) == [(Kind.INTENDED, "CHK-SES-02")]


def test_another_answer_to_the_same_request_is_undocumented() -> None:
    found = differential(judged(check("a", answer=refused("No."))), judged(check("a", answer=refused("Never."))))

    assert kinds(found) == [(Kind.UNDOCUMENTED, "CHK-SES-01")]
    assert found.differences[0].says == (
        "Checkout session request: HTTP 400 100000 No., then Checkout session request: HTTP 400 100000 Never.",
    )
    assert not found.regressed


def test_what_is_broken_no_longer_is_fixed() -> None:
    assert kinds(differential(judged(check("a", "fail")), judged(check("a")))) == [(Kind.FIXED, "CHK-SES-01")]


def test_runs_with_other_seeds_and_checks_say_so() -> None:
    found = differential(judged(check("a")), judged(check("a"), check("b"), seed=7))

    notes = "; ".join(found.notes)
    assert "another seed: 0, then 7" in notes
    assert "1 checks are in one of the runs only" in notes


def test_terminal_has_at_most_a_screen() -> None:
    found = differential(judged(check("a")), judged(check("a", "fail")))

    lines = list(lines_of_differential(found))

    assert "1 requirements differ: 1 regression" in lines
    assert len(lines) < 24


def test_page_of_hostile_runs_has_no_script(hostile: Conclusion, mixed: Conclusion, tmp_path: Path) -> None:
    write_differential(differential(mixed, hostile), tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")

    assert "<script" not in text
    assert "<img" not in text
    assert "default-src 'none'" in text


def test_differences_are_json_as_well(tmp_path: Path) -> None:
    found = differential(judged(check("a")), judged(check("a", "fail")))

    write_differential(found, tmp_path / "differential.html")

    document = json.loads((tmp_path / "differential.json").read_text(encoding="utf-8"))
    assert document["regressed"]
    assert document["counts"]["regression"] == 1
    (difference,) = document["differences"]
    assert (difference["requirement"], difference["kind"]) == ("CHK-SES-01", "regression")
    assert (document["before"]["verdict"], document["after"]["verdict"]) == ("undecided", "not_conforming")
