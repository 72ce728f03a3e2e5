"""The gate: which verdicts make a run conforming, not conforming, undecided or broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from contract.catalogue import Catalogue
from contract.gating import Gate
from reports.conclusion import conclude
from reports.formats.conformance import conformance
from reports.judging.gate import RunVerdict
from reports.model import Check, Failure, Probe, Sanity, Selection, Verdict
from reports.terminal import lines_of
from tests.unit.reports.small_run import HEADER, catalogue_of, check, passing, requirement, run_of


@pytest.mark.parametrize(
    ("verdict", "claims", "status", "strict_status"),
    [
        ("fail", "CHK-SES-01", 1, 1),
        ("fail", "CHK-SES-03", 0, 1),
        ("fail", "CHK-STA-01", 0, 1),
        ("inconclusive", "CHK-SES-01", 3, 3),
        ("inconclusive", "CHK-SES-03", 0, 3),
        ("inconclusive", "CHK-STA-01", 0, 3),
        ("error", "CHK-STA-01", 4, 4),
        ("not_run", "CHK-STA-01", 3, 3),
        ("not_applicable", "CHK-SES-01", 0, 0),
        ("pass", "CHK-SES-01", 0, 0),
    ],
)
def test_verdict_level_and_basis_decide(
    catalogue: Catalogue, verdict: str, claims: str, status: int, strict_status: int
) -> None:
    run = run_of(*passing(claims), check("a", verdict, claims))
    assert conclude(run, catalogue).gate.exit_status == status
    assert conclude(run, catalogue, strict=True).gate.exit_status == strict_status


@pytest.mark.parametrize(
    ("level", "basis", "verdict", "strict_status"),
    [
        ("MAY", "specification", "fail", 0),
        ("MUST", "profile", "fail", 1),
        ("MUST", "profile", "inconclusive", 0),
    ],
)
def test_strict_counts_no_options_and_asks_for_no_settings(
    level: str, basis: str, verdict: str, strict_status: int
) -> None:
    two = catalogue_of(
        requirement(id="CHK-SES-01", sentence="Something is demanded."),
        requirement(id="CHK-SES-02", sentence="Something is said.", level=level, basis=basis),
    )
    run = run_of(check("a"), check("b", verdict, "CHK-SES-02"))
    assert conclude(run, two).gate.exit_status == 0
    assert conclude(run, two, strict=True).gate.exit_status == strict_status


def test_failure_outweighs_error_and_error_outweighs_undecided(catalogue: Catalogue) -> None:
    undecided = [*passing("CHK-SES-01", "CHK-SES-02"), check("u", "inconclusive", "CHK-SES-02")]
    assert conclude(run_of(*undecided), catalogue).gate.verdict is RunVerdict.UNDECIDED
    broken = [*undecided, check("e", "error")]
    assert conclude(run_of(*broken), catalogue).gate.verdict is RunVerdict.BROKEN
    failed = [*broken, check("f", "fail", "CHK-SES-01")]
    gate = conclude(run_of(*failed), catalogue).gate
    assert gate.verdict is RunVerdict.NOT_CONFORMING
    assert len(gate.reasons) == 3


@pytest.mark.parametrize(
    "footer",
    [
        {"problems": ("the run was interrupted",)},
        {"selection": Selection(deselected=("suites/test_b.py::test_b",))},
        {"selection": Selection(unseen_files=("suites/test_b.py",))},
        {"sanity": Sanity(first={"checkout": Probe(ok=False, reason="HTTP 503")})},
        {"sanity": Sanity(last={"checkout": Probe(ok=False, reason="HTTP 503")})},
    ],
)
def test_what_is_missing_leaves_a_run_undecided(catalogue: Catalogue, footer: dict[str, Any]) -> None:
    conclusion = conclude(run_of(*passing(), **footer), catalogue)
    assert conclusion.gate.verdict is RunVerdict.UNDECIDED
    assert conclusion.incomplete


def test_a_killed_run_is_undecided_and_a_failure_in_it_still_proven(catalogue: Catalogue) -> None:
    killed = run_of(*passing()).model_copy(update={"footer": None})
    assert conclude(killed, catalogue).gate.exit_status == 3
    failed = run_of(*passing("CHK-SES-01"), check("f", "fail")).model_copy(update={"footer": None})
    assert conclude(failed, catalogue).gate.exit_status == 1


def test_an_error_outside_of_checks_is_broken(catalogue: Catalogue) -> None:
    assert conclude(run_of(*passing(), errors=("pytest broke",)), catalogue).gate.exit_status == 4


def test_a_claim_that_the_catalogue_does_not_have_is_broken(catalogue: Catalogue) -> None:
    assert conclude(run_of(*passing(), check("a", "pass", "CHK-SES-99")), catalogue).gate.exit_status == 4


def test_a_strict_run_stays_strict_when_it_is_rendered_again(catalogue: Catalogue) -> None:
    run = run_of(*passing("CHK-SES-03"), check("a", "fail", "CHK-SES-03"))
    strict = run.model_copy(update={"header": HEADER.model_copy(update={"strict": True})})
    assert conclude(strict, catalogue).gate.exit_status == 1


def test_what_nobody_can_test_does_not_hold_a_run_up() -> None:
    two = catalogue_of(
        requirement(id="CHK-SES-01", sentence="Something is demanded."),
        requirement(id="CHK-SES-02", sentence="Something is inside.", not_testable="internal"),
        requirement(id="CHK-SES-04", sentence="Something is to come."),
        to_come=frozenset({"CHK-SES-04"}),
    )
    conclusion = conclude(run_of(check("a")), two)
    assert conclusion.gate.exit_status == 0
    assert conclusion.requirement_counts == {
        "fail": 0, "error": 0, "inconclusive": 0, "not_run": 2, "not_covered": 0, "pass": 1, "not_applicable": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("gate", "level", "basis", "status"),
    [
        ({}, "MUST", "specification", 1),
        ({}, "MUST", "platform", 0),
        ({"policy": "platform"}, "MUST", "platform", 1),
        ({"policy": "platform"}, "SHOULD", "platform", 0),
        ({"policy": "strict"}, "SHOULD", "platform", 1),
        ({"policy": "strict"}, "MAY", "platform", 0),
        ({"bases": ["platform"]}, "MUST", "specification", 0),
        ({"levels": ["MUST", "SHOULD"]}, "SHOULD", "specification", 1),
        ({"requirements": ["CHK-SES-*"]}, "MAY", "platform", 1),
        ({"requirements": ["CHK-CAP-*"]}, "MAY", "platform", 0),
    ],
)
def test_the_profile_chooses_what_gates(gate: dict[str, Any], level: str, basis: str, status: int) -> None:
    two = catalogue_of(
        requirement(id="CHK-SES-01", sentence="Something is demanded.", level=level, basis=basis),
        requirement(id="CHK-CRD-02", sentence="Something else is said."),
    )
    run = run_of(check("a", "fail"), check("b", "pass", "CHK-CRD-02"))
    chosen = run.model_copy(update={"header": HEADER.model_copy(update={"gate": Gate.model_validate(gate)})})
    assert conclude(chosen, two).gate.exit_status == status


def _safe_and_other() -> Catalogue:
    return catalogue_of(
        requirement(id="CHK-SES-01", sentence="Something usual is demanded.", basis="platform"),
        requirement(id="CHK-CAP-12", sentence="No more is captured than was held.", basis="platform", safety=True),
        requirement(id="CHK-CRD-02", sentence="Something else is said."),
    )


def _failing(claims: str, *, refused: bool = False) -> Check:
    failure = Failure(expected="a refusal", received="HTTP 200", refused=refused)
    return check(f"failing_{claims[-2:]}", "fail", claims, failure=failure)


def test_what_no_gateway_may_do_gates_whoever_says_so_and_stands_first() -> None:
    run = run_of(_failing("CHK-SES-01"), _failing("CHK-CAP-12"), check("c", "pass", "CHK-CRD-02"))
    conclusion = conclude(run, _safe_and_other())
    assert conclusion.gate.exit_status == 1
    assert conclusion.with_verdict(Verdict.FAIL)[0].id == "CHK-CAP-12"
    assert "1 requirement (CHK-CAP-12) failed, 1 of them in what no gateway may do" in conclusion.sentence


def test_headline_names_what_no_gateway_may_do_beside_other_failures() -> None:
    run = run_of(_failing("CHK-CAP-12"), _failing("CHK-CRD-02"))

    conclusion = conclude(run, _safe_and_other())

    assert "2 requirements (CHK-CAP-12, CHK-CRD-02) failed, 1 of them in what no gateway may do (CHK-CAP-12)" in (
        conclusion.sentence
    )


def test_failures_of_watchers_are_counted_apart_in_the_terminal() -> None:
    run = run_of(_failing("CHK-CAP-12").model_copy(update={"watched": 1724}), _failing("CHK-CRD-02"))

    lines = list(lines_of(conclude(run, _safe_and_other()), Path("out"), Path("out/allure")))

    (said,) = [line for line in lines if line.startswith("checks:")]
    assert said.endswith("2 failed (of the failed 1 by watchers of all exchanges, whom pytest does not count)")


def test_a_refusal_in_other_words_endangers_nobody() -> None:
    run = run_of(check("a"), _failing("CHK-CAP-12", refused=True), check("c", "pass", "CHK-CRD-02"))
    conclusion = conclude(run, _safe_and_other())
    assert conclusion.gate.exit_status == 0
    assert conclusion.quiet[0].id == "CHK-CAP-12"


def test_safety_that_could_not_be_decided_leaves_a_run_undecided() -> None:
    run = run_of(check("a"), check("b", "inconclusive", "CHK-CAP-12"), check("c", "pass", "CHK-CRD-02"))
    assert conclude(run, _safe_and_other()).gate.exit_status == 3


def test_the_headline_never_says_conforms_beside_a_failure(catalogue: Catalogue) -> None:
    quiet = conclude(run_of(*passing("CHK-STA-01"), check("a", "fail", "CHK-STA-01")), catalogue)
    assert quiet.gate.verdict is RunVerdict.CONFORMING
    assert quiet.sentence == (
        "acme passes the gate of release 6.7.0, but does not keep everything: 4 of 5 requirements are kept; 1 more "
        "requirement fails without deciding the verdict (CHK-STA-01, MUST, platform: The look-up has the usual path)."
    )


def test_what_is_required_for_safety_alone_is_counted_apart() -> None:
    two = catalogue_of(
        requirement(id="CHK-SES-01", sentence="Something is demanded."),
        requirement(id="CHK-SES-02", sentence="No money is lost.", basis="platform", safety=True),
    )
    run = run_of(check("a", "inconclusive", "CHK-SES-01"), check("b", "inconclusive", "CHK-SES-02"))

    conclusion = conclude(run, two)

    reason = conclusion.gate.reasons[-1]
    assert reason == (
        "2 required requirements (CHK-SES-01, CHK-SES-02) could not be decided, 1 of them for safety alone"
    )
    required = {each["id"]: (each["gates"], each["required"]) for each in conformance(conclusion)["requirements"]}
    assert required == {"CHK-SES-01": (True, True), "CHK-SES-02": (False, True)}
