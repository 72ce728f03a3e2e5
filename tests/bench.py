"""Times the main job: whole processes, several times, and prints the median. ``python -m tests.bench [RUNS]``."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DEFAULT_RUNS = 5


def one_run(output: Path) -> tuple[float, int, int]:
    """Run the suite against the embedded gateway; return seconds, checks and requests."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--output={output}"]
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - started
    report = json.loads((output / "conformance.json").read_text(encoding="utf-8"))
    return seconds, len(report["checks"]), report["requests"]


def main(runs: int) -> None:
    """Print the median of several runs and what one run does."""
    with tempfile.TemporaryDirectory() as directory:
        found = [one_run(Path(directory) / str(number)) for number in range(runs)]
    seconds = [each[0] for each in found]
    _, checks, requests = found[0]
    sys.stdout.write(
        f"{checks} checks, {requests} requests, {runs} runs: median {statistics.median(seconds):.2f} s, "
        f"{min(seconds):.2f} to {max(seconds):.2f} s\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_RUNS)
