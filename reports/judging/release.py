"""Which release a target shows itself to be: what came with each release, and whether it is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from contract.model import RELEASES, Basis
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

    @property
    def is_there(self) -> bool:
        """Most of what changed with it is as it should be."""
        return len(self.kept) > len(self.broken)


@dataclass(frozen=True, kw_only=True)
class ReleaseFingerprint:
    """Which release the target really is, as far as a run that claims one can show.

    Attributes:
        likely: the newest release up to which most of every change is there; ``None``: nothing shows any.
        contradicting: ids of requirements that speak against the likely release: those of it, or of an older one,
            that are broken.
        beyond: ids of requirements of newer releases that are kept nevertheless.
    """

    claimed: str
    likely: str | None
    evidence: tuple[ReleaseEvidence, ...]
    contradicting: tuple[str, ...]
    beyond: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What it comes to."""
        if self.likely is None:
            return f"It claims release {self.claimed}; nothing of this run shows which one it is."
        if not any(found.release == self.claimed for found in self.evidence) or self.likely == self.claimed:
            agrees = "as it claims" if self.likely == self.claimed else f"and claims {self.claimed}"
            return f"It behaves as release {self.likely}, {agrees}."
        return f"It claims release {self.claimed} and behaves as {self.likely}: most of what came later is not there."


def release_evidence(results: Iterable[RequirementResult]) -> tuple[ReleaseEvidence, ...]:
    """Return what a run says of each release that it decided anything about, oldest first.

    Only requirements that concern the claimed release are judged, so that this supports the claim or contradicts it;
    whether the target is newer than it claims is found by a run that claims the newer release.
    """
    decided = [
        result
        for result in results
        # What public documents alone say is no news of a release.
        if result.verdict in {Verdict.PASS, Verdict.FAIL} and result.requirement.basis is Basis.SPECIFICATION
    ]
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


def release_fingerprint(claimed: str, results: Iterable[RequirementResult]) -> ReleaseFingerprint:
    """Return which release the target really is, with what speaks for it and against it."""
    evidence = release_evidence(results)
    likely = _likely(evidence)
    reached = [found for found in evidence if likely and RELEASES.index(found.release) <= RELEASES.index(likely)]
    later = [found for found in evidence if found not in reached]
    return ReleaseFingerprint(
        claimed=claimed,
        likely=likely,
        evidence=evidence,
        contradicting=tuple(name for found in reached for name in found.broken),
        beyond=tuple(name for found in later for name in found.kept) if likely else (),
    )


def _likely(evidence: Sequence[ReleaseEvidence]) -> str | None:
    if not evidence:
        return None
    likely = None
    for found in evidence:
        if not found.is_there:
            before = RELEASES.index(found.release) - 1
            return likely or (RELEASES[before] if before >= 0 else None)
        likely = found.release
    return likely
