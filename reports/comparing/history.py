"""Many runs side by side: which requirement had which verdict when, which are flaky, and since when one fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from reports.comparing.compare import CompareError, Judged, read_judged
from reports.formats.conformance import CONFORMANCE_FILE
from reports.model import Verdict

MOST_RUNS = 60
"""How many runs are shown: the last ones."""
_MOST_FILES = 5_000
_FLAKY_CHANGES = 2
_DECIDED = frozenset({Verdict.PASS, Verdict.FAIL})


@dataclass(frozen=True, kw_only=True)
class PastRun:
    """One run.

    Attributes:
        place: its directory, relative to that of the history.
    """

    judged: Judged
    place: str

    @property
    def commit(self) -> str:
        """What was tested, as CI names it, or the version that the profile or the run names; may be empty."""
        return self.judged.commit[:12]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One requirement through all runs.

    Attributes:
        verdicts: oldest first; ``None``: a run did not know it.
        changes: how often it went from kept to broken or back.
        first_failing: number of the run since which it fails, where it fails in the last that decided it.
    """

    id: str
    sentence: str
    verdicts: tuple[Verdict | None, ...]
    changes: int
    first_failing: int | None

    @property
    def is_flaky(self) -> bool:
        """It changed and changed back."""
        return self.changes >= _FLAKY_CHANGES


@dataclass(frozen=True, kw_only=True)
class History:
    """The runs, oldest first, and the requirements that were ever anything but kept, worst first.

    Attributes:
        steady: how many requirements had the same verdict in all runs, failures apart.
        unreadable: files that were left out, each with the reason.
    """

    runs: tuple[PastRun, ...]
    lines: tuple[Line, ...]
    steady: int
    unreadable: tuple[str, ...]


def read_history(directory: Path) -> History:
    """Read the runs below a directory.

    Raises:
        CompareError: there is none.
    """
    runs: list[PastRun] = []
    unreadable: list[str] = []
    for number, file in enumerate(directory.rglob(CONFORMANCE_FILE)):
        if number >= _MOST_FILES:
            unreadable.append(f"more than {_MOST_FILES} runs")
            break
        if any(part.is_symlink() for part in file.parents if directory in part.parents):
            continue
        try:
            judged = read_judged(file)
        except CompareError as error:
            unreadable.append(str(error))
        else:
            runs.append(PastRun(judged=judged, place=str(file.parent.relative_to(directory))))
    if not runs:
        raise CompareError(f"{directory}: there is no run below it that can be read ({CONFORMANCE_FILE})")
    runs = sorted(runs, key=lambda run: run.judged.started)[-MOST_RUNS:]
    return history_of(runs, unreadable)


def history_of(runs: Sequence[PastRun], unreadable: Sequence[str] = ()) -> History:
    """Return the history of runs, oldest first."""
    tables = [{each.id: each for each in run.judged.requirements} for run in runs]
    names = dict.fromkeys(name for table in reversed(tables) for name in table)
    lines = []
    for name in names:
        known = [table[name] for table in tables if name in table]
        verdicts = tuple(table[name].verdict if name in table else None for table in tables)
        lines.append(
            Line(
                id=name,
                sentence=known[-1].sentence,
                verdicts=verdicts,
                changes=_changes(verdicts),
                first_failing=_first_failing(verdicts),
            )
        )
    shown = [line for line in lines if len(set(line.verdicts)) > 1 or Verdict.FAIL in line.verdicts]
    shown.sort(key=lambda line: (line.first_failing is None, not line.is_flaky, line.id))
    return History(runs=tuple(runs), lines=tuple(shown), steady=len(lines) - len(shown), unreadable=tuple(unreadable))


def _changes(verdicts: Sequence[Verdict | None]) -> int:
    decided = [verdict for verdict in verdicts if verdict in _DECIDED]
    return sum(one is not two for one, two in pairwise(decided))


def _first_failing(verdicts: Sequence[Verdict | None]) -> int | None:
    """Return the first of the failing runs with which the line ends; runs that did not decide it are passed over."""
    first = None
    for number in range(len(verdicts) - 1, -1, -1):
        if verdicts[number] is Verdict.FAIL:
            first = number
        elif verdicts[number] is Verdict.PASS:
            break
    return first
