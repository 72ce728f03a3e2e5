"""Drafts of waivers and gaps: complete, valid once somebody signs them, and refused while nobody does."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from contract.catalogue import Catalogue
from reports.conclusion import conclude
from reports.drafts import Acceptance, days_after, draft_gaps, draft_waivers
from reports.judging.accepted import AcceptedError
from reports.judging.gaps import read_gaps
from reports.judging.waivers import read_waivers
from tests.unit.reports.small_run import catalogue_of, check, requirement, run_of

SIGNED = Acceptance(expires=date(2030, 2, 1), reason="It is known and worked on", owner="payments")


@pytest.fixture
def needing() -> Catalogue:
    return catalogue_of(
        requirement(id="CHK-SIG-17", sentence="A live key is refused.", needs=["account:live_key"]),
        requirement(id="CHK-SES-02", sentence="Something else is demanded."),
        requirement(id="CHK-SES-01", sentence="A valid session request is accepted."),
    )


RUN = run_of(
    check(),
    check("b", "inconclusive", "CHK-SIG-17", reason="not given", decides="live = true", lacks="account:live_key"),
    check("c", "inconclusive", "CHK-SES-02", reason="no answer", decides="a target that answers"),
)


def test_a_draft_of_gaps_that_is_signed_closes_what_is_open(tmp_path: Path, needing: Catalogue) -> None:
    assert conclude(RUN, needing).gate.exit_status == 3
    file = tmp_path / "gaps.toml"
    file.write_text(draft_gaps(conclude(RUN, needing), SIGNED), encoding="utf-8")

    gaps = read_gaps(file, needing)

    assert {gap.need for gap in gaps} == {"account:live_key", None}
    assert conclude(RUN, needing, gaps=gaps).gate.exit_status == 0


def test_a_draft_of_waivers_that_is_signed_covers_what_fails(tmp_path: Path, catalogue: Catalogue) -> None:
    run = run_of(*(check(name[-6:].replace("-", "_"), "fail", name) for name in catalogue), check("fine"))
    file = tmp_path / "waivers.toml"
    file.write_text(draft_waivers(conclude(run, catalogue), SIGNED), encoding="utf-8")

    conclusion = conclude(run, catalogue, read_waivers(file, catalogue))

    assert conclusion.gate.exit_status == 0
    assert len(conclusion.waived_failures) == 5
    assert "conforms" not in conclusion.sentence


def test_a_draft_that_nobody_signed_is_refused(tmp_path: Path, needing: Catalogue) -> None:
    conclusion = conclude(RUN, needing)
    file = tmp_path / "gaps.toml"
    file.write_text(draft_gaps(conclusion, Acceptance(expires=days_after(conclusion))), encoding="utf-8")
    with pytest.raises(AcceptedError, match=r"gap 1: reason: .*\n.*gap 1: owner: "):
        read_gaps(file, needing)


def test_a_run_with_nothing_open_says_so(needing: Catalogue) -> None:
    conclusion = conclude(run_of(*(check(name[-2:], "pass", name) for name in needing)), needing)
    for draft in (draft_waivers(conclusion, SIGNED), draft_gaps(conclusion, SIGNED)):
        assert "There is nothing to accept." in draft
