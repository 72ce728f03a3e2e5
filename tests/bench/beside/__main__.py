"""Runs other tools and this suite against the same faults: ``python -m tests.bench.beside``.

Each tool is run to its end against the gateway without faults: that is what a run of it costs. Newman and Tavern send
the same cases and expect the same, so a loop of httpx that does just that says of every fault whether they find it;
they themselves are run against some of the faults, and must say the same. The smoke checks of this suite are a part of
the standard ones, which are therefore run against what smoke missed only. Schemathesis takes longest and is run against
the first faults of the sample. Whether a fault is found is known at the first failure, where a run of the suite or of
Schemathesis then ends. It goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.bench.beside import generated
from tests.bench.beside.cases import schemas
from tests.bench.beside.generated import Schemathesis
from tests.bench.beside.installing import Installed, install
from tests.bench.beside.measured import Outcome
from tests.bench.beside.newman import Newman
from tests.bench.beside.player import Player
from tests.bench.beside.sample import Sampled, sample
from tests.bench.beside.sitting import Sitting, Tool, say
from tests.bench.beside.suite import Suite
from tests.bench.beside.tavern import Tavern

RESULTS = Path(__file__).with_name("results.json")
ALL = ("checkout", "s2s_card", "s2s_apm")


@dataclass(frozen=True)
class Learning:
    """Schemathesis against the gateway without faults, when it notes what to accept."""

    tool: Schemathesis
    name: str = "Schemathesis, learning"

    def run(self, protocol: str, base: str, fault: str, directory: Path) -> Outcome:
        """Run it."""
        return replace(self.tool.run(protocol, base, fault, directory, learn=True), tool=self.name)


def suite_against(one: Sampled, sitting: Sitting) -> list[Outcome | None]:
    """Run the smoke checks against a fault, and the standard ones if these miss it."""
    smoke = sitting.once(Suite("smoke", to_the_end=False), one.protocol, one.fault)
    standard = Suite("standard", to_the_end=False)
    if smoke is not None and smoke.failures:
        return [smoke, replace(smoke, tool=standard.name, note="smoke is a part of it")]
    return [smoke, sitting.once(standard, one.protocol, one.fault)]


@dataclass(frozen=True)
class Runs:
    """Runs that are under way.

    Attributes:
        sitting: keeps what they find.
        pool: does as many at the same time as are allowed.
    """

    sitting: Sitting
    pool: ThreadPoolExecutor

    def against(self, one: Sampled, tools: Sequence[Tool]) -> list[Future[list[Outcome | None]]]:
        """Begin the runs of this suite and of other tools against a fault."""
        own = self.pool.submit(suite_against, one, self.sitting)
        return [own, *(self.single(tool, one.protocol, one.fault) for tool in tools)]

    def single(self, tool: Tool, protocol: str, fault: str = "") -> Future[list[Outcome | None]]:
        """Begin one run."""
        return self.pool.submit(lambda: [self.sitting.once(tool, protocol, fault)])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.beside", description=__doc__)
    parser.add_argument("--faults", type=int, default=60, help="size of the sample")
    parser.add_argument("--generated", type=int, default=12, help="how many of them Schemathesis is run against")
    parser.add_argument("--own-runs", type=int, default=3, help="how many newman and Tavern themselves are run against")
    parser.add_argument("--seed", type=int, default=15, help="of the sample")
    parser.add_argument("--protocol", action="append", choices=ALL, help="only these; repeatable")
    parser.add_argument("--seconds", type=float, default=3600.0, help="nothing is begun after them")
    parser.add_argument("--at-once", type=int, default=1, help="tools that run at the same time")
    parser.add_argument("--work", type=Path, default=Path("build", "beside"), help="where tools and single results are")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where the results go")
    options = parser.parse_args()
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    installed = install(work)
    found = compared(options, installed, Sitting(work, time.monotonic() + options.seconds))
    options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def compared(options: argparse.Namespace, installed: Installed, sitting: Sitting) -> dict[str, Any]:
    """Run what is not known yet, and return the results as data."""
    protocols = tuple(options.protocol or ALL)
    chosen = [one for one in sample(options.faults, options.seed) if one.protocol in protocols]
    with ThreadPoolExecutor(options.at_once) as pool:
        runs = Runs(sitting, pool)
        schemathesis = Schemathesis(sitting.place)
        learning = [runs.single(Learning(schemathesis), protocol) for protocol in protocols]
        recording = {protocol: pool.submit(sitting.cases, protocol) for protocol in protocols}
        learned = [row for one in learning for row in one.result()]
        recorded = {protocol: one.result() for protocol, one in recording.items()}
        cases = {protocol: kept for protocol, (kept, _) in recorded.items()}
        judged = {protocol: schemas(protocol) for protocol in protocols}
        newman, tavern = Newman(installed.newman, cases, judged), Tavern(installed.tavern, cases, judged)
        player = Player(cases, judged)
        # What is stopped early shows all tools at a part of the sample, and what a run of each costs.
        begun = [run for one in chosen[: options.generated] for run in runs.against(one, [player, schemathesis])]
        whole: tuple[Tool, ...] = (tavern, Suite("smoke"), Suite("standard"), newman, schemathesis)
        clean_runs = [runs.single(tool, protocol) for tool in whole for protocol in protocols]
        own = chosen[: options.own_runs]
        begun += [runs.single(tool, one.protocol, one.fault) for one in own for tool in (tavern, newman)]
        begun += [run for one in chosen[options.generated :] for run in runs.against(one, [player])]
        rows = [row for run in begun for row in run.result()]
        clean = [*learned, *(row for run in clean_runs for row in run.result())]
    counts = {name: {"recorded": number, "kept": len(kept)} for name, (kept, number) in recorded.items()}
    say(f"{sum(one is None for one in (*rows, *clean))} runs are left; call it again")
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "architecture": platform.machine(), "load at the end": os.getloadavg()[0]},
        "versions": {**installed.versions, "Python": platform.python_version()},
        "seed": options.seed,
        "at once": options.at_once,
        "cases": counts,
        "Schemathesis": generated.settings(),
        "sample": [asdict(one) for one in chosen],
        "without faults": [one.as_row() for one in clean if one],
        "faults": [one.as_row() for one in rows if one],
    }


if __name__ == "__main__":
    main()
