"""The gate: one verdict for the whole run, in words and as an exit status.

A proven failure outweighs an error of the suite, and that outweighs what is undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from contract.gating import Gate
from reports.judging.verdicts import RequirementResult
from reports.judging.waivers import WaiverResult, WaiverState
from reports.model import Run, Verdict


class RunVerdict(StrEnum):
    """What a run says of its target."""

    CONFORMING = "conforming"
    NOT_CONFORMING = "not_conforming"
    UNDECIDED = "undecided"
    BROKEN = "broken"


EXIT_STATUS: Mapping[RunVerdict, int] = MappingProxyType(
    {
        RunVerdict.CONFORMING: 0,
        RunVerdict.NOT_CONFORMING: 1,
        RunVerdict.UNDECIDED: 3,
        RunVerdict.BROKEN: 4,
    }
)
WRONG_USAGE = 2


@dataclass(frozen=True)
class GateDecision:
    """The verdict of a run.

    Attributes:
        reasons: what led to it, most important first, each a phrase; empty where the target conforms.
    """

    verdict: RunVerdict
    reasons: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """What the process ends with."""
        return EXIT_STATUS[self.verdict]


@dataclass(frozen=True, kw_only=True)
class Findings:
    """All that the gate looks at.

    Attributes:
        run: the run.
        results: what it says of each requirement.
        waived: ids of the failing requirements all of whose failures are waived.
        waivers: what became of the waivers.
        incomplete: why the run is not complete.
        unknown: ids that checks claim and the catalogue does not have.
    """

    run: Run
    results: Mapping[str, RequirementResult]
    waived: frozenset[str] = frozenset()
    waivers: Sequence[WaiverResult] = ()
    incomplete: Sequence[str] = ()
    unknown: Sequence[str] = ()


def decide(findings: Findings, gate: Gate) -> GateDecision:
    """Decide what a run says of its target.

    Args:
        findings: what the run found.
        gate: which requirements hold a release.
    """
    found = {
        RunVerdict.NOT_CONFORMING: tuple(_failures(findings, gate)),
        RunVerdict.BROKEN: tuple(_errors(findings)),
        RunVerdict.UNDECIDED: (*findings.incomplete, *_undecided(findings, gate)),
    }
    verdict = next((verdict for verdict, reasons in found.items() if reasons), RunVerdict.CONFORMING)
    return GateDecision(verdict, tuple(reason for reasons in found.values() for reason in reasons))


def _failures(findings: Findings, gate: Gate) -> Iterator[str]:
    failing = [
        result
        for result in findings.results.values()
        if result.verdict is Verdict.FAIL and result.id not in findings.waived and result.gates_failing(gate)
    ]
    if failing:
        failing.sort(key=lambda result: result.rank)
        dangers = [result.id for result in failing if result.endangers]
        which = f" ({_some(dangers)})" if 0 < len(dangers) < len(failing) else ""
        safety = f", {len(dangers)} of them in what no gateway may do{which}" if dangers else ""
        yield f"{_counted([result.id for result in failing], 'requirement')} failed{safety}"
    stale = [found.waiver.subject for found in findings.waivers if found.state is WaiverState.STALE]
    if gate.strict and stale:
        yield f"{_counted(stale, 'waiver')} stale"


def _errors(findings: Findings) -> Iterator[str]:
    run = findings.run
    broken = [check.id for check in run.checks if check.verdict is Verdict.ERROR]
    if broken:
        yield f"{_counted(broken, 'check')} ended in an error of the suite"
    unclaimed = [check.id for check in run.checks if check.verdict is Verdict.FAIL and not check.requirements]
    if unclaimed:
        yield f"{_counted(unclaimed, 'check')} failed without claiming a requirement"
    if findings.unknown:
        yield f"{_counted(findings.unknown, 'claimed requirement')} not in the catalogue"
    yield from run.footer.errors if run.footer else ()


def _undecided(findings: Findings, gate: Gate) -> Iterator[str]:
    required = [result for result in findings.results.values() if result.gates_undecided(gate)]
    for verdict, fate in ((Verdict.INCONCLUSIVE, "could not be decided"), (Verdict.NOT_RUN, "without a verdict")):
        found = [result for result in required if result.verdict is verdict and not result.excused]
        for_safety = sum(not gate.demands(result.requirement) for result in found)
        aside = f", {for_safety} of them for safety alone" if for_safety else ""
        if found:
            yield f"{_counted([result.id for result in found], 'required requirement')} {fate}{aside}"


def _counted(names: Sequence[str], noun: str) -> str:
    return f"{len(names)} {noun}{'s' if len(names) > 1 else ''} ({_some(names)})"


def _some(names: Sequence[str], shown: int = 3) -> str:
    return ", ".join(names[:shown]) + (", …" if len(names) > shown else "")
