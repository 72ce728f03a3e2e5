"""Tries one mutant: a child of a warm process makes the mistake in memory, and runs the checks that reach it."""

from __future__ import annotations

import json
import os
import re
import resource
import select
import signal
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import pytest

from contract.model import LATEST_RELEASE
from fixtures.profile import Profile
from fixtures.run import Run
from tests.mutants.order import Order
from tests.mutants.planting import Functions, plant
from tests.mutants.reach import Known, Reach
from tests.mutants.sample import Mutant
from tests.support.suite_in_process import WATCHERS, InProcessSuite, Outcome, Outcomes, Until

REPLY_SECONDS = 3.0
"""How long a reply of a mutant is waited for; the embedded gateway answers in milliseconds."""
OF_RELEASES = re.compile(r"release|since|until|before|[0-9]\.[0-9]\.[0-9]|holds\(|is_new|\bold\b", re.IGNORECASE)
"""Code that distinguishes releases: it is tried with the release before the latest as well."""
EARLIER = "6.6.5"
SECONDS_AFTER_UNDECIDED = 6.0
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
        functions: of the emulator in memory.
        parent: the process that waits for what a child found.
        seconds: of processor time that a trial may take.
        strangers: checks that are tried where a table is another and they have no word in common with it.
    """

    suite: InProcessSuite
    reach: Reach
    order: Order
    seconds: float
    strangers: int
    functions: Functions = field(default_factory=Functions)
    parent: int = field(default_factory=os.getpid)


def tried(mutant: Mutant, means: Means) -> Trial:
    """Try a mutant in a child of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _in_child(mutant, means, writing)
    os.close(writing)
    # Others may have the processor: a child is given up by the clock only long after its own time is over.
    said = _said(reading, 200 * means.seconds)
    os.kill(child, signal.SIGKILL)
    used = os.wait4(child, 0)[2]
    seconds = round(used.ru_utime + used.ru_stime, 2)
    if not said.endswith(b"\n"):
        return Trial(mutant, Fate.UNDECIDED, "it hangs", seconds=seconds, whole=False)
    found = json.loads(said)
    if found["by"] and found["fate"] == Fate.NOTICED and "suites/" in found["by"]:
        means.order.learn(mutant, found["by"].partition(" in ")[2] or found["by"])
    return Trial(mutant, Fate(found["fate"]), found["by"], found["checks"], seconds, found["whole"])


def _said(reading: int, seconds: float) -> bytes:
    said, ends = b"", time.monotonic() + seconds
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while (left := ends - time.monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
            piece = pipe.read(65_536)
            if not piece:
                break
            said += piece
    return said


def _in_child(mutant: Mutant, means: Means, writing: int) -> None:
    """Never returns: the child shares everything of its parent, and must not wind up what belongs to it."""
    try:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the child ends
        most = int(means.seconds * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        os.write(writing, json.dumps(_fate(mutant, means)).encode() + b"\n")
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(0)


def _fate(mutant: Mutant, means: Means) -> Mapping[str, object]:
    suite = means.suite
    early = means.reach.bits.get((mutant.file, mutant.mutation.where.step), 0) & means.reach.when_imported
    try:
        plant(mutant, None if early or not mutant.mutation.where.step else means.functions)
        sanity = suite.run([], profile=_with_short_waits(suite.profile)).sanity
    except Exception as error:
        return {"fate": Fate.STILLBORN, "by": type(error).__name__, "checks": 0, "whole": True}
    if not all(sanity.values()):
        return {"fate": Fate.NOTICED, "by": "sanity", "checks": 0, "whole": True}
    passed = frozenset(one.check for one in means.reach.checks if one.verdict == "pass")
    hunt = _Hunt(means, mutant, {item.nodeid: item for item in suite.items}, LATEST_RELEASE, passed)
    checks = means.order.checks_for(mutant, strangers=means.strangers)
    found = hunt.through(checks)
    if found["fate"] != Fate.NOTICED and _is_of_releases(mutant, means):
        earlier = _Hunt(means, mutant, hunt.items, EARLIER, frozenset()).through(checks)
        found = earlier if earlier["fate"] == Fate.NOTICED else found
    return found


def _is_of_releases(mutant: Mutant, means: Means) -> bool:
    pieces = (mutant.file, mutant.mutation.owner, mutant.mutation.within, mutant.mutation.was)
    reached = means.order.reached_by(mutant)
    never = bool(reached) and not any(one.steps & reached for one in means.reach.checks)
    return never or any(OF_RELEASES.search(piece) for piece in pieces)


def _with_short_waits(profile: Profile) -> Profile:
    return profile.model_copy(update={"run": profile.run.model_copy(update={"timeout_seconds": REPLY_SECONDS})})


@dataclass
class _Hunt:
    """Runs checks until one fails for good, or the time is over."""

    means: Means
    mutant: Mutant
    items: Mapping[str, pytest.Item]
    release: str
    passed: frozenset[str]
    checks: int = 0
    undecided: str = ""
    _began: float = field(default_factory=time.process_time)
    _ends: float = 0.0

    def __post_init__(self) -> None:
        self._ends = self._began + self.means.seconds

    def through(self, known: Sequence[Known]) -> Mapping[str, object]:
        """Run checks in their order; a failure has to come twice, since machines stumble under load."""
        left = [self.items[one.check] for one in known if one.check in self.items]
        stumbled = 0
        while left:
            failed, done = self._first_failure(left)
            left = left[done:]
            if failed.startswith(WATCHERS) or (failed and self._fails_again(failed)):
                return self._found(Fate.NOTICED, failed, whole=True)
            stumbled += bool(failed)
            if time.process_time() > self._ends or stumbled > 5:
                break
        whole = not left and len(known) >= len(self.means.order.that_matter(self.mutant))
        if self.undecided:
            return self._found(Fate.UNDECIDED, self.undecided, whole=whole)
        return self._found(Fate.SURVIVED, f"{stumbled} failed once" if stumbled else "", whole=whole)

    def _first_failure(self, items: Sequence[pytest.Item]) -> tuple[str, int]:
        done = 0

        def enough(outcome: Outcome, run: Run) -> bool:
            nonlocal done
            done += 1
            if outcome.verdict == "inconclusive" and outcome.check in self.passed and not self.undecided:
                self.undecided = outcome.check
                self._ends = min(self._ends, time.process_time() + SECONDS_AFTER_UNDECIDED)
            run.watch.settle()
            broken = outcome.verdict in ("fail", "error") or next(run.watch.breaches(), None) is not None
            # A child that is left alone has nobody to report to.
            return broken or time.process_time() > self._ends or os.getppid() != self.means.parent

        said = self._run(items, enough)
        self.checks += done
        failures = [one.check for one in said.checks if one.verdict in ("fail", "error")]
        # What a check itself says counts before a watcher of the same exchange.
        failures.sort(key=lambda name: name.startswith(WATCHERS))
        return (failures[0] if failures else ""), done

    def _fails_again(self, check: str) -> bool:
        again = self._run([self.items[check]])
        return any(one.verdict in ("fail", "error") for one in again.checks)

    def _run(self, items: Sequence[pytest.Item], until: Until | None = None) -> Outcomes:
        suite = self.means.suite
        return suite.run(items, until=until, release=self.release, profile=_with_short_waits(suite.profile))

    def _found(self, fate: Fate, by: str, *, whole: bool) -> Mapping[str, object]:
        return {"fate": fate, "by": by, "checks": self.checks, "whole": whole}
