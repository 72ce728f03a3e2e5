"""Tries one mutant: a child of a warm process makes the mistake in memory, and runs the checks that reach it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

import pytest

from contract.model import LATEST_RELEASE
from fixtures.profile import Profile
from fixtures.run import Run
from tests.mutants.children import Found, said_by_a_child
from tests.mutants.order import Order
from tests.mutants.planting import Functions, plant
from tests.mutants.reach import Reach
from tests.mutants.sample import Mutant
from tests.support.suite_in_process import WATCHERS, InProcessSuite, Outcome, Outcomes, Until

REPLY_SECONDS = 8.0
"""How long a reply of a mutant is waited for; the embedded gateway answers in milliseconds, the machine may not."""
LONGEST_FACTOR = 200
"""Seconds by the clock for each second of processor time: others may have the processor."""
OF_RELEASES = re.compile(r"release|since|until|before|[0-9]\.[0-9]\.[0-9]|holds\(|is_new|\bold\b", re.IGNORECASE)
"""Code that distinguishes releases: it is tried with the release before the latest as well."""
EARLIER = "6.6.5"
SECONDS_AFTER_UNDECIDED = 2.0
"""Of processor time, after which no failure is looked for where a check could not decide any more."""


class Fate(StrEnum):
    """What became of a mutant."""

    NOTICED = "noticed"
    """A check or a watcher fails, or a valid request is refused before the first check."""
    UNDECIDED = "undecided"
    """No check fails, but one that passed cannot decide any more, or the gateway hangs: the run is not green."""
    SURVIVED = "survived"
    STILLBORN = "stillborn"
    """It does not even start; nobody needs a check to see that."""


@dataclass(frozen=True)
class Trial:
    """How one mutant fared.

    Attributes:
        by: the check, or the watcher, that noticed it first.
        checks: how many checks were run.
        seconds: of processor time.
        whole: every check that matters was run, or one noticed it.
    """

    mutant: Mutant
    fate: Fate
    by: str = ""
    checks: int = 0
    seconds: float = 0.0
    whole: bool = True

    @property
    def kind(self) -> str:
        """What noticed it: ``check``, ``watcher``, ``sanity``, or what became of it else."""
        if self.fate is not Fate.NOTICED:
            return self.fate
        if self.by.startswith(WATCHERS):
            return "watcher"
        return "check" if "::" in self.by else self.by


@dataclass(frozen=True)
class Means:
    """What trials need; made once, before the first.

    Attributes:
        suite: the checks, collected; no gateway may have been played in this process.
        reach: what they reach.
        order: chooses among them.
        seconds: of processor time that a mutant may take alone.
        functions: of the emulator in memory.
        parent: the process that waits for what a child found.
    """

    suite: InProcessSuite
    reach: Reach
    order: Order
    seconds: float
    functions: Functions = field(default_factory=Functions)
    parent: int = field(default_factory=os.getpid)

    @property
    def profile(self) -> Profile:
        """The profile of the emulator, of which a reply is not waited for long."""
        short = self.suite.profile.run.model_copy(update={"timeout_seconds": REPLY_SECONDS})
        return self.suite.profile.model_copy(update={"run": short})


def tried(mutant: Mutant, means: Means, checks: Sequence[str] | None = None, release: str = LATEST_RELEASE) -> Trial:
    """Try a mutant in a child of this process.

    Args:
        mutant: which.
        means: of the trial.
        checks: which it meets; without them those that can matter, the likeliest first.
        release: that the gateway plays.
    """
    chosen = checks if checks is not None else [one.check for one in means.order.checks_for(mutant)]
    work = partial(_fate, mutant, means, chosen, release)
    said = said_by_a_child(work, seconds=2 * means.seconds + 4, longest=LONGEST_FACTOR * means.seconds)
    if said.found is None:
        return Trial(mutant, Fate.UNDECIDED, "it hangs", seconds=said.seconds, whole=False)
    trial = Trial(mutant, seconds=said.seconds, **{**said.found, "fate": Fate(said.found["fate"])})
    if trial.fate is Fate.NOTICED and "suites/" in trial.by:
        means.order.learn(mutant, trial.by.partition(" in ")[2] or trial.by)
    return trial


def _fate(mutant: Mutant, means: Means, checks: Sequence[str], release: str) -> Found:
    early = means.reach.bits.get((mutant.file, mutant.mutation.where.step), 0) & means.reach.when_imported
    try:
        plant(mutant, None if early or not mutant.mutation.where.step else means.functions)
        sanity = means.suite.run([], profile=means.profile).sanity
    except Exception as error:
        return {"fate": Fate.STILLBORN, "by": type(error).__name__}
    if not all(sanity.values()):
        return {"fate": Fate.NOTICED, "by": "sanity"}
    return Hunt(means, release).through(checks)


def is_of_releases(mutant: Mutant, means: Means) -> bool:
    """Return whether a mistake may matter to the release before the latest only."""
    pieces = (mutant.file, mutant.mutation.owner, mutant.mutation.within, mutant.mutation.was)
    reached = means.order.reached_by(mutant)
    never = bool(reached) and not any(one.steps & reached for one in means.reach.checks)
    return never or any(OF_RELEASES.search(piece) for piece in pieces)


@dataclass
class Hunt:
    """Runs checks until one fails for good, or the time is over."""

    means: Means
    release: str
    checks: int = 0
    undecided: str = ""
    _began: float = field(default_factory=time.process_time)
    _ends: float = 0.0

    def __post_init__(self) -> None:
        self._ends = self._began + self.means.seconds
        self._items: Mapping[str, pytest.Item] = {item.nodeid: item for item in self.means.suite.items}
        # What passes of an earlier release was not recorded.
        before = self.means.reach.checks if self.release == LATEST_RELEASE else ()
        self._passed = frozenset(one.check for one in before if one.verdict == "pass")

    def through(self, checks: Sequence[str]) -> Found:
        """Run checks in their order; a failure has to come twice, since machines stumble under load."""
        left = [self._items[name] for name in checks if name in self._items]
        stumbled = 0
        while left:
            failed, done = self._first_failure(left)
            left = left[done:]
            if failed.startswith(WATCHERS) or (failed and self._says_again(failed, "fail", "error")):
                return self._found(Fate.NOTICED, failed, whole=True)
            stumbled += bool(failed)
            if time.process_time() > self._ends or stumbled > 5:
                break
        if self.undecided and self._says_again(self.undecided, "inconclusive"):
            return self._found(Fate.UNDECIDED, self.undecided, whole=not left)
        return self._found(Fate.SURVIVED, f"{stumbled} failed once" if stumbled else "", whole=False)

    def through_all(self, checks: Sequence[str]) -> tuple[Outcomes, list[str]]:
        """Run all checks, whatever fails; return what they said, and which passed before and cannot decide now."""
        items = [self._items[name] for name in checks if name in self._items]
        said = self._run(items, lambda _outcome, _run: self._is_over)
        return said, [one.check for one in said.checks if one.verdict == "inconclusive" and one.check in self._passed]

    @property
    def _is_over(self) -> bool:
        # A child that is left alone has nobody to report to.
        return time.process_time() > self._ends or os.getppid() != self.means.parent

    def _first_failure(self, items: Sequence[pytest.Item]) -> tuple[str, int]:
        done = 0

        def enough(outcome: Outcome, run: Run) -> bool:
            nonlocal done
            done += 1
            if outcome.verdict == "inconclusive" and outcome.check in self._passed and not self.undecided:
                self.undecided = outcome.check
                self._ends = min(self._ends, time.process_time() + SECONDS_AFTER_UNDECIDED)
            run.watch.settle()
            broken = outcome.verdict in ("fail", "error") or next(run.watch.breaches(), None) is not None
            return broken or self._is_over

        said = self._run(items, enough)
        self.checks += done
        failures = [one.check for one in said.checks if one.verdict in ("fail", "error")]
        # What a check itself says counts before a watcher of the same exchange.
        failures.sort(key=lambda name: name.startswith(WATCHERS))
        return (failures[0] if failures else ""), done

    def _says_again(self, check: str, *verdicts: str) -> bool:
        again = self._run([self._items[check]])
        return any(one.verdict in verdicts for one in again.checks)

    def _run(self, items: Sequence[pytest.Item], until: Until | None = None) -> Outcomes:
        return self.means.suite.run(items, until=until, release=self.release, profile=self.means.profile)

    def _found(self, fate: Fate, by: str, *, whole: bool) -> Found:
        return {"fate": fate, "by": by, "checks": self.checks, "whole": whole}
