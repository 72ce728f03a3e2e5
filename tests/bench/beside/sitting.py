"""What is known already, in a directory that is kept: a long comparison goes on where it was stopped."""

from __future__ import annotations

import json
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

from fixtures.wire.embedded import EmbeddedGateway
from tests.bench.beside.cases import Case, as_rows, recorded_cases, schemas
from tests.bench.beside.measured import Outcome
from tests.bench.beside.player import Player
from tests.kill_matrix.collected import LATEST


class Tool(Protocol):
    """What is compared."""

    @property
    def name(self) -> str:
        """Name in the table."""
        ...

    def run(self, protocol: str, base: str, fault: str, directory: Path) -> Outcome:
        """Run what it has for a protocol against a gateway."""
        ...


def say(line: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {line}\n")


@dataclass
class Sitting:
    """One of the sittings that a comparison may take.

    Attributes:
        place: the directory.
        until: monotonic seconds after which nothing more is begun.
    """

    place: Path
    until: float
    _known: dict[tuple[str, str, str], Outcome] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self._file.exists():
            for line in self._file.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self._note(Outcome(**{**row, "failures": tuple(row["failures"])}))

    @property
    def _file(self) -> Path:
        return self.place / "outcomes.jsonl"

    def _note(self, found: Outcome) -> None:
        self._known[found.tool, found.protocol, found.fault] = found

    def once(self, tool: Tool, protocol: str, fault: str) -> Outcome | None:
        """Run a tool against a gateway that is started for it; ``None``: the time is over."""
        known = self._known.get((tool.name, protocol, fault))
        if known is not None or time.monotonic() > self.until:
            return known
        found = fresh(tool, protocol, fault, self.place)
        with self._lock:
            self._note(found)
            with self._file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(found)) + "\n")
        return found

    def cases(self, protocol: str) -> tuple[list[Case], int]:
        """Return our cases, and how many were recorded.

        Those are left out that a gateway without faults answers otherwise when they are sent again.
        """
        file = self.place / f"{protocol}-cases.json"
        if not file.exists():
            recorded = recorded_cases(protocol, self.place)
            kept = _repeatable(protocol, recorded, self.place)
            file.write_text(json.dumps({"recorded": len(recorded), "kept": as_rows(kept)}), encoding="utf-8")
            say(f"{protocol}: {len(kept)} cases of {len(recorded)}")
        rows = json.loads(file.read_text(encoding="utf-8"))
        return [Case(**row) for row in rows["kept"]], rows["recorded"]


def fresh(tool: Tool, protocol: str, fault: str, place: Path) -> Outcome:
    """Run a tool against a gateway that is started for it, in a directory of its own."""
    with tempfile.TemporaryDirectory(dir=place) as directory:
        running = EmbeddedGateway.start(release=LATEST, faults=(fault,) if fault else ())
        try:
            found = tool.run(protocol, running.url, fault, Path(directory))
        finally:
            running.stop()
    seen = f"{len(found.failures)} failures" if found.failures else "nothing"
    say(f"{found.tool}, {protocol}, {fault or 'no fault'}: {seen}, {found.requests} requests, {found.cpu:.1f} s CPU")
    return found


def _repeatable(protocol: str, recorded: list[Case], place: Path) -> list[Case]:
    kept = recorded
    while True:
        played = fresh(Player({protocol: kept}, {protocol: schemas(protocol)}), protocol, "", place)
        failed = {one.partition(" ")[0] for one in played.failures}
        if not failed:
            return kept
        kept = [case for case in kept if case.name.partition(" ")[0] not in failed]
