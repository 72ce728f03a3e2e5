"""Where the project's packages stand, and how they become importable under their own names."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

_DOOR: Final = Path(__file__).resolve().parent
INSTALLED: Final = _DOOR / "_packages"
"""Where the wheel puts the packages; see ``[tool.hatch.build]`` in ``pyproject.toml``."""


def packages() -> Path:
    """Return the directory with ``contract``, ``fixtures``, ``suites`` and the others, which is also pytest's root."""
    return INSTALLED if INSTALLED.is_dir() else _DOOR.parent


def make_importable() -> None:
    """Let this process, and the workers of xdist that it starts, import the packages by their short names.

    They come first: a ``reports`` of the directory in which somebody runs the command must not be taken for ours.
    """
    place = str(packages())
    sys.path[:] = [place, *(entry for entry in sys.path if entry != place)]
