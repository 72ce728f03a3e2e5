"""Variations that share runs, and what part of the gateway each of them changes."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields

import pytest

from emulator.design import Design, standard
from emulator.variations import registry
from tests.kill_matrix.apart import ALONE, APART, SLOW
from tests.kill_matrix.collected import FULL, LATEST, PROTOCOLS, WHOLE, checks_of, part_of

VARIATIONS = tuple(name for name in registry() if name not in APART)
SIZE = 1 if FULL else 8 if WHOLE else 40
"""How many variations share a run: in larger company more of them hide each other, and fewer runs are needed."""
FEW = 8
"""Variations that touch the same several protocols and are fewer than this are tried with those that touch all."""
DEALS = 1 if FULL else 2
"""How often each variation is tried, each time in other company: what one neighbour hides, another does not."""

PARTS = {
    "checkout": {"session", "session_rows", "amounts", "converters", "null_is_absent", "checkout"},
    "hosted_page": {"page", "checkout"},
    "hosted_fields": {"hosted_fields", "checkout"},
    "s2s_card": {"posts", "card", "actions"},
    "s2s_apm": {"apm", "apm_rows"},
}
"""Parts of the design that serve some protocols only; all others serve all of them."""


@dataclass(frozen=True)
class Group:
    """Variations that are tried together, against the checks of the protocols that any of them touches.

    Those of the first deal are always run, the others with the whole matrix. ``number`` counts the groups of a deal
    that touch the same protocols, and there are so many ``of`` them.
    """

    name: str
    variations: tuple[str, ...]
    protocols: frozenset[str]
    deal: int = 0
    number: int = 0
    of: int = 1

    def checks(self) -> Sequence[pytest.Item]:
        """Return what is run against them.

        Where several touch the same protocols, the checks are dealt to them, until the whole matrix is asked for: each
        check meets the variations of one group. A group by itself meets every other check.
        """
        checks = [check for protocol in PROTOCOLS if protocol in self.protocols for check in checks_of(protocol)]
        if SLOW in self.variations:
            return _sampled(checks)
        return part_of(checks, self.number, max(self.of, 2))


def groups() -> list[Group]:
    """Deal the variations, those that touch the same protocols to each other."""
    alike = _alike()
    dealt = [
        group
        for protocols, names in alike.items()
        for deal in range(DEALS)
        for group in _grouped(protocols, _dealt(names, deal), deal)
    ]
    alone = [Group(name, (name,), protocols_of(name), number=place, of=len(ALONE)) for place, name in enumerate(ALONE)]
    return [*dealt, *alone, Group(SLOW, (SLOW,), frozenset(PROTOCOLS))]


def _grouped(protocols: frozenset[str], hands: list[tuple[str, ...]], deal: int) -> list[Group]:
    touched = "+".join(sorted(protocols))
    return [
        Group(hand[0] if FULL else f"{touched}-{deal}-{number}", hand, protocols, deal, number, len(hands))
        for number, hand in enumerate(hands)
    ]


def _alike() -> dict[frozenset[str], list[str]]:
    touching: dict[frozenset[str], list[str]] = defaultdict(list)
    for name in VARIATIONS:
        touching[protocols_of(name)].append(name)
    few = [each for each, names in touching.items() if len(each) > 1 and len(names) < FEW]
    for each in few:
        touching[frozenset(PROTOCOLS)] += touching.pop(each)
    return touching


def _sampled(checks: list[pytest.Item]) -> list[pytest.Item]:
    timed = {check for check in checks for name in ("waits", "deferred") if check.get_closest_marker(name)}
    tenth = {*checks[::10], *timed}
    return [check for check in checks if check in tenth]


def _dealt(names: list[str], deal: int) -> list[tuple[str, ...]]:
    """Neighbours, of which the second may undo the first, mostly go to different hands."""
    shuffled = names if deal == 0 else random.Random(deal).sample(names, len(names))  # noqa: S311 - no secret
    count = -(-len(names) // SIZE)
    return [tuple(shuffled[first::count]) for first in range(count)]


def protocols_of(variation: str) -> frozenset[str]:
    """Return the protocols whose part of the design a variation changes."""
    before = standard(LATEST)
    after = registry()[variation].change(before)
    changed = {part.name for part in fields(Design) if getattr(before, part.name) != getattr(after, part.name)}
    owners = [{protocol for protocol, parts in PARTS.items() if part in parts} for part in changed]
    return frozenset().union(*owners) if owners and all(owners) else frozenset(PROTOCOLS)
