"""Faults that share runs: what one of them fails that it has nothing to do with shows in a batch as well as alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from emulator.faults import Fault
from tests.kill_matrix.collected import FAULTS, FULL, LATEST, PROTOCOLS, WHOLE, checks_of, is_wide, protocols_of, suite

SIZE = 1 if FULL else 40
"""How many faults share a run. Each leaves some checks undecided; those are run again with fewer faults."""
SMALLEST = 10


@dataclass(frozen=True)
class Batch:
    """Faults that are tried together.

    Attributes:
        name: of the test.
        protocol: whose checks are run; empty: the checks of all.
        faults: which.
    """

    name: str
    protocol: str
    faults: tuple[Fault, ...]

    def checks(self) -> Sequence[pytest.Item]:
        """Return what is run against them."""
        return checks_of(self.protocol) if self.protocol else suite().items


def batches() -> list[Batch]:
    """Deal the faults of the latest release to batches by the protocols that they touch, and some to a mixed one.

    There are none but for the whole matrix: to deal them takes every process seconds.
    """
    if not WHOLE:
        return []
    faults = [fault for fault in FAULTS if LATEST in fault.releases and not is_wide(fault)]
    if FULL:
        return [Batch(fault.name, "", (fault,)) for fault in faults]
    dealt = [
        Batch(f"{protocol}-{number}", protocol, hand)
        for protocol in PROTOCOLS
        for number, hand in enumerate(_dealt([fault for fault in faults if protocol in protocols_of(fault)]))
    ]
    return [*dealt, Batch("mixed", "", tuple(faults[:: max(1, len(faults) // SIZE)]))]


def _dealt(faults: list[Fault]) -> list[tuple[Fault, ...]]:
    """Neighbours, which change one rule, go to different hands."""
    count = -(-len(faults) // SIZE)
    return [tuple(faults[first::count]) for first in range(count)]
