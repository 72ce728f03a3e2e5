"""Gaps: what is accepted as not covered, by whom and until when."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from contract.catalogue import Catalogue
from contract.gating import Gap
from reports.conclusion import conclude
from reports.judging.accepted import AcceptedError
from reports.judging.gaps import GapState, read_gaps
from reports.judging.gate import RunVerdict
from reports.model import Check, Verdict
from tests.unit.reports.small_run import HEADER, catalogue_of, check, requirement, run_of


@pytest.fixture
def needing() -> Catalogue:
    """Two requirements that need an account, and one that needs nothing."""
    return catalogue_of(
        requirement(id="CHK-SIG-17", sentence="A live key is refused.", needs=["account:live_key"]),
        requirement(id="GEN-ENV-02", sentence="A sandbox key is refused.", needs=["account:live_key"]),
        requirement(id="CHK-SES-01", sentence="A valid session request is accepted."),
    )


def _gap(**changes: object) -> Gap:
    usual = {"reason": "There is no such account", "owner": "payments", "expires": date(2030, 1, 1)}
    return Gap.model_validate({"need": "account:live_key", **usual, **changes})


def _lacking(claims: str, lacks: str = "account:live_key") -> Check:
    return check(claims, "inconclusive", claims, reason="not given", decides="live = true", lacks=lacks)


UNDECIDED = (check(), _lacking("CHK-SIG-17"), _lacking("GEN-ENV-02"))


def test_what_a_gap_covers_does_not_hold_the_gate_and_is_counted(needing: Catalogue) -> None:
    assert conclude(run_of(*UNDECIDED), needing).gate.verdict is RunVerdict.UNDECIDED

    conclusion = conclude(run_of(*UNDECIDED), needing, gaps=[_gap()])

    assert conclusion.gate.exit_status == 0
    assert conclusion.sentence.endswith("1 of 3 requirements are kept, 2 not covered (accepted).")
    covered = conclusion.results["CHK-SIG-17"]
    assert covered.verdict is Verdict.NOT_COVERED
    assert covered.reason == "not covered, accepted by payments until 2030-01-01: There is no such account"
    (found,) = conclusion.gaps
    assert (found.state, found.covered) == (GapState.COVERS, ("CHK-SIG-17", "GEN-ENV-02"))


def test_a_gap_of_the_profile_counts_like_one_of_a_file(needing: Catalogue) -> None:
    run = run_of(*UNDECIDED)
    described = run.model_copy(update={"header": HEADER.model_copy(update={"gaps": (_gap(),)})})
    assert conclude(described, needing).gate.exit_status == 0


def test_a_need_may_be_narrowed_to_requirements(needing: Catalogue) -> None:
    conclusion = conclude(run_of(*UNDECIDED), needing, gaps=[_gap(requirement="CHK-SIG-17")])
    assert conclusion.gaps[0].covered == ("CHK-SIG-17",)
    assert conclusion.gate.verdict is RunVerdict.UNDECIDED


def test_a_gap_may_name_requirements(needing: Catalogue) -> None:
    gap = _gap(need=None, requirement=["CHK-SIG-17", "GEN-ENV-02"])
    assert conclude(run_of(*UNDECIDED), needing, gaps=[gap]).gate.exit_status == 0


@pytest.mark.parametrize(
    ("gap", "checks", "state", "verdict"),
    [
        pytest.param(_gap(expires=date(2029, 12, 31)), UNDECIDED, GapState.EXPIRED, RunVerdict.UNDECIDED, id="expired"),
        pytest.param(_gap(need="account:sha256"), UNDECIDED, GapState.IDLE, RunVerdict.UNDECIDED, id="of-another-need"),
        pytest.param(
            _gap(),
            [check(), _lacking("CHK-SIG-17", ""), check("g", "pass", "GEN-ENV-02")],
            GapState.CLOSED,
            RunVerdict.UNDECIDED,
            id="undecided-for-another-reason",
        ),
        pytest.param(
            _gap(),
            [check(), check("s", "pass", "CHK-SIG-17"), check("g", "pass", "GEN-ENV-02")],
            GapState.CLOSED,
            RunVerdict.CONFORMING,
            id="decided-all-the-same",
        ),
        pytest.param(
            _gap(),
            [check(), check("s", "fail", "CHK-SIG-17"), _lacking("GEN-ENV-02")],
            GapState.COVERS,
            RunVerdict.NOT_CONFORMING,
            id="never-covers-a-failure",
        ),
    ],
)
def test_a_gap_covers_what_it_names_until_it_expires(
    needing: Catalogue, gap: Gap, checks: list[Check], state: GapState, verdict: RunVerdict
) -> None:
    conclusion = conclude(run_of(*checks), needing, gaps=[gap])
    assert conclusion.gaps[0].state is state
    assert conclusion.gate.verdict is verdict


WRITTEN = """
[[gap]]
need = "account:live_key"
reason = "There is no such account"
owner = "payments"
expires = 2030-01-31
"""


def test_gaps_are_read(tmp_path: Path, needing: Catalogue) -> None:
    file = tmp_path / "gaps.toml"
    file.write_text(WRITTEN, encoding="utf-8")
    (gap,) = read_gaps(file, needing)
    assert (gap.need, gap.requirement, gap.expires) == ("account:live_key", (), date(2030, 1, 31))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("account:live_key", "account:life_key", "gap 1: need: .*did you mean account:live_key"),
        ('need = "account:live_key"', 'requirement = "CHK-SIG-71"', "no requirement is called 'CHK-SIG-71'; did you"),
        ('need = "account:live_key"', 'requirement = "CHK-SIG-*"', "gap 1: requirement: .*without wildcards"),
        ('need = "account:live_key"\n', "", "give need, requirement, or both"),
        ('"payments"', '""', "gap 1: owner: "),
        ('"There is no such account"', '""', "gap 1: reason: "),
        ("2030-01-31", '"soon"', "gap 1: expires: .*TOML date"),
        ("owner", "holder", "holder: no such key; allowed are need, requirement"),
        ("[[gap]]", "[[gaps]]", r"only \[\[gap\]\] tables"),
        ("expires = ", "expires ", "is not TOML"),
    ],
)
def test_a_wrong_file_says_what_is_allowed(tmp_path: Path, needing: Catalogue, old: str, new: str, said: str) -> None:
    file = tmp_path / "gaps.toml"
    file.write_text(WRITTEN.replace(old, new), encoding="utf-8")
    with pytest.raises(AcceptedError, match=said):
        read_gaps(file, needing)
