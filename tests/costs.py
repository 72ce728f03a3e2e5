"""Measures what each check costs, against the embedded gateway: ``python -m tests.costs`` writes ``suites/costs.json``.

``python -m tests.costs --missing`` measures those that are not in it and adds them, which takes a minute or two.

Estimates of a run's requests and the balance of shards rest on it. Checks by generated requests are left out: how many
they send is said by the profile.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from fixtures.cases.costs import COSTS_FILE, Cost, function_of, recorded_costs
from fixtures.requirement import claimed_by

UNDECIDED = 3
"""The exit status of a run that is not whole."""


class Meter:
    """Counts the requests of each check, and the seconds that it took.

    Attributes:
        known: costs that are not measured again.
        costs: of the checks that were run.
    """

    def __init__(self, known: Mapping[str, Cost]) -> None:
        self.known = known
        self.costs: dict[str, Cost] = {}

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        left = [item for item in items if function_of(item.nodeid) in self.known]
        items[:] = [item for item in items if function_of(item.nodeid) not in self.known]
        config.hook.pytest_deselected(items=left)

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
    known = recorded_costs() if "--missing" in sys.argv[1:] else {}
    meter = Meter(known)
    with tempfile.TemporaryDirectory() as output:
        status = pytest.main(["-q", "-n0", "--depth=standard", f"--output={output}"], plugins=[meter])
    # Part of a suite decides nothing, so that a run of it is never green.
    if status == 0 or (known and status == UNDECIDED):
        rows = {
            name: {
                "requirements": cost.requirements,
                "checks": cost.checks,
                "requests": cost.requests,
                **({"waits": cost.waits} if cost.waits else {}),
                **({"passes": cost.passes} if cost.passes else {}),
            }
            for name, cost in sorted({**known, **meter.costs}.items())
        }
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
        Path(COSTS_FILE).write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
