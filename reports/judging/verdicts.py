"""What the checks of a run say of each requirement: its verdict, why, and which reading the target follows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from contract.catalogue import Catalogue
from contract.gating import Gate
from contract.model import Basis, Level, Release, Requirement
from contract.unshown import NO_SUCH_MEMBERS
from reports.judging.completeness import covers_whole_suite
from reports.model import Check, Run, Verdict, worst

NO_CHECK_YET = "no check yet"
NOT_PART_OF_RUN = "its checks were not part of this run"
UNCLAIMED = "no check claims it, and contract/to_come.toml does not list it"
DECLARED: Final = re.compile(r"([A-Z0-9]+-[A-Z0-9]+-[0-9]+): the profile says in (\[(?:otherwise|dialect)\])")
"""How the reason of a check begins that was left out because a table of the profile has a requirement otherwise."""


@dataclass(frozen=True, kw_only=True)
class RequirementResult:
    """What a run says of one requirement.

    Attributes:
        reason: why the verdict is not ``pass``; empty where it is.
        decides: what would decide it, where it is inconclusive; each setting once.
        excused: it has no verdict because nobody can test it or nobody wrote a check yet.
        checks: the checks that claim it.
        readings: the readings that they saw, each once.
    """

    requirement: Requirement
    verdict: Verdict
    reason: str = ""
    decides: tuple[str, ...] = ()
    excused: bool = False
    checks: tuple[Check, ...] = ()
    readings: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of the requirement."""
        return self.requirement.id

    @property
    def reading(self) -> str | None:
        """The reading that the target follows; ``mixed: a, b`` where the checks saw several."""
        if len(self.readings) > 1:
            return f"mixed: {', '.join(self.readings)}"
        return self.readings[0] if self.readings else None

    @property
    def watched(self) -> int | None:
        """How many exchanges watchers looked at for it; ``None`` where it is decided by checks alone."""
        return next((check.watched for check in self.checks if check.watched is not None), None)

    @property
    def failures(self) -> tuple[Check, ...]:
        """The checks that failed."""
        return tuple(check for check in self.checks if check.verdict is Verdict.FAIL)

    @property
    def endangers(self) -> bool:
        """It fails in what no gateway may do; a refusal in other words than the usual ones is no such failure."""
        return self.requirement.safety and any(
            check.failure is None or not check.failure.refused for check in self.failures
        )

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Orders failures, worst first: safety, then the level, then who says so."""
        levels, bases = list(Level), list(Basis)
        return not self.endangers, levels.index(self.requirement.level), bases.index(self.requirement.basis)

    def gates_failing(self, gate: Gate) -> bool:
        """Return whether its failure makes the target not conforming."""
        return self.endangers or gate.demands(self.requirement)

    def gates_undecided(self, gate: Gate) -> bool:
        """Return whether the run is undecided as long as it is."""
        return gate.requires(self.requirement)


def judge(run: Run, catalogue: Catalogue) -> Mapping[str, RequirementResult]:
    """Judge every requirement of the catalogue by the checks of a run, in the order of the catalogue."""
    claims: dict[str, list[Check]] = defaultdict(list)
    for check in run.checks:
        for claimed in check.requirements:
            claims[claimed].append(check)
    whole = covers_whole_suite(run)
    return MappingProxyType(
        {
            name: _claimed(requirement, claims[name])
            if name in claims
            else _unclaimed(requirement, catalogue, run, whole=whole)
            for name, requirement in catalogue.items()
        }
    )


def _claimed(requirement: Requirement, checks: Sequence[Check]) -> RequirementResult:
    deciding = deciding_checks(checks)
    verdict = worst([check.verdict for check in deciding])
    decisive = [check for check in deciding if check.verdict is verdict]
    if verdict is Verdict.NOT_APPLICABLE and (declared := _declared_otherwise(requirement, decisive)):
        other, table = declared
        return RequirementResult(
            requirement=requirement,
            verdict=Verdict.INCONCLUSIVE,
            reason=f"the check that decides it also decides {other}, of which the profile says in {table} that it is "
            "met otherwise",
            decides=(f"a profile whose {table} leaves {other} as it is",),
            checks=tuple(checks),
        )
    if verdict is Verdict.PASS and not requirement.safety and (blank := _without_members(deciding)):
        verdict, decisive = Verdict.NOT_APPLICABLE, blank
    reason = "" if verdict is Verdict.PASS else decisive[0].reason
    others = len(_once(check.reason for check in decisive)) - 1
    if reason and others > 0:
        reason = f"{reason} (and {others} more)"
    return RequirementResult(
        requirement=requirement,
        verdict=verdict,
        reason=reason,
        decides=_once(check.decides for check in decisive if check.decides),
        checks=tuple(checks),
        readings=_once(
            followed.reading
            for check in checks
            for followed in check.readings
            if followed.requirement == requirement.id
        ),
    )


def _declared_otherwise(requirement: Requirement, checks: Iterable[Check]) -> tuple[str, str] | None:
    """Return another requirement because of which alone these checks were left out, and the table that says so.

    Nobody may declare this one.
    """
    if requirement.basis is Basis.PLATFORM and not requirement.safety:
        return None
    found = [match for check in checks if (match := DECLARED.match(check.reason))]
    return next(((match[1], match[2]) for match in found if match[1] != requirement.id), None)


def _without_members(checks: Iterable[Check]) -> list[Check]:
    """Return the checks that missed a member which the profile says the target does not have.

    A requirement says of that member what nobody could see; what its other checks passed is not all that it says.
    """
    return [check for check in checks if check.verdict is Verdict.NOT_APPLICABLE and check.reason == NO_SUCH_MEMBERS]


def deciding_checks(checks: Sequence[Check]) -> Sequence[Check]:
    """Leave out the supplementary checks that decided nothing, where others speak of the same requirement."""
    idle = (Verdict.INCONCLUSIVE, Verdict.NOT_APPLICABLE)
    return [check for check in checks if not (check.supplementary and check.verdict in idle)] or checks


def _unclaimed(requirement: Requirement, catalogue: Catalogue, run: Run, *, whole: bool) -> RequirementResult:
    if not requirement.holds_for(Release(run.header.release)):
        return RequirementResult(
            requirement=requirement,
            verdict=Verdict.NOT_APPLICABLE,
            reason=_out_of_range(requirement, run.header.release),
        )
    excuse = ""
    if requirement.not_testable:
        excuse = f"not testable: {requirement.not_testable}"
    elif requirement.id in catalogue.to_come:
        excuse = NO_CHECK_YET
    reason = excuse or (UNCLAIMED if whole else NOT_PART_OF_RUN)
    return RequirementResult(requirement=requirement, verdict=Verdict.NOT_RUN, reason=reason, excused=bool(excuse))


def _out_of_range(requirement: Requirement, release: str) -> str:
    since = f"holds since {requirement.since}" if requirement.since else ""
    until = f"held until {requirement.until}" if requirement.until else ""
    return f"{' and '.join(filter(None, (since, until)))}; the target claims release {release}"


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def unknown_claims(run: Run, catalogue: Catalogue) -> tuple[str, ...]:
    """Return ids that checks claim and the catalogue does not have."""
    return _once(name for check in run.checks for name in check.requirements if name not in catalogue)
