"""A reader that has enough, such as ``head``, costs no traceback and changes no exit status."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pytest

from tests.end_to_end.runs import ROOT

COMMAND: Final = ("-m", "gateway_conformance")
SAID: Final[Mapping[str, tuple[tuple[str, ...], int]]] = MappingProxyType(
    {
        "faults-of-the-emulator": (("-m", "emulator", "--list-faults"), 0),
        "faults-by-the-command": ((*COMMAND, "emulator", "--list-faults"), 0),
        "help": ((*COMMAND, "--help"), 0),
        "help-of-run": ((*COMMAND, "run", "--help"), 0),
        "forecast": ((*COMMAND, "check", "profiles/emulator.toml"), 0),
        "checks": ((*COMMAND, "run", "--target=profiles/emulator.toml", "--collect-only", "-q"), 0),
        "part-of-the-suite": ((*COMMAND, "run", "-n", "0", "suites/general", "-k", "GEN-KEY"), 3),
    }
)


@pytest.mark.parametrize("name", SAID)
def test_closed_pipe_changes_nothing(name: str, tmp_path: Path) -> None:
    words, status = SAID[name]
    output = ("--output", str(tmp_path / "out")) if "run" in words and "--help" not in words else ()
    process = subprocess.Popen(
        [sys.executable, *words, *output], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()

    _, complained = process.communicate(timeout=600)

    assert process.returncode == status, complained
    assert "Traceback" not in complained
    assert "BrokenPipe" not in complained
