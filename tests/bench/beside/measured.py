"""What one tool did with one fault, and a process that is measured."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

LONGEST: Final = 600.0
"""Seconds after which a tool is ended."""


@dataclass(frozen=True)
class Spent:
    """What a process and those that it started took.

    Attributes:
        cpu: seconds of CPU.
        seconds: by the clock.
        exit_status: of the process.
    """

    cpu: float
    seconds: float
    exit_status: int


@dataclass(frozen=True)
class Outcome:
    """What became of one fault under one tool.

    Attributes:
        tool: its name in the table.
        fault: name; empty: the gateway without faults.
        protocol: whose checks were run.
        failures: what failed, each in a few words; empty: nothing.
        requests: sent, as the tool counts them.
        cpu: seconds of CPU of the tool, without the gateway.
        seconds: by the clock, beside other work.
        note: what else is to be known, for example that it was ended.
    """

    tool: str
    fault: str
    protocol: str
    failures: tuple[str, ...]
    requests: int
    cpu: float
    seconds: float
    note: str = ""

    def as_row(self, most: int = 3) -> dict[str, object]:
        """Return plain JSON types, with the first failures only."""
        rounded = {"cpu": round(self.cpu, 2), "seconds": round(self.seconds, 2)}
        return {**asdict(self), **rounded, "failures": list(self.failures[:most]), "failed": len(self.failures)}


def spend(
    command: Sequence[str], *, directory: Path, environment: Mapping[str, str] | None = None, log: str = "log.txt"
) -> Spent:
    """Run a command to its end or for :data:`LONGEST`; what it prints goes into a file of the directory."""
    began = time.monotonic()
    with (directory / log).open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=directory,
            env={**os.environ, **(environment or {})},
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        while True:
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() - began > LONGEST:
                process.kill()
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Spent(used.ru_utime + used.ru_stime, time.monotonic() - began, process.returncode)
