"""Runs the checks of one fault to the end, and notes which of them catch it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import cache

import pytest

from contract.catalogue import load_catalogue
from emulator.faults import Fault, registry
from fixtures.depth.keys import key_of
from tests.kill_matrix.collected import LATEST, suite
from tests.kill_matrix.watched_places import PLACES
from tests.support.suite_in_process import WATCHERS, Outcomes

BY_SANITY = "sanity"
"""In place of a check: the fault breaks the valid request itself, which every run sends first."""


@dataclass(frozen=True, slots=True)
class Record:
    """What became of one fault.

    Attributes:
        fault: its name.
        asked: keys of the checks that were run.
        caught: keys of those that failed on a requirement that it breaks, or in whose course a watcher did.
        seconds: what it took.
    """

    fault: str
    asked: tuple[str, ...]
    caught: tuple[str, ...]
    seconds: float = 0.0

    def as_json(self) -> dict[str, object]:
        """Return plain JSON types."""
        return asdict(self)


def recorded_faults() -> Iterator[Fault]:
    """Yield the faults that checks without generated requests and without a browser can find."""
    yield from (fault for fault in registry().values() if not fault.rare and not fault.scripted)


def checks_for(fault: Fault) -> list[pytest.Item]:
    """Return the checks that claim what a fault breaks, or that come by the one place where it shows."""
    if fault.name in PLACES:
        return [check for check in suite().items if fnmatch(check.nodeid.replace("[", "("), PLACES[fault.name])]
    return suite().claiming(set(fault.requirements) - load_catalogue().to_come)


def record(fault: Fault, checks: Sequence[pytest.Item]) -> Record:
    """Run all checks against a gateway with the fault."""
    release = LATEST if LATEST in fault.releases else fault.releases[-1]
    said = suite().run(checks, faults=(fault.name,), release=release)
    asked = tuple(dict.fromkeys(map(key_of, checks)))
    if not all(said.sanity.values()):
        return Record(fault.name, asked, (BY_SANITY,))
    return Record(fault.name, asked, tuple(_catching(said, set(fault.requirements))))


def _catching(said: Outcomes, broken: set[str]) -> Iterator[str]:
    found = {
        keys_by_id()[where]
        for one in said.checks
        if one.verdict == "fail" and broken.intersection(one.requirements)
        # A watcher says in the course of which check it saw something.
        if (where := one.check.rpartition(" in ")[2] if one.check.startswith(WATCHERS) else one.check) in keys_by_id()
    }
    yield from sorted(found)


@cache
def keys_by_id() -> Mapping[str, str]:
    """Return the key of each check by its node id."""
    return {check.nodeid: key_of(check) for check in suite().items}
