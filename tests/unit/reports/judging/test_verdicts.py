"""The verdict of a requirement, made of its checks."""

from __future__ import annotations

import pytest

from contract.catalogue import Catalogue
from contract.unshown import NO_SUCH_MEMBERS
from reports.judging.release import release_evidence
from reports.judging.verdicts import NO_CHECK_YET, NOT_PART_OF_RUN, UNCLAIMED, judge, unknown_claims
from reports.model import Check, FollowedReading, Selection
from tests.unit.reports.small_run import catalogue_of, check, requirement, run_of


@pytest.mark.parametrize(
    ("checks", "verdict"),
    [
        (["pass", "not_applicable", "not_run", "inconclusive", "error", "fail"], "fail"),
        (["pass", "not_applicable", "not_run", "inconclusive", "error"], "error"),
        (["pass", "not_applicable", "not_run", "inconclusive"], "inconclusive"),
        (["pass", "not_applicable", "not_run"], "not_run"),
        (["pass", "not_applicable"], "pass"),
        (["not_applicable"], "not_applicable"),
    ],
)
def test_the_worst_check_decides(catalogue: Catalogue, checks: list[str], verdict: str) -> None:
    run = run_of(*(check(str(number), each) for number, each in enumerate(checks)))
    assert judge(run, catalogue)["CHK-SES-01"].verdict == verdict


def test_nobody_declares_a_requirement_of_the_contract_to_be_met_otherwise() -> None:
    known = catalogue_of(
        requirement(id="HPF-PAY-01", sentence="A payment by hosted fields is accepted."),
        requirement(id="HPF-PAY-08", sentence="The answer has a usual member.", basis="platform"),
    )
    reason = "HPF-PAY-08: the profile says in [otherwise]: it has another member"
    run = run_of(check("both", "not_applicable", "HPF-PAY-01", "HPF-PAY-08", reason=reason))

    verdicts = {name: result.verdict for name, result in judge(run, known).items()}

    assert verdicts == {"HPF-PAY-01": "inconclusive", "HPF-PAY-08": "not_applicable"}


@pytest.mark.parametrize(("safety", "verdict"), [(False, "not_applicable"), (True, "pass")])
def test_a_requirement_about_members_that_the_target_has_not_is_not_met_by_its_other_checks(
    safety: bool, verdict: str
) -> None:
    known = catalogue_of(requirement(id="CHK-STA-20", sentence="It has a reason.", basis="platform", safety=safety))
    run = run_of(
        check("has it", "not_applicable", "CHK-STA-20", reason=NO_SUCH_MEMBERS), check("has none", "pass", "CHK-STA-20")
    )

    assert judge(run, known)["CHK-STA-20"].verdict == verdict


def test_a_requirement_says_how_many_other_reasons_there_are(catalogue: Catalogue) -> None:
    run = run_of(check("a", "fail", reason="one"), check("b", "fail", reason="two"), check("c", "fail", reason="one"))
    assert judge(run, catalogue)["CHK-SES-01"].reason == "one (and 1 more)"


@pytest.mark.parametrize(
    ("changes", "to_come", "selection", "verdict", "reason", "excused"),
    [
        ({"since": "6.7.0"}, frozenset(), Selection(), "not_run", UNCLAIMED, False),
        ({"until": "6.6.5"}, frozenset(), Selection(), "not_applicable", "held until 6.6.5", False),
        ({"not_testable": "internal"}, frozenset(), Selection(), "not_run", "not testable: internal", True),
        ({}, frozenset({"CHK-SES-09"}), Selection(), "not_run", NO_CHECK_YET, True),
        ({}, frozenset(), Selection(unseen_files=("suites/test_b.py",)), "not_run", NOT_PART_OF_RUN, False),
    ],
)
def test_a_requirement_that_no_check_claims_says_why(
    *, changes: dict[str, str], to_come: frozenset[str], selection: Selection, verdict: str, reason: str, excused: bool
) -> None:
    one = requirement(id="CHK-SES-09", sentence="Something is demanded.", **changes)
    result = judge(run_of(check(), selection=selection), catalogue_of(one, to_come=to_come))["CHK-SES-09"]
    assert (result.verdict, result.excused) == (verdict, excused)
    assert reason in result.reason


def test_readings_are_gathered_from_the_checks_of_the_requirement(catalogue: Catalogue) -> None:
    def following(name: str, *readings: str) -> Check:
        followed = tuple(FollowedReading(requirement="CHK-STA-02", reading=reading) for reading in readings)
        return check(name, "pass", "CHK-STA-02", readings=followed)

    one = judge(run_of(following("a", "upper"), following("b", "upper")), catalogue)
    assert one["CHK-STA-02"].reading == "upper"
    two = judge(run_of(following("a", "upper"), following("b", "lower")), catalogue)
    assert two["CHK-STA-02"].reading == "mixed: upper, lower"
    assert two["CHK-SES-01"].reading is None


def test_claims_that_the_catalogue_does_not_have_are_found(catalogue: Catalogue) -> None:
    assert unknown_claims(run_of(check("a", "pass", "CHK-SES-99", "CHK-SES-01")), catalogue) == ("CHK-SES-99",)


def test_what_came_with_a_release_supports_the_claim_or_contradicts_it() -> None:
    known = catalogue_of(
        requirement(id="CHK-SES-01", sentence="It was always so."),
        requirement(id="CHK-SES-02", sentence="It came with the last one.", since="6.7.0"),
        requirement(id="CHK-SES-04", sentence="It came with it, too.", since="6.7.0"),
        requirement(id="CHK-SES-05", sentence="It came earlier.", since="6.6.4"),
        requirement(id="CHK-SES-06", sentence="It went with the last one.", until="6.6.5"),
    )
    run = run_of(
        check("a"), check("b", "pass", "CHK-SES-02"), check("c", "fail", "CHK-SES-04"), check("d", "pass", "CHK-SES-05")
    )
    found = release_evidence(judge(run, known).values())
    assert [(each.release, each.kept, each.broken) for each in found] == [
        ("6.6.4", ("CHK-SES-05",), ()),
        ("6.7.0", ("CHK-SES-02",), ("CHK-SES-04",)),
    ]
