"""This suite, as a user runs it: the checks of one protocol, to a depth, with all its reports."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.bench.beside.measured import Outcome, spend

ROOT: Final = Path(__file__).parents[3]
ROOMS: Final = {
    "checkout": ("suites/checkout", "suites/hosted_page", "suites/hosted_fields"),
    "s2s_card": ("suites/s2s_card",),
    "s2s_apm": ("suites/s2s_apm",),
}
"""Where the checks of a protocol are."""


@dataclass(frozen=True)
class Suite:
    """Runs this suite.

    Attributes:
        depth: ``smoke`` or ``standard``; neither generates requests.
        to_the_end: false: it ends with the first failure, where only that is asked for.
    """

    depth: str
    to_the_end: bool = True

    @property
    def name(self) -> str:
        """Name in the table."""
        return f"this suite, {self.depth}"

    def run(self, protocol: str, base: str, fault: str, directory: Path) -> Outcome:
        """Run against a gateway of its own, which it starts as it does for its users; ``base`` is not needed."""
        del base
        notes, results = directory / "notes.json", directory / "out" / "results.jsonl"
        options = [f"--output={results.parent}", f"--depth={self.depth}", "-n0", "-q", "-p", "no:cacheprovider"]
        options += ["-p", "tests.bench.beside.noting", *([f"--fault={fault}"] if fault else [])]
        options += [] if self.to_the_end else ["--maxfail=1"]
        command = [sys.executable, "-m", "pytest", f"--rootdir={ROOT}", *options]
        command += [str(ROOT / room) for room in ROOMS[protocol]]
        environment = {"BESIDE_NOTES": str(notes), "PYTHONPATH": str(ROOT)}
        spent = spend(command, directory=directory, environment=environment)
        if not notes.exists():
            return Outcome(self.name, fault, protocol, (), 0, spent.cpu, spent.seconds, f"ended: {spent.exit_status}")
        noted = json.loads(notes.read_text(encoding="utf-8"))
        failures = tuple(_failures(results)) if results.exists() else ()
        note = "" if results.exists() else f"no results, exit status {spent.exit_status}"
        return Outcome(self.name, fault, protocol, failures, noted["requests"], noted["cpu"], spent.seconds, note)


def _failures(results: Path) -> Iterator[str]:
    for line in results.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("kind") == "check" and row["verdict"] == "fail":
            yield row["id"]
