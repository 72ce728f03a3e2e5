"""What differs between two runs of the same checks, by requirement: intended by the release, undocumented, regression.

The runs may be of two targets, or of two releases of one. Beside verdicts, answers to the same requests and the moves
of payments are compared, since a target can behave otherwise without breaking anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from contract.model import Release, Requirement
from reports.conclusion import Conclusion
from reports.findings.story import Step, story_of
from reports.judging.verdicts import RequirementResult
from reports.learned.lifecycle import machines
from reports.model import VERDICT_WORDS, Answer, Check, Verdict

MAX_SIDES = 3
"""Checks of a requirement whose requests are shown side by side."""


class Kind(StrEnum):
    """What a difference is, worst first."""

    REGRESSION = "regression"
    UNDOCUMENTED = "undocumented"
    OPEN = "decided in one run only"
    FIXED = "fixed"
    INTENDED = "intended by the release"


@dataclass(frozen=True, kw_only=True)
class Side:
    """One check in both runs, request by request."""

    check: str
    before: tuple[Step, ...]
    after: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How a requirement differs.

    Attributes:
        says: what differs, in words; each once.
        sides: the exchanges of the checks that show it, side by side.
    """

    kind: Kind
    requirement: Requirement
    says: tuple[str, ...]
    sides: tuple[Side, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Differential:
    """All differences of two runs, worst first.

    Attributes:
        notes: what makes the runs hard to compare.
    """

    before: Conclusion
    after: Conclusion
    notes: tuple[str, ...]
    differences: tuple[Difference, ...]

    def counted(self) -> Mapping[Kind, int]:
        """Return how many differences there are of each kind."""
        kinds = [found.kind for found in self.differences]
        return {kind: kinds.count(kind) for kind in Kind}

    def by_kind(self) -> Mapping[Kind, tuple[Difference, ...]]:
        """Return the differences of each kind that there is, worst first."""
        return {
            kind: tuple(each for each in self.differences if each.kind is kind)
            for kind, count in self.counted().items()
            if count
        }

    @property
    def regressed(self) -> bool:
        """Something that was kept is broken."""
        return any(found.kind is Kind.REGRESSION for found in self.differences)


def differential(before: Conclusion, after: Conclusion) -> Differential:
    """Compare two runs; the second is looked at as what came of the first."""
    moves = {} if _only_in_one(before, after) else _moves(before, after)
    checks = {check.id: check for check in after.run.checks}
    found = [
        difference
        for name, result in before.results.items()
        if name in after.results
        and (difference := _difference(_Pair(before, after, checks), result, after.results[name], moves.get(name, ())))
    ]
    order = list(Kind)
    return Differential(
        before=before,
        after=after,
        notes=tuple(_notes(before, after)),
        differences=tuple(sorted(found, key=lambda each: order.index(each.kind))),
    )


@dataclass(frozen=True)
class _Pair:
    """Both runs, and the checks of the second by id."""

    before: Conclusion
    after: Conclusion
    checks: Mapping[str, Check]


def _difference(runs: _Pair, was: RequirementResult, now: RequirementResult, moves: Sequence[str]) -> Difference | None:
    checks = runs.checks
    pairs = [(check, checks[check.id]) for check in was.checks if check.id in checks and check.watched is None]
    other = [(one, two) for one, two in pairs if _essence(one.answer) != _essence(two.answer)]
    says = [*_verdicts(was, now), *_readings(was, now), *(_answers(one, two) for one, two in other), *moves]
    if not says:
        return None
    shown = other or [(one, two) for one, two in pairs if one.verdict is not two.verdict]
    return Difference(
        kind=_kind(runs, was, now),
        requirement=now.requirement,
        says=tuple(dict.fromkeys(says)),
        sides=tuple(_side(runs, one, two) for one, two in shown[:MAX_SIDES]),
    )


def _kind(runs: _Pair, was: RequirementResult, now: RequirementResult) -> Kind:
    releases = Release(runs.before.run.header.release), Release(runs.after.run.header.release)
    if len({now.requirement.holds_for(release) for release in releases}) > 1:
        return Kind.INTENDED
    if now.verdict is Verdict.FAIL and was.verdict is Verdict.PASS:
        return Kind.REGRESSION
    if was.verdict is Verdict.FAIL and now.verdict is Verdict.PASS:
        return Kind.FIXED
    return Kind.UNDOCUMENTED if was.verdict is now.verdict else Kind.OPEN


def _verdicts(was: RequirementResult, now: RequirementResult) -> Iterator[str]:
    if was.verdict is not now.verdict:
        yield f"{VERDICT_WORDS[was.verdict]}, then {VERDICT_WORDS[now.verdict]}"


def _readings(was: RequirementResult, now: RequirementResult) -> Iterator[str]:
    if was.readings and now.readings and set(was.readings) != set(now.readings):
        yield f"reading {', '.join(was.readings)}, then {', '.join(now.readings)}"


def _essence(answer: Answer | None) -> Answer | None:
    """Return what of an answer is the same on another day: what it says of single fields can quote values."""
    return answer.model_copy(update={"items": ()}) if answer else None


def _answers(one: Check, two: Check) -> str:
    return f"{_said(one.answer)}, then {_said(two.answer)}"


def _said(answer: Answer | None) -> str:
    if answer is None:
        return "not refused"
    words = f"{answer.code} {answer.message}".strip()
    return f"{answer.operation}: HTTP {answer.status}{f' {words}' if words else ''}"


def _side(runs: _Pair, one: Check, two: Check) -> Side:
    return Side(
        check=one.id,
        before=story_of(one, runs.before.run.exchanges_of(one)),
        after=story_of(two, runs.after.run.exchanges_of(two)),
    )


def _moves(before: Conclusion, after: Conclusion) -> Mapping[str, Sequence[str]]:
    """Return the transitions that only one run saw, by the requirements that speak of them."""
    seen = [_seen(conclusion) for conclusion in (before, after)]
    found: dict[str, list[str]] = {}
    for words, names in (*seen[0].items(), *seen[1].items()):
        if (words in seen[0]) != (words in seen[1]):
            which = "first" if words in seen[0] else "second"
            for name in names:
                found.setdefault(name, []).append(f"{words}: in the {which} run only")
    return found


def _seen(conclusion: Conclusion) -> Mapping[str, tuple[str, ...]]:
    return {
        f"{edge.protocol} {edge.before} by {edge.trigger} to {edge.outcome}": edge.requirements
        for machine in machines(conclusion.run)
        for edge in machine.edges
        if edge.count
    }


def _notes(before: Conclusion, after: Conclusion) -> Iterator[str]:
    one, two = before.run.header, after.run.header
    if one.seed != two.seed:
        yield f"the runs have another seed: {one.seed}, then {two.seed}; generated requests differ"
    if one.suite_version != two.suite_version:
        yield f"the runs are of another version of the suite: {one.suite_version}, then {two.suite_version}"
    for which, conclusion in (("first", before), ("second", after)):
        if conclusion.incomplete:
            yield f"the {which} run is not complete"
    if only := _only_in_one(before, after):
        yield f"{only} checks are in one of the runs only, so that what happened to payments is not compared"


def _only_in_one(before: Conclusion, after: Conclusion) -> int:
    return len({check.id for check in before.run.checks} ^ {check.id for check in after.run.checks})


def lines_of_differential(found: Differential, *, most: int = 12) -> Iterator[str]:
    """Return a differential as lines for a terminal, at most a screen."""
    for note in found.notes:
        yield f"note: {note}"
    counted = [f"{count} {kind}" for kind, count in found.counted().items() if count]
    yield f"{len(found.differences)} requirements differ{': ' if counted else ''}{', '.join(counted)}"
    for each in found.differences[:most]:
        yield f"  {each.kind}: {each.requirement.id} {each.says[0][:160]}"
    if len(found.differences) > most:
        yield f"  … and {len(found.differences) - most} more"
