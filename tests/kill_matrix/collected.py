"""The suites, collected once per process, and which of their checks a fault or a variation can touch."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

from emulator.faults import Fault, registry
from fixtures.depth.keys import key_of
from fixtures.depth.kills import recorded_kills
from fixtures.plugin import SUITES_OF_ENDPOINT
from fixtures.profile.model import PROTOCOLS as ENDPOINTS
from tests.kill_matrix.watched_places import PLACES
from tests.support.suite_in_process import InProcessSuite

WHOLE = os.environ.get("KILL_MATRIX") in {"whole", "full"}
"""``KILL_MATRIX=whole`` runs what takes longer too: faults in batches, variations in other company, all releases."""
FULL = os.environ.get("KILL_MATRIX") == "full"
"""``KILL_MATRIX=full`` gives every fault and every variation a run of the whole suite of its own."""

LONG_TABLE = 20
"""Rows from which on a table is long."""
ROWS = 4
"""One row in so many of a long table is tried where a part of the checks is enough."""

LATEST = "6.7.0"
FAULTS: Sequence[Fault] = tuple(
    fault for fault in registry().values() if not fault.rare and not fault.scripted and fault.name not in PLACES
)
RARE: Sequence[Fault] = tuple(fault for fault in registry().values() if fault.rare)
"""Faults that only generated requests find; ``test_fuzzing.py`` is about them."""
SCRIPTED: Sequence[Fault] = tuple(fault for fault in registry().values() if fault.scripted)
"""Faults that only a payer with a browser finds; ``test_in_browser.py`` is about them."""
SUITES = Path(__file__).parents[2] / "suites"
PROTOCOLS = tuple(sorted(path.parent.name for path in SUITES.glob("*/__init__.py")))


@cache
def suite() -> InProcessSuite:
    """Collect the suites."""
    return InProcessSuite("suites")


def protocol_of(check: pytest.Item) -> str:
    """Return the protocol whose suite a check is part of."""
    return check.path.relative_to(SUITES).parts[0]


@cache
def checks_of(protocol: str) -> tuple[pytest.Item, ...]:
    """Return the checks of a protocol, in the order of the suite."""
    return tuple(check for check in suite().items if protocol_of(check) == protocol)


def part_of(checks: Sequence[pytest.Item], part: int, parts: int) -> Sequence[pytest.Item]:
    """Return one of several parts of the checks, dealt in turn; all of them for the whole matrix.

    What hundreds of checks show together need not be shown by all of them before each commit, nor by every row of a
    long table: what is around a request shows in any of its rows.
    """
    return checks if WHOLE else _with_few_rows(checks, part)[part::parts]


def _with_few_rows(checks: Sequence[pytest.Item], first: int) -> Sequence[pytest.Item]:
    """Leave out most of the checks that one function makes of the rows of a long table: other ones for each part."""
    rows: dict[tuple[Path, str], list[pytest.Item]] = defaultdict(list)
    for check in checks:
        rows[check.path, str(getattr(check, "originalname", check.name))].append(check)
    kept = {
        check
        for alike in rows.values()
        for check in (alike[first % ROWS :: ROWS] if len(alike) >= LONG_TABLE else alike)
    }
    return [check for check in checks if check in kept]


def endpoints_of(checks: Iterable[pytest.Item]) -> Sequence[str]:
    """Return the endpoints whose valid request shows whether checks can be run; all when one is of no endpoint."""
    suites = {protocol_of(check) for check in checks}
    found = [name for name in ENDPOINTS if suites.intersection(SUITES_OF_ENDPOINT[name])]
    return found if suites <= {suite for name in found for suite in SUITES_OF_ENDPOINT[name]} else ENDPOINTS


def protocols_of(fault: Fault) -> set[str]:
    """Return the protocols whose checks a fault can touch; all of them when no check claims what it breaks."""
    claimed = {protocol for pattern in (*fault.requirements, *fault.related) for protocol in _claiming(pattern)}
    return claimed or set(PROTOCOLS)


@cache
def _claiming(pattern: str) -> frozenset[str]:
    exact = suite().by_requirement.get(pattern)
    names: Iterable[str] = [pattern] if exact else (name for name in _claims() if fnmatch(name, pattern))
    return frozenset(protocol for name in names for protocol in _claims()[name])


@cache
def _claims() -> dict[str, set[str]]:
    claims: dict[str, set[str]] = defaultdict(set)
    for name, checks in suite().by_requirement.items():
        claims[name].update(map(protocol_of, checks))
    return claims


def killers_first(fault: Fault, checks: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the same checks, those first that caught the fault when that was recorded.

    A wrong record costs time only: the others follow until the fault is caught. One that is newer than the record was
    most likely written with the check that catches it, which is then as new; the cheapest of the others come next.
    """
    number = _numbers().get(fault.name)
    known = recorded_kills().checks

    def order(check: pytest.Item) -> tuple[bool, int]:
        worth = known.get(key_of(check))
        if number is None:
            return worth is not None, worth.requests if worth else 0
        if worth is None:
            return True, 0
        return not worth.catches >> number & 1, worth.requests

    return sorted(checks, key=order)


@cache
def _numbers() -> dict[str, int]:
    return {name: number for number, name in enumerate(recorded_kills().faults)}


def is_wide(fault: Fault) -> bool:
    """Return whether a fault breaks so much that a batch with it would prove nothing of the others."""
    return any(pattern in ("*", "CHK-*", "S2C-*", "APM-*") for pattern in fault.related)
