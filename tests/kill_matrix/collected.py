"""The suites, collected once per process, and the faults in the order in which they are tried."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache

from emulator.faults import Fault, registry
from tests.suite_in_process import InProcessSuite

BATCH_SIZE = 1 if os.environ.get("KILL_MATRIX") == "full" else 30
"""How many faults share a run of the whole suite; ``KILL_MATRIX=full`` gives every fault a run of its own."""

LATEST = "6.7.0"
FAULTS: Sequence[Fault] = tuple(registry().values())


@cache
def suite() -> InProcessSuite:
    """Collect the suites."""
    return InProcessSuite("suites")


def batches() -> tuple[tuple[Fault, ...], ...]:
    """Deal the faults of the latest release to batches; neighbours, which change one rule, go to different ones."""
    faults = [fault for fault in FAULTS if LATEST in fault.releases and not is_wide(fault)]
    count = -(-len(faults) // BATCH_SIZE)
    return tuple(tuple(faults[first::count]) for first in range(count))


def is_wide(fault: Fault) -> bool:
    """Tell whether a fault breaks so much that a batch with it would prove nothing of the others."""
    return any(pattern in ("*", "CHK-*", "S2C-*") for pattern in fault.related)
