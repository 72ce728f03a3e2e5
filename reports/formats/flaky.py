"""Which checks are flaky: among the last runs they changed and changed back, without the target's release changing."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from reports.model import Json, Run

EARLIER = "earlier"
_DOCUMENT = "conformance.json"
_DECIDED = ("pass", "fail")
_CHANGES = 2


def flaky_checks(run: Run, output: Path) -> frozenset[str]:
    """Return the ids of the checks that changed at least twice among the runs that lie in the output, this one last.

    Args:
        run: the last run.
        output: where it lies; earlier runs are below ``earlier``.
    """
    before = [_verdicts(file, run) for file in sorted((output / EARLIER).glob(f"*Z/{_DOCUMENT}"))]
    now = {check.id: str(check.verdict) for check in run.checks}
    if len(before) < _CHANGES:
        return frozenset()
    return frozenset(name for name in now if _changes(table.get(name, "") for table in (*before, now)) >= _CHANGES)


def _verdicts(file: Path, run: Run) -> dict[str, str]:
    """Return the verdicts of an earlier run of the same target and release; none where it is of another."""
    try:
        found: Json = json.loads(file.read_text(encoding="utf-8"))
        same = (found["target"]["name"], found["release"]) == (run.header.target.name, run.header.release)
        return {str(check["id"]): str(check["verdict"]) for check in found["checks"]} if same else {}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return {}


def _changes(verdicts: Iterable[str]) -> int:
    decided = [verdict for verdict in verdicts if verdict in _DECIDED]
    return sum(one != two for one, two in pairwise(decided))
