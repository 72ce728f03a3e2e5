"""The suites, collected once per process, and the faults in the order in which they are tried."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache

from emulator.faults import Fault, registry
from tests.suite_in_process import InProcessSuite

BATCH_SIZE = 1 if os.environ.get("KILL_MATRIX") == "full" else 12
"""How many faults share a run of the whole suite; ``KILL_MATRIX=full`` gives every fault a run of its own."""

LATEST = "6.7.0"
FAULTS: Sequence[Fault] = tuple(registry().values())


@cache
def suite() -> InProcessSuite:
    """Collect the suites."""
    return InProcessSuite("suites")


def batches() -> Iterator[tuple[Fault, ...]]:
    """Deal the faults of the latest release to batches; neighbours, which change one rule, go to different ones."""
    faults = [fault for fault in FAULTS if LATEST in fault.releases]
    count = -(-len(faults) // BATCH_SIZE)
    yield from (tuple(faults[first::count]) for first in range(count))
