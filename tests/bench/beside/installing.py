"""Installs newman and Tavern into a directory, with their versions; nothing of them is a dependency of the project."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

NEWMAN: Final = "6.2.2"
TAVERN: Final = "3.7.1"
PYTEST: Final = "9.1.1"
"""Tavern 3.7.1 does not start with pytest 9.2."""
_SECONDS: Final = 600


@dataclass(frozen=True)
class Installed:
    """The tools.

    Attributes:
        newman: the program.
        tavern: the interpreter that has Tavern.
        versions: of all of them.
    """

    newman: Path
    tavern: Path
    versions: dict[str, str]


def install(place: Path) -> Installed:
    """Install what is not there yet.

    Raises:
        RuntimeError: there is no npm, or a registry is out of reach.
    """
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeError("there is no npm on this machine")
    node, environment = place / "node", place / "tavern"
    newman, python = node / "node_modules" / ".bin" / "newman", environment / "bin" / "python"
    if not newman.exists():
        _run([npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(node), f"newman@{NEWMAN}"])
    if not (environment / "ready").exists():
        _run([sys.executable, "-m", "venv", str(environment)])
        _run([str(python), "-m", "pip", "install", "--quiet", f"tavern=={TAVERN}", f"pytest=={PYTEST}", "jsonschema"])
        (environment / "ready").touch()
    found = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    versions = {
        "newman": NEWMAN,
        "node": found.stdout.strip(),
        "Tavern": TAVERN,
        "Schemathesis": version("schemathesis"),
        "pytest": version("pytest"),
    }
    return Installed(newman, python, versions)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} cannot install: {done.stderr.strip()[-300:]}")
