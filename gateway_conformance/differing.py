"""``gateway-conformance differ``: two runs side by side; what is a profile and not a run is run first."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gateway_conformance.place import packages
from reports.__main__ import main as report

PROFILE: Final = ".toml"
_UNUSABLE: Final = frozenset({2, 4, 5})
"""Statuses of a run that leave nothing to compare."""
WRONG_USAGE: Final = 2


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of the two.

    Attributes:
        of: a run, its directory, or a profile.
        release: the release that the target claims, in place of the profile's.
        output: where its run goes, if it is made.
    """

    of: Path
    release: str | None
    output: Path

    @property
    def is_profile(self) -> bool:
        """It has to be run first."""
        return self.of.suffix == PROFILE


def differ(sides: tuple[Side, Side], *, seed: int, page: Path, options: Sequence[str]) -> int:
    """Run what has to be run, with one seed and the same checks, and write what differs.

    Args:
        sides: the two.
        seed: what generated requests follow from.
        page: where the page goes.
        options: more options of the runs, such as paths of checks.
    """
    for side in sides:
        if side.is_profile and (status := _run(side, seed, options)) in _UNUSABLE:
            sys.stderr.write(f"{side.of}: the run ended with status {status}, so that there is nothing to compare\n")
            return WRONG_USAGE
    runs = [str(side.output if side.is_profile else side.of) for side in sides]
    page.parent.mkdir(parents=True, exist_ok=True)
    return report(["differ", *runs, f"--output={page}"], name="gateway-conformance")


def _run(side: Side, seed: int, options: Sequence[str]) -> int:
    words = ["run", f"--target={side.of.absolute()}", f"--output={side.output.absolute()}", f"--seed={seed}"]
    words += [f"--release={side.release}"] if side.release else []
    door = packages() / "gateway_conformance"
    place = door if door.is_dir() else packages().parent
    return subprocess.run([sys.executable, str(place), *words, *options], check=False).returncode  # noqa: S603 - ours
