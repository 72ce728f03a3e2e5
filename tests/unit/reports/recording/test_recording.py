"""Phases of a check become one check; the worst phase decides."""

from __future__ import annotations

import pytest

from reports.model import Failure, Verdict
from reports.recording.phases import CRASHED, Decision, Phase, PhaseFacts, Recording, check_of, facts_in


def _phase(when: str, verdict: Verdict | None = None, *, outcome: str = "passed", **facts: object) -> Phase:
    decision = Decision(verdict=verdict, reason=f"{when} says so") if verdict else None
    return Phase(when=when, outcome=outcome, facts=PhaseFacts.model_validate({"verdict": decision, **facts}), start=1e9)


SETUP = _phase("setup", requirements=("CHK-SES-01",), title="the title")
TEARDOWN = _phase("teardown")


@pytest.mark.parametrize(
    ("phases", "verdict"),
    [
        ([SETUP, _phase("call", Verdict.PASS), TEARDOWN], Verdict.PASS),
        ([SETUP, _phase("call", Verdict.FAIL), TEARDOWN], Verdict.FAIL),
        ([SETUP, _phase("call", Verdict.PASS), _phase("teardown", Verdict.ERROR)], Verdict.ERROR),
        ([SETUP, _phase("call", Verdict.FAIL), _phase("teardown", Verdict.ERROR)], Verdict.FAIL),
        ([_phase("setup", Verdict.INCONCLUSIVE, outcome="skipped"), TEARDOWN], Verdict.INCONCLUSIVE),
        ([_phase("setup", Verdict.NOT_APPLICABLE, outcome="skipped"), TEARDOWN], Verdict.NOT_APPLICABLE),
        ([SETUP, _phase("call"), TEARDOWN], Verdict.ERROR),
        ([SETUP, _phase("call", Verdict.PASS, outcome="failed"), TEARDOWN], Verdict.ERROR),
        ([SETUP, _phase("call", Verdict.PASS), _phase("teardown", outcome="failed")], Verdict.ERROR),
        ([SETUP], Verdict.NOT_RUN),
        ([SETUP, _phase("call", Verdict.PASS)], Verdict.NOT_RUN),
        ([SETUP, _phase("call", Verdict.FAIL)], Verdict.FAIL),
        ([SETUP, _phase(CRASHED, outcome="failed")], Verdict.NOT_RUN),
    ],
)
def test_the_worst_phase_decides(phases: list[Phase], verdict: Verdict) -> None:
    assert check_of("suites/test_a.py::test_a", phases).verdict is verdict


def test_a_check_reports_what_its_phases_reported() -> None:
    failure = Failure(expected="400", received="200")
    call = _phase("call", Verdict.FAIL, failure=failure, readings=[{"requirement": "CHK-STA-02", "reading": "upper"}])
    check = check_of("suites/test_a.py::test_a", [SETUP, call, TEARDOWN])
    assert (check.title, check.requirements, check.reason) == ("the title", ("CHK-SES-01",), "call says so")
    assert check.failure == failure
    assert check.readings[0].reading == "upper"
    assert check.started == "2001-09-09T01:46:40.000Z"


@pytest.mark.parametrize(
    "properties",
    [
        [("verdict", "pass")],
        [("verdict", {"verdict": "excellent"})],
        [("exchanges", [{"status": "two hundred"}])],
        [("requirements", 7)],
    ],
)
def test_malformed_properties_are_an_error_of_the_suite(properties: list[tuple[str, object]]) -> None:
    phase = Phase(when="call", outcome="passed", facts=facts_in(properties))
    assert check_of("a", [phase, TEARDOWN]).verdict is Verdict.ERROR


def test_text_that_no_file_can_hold_is_replaced() -> None:
    facts = facts_in([("verdict", {"verdict": "fail", "reason": "lone \ud800 surrogate"})])
    assert facts.verdict is not None
    assert facts.verdict.reason == "lone ? surrogate"


def test_a_check_is_finished_by_its_tear_down() -> None:
    recording = Recording()
    assert recording.add("a", SETUP) is None
    finished = recording.add("a", TEARDOWN)
    assert finished is not None
    assert finished[0].id == "a"
    assert recording.open == {}
