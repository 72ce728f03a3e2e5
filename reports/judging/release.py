"""Which release a target shows itself to be: what came with each release, and whether it is kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from contract.model import RELEASES
from reports.judging.verdicts import RequirementResult
from reports.model import Verdict


@dataclass(frozen=True, kw_only=True)
class ReleaseEvidence:
    """What a run says of one release.

    Attributes:
        release: its number.
        kept: ids of requirements that came with it, or went with the one before, and are kept.
        broken: ids of those that fail.
    """

    release: str
    kept: tuple[str, ...]
    broken: tuple[str, ...]


def release_evidence(results: Iterable[RequirementResult]) -> tuple[ReleaseEvidence, ...]:
    """Return what a run says of each release that it decided anything about, oldest first.

    Only requirements that concern the claimed release are judged, so that this supports the claim or contradicts it;
    another release is found by a run that claims it.
    """
    decided = [result for result in results if result.verdict in {Verdict.PASS, Verdict.FAIL}]
    found = []
    for release in RELEASES:
        own = [result for result in decided if release in {result.requirement.since, result.requirement.until}]
        if own:
            found.append(
                ReleaseEvidence(
                    release=release,
                    kept=tuple(result.id for result in own if result.verdict is Verdict.PASS),
                    broken=tuple(result.id for result in own if result.verdict is Verdict.FAIL),
                )
            )
    return tuple(found)
