"""Gaps: what a target cannot show, accepted for a time. Read from TOML or from the profile, and applied to a run.

::

    [[gap]]
    need = "account:live_key"
    reason = "The sandbox has no account with a live key"
    owner = "payments team"
    expires = 2030-01-31
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from pathlib import Path

from pydantic import ValidationError

from contract.catalogue import Catalogue
from contract.gating import Gap, findings_of_gap
from reports.judging.accepted import AcceptedError, read_entries, worded
from reports.judging.verdicts import RequirementResult, deciding_checks
from reports.model import Verdict

ALLOWED: Mapping[str, str] = {
    "need": 'what the target does not have, as requirements name it, for example "account:live_key"',
    "requirement": "the id of a requirement, or a list of ids, without wildcards",
    "reason": "a sentence that says why it cannot be shown",
    "owner": "who accepts that",
    "expires": "the last day on which it is accepted, a TOML date such as 2030-01-31",
    "ticket": "text; it may be left out",
}
_DECIDED = frozenset({Verdict.PASS, Verdict.FAIL, Verdict.ERROR})


class GapState(StrEnum):
    """What became of a gap in a run."""

    COVERS = "covers"
    EXPIRED = "expired"
    CLOSED = "closed"
    IDLE = "idle"


GAP_SENTENCES: Mapping[GapState, str] = {
    GapState.COVERS: "what it covers is not covered by this run, and does not hold the gate",
    GapState.EXPIRED: "it has expired and covers nothing; make it decidable, or agree on a new date",
    GapState.CLOSED: "what it names could be decided; remove the gap",
    GapState.IDLE: "this run did not come to what it names",
}


@dataclass(frozen=True, kw_only=True)
class GapResult:
    """A gap and what became of it.

    Attributes:
        covered: ids of the requirements that it leaves not covered.
        decided: ids of the requirements that it names and that were decided all the same.
    """

    gap: Gap
    state: GapState
    covered: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()


def read_gaps(file: Path, catalogue: Catalogue) -> tuple[Gap, ...]:
    """Read a file of gaps.

    Args:
        file: TOML with ``[[gap]]`` tables.
        catalogue: the requirements that a gap can name.

    Raises:
        AcceptedError: the file cannot be read, or an entry is not as it must be.
    """
    gaps: list[Gap] = []
    findings: list[str] = []
    for number, entry in enumerate(read_entries(file, "gap"), start=1):
        place = f"{file.name}: gap {number}"
        try:
            gap = Gap.model_validate(entry)
        except ValidationError as error:
            findings += [f"{place}: {finding}" for finding in worded(error, ALLOWED, "gap")]
            continue
        findings += [f"{place}: {finding}" for finding in findings_of_gap(gap, catalogue)]
        gaps.append(gap)
    if findings:
        raise AcceptedError("\n".join(findings))
    return tuple(gaps)


def apply_gaps(
    gaps: Sequence[Gap], results: Mapping[str, RequirementResult], today: date
) -> tuple[tuple[GapResult, ...], Mapping[str, RequirementResult]]:
    """Leave what gaps accept not covered.

    Args:
        gaps: from the profile and from a file.
        results: what the run says of each requirement.
        today: the day on which the run was made.

    Returns:
        What became of each gap, and the results in which requirements that are undecided for no other reason are
        *not covered*.
    """
    accepted = [gap for gap in gaps if gap.expires >= today]
    covering = {
        name: found
        for name, result in results.items()
        if result.verdict is Verdict.INCONCLUSIVE and (found := _covering(result, accepted))
    }
    received = tuple(_result(gap, results, covering, today) for gap in gaps)
    left = {
        name: replace(result, verdict=Verdict.NOT_COVERED, reason=_reason(covering[name][0]))
        if name in covering
        else result
        for name, result in results.items()
    }
    return received, left


def _covering(result: RequirementResult, gaps: Sequence[Gap]) -> tuple[Gap, ...]:
    """Return the gaps that together accept all that is undecided about a requirement; none where something is left."""
    found: dict[Gap, None] = {}
    for check in deciding_checks(result.checks):
        if check.verdict is not Verdict.INCONCLUSIVE:
            continue
        fitting = [gap for gap in gaps if gap.names(result.id, (check.lacks,))]
        if not fitting:
            return ()
        found |= dict.fromkeys(fitting)
    return tuple(found)


def _result(
    gap: Gap,
    results: Mapping[str, RequirementResult],
    covering: Mapping[str, tuple[Gap, ...]],
    today: date,
) -> GapResult:
    named = [result for result in results.values() if gap.names(result.id, result.requirement.needs)]
    covered = tuple(name for name, gaps in covering.items() if gap in gaps)
    decided = tuple(result.id for result in named if result.verdict in _DECIDED)
    if gap.expires < today:
        state = GapState.EXPIRED
    elif covered:
        state = GapState.COVERS
    else:
        state = GapState.CLOSED if decided else GapState.IDLE
    return GapResult(gap=gap, state=state, covered=covered, decided=decided)


def _reason(gap: Gap) -> str:
    return f"not covered, accepted by {gap.owner} until {gap.expires.isoformat()}: {gap.reason}"


def joined(*sources: Iterable[Gap]) -> tuple[Gap, ...]:
    """Return the gaps of several sources, each once."""
    return tuple(dict.fromkeys(gap for source in sources for gap in source))
