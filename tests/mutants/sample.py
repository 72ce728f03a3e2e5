"""Which mutants are tried: a seeded sample of what matters to merchants and payers."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.mutations import Mutation, mutations_of

EMULATOR = Path(__file__).parents[2] / "emulator"
NOT_OF_THE_GATEWAY: Mapping[str, str] = {
    "faults": "a gateway without faults never enters them",
    "variations": "nor these",
    "changes": "faults and variations are made of them",
    "__main__.py": "the command line",
    "serving.py": "listening, which is the server's",
    "settings.py": "what the command line sets",
    "registry.py": "finds faults and variations",
    "wire/control.py": "control of the clock, which only tests have",
    "wire/start_page.py": "the page with which a person starts",
    "offers.py": "tables of the start page",
}
"""Files and rooms that no requirement speaks of, with the reason."""
LEFT_ALONE: Mapping[str, str] = {
    r"^[\"']?[A-Z0-9]{2,4}-[A-Z0-9]{2,4}-[0-9]{2}[\"']?$": "the id of a requirement: faults are derived by it",
    r"\bRule\( ?[^,]*, \"(accepted|optional|handled|handledWithout)\"": "a row of which nothing but faults is derived",
    r"^(_LOG\.|note_wrong_hash\()": "a line of the log",
}
"""Pieces of code that no requirement speaks of, with the reason."""
FAULT_ARGUMENTS = ("requirement", "accepts", "tag", "hidden_by", "faults")
"""Arguments of rows of which nothing but faults is derived."""
PROTOCOLS = ("checkout", "hosted_page", "hosted_fields", "s2s_card", "s2s_apm")
SHARED = "shared"


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
        """How it is called in lists: it stays the same when lines move."""
        return f"{self.file}:{self.mutation.name}"

    @property
    def module(self) -> str:
        """The module that it changes."""
        return module_of(self.file)

    @property
    def protocol(self) -> str:
        """The protocol that its file serves; ``shared`` where it serves several."""
        return next((room for room in PROTOCOLS if room in (*Path(self.file).parts, Path(self.file).stem)), SHARED)


def module_of(file: str) -> str:
    """Return the name of the module that a file of the emulator holds."""
    parts = ("emulator", *Path(file).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def files() -> list[str]:
    """Return the files of the gateway of which there are mutants, relative to the emulator."""
    every = (file.relative_to(EMULATOR).as_posix() for file in sorted(EMULATOR.rglob("*.py")))
    return [file for file in every if not any(file == out or file.startswith(f"{out}/") for out in NOT_OF_THE_GATEWAY)]


def mutants() -> list[Mutant]:
    """Return every mutant of the gateway, in the order of its files."""
    return [
        Mutant(file, mutation)
        for file in files()
        for mutation in mutations_of((EMULATOR / file).read_text(encoding="utf-8"))
        if _is_seen_from_outside(mutation)
    ]


def _is_seen_from_outside(mutation: Mutation) -> bool:
    pieces = (mutation.was, mutation.within)
    unseen = any(re.search(pattern, piece) for pattern in LEFT_ALONE for piece in pieces)
    return not unseen and mutation.where.argument not in FAULT_ARGUMENTS


def sampled(every: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return a sample: so many of them, or all where there are fewer."""
    return random.Random(seed).sample(list(every), min(count, len(every)))  # noqa: S311 - no secret
