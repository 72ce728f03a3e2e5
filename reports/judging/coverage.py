"""How much of what concerns a target a run decided, for the headline: a green verdict says what it doesn't speak of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from reports.judging.verdicts import RequirementResult
from reports.model import Verdict


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Numbers of requirements.

    Attributes:
        concerned: those that concern the target and that somebody can test: all below but ``elsewhere``.
        kept: those that passed.
        failed: those that failed.
        not_covered: those that a gap accepts as not covered.
        undecided: those that were to be decided and were not.
        unchecked: those that no check speaks of yet.
        elsewhere: those that do not apply to the target.
    """

    concerned: int
    kept: int
    failed: int
    not_covered: int
    undecided: int
    unchecked: int
    elsewhere: int


def coverage(results: Iterable[RequirementResult]) -> Coverage:
    """Count the requirements of a run; what nobody can test from outside counts nowhere."""
    testable = [result for result in results if not (result.excused and result.requirement.not_testable)]
    found = Counter(result.verdict for result in testable if not result.excused)
    unchecked = sum(result.excused for result in testable)
    return Coverage(
        concerned=len(testable) - found[Verdict.NOT_APPLICABLE],
        kept=found[Verdict.PASS],
        failed=found[Verdict.FAIL],
        not_covered=found[Verdict.NOT_COVERED],
        undecided=found[Verdict.INCONCLUSIVE] + found[Verdict.NOT_RUN] + found[Verdict.ERROR],
        unchecked=unchecked,
        elsewhere=found[Verdict.NOT_APPLICABLE],
    )
