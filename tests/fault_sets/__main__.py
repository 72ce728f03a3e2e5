"""``python -m tests.fault_sets PATTERN...``: tries faults, each until a check or a watcher notices it.

Other than the kill matrix, which asks the checks of the requirement that a fault breaks, this asks every check of what
the fault changes: it says what a run would have noticed of a bug that nobody thought of.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import select
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from emulator.faults import Fault, registry
from fixtures.run import Run
from tests.fault_sets.suspects import Suspects
from tests.support.suite_in_process import WATCHERS, InProcessSuite, Outcome

STUMBLES = 5
"""Checks that fail once only, after which a fault counts as not noticed."""
LONGEST_SECONDS = 900.0


def main(arguments: Sequence[str]) -> int:
    """Try faults; return 1 where one was not noticed."""
    options = _options(arguments)
    chosen = [fault for fault in registry().values() if any(fnmatchcase(fault.name, one) for one in options.patterns)]
    if options.module:
        chosen = [fault for fault in chosen if options.module in _module_of(fault)]
    known = _kept(options.results)
    left = [fault for fault in chosen if options.again or fault.name not in known]
    suite = InProcessSuite(*options.suites)
    suspects = Suspects(suite.items)
    gc.collect()
    gc.freeze()
    for fault in left:
        found = known[fault.name] = _tried_apart(fault, suite, suspects)
        sys.stdout.write(
            f"{found['fate']:9} {found['seconds']:6.1f} s {found['checks']:5} {fault.name}  {found['by']}\n"
        )
        sys.stdout.flush()
        if options.results:
            with options.results.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"fault": fault.name, **found}) + "\n")
    fates = [known[fault.name]["fate"] for fault in chosen]
    sys.stdout.write(
        f"{len(fates)} faults; " + ", ".join(f"{fates.count(one)} {one}" for one in sorted({*fates})) + "\n"
    )
    return int("missed" in fates)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fault_sets", description=__doc__)
    parser.add_argument("patterns", nargs="*", default=["*"], help="names of faults, with * for any letters")
    parser.add_argument("--module", default="", help="only faults of modules whose name holds this")
    parser.add_argument("--suites", nargs="*", default=["suites"], help="folders of checks; without it all of them")
    parser.add_argument("--again", action="store_true", help="try those again that are known")
    parser.add_argument("--results", type=Path, help="JSON lines: what is there is not tried again, the rest is added")
    return parser.parse_args(arguments)


def _module_of(fault: Fault) -> str:
    return next(
        (name for name, module in sys.modules.items() if fault in getattr(module, "FAULTS", ())), "emulator.faults"
    )


def _kept(file: Path | None) -> dict[str, Mapping[str, Any]]:
    if file is None or not file.is_file():
        return {}
    return {row["fault"]: row for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())}


def _tried_apart(fault: Fault, suite: InProcessSuite, suspects: Suspects) -> Mapping[str, Any]:
    """Try a fault in a child of this process, which shares the collected suite and leaves nothing behind."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until the child ends
            os.write(writing, json.dumps(_tried(fault, suite, suspects)).encode() + b"\n")
        finally:
            os._exit(0)
    os.close(writing)
    said = b""
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        if select.select([pipe], [], [], LONGEST_SECONDS)[0]:
            said = pipe.read(65_536)
    os.kill(child, signal.SIGKILL)
    os.wait4(child, 0)
    hangs = {"fate": "undecided", "by": "it hangs", "requirements": [], "reason": "", "checks": 0, "seconds": 0.0}
    return json.loads(said) if said.endswith(b"\n") else hangs


def _tried(fault: Fault, suite: InProcessSuite, suspects: Suspects) -> Mapping[str, Any]:
    began, done, stumbled, undecided = time.process_time(), 0, 0, ""
    release = fault.releases[-1]
    left = suspects.checks_for(fault)

    def found(fate: str, by: str = "", requirements: Sequence[str] = (), reason: str = "") -> Mapping[str, Any]:
        seconds = round(time.process_time() - began, 1)
        broken = {"requirements": list(requirements), "reason": reason[:500]}
        return {"fate": fate, "by": by, **broken, "checks": done, "seconds": seconds}

    if not all(suite.run([], faults=(fault.name,), release=release).sanity.values()):
        return found("noticed", "sanity")
    while left and stumbled < STUMBLES:
        met = 0

        def enough(outcome: Outcome, run: Run) -> bool:
            nonlocal met, undecided
            met += 1
            if outcome.verdict == "inconclusive" and not undecided:
                undecided = outcome.check
            run.watch.settle()
            return outcome.verdict in ("fail", "error") or next(run.watch.breaches(), None) is not None

        said = suite.run(left, faults=(fault.name,), release=release, until=enough)
        done, tried, left = done + met, left[:met], left[met:]
        failed = [one for one in said.checks if one.verdict in ("fail", "error")]
        failed.sort(key=lambda one: one.check.startswith(WATCHERS))
        if not failed:
            continue
        first = failed[0]
        again = suite.run(tried[-1:], faults=(fault.name,), release=release)
        if first.check.startswith(WATCHERS) or any(one.verdict in ("fail", "error") for one in again.checks):
            return found("noticed", first.check, first.requirements, first.reason)
        stumbled += 1
    return found("missed", f"inconclusive: {undecided}" if undecided else "")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
