"""Runs the suite as its user does: a process of its own, judged by its status, its output and what it leaves."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SECONDS = 3600
"""Ends a run that hangs; a machine with thirty others at work needs more than ten minutes for a complete one."""


@dataclass(frozen=True)
class Finished:
    """A run that has ended."""

    status: int
    said: str
    output: Path

    @property
    def report(self) -> dict[str, Any]:
        """What ``conformance.json`` says."""
        found: dict[str, Any] = json.loads((self.output / "conformance.json").read_text(encoding="utf-8"))
        return found


def run(output: Path, *arguments: str) -> Finished:
    """Run pytest in the checkout with ``--output`` and these arguments."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--output={output}", *arguments]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
    return Finished(ended.returncode, ended.stdout + ended.stderr, output)


def sandbox(directory: Path, url: str) -> Path:
    """Write a profile of a Checkout target at an address."""
    profile = directory / "profile.toml"
    profile.write_text(
        f"""
[target]
name = "somewhere"
environment = "sandbox"
[endpoints]
checkout = "{url}"
[credentials.checkout]
key = "10000000-0000-4000-8000-000000000001"
password = "a-password-of-its-own"
[run]
timeout_seconds = 2
""",
        encoding="utf-8",
    )
    return profile
