"""Packages of npm in a directory of a test; whoever asks for them is skipped where npm or its registry is missing."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

_SECONDS = 300


def installed(packages: Mapping[str, str], place: Path) -> Path:
    """Return ``node_modules`` with these packages.

    Args:
        packages: versions by name.
        place: an empty directory.
    """
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm on this machine")
    words = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(place)]
    words += [f"{name}@{version}" for name, version in packages.items()]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("npm does not end: is the registry out of reach?")
    if done.returncode:
        pytest.skip(f"npm cannot install {', '.join(packages)} here: {done.stderr.strip()[-300:]}")
    return place / "node_modules"
