"""Tries one mutant: a child of a warm process reads the emulator anew with one mistake in it, and runs its checks.

The checks were collected before, and know nothing of the emulator; so only the emulator is imported again.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import re
import select
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutants.mutations import mutated
from tests.mutants.sample import EMULATOR, Mutant
from tests.support import suite_in_process
from tests.support.suite_in_process import InProcessSuite

_EVERYWHERE = frozenset(
    {"test", "suite", "checkout", "card", "hosted", "page", "protocol", "return", "self", "none", "that"}
)
_ANEW = ("emulator", "tests.support.listening_gateway")


class Fate(StrEnum):
    """What became of a mutant."""

    NOTICED = "noticed"
    SURVIVED = "survived"
    STILLBORN = "stillborn"
    """It does not even start, or accepts no valid request; nobody needs a check to see that."""
    UNDECIDED = "undecided"
    """Its time was over before all checks had run, and none had failed."""


@dataclass(frozen=True)
class Trial:
    """How one mutant fared.

    Attributes:
        by: the check, or the watcher, that noticed it first.
        checks: how many checks were run.
        seconds: how long it took.
    """

    mutant: Mutant
    fate: Fate
    by: str = ""
    checks: int = 0
    seconds: float = 0.0


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):  # type: ignore[misc] # as typeshed has it
    """Gives one module with another source."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self._file = EMULATOR / mutant.file

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return where the module comes from; ``None`` for all others."""
        del path, target
        if fullname != self._mutant.module:
            return None
        places = [str(self._file.parent)] if self._file.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self._file, loader=self, submodule_search_locations=places
        )

    def get_filename(self, fullname: str) -> str:
        """Return the file of the module."""
        del fullname
        return str(self._file)

    def get_data(self, path: str | bytes) -> bytes:
        """Return the source of the module, with the mistake in it; nothing of it is kept on the disk."""
        if not str(path).endswith(".py"):
            raise OSError(path)
        return mutated(self._file.read_text(encoding="utf-8"), self._mutant.mutation.number).encode()


def tried(mutant: Mutant, suite: InProcessSuite, *, most: int, seconds: float, seed: int) -> Trial:
    """Try a mutant in a child of this process.

    Args:
        mutant: which.
        suite: the checks, collected; no gateway may have been played in this process.
        most: how many checks are run at most.
        seconds: after which the trial is ended.
        seed: the order of the checks.
    """
    started = time.monotonic()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _in_child(mutant, suite, most, seed, writing)
    os.close(writing)
    received = _read_all(reading, seconds)
    if not received.endswith(b"\n"):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    taken = round(time.monotonic() - started, 1)
    if not received.endswith(b"\n"):
        return Trial(mutant, Fate.UNDECIDED, seconds=taken)
    found = json.loads(received)
    return Trial(mutant, Fate(found["fate"]), found["by"], found["checks"], taken)


def _read_all(reading: int, seconds: float) -> bytes:
    received, ends = b"", time.monotonic() + seconds
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while (left := ends - time.monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
            piece = pipe.read(65_536)
            if not piece:
                break
            received += piece
    return received


def _in_child(mutant: Mutant, suite: InProcessSuite, most: int, seed: int, writing: int) -> None:
    """Never returns: the child shares everything of its parent, and must not wind up what belongs to it."""
    try:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the child ends
        found = _fate(mutant, suite, most, seed)
        os.write(writing, json.dumps(found).encode() + b"\n")
    finally:
        os._exit(0)


def _fate(mutant: Mutant, suite: InProcessSuite, most: int, seed: int) -> dict[str, object]:
    try:
        _read_anew(mutant)
        said = suite.run([])
    except Exception as error:
        return {"fate": Fate.STILLBORN, "by": type(error).__name__, "checks": 0}
    if not all(said.sanity.values()):
        return {"fate": Fate.STILLBORN, "by": "sanity check", "checks": 0}
    said = suite.run(checks_for(mutant, suite.items, most, seed), until_any=True)
    noticed = [one.check for one in said.checks if one.verdict in ("fail", "error")]
    fate = Fate.NOTICED if noticed else Fate.SURVIVED
    return {"fate": fate, "by": noticed[0] if noticed else "", "checks": len(said.checks)}


def checks_for(mutant: Mutant, items: Sequence[pytest.Item], most: int, seed: int) -> list[pytest.Item]:
    """Return the checks that can matter to a mutant: those first whose names share words with it, else mixed."""
    chosen = [item for item in items if any(f"suites/{name}/" in item.nodeid for name in mutant.suites)]
    random.Random(seed).shuffle(chosen)  # noqa: S311 - no secret
    own = _words(f"{mutant.file} {mutant.mutation.was}")
    chosen.sort(key=lambda item: -len(own & _words(item.nodeid)))
    return chosen[:most]


def _words(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z]{4,}", text.lower())} - _EVERYWHERE


def _read_anew(mutant: Mutant) -> None:
    for name in [name for name in sys.modules if name.startswith(_ANEW)]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Mutated(mutant))
    for name, module in (("Settings", "emulator"), ("listening_gateway", "tests.support.listening_gateway")):
        setattr(suite_in_process, name, getattr(import_module(module), name))
