"""``python -m tests.fault_patches PATTERN...``: patches the gateway, and says whether a run of the suite notices.

A fault in ``emulator/faults`` is a change of the gateway's design, and who wrote it down knew the suite. A patch is as
its author left it. It is tried against every check of its protocol, in a clone of what is committed, until the first
one fails; generated requests are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent.parent
FOLDERS: Final[Mapping[str, tuple[str, ...]]] = {
    "checkout": ("suites/checkout", "suites/hosted_page", "suites/hosted_fields", "suites/general"),
    "s2s_card": ("suites/s2s_card", "suites/general"),
    "s2s_apm": ("suites/s2s_apm", "suites/general"),
}
LONGEST_SECONDS: Final = 1_800.0
NOTICED, UNDECIDED, MISSED, STALE, BROKE = "noticed", "undecided", "missed", "stale", "broke"
"""A check failed; none failed, but something could not be decided; neither; the patch does not fit; the run ended."""


@dataclass(frozen=True)
class Patch:
    """A fault as a patch.

    Attributes:
        name: its number and name.
        protocol: whose checks are run.
        file: the patch.
    """

    name: str
    protocol: str
    file: Path


@dataclass(frozen=True)
class Fate:
    """What came of a patch.

    Attributes:
        patch: its name.
        fate: one of the words above.
        by: requirements that failed or could not be decided, or why the patch was not tried.
        seconds: of the clock.
    """

    patch: str
    fate: str
    by: str
    seconds: float


def main(arguments: Sequence[str]) -> int:
    """Try patches; return 1 where one was not noticed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fault_patches", description=__doc__)
    parser.add_argument("patterns", nargs="*", default=["*"], help="names of patches, with * for any letters")
    parser.add_argument("--results", type=Path, help="JSON lines: what is there is not tried again, the rest is added")
    options = parser.parse_args(arguments)
    chosen = [each for each in patches() if any(fnmatchcase(each.name, one) for one in options.patterns)]
    known = _kept(options.results)
    with tempfile.TemporaryDirectory() as directory:
        clone = Path(directory, "clone")
        _git("clone", "--quiet", "--shared", str(ROOT), str(clone), within=ROOT)
        for patch in (each for each in chosen if each.name not in known):
            fate = known[patch.name] = tried(patch, clone)
            sys.stdout.write(f"{fate.fate:9} {fate.seconds:6.0f} s {fate.patch}  {fate.by}\n")
            sys.stdout.flush()
            if options.results:
                with options.results.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(asdict(fate)) + "\n")
    fates = Counter(known[each.name].fate for each in chosen)
    sys.stdout.write(f"{len(chosen)} patches; " + ", ".join(f"{n} {fate}" for fate, n in sorted(fates.items())) + "\n")
    return int(fates[NOTICED] + fates[UNDECIDED] < len(chosen))


def patches() -> Iterator[Patch]:
    """Yield the patches of all sets, by the tables that describe them."""
    for table in sorted(HERE.glob("set_*.toml")):
        for name, said in tomllib.loads(table.read_text(encoding="utf-8")).items():
            yield Patch(name, said["protocol"], table.with_suffix("") / f"{name}.patch")


def tried(patch: Patch, clone: Path) -> Fate:
    """Patch the gateway of a clone and run the suite there."""
    begun = time.monotonic()
    _git("reset", "--quiet", "--hard", within=clone)
    applied = _git("apply", "--3way", str(patch.file), within=clone, may_fail=True)
    if applied.returncode != 0:
        return Fate(patch.name, STALE, applied.stderr.strip().splitlines()[0], time.monotonic() - begun)
    output = clone.parent / "out"
    run = [sys.executable, "-m", "pytest", *FOLDERS[patch.protocol], "--depth=standard", "-n0", "-x", "-q"]
    command = [*run, "-p", "no:cacheprovider", f"--output={output}"]
    try:
        ended = subprocess.run(
            command, cwd=clone, env={**os.environ, "PYTHONPATH": str(clone)}, capture_output=True, text=True,
            timeout=LONGEST_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return Fate(patch.name, BROKE, f"no end after {LONGEST_SECONDS:.0f} s", time.monotonic() - begun)
    report = output / "conformance.json"
    if ended.returncode not in (0, 1, 3) or not report.is_file():
        last = (ended.stdout + ended.stderr).strip().splitlines()[-1:]
        return Fate(patch.name, BROKE, f"status {ended.returncode}: {''.join(last)}", time.monotonic() - begun)
    fate, by = _judged(json.loads(report.read_text(encoding="utf-8"))["requirements"])
    report.unlink()
    return Fate(patch.name, fate, by, round(time.monotonic() - begun, 1))


def _judged(requirements: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    for fate, verdict in ((NOTICED, "fail"), (UNDECIDED, "inconclusive")):
        found = [each["id"] for each in requirements if each["verdict"] == verdict]
        if found:
            return fate, ", ".join(found[:5])
    return MISSED, ""


def _git(*words: str, within: Path, may_fail: bool = False) -> subprocess.CompletedProcess[str]:
    ended = subprocess.run(["git", *words], cwd=within, capture_output=True, text=True, check=False)
    if ended.returncode != 0 and not may_fail:
        raise SystemExit(f"git {words[0]}: {ended.stderr.strip()}")
    return ended


def _kept(file: Path | None) -> dict[str, Fate]:
    if file is None or not file.is_file():
        return {}
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {row["patch"]: Fate(**row) for row in rows}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
