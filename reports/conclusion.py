"""All that is concluded from a run, put together once; every rendering shows this and judges nothing itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cached_property

from contract.catalogue import Catalogue
from contract.gating import Gap, Gate
from reports.findings.grouping import Finding, Groups, Weight, by_cause, finding_fingerprint, findings_of
from reports.findings.wording import title_of
from reports.judging.completeness import is_part_by_choice, missing
from reports.judging.coverage import Coverage, coverage
from reports.judging.fingerprint import fingerprint
from reports.judging.gaps import GapResult, apply_gaps, joined
from reports.judging.gate import Findings, GateDecision, decide
from reports.judging.headline import sentence
from reports.judging.left_behind import in_words
from reports.judging.verdicts import RequirementResult, judge, unknown_claims
from reports.judging.waivers import Waiver, WaiverResult, apply_waivers, covered_checks
from reports.model import Check, Run, Verdict


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
        gaps: what became of each gap.
        incomplete: why the run is not complete; empty where it is.
        gate: the verdict of the run.
        policy: which requirements held it.
        groups: the failing checks by cause.
    """

    run: Run
    results: Mapping[str, RequirementResult]
    waived: frozenset[str]
    waivers: tuple[WaiverResult, ...]
    gaps: tuple[GapResult, ...]
    incomplete: tuple[str, ...]
    gate: GateDecision
    policy: Gate
    groups: Groups

    @cached_property
    def requirement_counts(self) -> dict[str, int]:
        """How many requirements have each verdict."""
        found = [result.verdict for result in self.results.values()]
        return {str(verdict): found.count(verdict) for verdict in Verdict}

    def with_verdict(self, verdict: Verdict) -> tuple[RequirementResult, ...]:
        """Return the requirements with a verdict: safety first, then what the gate counts; waived ones last."""
        found = [result for result in self.results.values() if result.verdict is verdict]
        return tuple(
            sorted(found, key=lambda result: (result.id in self.waived, not result.endangers, not self.gates(result)))
        )

    def gates(self, result: RequirementResult) -> bool:
        """Return whether the requirement, failing, makes the target not conforming."""
        return result.id not in self.waived and result.gates_failing(self.policy)

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
        return tuple(found for found in self.waivers if result.id in found.waiver.requirement)

    def fingerprint(self, result: RequirementResult, check: Check) -> str:
        """Return the fingerprint that a waiver of this failure names."""
        return fingerprint(result.id, check)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, by cause: what holds the gate first, what matters most before the rest."""
        return findings_of(self.groups, self.run, self.results, self.gating_checks)

    @cached_property
    def finding_of(self) -> Mapping[str, Finding]:
        """The finding that each failing check belongs to, by the id of the check."""
        return {check.id: found for found in self.findings for check in found.checks}

    def title(self, found: Finding) -> str:
        """Return what is wrong, in one sentence."""
        return title_of(found, self.results)

    def weight_of(self, found: Finding) -> str:
        """Return how a finding counts, in words: for example ``safety`` or ``money, does not gate``."""
        received = [found.weight.name.lower()] if found.weight is not Weight.OTHER else []
        if all(check.id in self.waived_checks for check in found.checks):
            received.append("waived")
        elif not any(check.id in self.gating_checks for check in found.checks):
            received.append("does not gate")
        return ", ".join(received)

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

    @cached_property
    def quiet(self) -> tuple[RequirementResult, ...]:
        """The failing requirements that the gate does not count and nobody waived, worst first."""
        failing = self.with_verdict(Verdict.FAIL)
        found = [result for result in failing if result.id not in self.waived and not self.gates(result)]
        return tuple(sorted(found, key=lambda result: result.rank))

    @cached_property
    def waived_failures(self) -> tuple[RequirementResult, ...]:
        """The failing requirements that are waived, worst first."""
        found = [result for result in self.with_verdict(Verdict.FAIL) if result.id in self.waived]
        return tuple(sorted(found, key=lambda result: result.rank))

    @cached_property
    def gating_checks(self) -> frozenset[str]:
        """The ids of the failing checks that hold the gate: these are failures in reports that know no gate."""
        gating = {result.id for result in self.with_verdict(Verdict.FAIL) if self.gates(result)}
        return frozenset(
            check.id
            for check in self.run.checks
            if check.verdict is Verdict.FAIL and (not check.requirements or gating.intersection(check.requirements))
        )

    @property
    def left(self) -> str:
        """What the run left on the target, in words; empty where nothing stays."""
        return in_words(self.run.footer.left_behind) if self.run.footer else ""

    @property
    def coverage(self) -> Coverage:
        """How much of what concerns the target was decided."""
        return coverage(self.results.values())

    @property
    def sentence(self) -> str:
        """The verdict in one sentence."""
        return sentence(
            self.run.header,
            self.gate,
            self.coverage,
            self.quiet,
            self.waived_failures,
            is_part=is_part_by_choice(self.run),
        )

    @property
    def strict(self) -> bool:
        """The gate counted what the contract recommends or leaves open."""
        return self.policy.strict


def _reasons(decides: str, results: Iterable[RequirementResult]) -> tuple[str, ...]:
    received = (
        check.reason
        for result in results
        for check in result.checks
        if check.verdict is Verdict.INCONCLUSIVE and check.decides == decides
    )
    return tuple(dict.fromkeys(received))


def conclude(
    run: Run,
    catalogue: Catalogue,
    waivers: Iterable[Waiver] = (),
    gaps: Iterable[Gap] = (),
    *,
    strict: bool = False,
) -> Conclusion:
    """Judge a run.

    Args:
        run: as it was read from its stream.
        catalogue: the requirements of the suite that made it.
        waivers: accepted failures; whether they have expired depends on the day on which the run was made.
        gaps: what is accepted as not covered, beside the gaps of the profile; likewise.
        strict: also count what the contract recommends or leaves open. A run that was strict stays so.
    """
    policy = run.header.gate.tightened() if strict or run.header.strict else run.header.gate
    found_gaps, results = apply_gaps(joined(run.header.gaps, gaps), judge(run, catalogue), _day(run))
    groups = by_cause(run)
    causes = {check.id: finding_fingerprint(cause) for cause, checks in groups.items() for check in checks}
    found = apply_waivers(waivers, results, causes, _day(run))
    waived = frozenset(
        result.id
        for result in results.values()
        if result.verdict is Verdict.FAIL and len(covered_checks(result, found, causes)) == len(result.failures)
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
        gaps=found_gaps,
        incomplete=missing(run),
        gate=decide(findings, policy),
        policy=policy,
        groups=groups,
    )


def moment(text: str) -> datetime:
    """Read a moment of the stream."""
    return datetime.fromisoformat(text)


def _day(run: Run) -> date:
    return moment(run.header.started).astimezone(UTC).date()
