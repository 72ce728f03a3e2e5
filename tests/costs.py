"""Measures what each check costs, against the embedded gateway: ``python -m tests.costs`` writes ``suites/costs.json``.

Estimates of a run's requests and the balance of shards rest on it. Checks by generated requests are left out: how many
they send is said by the profile.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.cases.costs import COSTS_FILE, Cost, function_of
from fixtures.requirement import claimed_by


class Meter:
    """Counts the requests of each check, and the seconds that it took."""

    def __init__(self) -> None:
        self.costs: dict[str, Cost] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        # Imported before pytest loads it, the plugin's assertions could not be rewritten.
        from fixtures.plugin import RUN  # noqa: PLC0415

        run = item.config.stash[RUN]
        before = run.requests
        yield
        if not item.get_closest_marker("fuzz"):
            name = function_of(item.nodeid)
            known = self.costs.get(name, Cost())
            claimed = tuple(dict.fromkeys((*known.requirements, *claimed_by(item))))
            mark = item.get_closest_marker("deferred")
            waits = max(known.waits, mark.kwargs["after"] if mark else 0.0)
            own = item.get_closest_marker("waits")
            passes = known.passes + (own.args[0] if own else 0.0)
            self.costs[name] = Cost(claimed, known.checks + 1, known.requests + run.requests - before, waits, passes)


def main() -> int:
    meter = Meter()
    with tempfile.TemporaryDirectory() as output:
        status = pytest.main(["-q", "-n0", "--depth=standard", f"--output={output}"], plugins=[meter])
    if status == 0:
        rows = {
            name: {
                "requirements": cost.requirements,
                "checks": cost.checks,
                "requests": cost.requests,
                **({"waits": cost.waits} if cost.waits else {}),
                **({"passes": cost.passes} if cost.passes else {}),
            }
            for name, cost in sorted(meter.costs.items())
        }
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
        Path(COSTS_FILE).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
