"""``gateway-conformance run --targets DIR``: one run for each profile of a directory, and one page that shows them all.

Each run is a process of its own, so that one that breaks, or a profile that is wrong, ends nothing but itself. Targets
on the same host, or whose callbacks arrive at the same address, are run one after the other, so that the rate limit of
each profile holds for the host; other targets are run at the same time.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from fixtures.profile import Profile, ProfileError, load_profile
from reports.pages.overview import Row, row_of, write_overview

WRONG_USAGE: Final = 2
MOST_AT_ONCE: Final = 4
"""Lanes that are run at the same time."""
EMBEDDED: Final = "embedded gateway"
ANY_PORT: Final = 0
WORST_FIRST: Final = (1, 4, 2, 3, 5, 0)
"""Exit statuses: a proven failure outranks everything."""


@dataclass(frozen=True, slots=True)
class Target:
    """One profile.

    Attributes:
        file: the profile.
        uses: hosts, and the address at which callbacks arrive, that no two runs may use at the same time.
    """

    file: Path
    uses: frozenset[str]

    @property
    def name(self) -> str:
        """Names its directory of reports."""
        return self.file.stem


def run_all(directory: Path, options: Sequence[str], *, output: Path, production: str | None = None) -> int:
    """Run every profile of a directory and write ``overview.html``; return the worst exit status.

    Args:
        directory: holds the profiles, ``*.toml``.
        options: of each run.
        output: each run has a directory in it, named as its profile.
        production: the production target that is allowed.
    """
    targets = [target_of(file, production) for file in sorted(directory.glob("*.toml"))]
    if not targets:
        sys.stderr.write(f"Cannot run: {directory} holds no profile (*.toml)\n")
        return WRONG_USAGE
    output.mkdir(parents=True, exist_ok=True)
    lanes = list(lanes_of(targets))
    say(f"{len(targets)} targets, {len(lanes)} of them at the same time at most")
    with ThreadPoolExecutor(min(len(lanes), MOST_AT_ONCE)) as threads:
        rows = [row for lane in threads.map(lambda lane: _run_lane(lane, options, output), lanes) for row in lane]
    page = write_overview(sorted(rows, key=lambda row: row.name), output)
    say(f"overview: {page}")
    return worst(row.status for row in rows)


def target_of(file: Path, production: str | None = None) -> Target:
    """Return the target of a profile; of one that cannot be read nothing is known, and its run says why."""
    try:
        profile = load_profile(file, allow_production=production)
    except ProfileError:
        return Target(file, frozenset())
    return Target(file, frozenset(_used_by(profile)))


def _used_by(profile: Profile) -> Iterator[str]:
    if profile.emulator.start:
        yield EMBEDDED
        return
    addresses = filter(None, profile.endpoints.model_dump().values())
    yield from (urlsplit(str(address)).hostname or "" for address in addresses)
    listen = str(profile.callbacks.listen)
    if listen.rpartition(":")[2] != str(ANY_PORT):
        yield listen


def lanes_of(targets: Iterable[Target]) -> Iterator[tuple[Target, ...]]:
    """Yield targets that must be run one after the other, because they use the same, directly or by others."""
    lanes: list[tuple[frozenset[str], tuple[Target, ...]]] = []
    for target in targets:
        joined = [lane for lane in lanes if lane[0] & target.uses]
        lanes = [lane for lane in lanes if not lane[0] & target.uses]
        uses = target.uses.union(*(lane[0] for lane in joined))
        lanes.append((uses, (*(one for lane in joined for one in lane[1]), target)))
    yield from (members for _, members in lanes)


def _run_lane(lane: Sequence[Target], options: Sequence[str], output: Path) -> list[Row]:
    return [_run(target, options, output) for target in lane]


def _run(target: Target, options: Sequence[str], output: Path) -> Row:
    place = output / target.name
    command = [sys.executable, "-m", "gateway_conformance", "run", f"--target={target.file.absolute()}"]
    say(f"{target.name}: begins")
    with (output / f"{target.name}.log").open("wb") as log:
        ended = subprocess.run(  # noqa: S603 - our own module
            [*command, f"--output={place.absolute()}", *options], stdout=log, stderr=subprocess.STDOUT, check=False
        )
    row = row_of(target.name, place, ended.returncode)
    say(f"{target.name}: {row.sentence}")
    return row


def worst(statuses: Iterable[int]) -> int:
    """Return the exit status that stands for all; one that is unknown, as of a killed process, is a broken suite."""
    known: Mapping[int, int] = {status: place for place, status in enumerate(WORST_FIRST)}
    return min((status if status in known else 4 for status in statuses), key=lambda status: known[status])


def say(line: str) -> None:
    """Write a line to the terminal."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
