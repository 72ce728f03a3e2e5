"""What the page shows of errors, lifecycle, readings and release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase

from reports.conclusion import Conclusion
from reports.findings.story import Step, story_of
from reports.judging.release import ReleaseFingerprint, release_fingerprint
from reports.learned.atlas import WHOLE_REQUEST, Atlas, AtlasOutcome, AtlasRow, atlas_of
from reports.learned.drawing import Drawing, drawings
from reports.learned.ledger import Former, LedgerRow, ledger_of
from reports.learned.lifecycle import Edge, EdgeState, Machine, machines
from reports.model import Answer, Check, Verdict

MAX_STEPS = 13
_WORTH_A_STORY = frozenset({EdgeState.MISSING, EdgeState.EXTRA, EdgeState.SILENT})


@dataclass(frozen=True, kw_only=True)
class ShownEdge:
    """A transition with the titles of the exchanges that show it."""

    edge: Edge
    steps: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True)
class ShownMachine:
    """The state machine of a protocol: both drawings, and what differs."""

    machine: Machine
    drawings: tuple[Drawing, Drawing]
    different: tuple[ShownEdge, ...]
    seen: tuple[ShownEdge, ...]
    untried: tuple[Edge, ...]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What came of one kind of wrong value: letters of answers, one for each that differs."""

    text: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class ShownOperation:
    """The atlas of one operation.

    Attributes:
        legend: each answer by its letter.
        lines: fields, each with a cell for every violation.
        whole: what is wrong with the request as a whole, with the letter of the answer.
    """

    operation: str
    violations: tuple[str, ...]
    legend: tuple[tuple[str, Answer], ...]
    lines: tuple[tuple[str, tuple[Cell, ...]], ...]
    whole: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Learned:
    """What the run learned, as the page shows it."""

    machines: tuple[ShownMachine, ...]
    atlas: Atlas
    operations: tuple[ShownOperation, ...]
    ledger: tuple[LedgerRow, ...]
    release: ReleaseFingerprint


def learned(conclusion: Conclusion, former: Former) -> Learned:
    """Return what a run learned.

    Args:
        conclusion: the run, judged.
        former: the readings that the run before showed.
    """
    atlas = atlas_of(conclusion.run)
    return Learned(
        machines=tuple(_machine(conclusion, machine) for machine in machines(conclusion.run) if machine.is_seen),
        atlas=atlas,
        operations=tuple(_operations(atlas)),
        ledger=tuple(ledger_of(conclusion.run, conclusion.results.values(), former)),
        release=release_fingerprint(conclusion.run.header.release, conclusion.results.values()),
    )


def former_document(page: Path) -> Path:
    """Return where the run before left its ``conformance.json``."""
    return page.parent / "earlier" / "latest" / "conformance.json"


def _machine(conclusion: Conclusion, machine: Machine) -> ShownMachine:
    return ShownMachine(
        machine=machine,
        drawings=drawings(machine),
        different=tuple(_edge(conclusion, edge) for edge in machine.edges if edge.state in _WORTH_A_STORY),
        seen=tuple(_edge(conclusion, edge) for edge in machine.edges if edge.state is EdgeState.SEEN),
        untried=tuple(edge for edge in machine.edges if edge.state is EdgeState.NEVER_TRIED),
    )


def _edge(conclusion: Conclusion, edge: Edge) -> ShownEdge:
    evidence = conclusion.run.evidence.get(edge.witness.evidence) if edge.witness else None
    exchanges = evidence.exchanges[-MAX_STEPS:] if evidence else ()
    return ShownEdge(edge=edge, steps=story_of(Check(id=edge.trigger, verdict=Verdict.PASS), exchanges))


def _operations(atlas: Atlas) -> Iterator[ShownOperation]:
    by_operation: dict[str, list[AtlasRow]] = {}
    for row in atlas.rows:
        by_operation.setdefault(row.operation, []).append(row)
    yield from (_operation(name, rows) for name, rows in by_operation.items())


def _operation(name: str, rows: Sequence[AtlasRow]) -> ShownOperation:
    legend: dict[Answer, str] = {}
    for row in rows:
        if row.answer is not None and row.answer.refused:
            legend.setdefault(_essence(row.answer), _letter(len(legend)))
    fields = [row for row in rows if row.field != WHOLE_REQUEST]
    violations = tuple(dict.fromkeys(row.violation for row in fields))
    names = dict.fromkeys(row.field for row in fields)
    return ShownOperation(
        operation=name,
        violations=violations,
        legend=tuple((letter, answer) for answer, letter in legend.items()),
        lines=tuple(
            (field, tuple(_cell(fields, field, violation, legend) for violation in violations)) for field in names
        ),
        whole=tuple((row.violation, _mark(row, legend)) for row in rows if row.field == WHOLE_REQUEST),
    )


def _essence(answer: Answer) -> Answer:
    return answer.model_copy(update={"items": ()})


def _letter(number: int) -> str:
    rounds, place = divmod(number, len(ascii_uppercase))
    return ascii_uppercase[place] + (str(rounds) if rounds else "")


def _cell(rows: Sequence[AtlasRow], field: str, violation: str, legend: dict[Answer, str]) -> Cell:
    found = [row for row in rows if row.field == field and row.violation == violation]
    kinds = [row.outcome for row in found]
    kind = "hole" if AtlasOutcome.HOLE in kinds else "unknown" if AtlasOutcome.UNKNOWN in kinds else "answered"
    return Cell(text=" ".join(dict.fromkeys(_mark(row, legend) for row in found)), kind=kind if found else "none")


def _mark(row: AtlasRow, legend: dict[Answer, str]) -> str:
    if row.answer is None:
        return "?"
    return legend[_essence(row.answer)] if row.answer.refused else "accepted"
