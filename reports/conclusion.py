"""All that is concluded from a run, put together once; every rendering shows this and judges nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property

from contract.catalogue import Catalogue
from reports.completeness import missing
from reports.fingerprint import fingerprint
from reports.gate import Findings, GateDecision, RunVerdict, decide
from reports.model import Check, Run, Verdict
from reports.verdicts import RequirementResult, judge, unknown_claims
from reports.waivers import Waiver, WaiverResult, apply_waivers, covered_checks


@dataclass(frozen=True, kw_only=True)
class Undecided:
    """Requirements that the same thing would decide.

    Attributes:
        decides: what would decide them: which setting, or which circumstance.
        reasons: why they are undecided, each once.
    """

    decides: str
    reasons: tuple[str, ...]
    results: tuple[RequirementResult, ...]


@dataclass(frozen=True, kw_only=True)
class Conclusion:
    """A run, judged.

    Attributes:
        results: every requirement of the catalogue, in its order.
        waived: ids of the failing requirements all of whose failures are waived.
        waivers: what became of each waiver.
        incomplete: why the run is not complete; empty where it is.
        gate: the verdict of the run.
        strict: the gate counted what the contract recommends or leaves open.
    """

    run: Run
    results: Mapping[str, RequirementResult]
    waived: frozenset[str]
    waivers: tuple[WaiverResult, ...]
    incomplete: tuple[str, ...]
    gate: GateDecision
    strict: bool

    @cached_property
    def requirement_counts(self) -> dict[str, int]:
        """How many requirements have each verdict."""
        found = [result.verdict for result in self.results.values()]
        return {str(verdict): found.count(verdict) for verdict in Verdict}

    def with_verdict(self, verdict: Verdict) -> tuple[RequirementResult, ...]:
        """Return the requirements with a verdict, those that the gate counts first."""
        found = [result for result in self.results.values() if result.verdict is verdict]
        return tuple(sorted(found, key=lambda result: (result.id in self.waived, not self.gates(result))))

    def gates(self, result: RequirementResult) -> bool:
        """Tell whether the requirement, failing, makes the target not conforming."""
        return result.id not in self.waived and result.gates_failing(strict=self.strict)

    @cached_property
    def waived_checks(self) -> frozenset[str]:
        """The ids of the failing checks all of whose failing requirements are waived."""
        return frozenset(
            check.id
            for check in self.run.checks
            if check.verdict is Verdict.FAIL and check.requirements and self.waived.issuperset(check.requirements)
        )

    def waivers_for(self, result: RequirementResult) -> tuple[WaiverResult, ...]:
        """Return the waivers that name a requirement."""
        return tuple(found for found in self.waivers if found.waiver.requirement == result.id)

    def fingerprint(self, result: RequirementResult, check: Check) -> str:
        """Return the fingerprint that a waiver of this failure names."""
        return fingerprint(result.id, check)

    @cached_property
    def undecided(self) -> tuple[Undecided, ...]:
        """The inconclusive requirements, by what would decide them, most requirements first."""
        groups: dict[str, list[RequirementResult]] = {}
        for result in self.with_verdict(Verdict.INCONCLUSIVE):
            for decides in result.decides or ("",):
                groups.setdefault(decides, []).append(result)
        grouped = [
            Undecided(decides=decides, reasons=_reasons(decides, results), results=tuple(results))
            for decides, results in groups.items()
        ]
        return tuple(sorted(grouped, key=lambda group: -len(group.results)))

    @cached_property
    def without_verdict(self) -> Mapping[str, tuple[RequirementResult, ...]]:
        """The requirements that nothing of the run speaks of, by the reason for it."""
        groups: dict[str, list[RequirementResult]] = {}
        for result in self.with_verdict(Verdict.NOT_RUN):
            groups.setdefault(result.reason, []).append(result)
        return {reason: tuple(results) for reason, results in groups.items()}

    @property
    def duration_s(self) -> float:
        """Seconds from the first line of the run to its last; up to the last check where it was killed."""
        started = moment(self.run.header.started)
        if self.run.footer:
            return round((moment(self.run.footer.ended) - started).total_seconds(), 3)
        ends = [moment(check.started).timestamp() + check.duration_s for check in self.run.checks if check.started]
        return round(max(ends, default=started.timestamp()) - started.timestamp(), 3)

    @property
    def _not_covered(self) -> str:
        """What a green verdict does not speak of."""
        unchecked = sum(result.excused and not result.requirement.not_testable for result in self.results.values())
        elsewhere = self.requirement_counts[Verdict.NOT_APPLICABLE]
        idle = sum(check.supplementary and check.verdict is Verdict.INCONCLUSIVE for check in self.run.checks)
        told = [
            f"{unchecked} have no check yet" if unchecked else "",
            f"{elsewhere} do not apply" if elsewhere else "",
            f"{idle} checks by generated requests decided nothing" if idle else "",
        ]
        return "".join(f", {part}" for part in told if part)

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        target, release = self.run.header.target.name, self.run.header.release
        passed = self.requirement_counts[Verdict.PASS]
        opening = {
            RunVerdict.CONFORMING: f"{target} conforms to release {release} in all that was checked: "
            f"{passed} requirements are kept{self._not_covered}",
            RunVerdict.NOT_CONFORMING: f"{target} does not conform to release {release}",
            RunVerdict.UNDECIDED: f"Whether {target} conforms to release {release} could not be decided",
            RunVerdict.BROKEN: f"The suite itself broke, so {target} was not judged",
        }[self.gate.verdict]
        if self.gate.reasons:
            return f"{opening}: {self.gate.reasons[0]}."
        if self.waived:
            return f"{opening}, {len(self.waived)} more fail and are waived."
        return f"{opening}."


def _reasons(decides: str, results: Iterable[RequirementResult]) -> tuple[str, ...]:
    told = (
        check.reason
        for result in results
        for check in result.checks
        if check.verdict is Verdict.INCONCLUSIVE and check.decides == decides
    )
    return tuple(dict.fromkeys(told))


def conclude(run: Run, catalogue: Catalogue, waivers: Iterable[Waiver] = (), *, strict: bool = False) -> Conclusion:
    """Judge a run.

    Args:
        run: as it was read from its stream.
        catalogue: the requirements of the suite that made it.
        waivers: accepted failures; whether they have expired is told by the day on which the run was made.
        strict: also count what the contract recommends or leaves open. A run that was strict stays so.
    """
    strict = strict or run.header.strict
    results = judge(run, catalogue)
    found = apply_waivers(waivers, results, _day(run))
    waived = frozenset(
        result.id
        for result in results.values()
        if result.verdict is Verdict.FAIL and len(covered_checks(result, found)) == len(result.failures)
    )
    findings = Findings(
        run=run,
        results=results,
        waived=waived,
        waivers=found,
        incomplete=missing(run),
        unknown=unknown_claims(run, catalogue),
    )
    return Conclusion(
        run=run,
        results=results,
        waived=waived,
        waivers=found,
        incomplete=missing(run),
        gate=decide(findings, strict=strict),
        strict=strict,
    )


def moment(text: str) -> datetime:
    """Read a moment of the stream."""
    return datetime.fromisoformat(text)


def _day(run: Run) -> date:
    return moment(run.header.started).astimezone(UTC).date()
