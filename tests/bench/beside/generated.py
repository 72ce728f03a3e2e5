"""Schemathesis' command line: our OpenAPI documents, a hook that signs, all checks and all phases."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.bench.beside.documents import prepared
from tests.bench.beside.measured import Outcome, spend

Json = Any

ROOT: Final = Path(__file__).parents[3]
EXAMPLES: Final = 20
SEED: Final = 1
ADDRESSES: Final = {"s2s_apm": "/apm"}


@dataclass
class Schemathesis:
    """Runs the command line.

    Attributes:
        accepted: a directory that keeps what was reported of the gateway without faults.
    """

    accepted: Path
    name: str = "Schemathesis"
    documents: dict[str, Json] = field(default_factory=dict)

    def run(
        self, protocol: str, base: str, fault: str, directory: Path, *, seed: int = SEED, learn: bool = False
    ) -> Outcome:
        """Generate requests from a document; to learn, what is reported is accepted from then on."""
        if protocol not in self.documents:
            self.documents[protocol] = prepared(protocol)
        document, found = directory / "document.json", directory / "found.json"
        document.write_text(json.dumps(self.documents[protocol]), encoding="utf-8")
        program = [str(Path(sys.executable).with_name("schemathesis")), "run", str(document)]
        options = [
            "--url",
            base + ADDRESSES.get(protocol, ""),
            "--no-color",
            "--checks",
            "all",
            "--continue-on-failure",
        ]
        options += ["--max-examples", str(EXAMPLES), "--seed", str(seed), "--suppress-health-check", "all"]
        options += ["--generation-database", "none", "--report", "json", "--report-json-path", str(found)]
        environment = {
            "BESIDE_PROTOCOL": protocol,
            "BESIDE_ACCEPTED": str(self.accepted / f"{protocol}-accepted.txt"),
            "SCHEMATHESIS_HOOKS": "tests.bench.beside.accepting_hooks",
            "PYTHONPATH": str(ROOT),
        }
        options += [] if learn or not fault else ["--max-failures", "1"]
        if learn:
            environment["BESIDE_LEARN"] = "1"
        spent = spend([*program, *options], directory=directory, environment=environment)
        printed = (directory / "log.txt").read_text(encoding="utf-8", errors="replace")
        failures = tuple(_new(printed)) if spent.exit_status else ()
        note = "" if "Test cases:" in printed else f"ended with {spent.exit_status}"
        return Outcome(self.name, fault, protocol, failures, _sent(printed), spent.cpu, spent.seconds, note)


def _sent(printed: str) -> int:
    found = re.search(r"^  ([0-9,]+) generated", printed, re.MULTILINE)
    return int(found[1].replace(",", "")) if found else 0


def _new(printed: str) -> list[str]:
    """Return the failures that are printed: those that are not accepted."""
    found, operation = [], ""
    for line in printed.splitlines():
        if heading := re.match(r"_+ (.+?) _+$", line):
            operation = heading[1]
        elif failure := re.match(r"- (ST[0-9]+ .*)", line):
            found.append(f"{operation}: {failure[1]}")
    return found


def settings() -> Mapping[str, Json]:
    """Return what it was given, for the record."""
    return {"max_examples": EXAMPLES, "seed": SEED, "checks": "all", "phases": "all"}
