"""Puts the phases of a check (set-up, call, tear-down) together to one :class:`reports.model.Check`.

The phases arrive as user properties of pytest's test reports, plain JSON types that survive the way from a worker.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar

from pydantic import Field, ValidationError

from reports.model import Change, Check, Exchange, Failure, FollowedReading, Json, Record, Verdict, worst
from reports.text import encodable

T = TypeVar("T")

CRASHED = "???"
"""The phase that xdist gives to the report of a check whose worker died."""


class Decision(Record):
    """What a phase decided."""

    verdict: Verdict
    reason: str = ""
    decides: str = ""
    lacks: str = ""


class PhaseFacts(Record):
    """What a phase reports."""

    title: str = ""
    requirements: tuple[str, ...] = ()
    verdict: Decision | None = None
    readings: tuple[FollowedReading, ...] = ()
    exchanges: tuple[Exchange, ...] = ()
    failure: Failure | None = None
    supplementary: bool = False
    change: Change | None = None
    malformed: str = Field(default="", exclude=True)


@dataclass(frozen=True, kw_only=True)
class Phase:
    """One phase of a check as pytest reports it.

    Attributes:
        when: setup, call, teardown, or the mark of a crash.
        outcome: passed, failed or skipped.
        start: seconds since the epoch.
        duration: seconds.
    """

    when: str
    outcome: str
    facts: PhaseFacts
    start: float = 0.0
    duration: float = 0.0


def facts_in(properties: Iterable[tuple[str, Json]]) -> PhaseFacts:
    """Read the user properties of a phase; what is malformed becomes an error of the suite."""
    found = {name: encodable(value) for name, value in properties}
    try:
        return PhaseFacts.model_validate({name: found[name] for name in PhaseFacts.model_fields if name in found})
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        reason = f"its user properties are malformed: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        return PhaseFacts(requirements=_names(found.get("requirements")), malformed=reason)


def _names(value: Json) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


@dataclass
class Recording:
    """The phases of the checks that are not finished yet, by node id.

    Attributes:
        open: phases so far.
    """

    open: dict[str, list[Phase]] = field(default_factory=dict)

    def add(self, node_id: str, phase: Phase) -> tuple[Check, tuple[Exchange, ...]] | None:
        """Take a phase; return the check and its exchanges when it was the last one.

        A check whose worker died stays open until the end of the run: only then it is known what it claims.
        """
        self.open.setdefault(node_id, []).append(phase)
        return self.finish(node_id) if phase.when == "teardown" else None

    def finish(self, node_id: str) -> tuple[Check, tuple[Exchange, ...]]:
        """Close a check, whether or not all of its phases came."""
        phases = self.open.pop(node_id)
        return check_of(node_id, phases), _latest([phase.facts.exchanges for phase in phases])


def check_of(node_id: str, phases: Sequence[Phase]) -> Check:
    """Judge a check by its phases: the worst decides."""
    decisions = [decision for phase in phases if (decision := _decision(phase))]
    ended = phases[-1].when in {"teardown", CRASHED}
    if not ended and not any(decision.verdict is Verdict.FAIL for decision in decisions):
        decisions = [Decision(verdict=Verdict.NOT_RUN, reason="the run was stopped while it ran")]
    elif not decisions:
        decisions = [Decision(verdict=Verdict.ERROR, reason="no verdict was recorded")]
    verdict = worst([decision.verdict for decision in decisions])
    decisive = next(decision for decision in decisions if decision.verdict is verdict)
    failure = next((phase.facts.failure for phase in phases if phase.facts.failure), None)
    return Check(
        id=node_id,
        title=_latest([phase.facts.title for phase in phases]),
        requirements=_latest([phase.facts.requirements for phase in phases]),
        verdict=verdict,
        reason=decisive.reason,
        decides=decisive.decides,
        lacks=decisive.lacks,
        readings=_latest([phase.facts.readings for phase in phases]),
        duration_s=round(sum(phase.duration for phase in phases), 4),
        started=timestamp(phases[0].start) if phases[0].start else "",
        failure=failure if verdict is Verdict.FAIL else None,
        supplementary=any(phase.facts.supplementary for phase in phases),
        change=_latest([phase.facts.change for phase in phases]),
    )


def _decision(phase: Phase) -> Decision | None:
    if phase.facts.malformed:
        return Decision(verdict=Verdict.ERROR, reason=phase.facts.malformed)
    if phase.when == CRASHED:
        return Decision(verdict=Verdict.NOT_RUN, reason="the worker process died while it ran")
    decision = phase.facts.verdict
    if phase.outcome == "failed" and (decision is None or decision.verdict is Verdict.PASS):
        return Decision(verdict=Verdict.ERROR, reason=f"its {phase.when} failed without a verdict")
    return decision


def _latest(values: Sequence[T]) -> T:
    return next((value for value in reversed(values) if value), values[-1])


def timestamp(seconds: float) -> str:
    """Return a moment as ISO 8601 in UTC, to the millisecond."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def not_started(node_id: str, requirements: Sequence[str]) -> Check:
    """Return a check that was collected and never started."""
    return Check(
        id=node_id, requirements=tuple(requirements), verdict=Verdict.NOT_RUN, reason="the run ended before it"
    )
