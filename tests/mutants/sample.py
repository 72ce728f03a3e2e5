"""Which mutants are tried: a seeded sample of the emulator, spread over its files, and the checks that can matter."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.mutations import Mutation, mutations_of

EMULATOR = Path(__file__).parents[2] / "emulator"
NOT_OF_THE_GATEWAY = ("faults", "variations", "changes")
"""Rooms that a gateway without faults and variations never enters."""
NOT_SERVING = ("__main__.py", "serving.py", "registering.py", "settings.py", "design.py", "start_page.py", "control.py")
"""Files that start and configure it: what breaks in them breaks nothing that a merchant sees."""
SUITES_OF_ROOM: Mapping[str, tuple[str, ...]] = {
    "checkout": ("checkout", "hosted_page", "general"),
    "hosted_page": ("hosted_page", "checkout"),
    "hosted_fields": ("hosted_fields",),
    "s2s_card": ("s2s_card", "general"),
    "s2s_apm": ("s2s_apm", "general"),
}
"""The suites whose checks meet what a room of the emulator serves; of the other rooms every suite does."""
EVERY_SUITE = ("checkout", "s2s_card", "s2s_apm", "hosted_page", "hosted_fields", "general")


@dataclass(frozen=True)
class Mutant:
    """One mutation of one file.

    Attributes:
        file: relative to the emulator.
        mutation: what is done to it.
    """

    file: str
    mutation: Mutation

    @property
    def name(self) -> str:
        """How it is called in lists: it stays the same while the line does."""
        return f"{self.file}:{self.mutation.line}: {self.mutation.kind}: {self.mutation.was}"

    @property
    def module(self) -> str:
        """The module that it changes."""
        parts = ("emulator", *Path(self.file).with_suffix("").parts)
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @property
    def protocol(self) -> str:
        """The protocol that its file serves; ``shared`` where it serves several."""
        return next((room for room in SUITES_OF_ROOM if room in Path(self.file).parts), "shared")

    @property
    def suites(self) -> tuple[str, ...]:
        """The suites whose checks can notice it."""
        return SUITES_OF_ROOM.get(self.protocol, EVERY_SUITE)


def mutants() -> list[Mutant]:
    """Return every mutant of the gateway, in the order of its files."""
    files = [
        file
        for file in sorted(EMULATOR.rglob("*.py"))
        if file.relative_to(EMULATOR).parts[0] not in NOT_OF_THE_GATEWAY and file.name not in NOT_SERVING
    ]
    return [
        Mutant(file.relative_to(EMULATOR).as_posix(), mutation)
        for file in files
        for mutation in mutations_of(file.read_text(encoding="utf-8"))
    ]


def sampled(every: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return a sample: so many of them, or all where there are fewer."""
    return random.Random(seed).sample(list(every), min(count, len(every)))  # noqa: S311 - no secret
