"""How few requests can catch so many of the faults on record, whichever checks are chosen."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from fixtures.depth.cover import SMOKE_SHARE
from fixtures.depth.kills import Worth


def fewest(worths: Mapping[str, Worth], share: Fraction = SMOKE_SHARE) -> float:
    """Return a number of requests below which no choice of checks catches such a part of the faults.

    A fault costs at least what it costs in the check that catches most for its requests among those that catch it. What
    a choice sends is at least the sum of that over what it catches, and so over the cheapest faults of that number (the
    dual of the linear program of set cover).
    """
    cheapest: dict[int, float] = {}
    for worth in worths.values():
        caught = worth.catches
        each = worth.requests / max(1, caught.bit_count())
        while caught:
            lowest = caught & -caught
            cheapest[lowest] = min(each, cheapest.get(lowest, each))
            caught ^= lowest
    return sum(sorted(cheapest.values())[: ceil(share * len(cheapest))])
