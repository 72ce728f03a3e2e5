"""Which checks a fault meets, and in which order: those of what it changes, the likeliest to notice it first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields

import pytest

from emulator.design import Design
from emulator.faults import Fault
from fixtures.requirement import claimed_by
from tests.mutants.order import words_of

CHECKOUT = ("checkout", "hosted_page", "hosted_fields")
SUITES_OF_PART: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("session_rows", "session", "checkout", "page", "hosted_fields"), CHECKOUT),
    **dict.fromkeys(("posts", "card", "actions"), ("s2s_card",)),
    **dict.fromkeys(("apm", "apm_rows"), ("s2s_apm",)),
}
"""The suites whose checks meet a part of the design; of the other parts every suite does."""
CLAIMS = 100.0
"""What it counts that a check claims a requirement that the fault is said to break."""


def parts_changed(fault: Fault) -> set[str]:
    """Return the parts of the gateway's design that a fault changes."""
    before = Design(release=fault.releases[-1])
    after = fault.change(before)
    return {part.name for part in fields(Design) if getattr(before, part.name) is not getattr(after, part.name)}


def suites_for(fault: Fault) -> tuple[str, ...] | None:
    """Return the suites whose checks can notice a fault; ``None``: every suite."""
    found = [SUITES_OF_PART.get(part) for part in parts_changed(fault)]
    if not found or None in found:
        return None
    return ("general", *dict.fromkeys(suite for suites in found for suite in suites or ()))


class Suspects:
    """Orders checks by what they have in common with a fault.

    Args:
        items: the checks.
    """

    def __init__(self, items: Sequence[pytest.Item]) -> None:
        self._items = items
        self._words = {item.nodeid: words_of(f"{item.nodeid} {' '.join(claimed_by(item))}") for item in items}
        spread = Counter(word for words in self._words.values() for word in words)
        self._weight = {word: math.log(len(items) / count) for word, count in spread.items()}

    def checks_for(self, fault: Fault) -> list[pytest.Item]:
        """Return every check that can notice a fault, the likeliest first."""
        suites = suites_for(fault)
        own = words_of(f"{fault.name.replace('-', '_')} {fault.summary.lower()} {fault.summary}")
        broken = set(fault.requirements)

        def rank(item: pytest.Item) -> float:
            alike = sum(map(self._weight.__getitem__, own & self._words[item.nodeid]))
            return alike + CLAIMS * bool(broken.intersection(claimed_by(item)))

        met = [item for item in self._items if suites is None or item.nodeid.split("/")[1] in suites]
        return sorted(met, key=rank, reverse=True)
