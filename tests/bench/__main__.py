"""Measures a part of the suite and a loop of plain httpx in turns, for two minutes at most: ``python -m tests.bench``.

Other programs on the machine slow both down alike, and CPU seconds much less than seconds; so ratios and CPU seconds
say more than seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import tomlkit

from fixtures.plugin import DEFAULT_TARGET
from fixtures.wire.embedded import EmbeddedGateway

PART: Final = (
    "suites/checkout/sessions/test_session_fields.py",
    "suites/s2s_card/sales/test_fields.py",
    "suites/s2s_apm/sales/test_fields.py",
    "suites/s2s_card/changes/test_transitions.py",
    "suites/checkout/changes/test_operation_signatures.py",
    "suites/hosted_page/test_card.py",
)
"""Field tables, chains, signatures and pages, as a whole run has them."""
SECONDS: Final = 110.0
LIBRARIES: Final = ("pytest", "httpx", "h11")


@dataclass(frozen=True)
class Measured:
    """One run and the loop after it; CPU seconds are of the process alone, without the gateway.

    Attributes:
        requests: of either.
        cpu: of the run, start and reports included.
        start_cpu: of it, before the first request.
        seconds: of the run.
        to_first: seconds from its start to the first request.
        peak_mb: of the run.
        raw_cpu: of the loop.
        raw_seconds: of the loop.
    """

    requests: int
    cpu: float
    start_cpu: float
    seconds: float
    to_first: float
    peak_mb: float
    raw_cpu: float
    raw_seconds: float

    @property
    def ratio(self) -> float:
        """How many times the CPU of the loop the run takes."""
        return self.cpu / self.raw_cpu

    @property
    def ratio_after_start(self) -> float:
        """The same without what comes before the first request."""
        return (self.cpu - self.start_cpu) / self.raw_cpu

    @property
    def whole(self) -> float:
        """Seconds that a round takes, and some more."""
        return 1.2 * (self.seconds + self.raw_seconds)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def profile_for(running: EmbeddedGateway, directory: Path) -> Path:
    """Write a profile of the running gateway: as a process of its own it counts for neither side."""
    profile: dict[str, Any] = tomlkit.parse(DEFAULT_TARGET.read_text(encoding="utf-8")).unwrap()
    del profile["emulator"]
    profile["endpoints"] = {name: running.address(name) for name in ("checkout", "s2s_card", "s2s_apm")}
    profile["run"] = {**profile.get("run", {}), "clock": running.control_url}
    profile["callbacks"] = {"none": True}
    file = directory / "profile.toml"
    file.write_text(tomlkit.dumps(profile), encoding="utf-8")
    return file


def one_run(
    profile: Path, directory: Path, checks: Sequence[str], *, samples: bool = False
) -> tuple[dict[str, Any], float, float, float]:
    """Run checks in one process; return its notes, CPU seconds, seconds, and seconds to the first request."""
    notes = directory / "notes.json"
    environment = {**os.environ, "BENCH_NOTES": str(notes), **({"BENCH_SAMPLES": "1"} if samples else {})}
    options = [f"--target={profile}", f"--output={directory / 'out'}", "-n0", "-q", "-p", "tests.bench.watching"]
    command = [sys.executable, "-m", "pytest", *options, "-p", "no:cacheprovider", *checks]
    began = time.time()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    seconds = time.time() - began
    noted = json.loads(notes.read_text(encoding="utf-8"))
    return noted, used.ru_utime + used.ru_stime, seconds, noted["first"] - began


def one_loop(directory: Path) -> dict[str, float]:
    """Send the same with plain httpx."""
    command = [sys.executable, "-m", "tests.bench.raw", str(directory / "notes.json")]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def measure(profile: Path, directory: Path, checks: Sequence[str]) -> tuple[Measured, dict[str, Any]]:
    notes, cpu, seconds, to_first = one_run(profile, directory, checks)
    raw = one_loop(directory)
    requests = int(raw["requests"])
    return Measured(
        requests, cpu, notes["first_cpu"], seconds, to_first, notes["peak_mb"], raw["cpu"], raw["seconds"]
    ), notes


def spread(values: Sequence[float], unit: str = "") -> str:
    return f"{statistics.median(values):.2f}{unit} ({min(values):.2f} to {max(values):.2f})"


def by_protocol(sent: Sequence[dict[str, str]]) -> Counter[str]:
    """Count requests by what their address belongs to."""
    found: Counter[str] = Counter()
    for one in sent:
        path = urlsplit(one["url"]).path
        names = {
            "/api/": "Checkout",
            "/apm": "S2S APM",
            "/post": "S2S CARD",
            "/pay": "hosted page",
            "/sdk": "hosted fields",
        }
        found[next((name for start, name in names.items() if path.startswith(start)), "other")] += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="no round begins after them")
    parser.add_argument("--json", type=Path, help="also write the results there")
    parser.add_argument("checks", nargs="*", default=PART)
    options = parser.parse_args()
    began = time.monotonic()
    running = EmbeddedGateway.start(release="6.7.0")
    found: list[Measured] = []
    try:
        with tempfile.TemporaryDirectory() as place:
            directory = Path(place)
            profile = profile_for(running, directory)
            say("warming up: where CPU goes")
            notes, *_ = one_run(profile, directory, options.checks, samples=True)
            while (
                not found
                or time.monotonic() - began + 1.2 * (found[-1].seconds + found[-1].raw_seconds) < options.seconds
            ):
                measured, _ = measure(profile, directory, options.checks)
                found.append(measured)
                took = f"{measured.cpu:.2f} s CPU, httpx alone {measured.raw_cpu:.2f} s"
                say(f"round {len(found)}: {took}: {measured.ratio:.1f} times")
    finally:
        running.stop()
    say(report(found, notes, time.monotonic() - began))
    if options.json:
        rows = {
            "date": datetime.now(UTC).date().isoformat(),
            "machine": {"architecture": platform.machine(), "cores": os.cpu_count(), "load": os.getloadavg()[0]},
            "versions": {"Python": platform.python_version(), **{name: version(name) for name in LIBRARIES}},
            "requests by protocol": by_protocol(notes["sent"]),
            "rounds": [asdict(one) for one in found],
            "samples": notes["samples"],
        }
        options.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


def report(found: Sequence[Measured], notes: dict[str, Any], seconds: float) -> str:
    """Return what was measured in lines."""
    samples = Counter(notes["samples"])
    total = samples.total() or 1
    split = ", ".join(f"{part} {100 * count / total:.0f} %" for part, count in samples.most_common())
    sent = ", ".join(f"{name} {count}" for name, count in by_protocol(notes["sent"]).most_common())
    per = [1000 * one.cpu / one.requests for one in found]
    raw = [1000 * one.raw_cpu / one.requests for one in found]
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return "\n".join(
        (
            f"machine: {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
            f"versions: Python {platform.python_version()}, {libraries}",
            f"{len(found)} rounds of {found[0].requests} requests in {seconds:.0f} s",
            f"requests by protocol: {sent}",
            f"ratio of CPU to httpx alone: {spread([one.ratio for one in found])}",
            f"the same after the first request: {spread([one.ratio_after_start for one in found])}",
            f"CPU a request: {spread(per, ' ms')}; httpx alone {spread(raw, ' ms')}",
            f"start to first request: {spread([one.to_first for one in found], ' s')}",
            f"CPU of that: {spread([one.start_cpu for one in found], ' s')}",
            f"peak of memory: {spread([one.peak_mb for one in found], ' MB')}",
            f"CPU split: {split}",
        )
    )


if __name__ == "__main__":
    main()
