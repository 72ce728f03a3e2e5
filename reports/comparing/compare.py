"""What changed between two runs, requirement by requirement: two ``conformance.json`` are enough."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, ValidationError

from reports.model import SCHEMA, VERDICT_WORDS, Record, Verdict
from reports.text import one_line

_WIDTH = 300


class CompareError(Exception):
    """A file cannot be compared; the message names it."""


class JudgedRequirement(Record):
    """A requirement as ``conformance.json`` has it."""

    id: str
    verdict: Verdict
    sentence: str = ""
    reading: str | None = None
    reason: str = ""
    waived: bool = False


class Judged(Record):
    """What is compared of ``conformance.json``."""

    schema_version: Annotated[int, Field(alias="schema")]
    verdict: str
    release: str
    target: Mapping[str, object] = Field(default_factory=dict)
    suite_version: str = ""
    started: str = ""
    commit: str = ""
    complete: bool
    requirements: tuple[JudgedRequirement, ...]


_Change = Callable[[Verdict, Verdict], bool]
_OPEN = frozenset({Verdict.INCONCLUSIVE, Verdict.NOT_RUN, Verdict.ERROR})
_DECIDED = frozenset({Verdict.PASS, Verdict.FAIL})
_CHANGES: Mapping[str, _Change] = MappingProxyType(
    {
        "newly failing": lambda before, after: after is Verdict.FAIL and before is not Verdict.FAIL,
        "newly undecided": lambda before, after: after in _OPEN and before is Verdict.PASS,
        "no longer covered, which is accepted": lambda before, after: (
            after is Verdict.NOT_COVERED and before in _DECIDED
        ),
        "fixed": lambda before, after: before is Verdict.FAIL and after is Verdict.PASS,
        "failed before, and no verdict now": lambda before, after: before is Verdict.FAIL and after in _OPEN,
        "no longer applicable": lambda before, after: (
            after is Verdict.NOT_APPLICABLE and before is not Verdict.NOT_APPLICABLE
        ),
        "newly decided": lambda before, after: after is Verdict.PASS and before in _OPEN | {Verdict.NOT_COVERED},
    }
)
"""Each kind of change, known by the verdict before and after; the first that fits counts."""
REGRESSIONS = ("newly failing", "newly undecided")
ADDED, REMOVED = "added", "removed"


@dataclass(frozen=True)
class Changed:
    """A requirement whose verdict changed, or that only one of the runs knows."""

    before: JudgedRequirement | None
    after: JudgedRequirement | None

    @property
    def id(self) -> str:
        """The id of the requirement."""
        known = self.after or self.before
        return known.id if known else ""


@dataclass(frozen=True)
class Comparison:
    """The difference of two runs.

    Attributes:
        notes: what makes the runs hard to compare, in words.
        changes: requirements by kind of change.
        readings: requirements of which the second run shows another legitimate reading; no change for the worse.
    """

    notes: tuple[str, ...]
    changes: Mapping[str, tuple[Changed, ...]]
    readings: tuple[Changed, ...] = ()

    @property
    def regressed(self) -> bool:
        """Return whether the second run is worse in anything."""
        return any(self.changes[kind] for kind in REGRESSIONS)


def read_judged(file: Path) -> Judged:
    """Read a ``conformance.json``.

    Raises:
        CompareError: it cannot be read, or is none.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        judged = Judged.model_validate(document)
    except OSError as error:
        raise CompareError(f"{file}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        found = error.errors(include_input=False)[0]
        place = ".".join(map(str, found["loc"]))
        raise CompareError(f"{file}: is no conformance.json: {place}: {found['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise CompareError(f"{file}: is not JSON") from error
    if judged.schema_version != SCHEMA:
        raise CompareError(f"{file}: has schema {judged.schema_version}, and this version reads schema {SCHEMA}")
    return judged


def compare(old: Judged, new: Judged) -> Comparison:
    """Compare two runs."""
    before = {requirement.id: requirement for requirement in old.requirements}
    after = {requirement.id: requirement for requirement in new.requirements}
    changes: dict[str, list[Changed]] = {kind: [] for kind in (*_CHANGES, ADDED, REMOVED)}
    for name in dict.fromkeys((*before, *after)):
        changed = Changed(before.get(name), after.get(name))
        if kind := _kind(changed):
            changes[kind].append(changed)
    readings = [
        Changed(before[name], after[name])
        for name in before.keys() & after.keys()
        if before[name].reading and after[name].reading and before[name].reading != after[name].reading
    ]
    return Comparison(
        tuple(_notes(old, new)),
        {kind: tuple(found) for kind, found in changes.items()},
        tuple(sorted(readings, key=lambda changed: changed.id)),
    )


def _kind(changed: Changed) -> str | None:
    if changed.before is None:
        return ADDED
    if changed.after is None:
        return REMOVED
    before, after = changed.before.verdict, changed.after.verdict
    return next((kind for kind, fits in _CHANGES.items() if fits(before, after)), None)


def _notes(old: Judged, new: Judged) -> Iterator[str]:
    for name in ("release", "suite_version"):
        if getattr(old, name) != getattr(new, name):
            yield f"the runs have another {name.replace('_', ' ')}: {getattr(old, name)}, then {getattr(new, name)}"
    if old.target.get("name") != new.target.get("name"):
        yield f"the runs have another target: {old.target.get('name')}, then {new.target.get('name')}"
    for which, judged in (("first", old), ("second", new)):
        if not judged.complete:
            yield f"the {which} run is not complete"


def lines_of_comparison(comparison: Comparison) -> Iterator[str]:
    """Return a comparison in lines."""
    for note in comparison.notes:
        yield f"note: {one_line(note, _WIDTH)}"
    if not any(comparison.changes.values()):
        yield "No requirement changed."
    if comparison.readings:
        yield f"another reading followed ({len(comparison.readings)}):"
    for changed in comparison.readings:
        was, now = (each.reading if each else "" for each in (changed.before, changed.after))
        yield f"  {changed.id}: {one_line(was or '', _WIDTH)} -> {one_line(now or '', _WIDTH)}"
    for kind, found in comparison.changes.items():
        if not found:
            continue
        yield f"{kind} ({len(found)}):"
        for changed in found:
            was, now = _word(changed.before), _word(changed.after)
            about = changed.after or changed.before
            yield f"  {changed.id}: {was} -> {now}: {one_line(about.sentence if about else '', _WIDTH)}"
            if changed.after and changed.after.reason and kind in REGRESSIONS:
                yield f"    {one_line(changed.after.reason, _WIDTH)}"


def _word(requirement: JudgedRequirement | None) -> str:
    if requirement is None:
        return "unknown"
    waived = " (waived)" if requirement.waived else ""
    return VERDICT_WORDS[requirement.verdict] + waived
