"""Prints the tables of ``results.json`` for the documentation: ``python -m tests.bench.beside.page``."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

Json = Any

RESULTS: Final = Path(__file__).with_name("results.json")
TOOLS: Final = {
    "Schemathesis": "Schemathesis",
    "newman": "cases",
    "Tavern": "cases",
    "this suite, smoke": "this suite, smoke",
    "this suite, standard": "this suite, standard",
}
"""Each tool, and the rows that say what it finds."""
UNKNOWN: Final = "not yet"
NAMES: Final = {"checkout": "Checkout", "s2s_card": "S2S CARD", "s2s_apm": "S2S APM"}


def found_by(results: Json, rows: str) -> set[str]:
    """Return the faults under which a tool reported something."""
    return {row["fault"] for row in results["faults"] if row["tool"] == rows and row["failed"]}


def tried_by(results: Json, rows: str) -> set[str]:
    """Return the faults that a tool was run against to the end."""
    return {row["fault"] for row in results["faults"] if row["tool"] == rows}


def costs(results: Json, tool: str, key: str) -> Mapping[str, float]:
    """Return what one whole run of a tool costs, by protocol."""
    found: dict[str, dict[str, float]] = {row["tool"]: {} for row in results["without faults"]}
    for row in results["without faults"]:
        found[row["tool"]][row["protocol"]] = row[key]
    return found.get(f"{tool}, learning", {}) | found.get(tool, {})


def overview(results: Json) -> Iterator[str]:
    """Yield the main table: what is found, and what a run for each of these faults costs."""
    first = tried_by(results, "Schemathesis")
    yield (
        f"| | faults found | by hand | derived | of the first {len(first)} | requests a run | CPU s a run | s a run "
        "| CPU s a fault found | s a fault found |"
    )
    yield "| --- |" + " ---: |" * 9
    for tool, rows in TOOLS.items():
        faults, found = _tried(results, rows), found_by(results, rows)
        by_kind = [_share([one for one in faults if one["kind"] == kind], found) for kind in ("by hand", "derived")]
        of_first = _share([one for one in faults if one["fault"] in first], found)
        cells = (tool, _share(faults, found), *by_kind, of_first, *_figures(results, tool, faults, len(found)))
        yield f"| {' | '.join(cells)} |"


def _figures(results: Json, tool: str, faults: Sequence[Json], found: int) -> Sequence[str]:
    """Return requests, CPU and seconds of a run, and of both a fault found; "not yet" where a run was not measured."""
    known = {key: costs(results, tool, key) for key in ("requests", "cpu", "seconds")}
    if not faults or any(one["protocol"] not in known["cpu"] for one in faults):
        return (UNKNOWN,) * 5
    total = {key: sum(of_protocol[one["protocol"]] for one in faults) for key, of_protocol in known.items()}
    of_run = {key: value / len(faults) for key, value in total.items()}
    each = [f"{total[key] / found:.0f}" if found else "none found" for key in ("cpu", "seconds")]
    return f"{of_run['requests']:.0f}", f"{of_run['cpu']:.1f}", f"{of_run['seconds']:.0f}", *each


def _tried(results: Json, rows: str) -> list[Json]:
    return [one for one in results["sample"] if one["fault"] in tried_by(results, rows)]


def _share(faults: Sequence[Json], found: set[str]) -> str:
    return f"{sum(one['fault'] in found for one in faults)} of {len(faults)}"


def by_protocol(results: Json) -> Iterator[str]:
    """Yield what is found of each protocol, and what a whole run of it costs."""
    shown = [protocol for protocol in NAMES if any(one["protocol"] == protocol for one in results["sample"])]
    yield "| | " + " | ".join(f"{NAMES[protocol]}: found, requests, CPU s" for protocol in shown) + " |"
    yield "| --- |" + " --- |" * len(shown)
    for tool, rows in TOOLS.items():
        found = found_by(results, rows)
        cells = []
        for protocol in shown:
            of_it = [one for one in _tried(results, rows) if one["protocol"] == protocol]
            requests, cpu = (costs(results, tool, key).get(protocol) for key in ("requests", "cpu"))
            cost = UNKNOWN if requests is None else f"{requests:,}, {cpu:.1f}"
            cells.append(f"{_share(of_it, found)}, {cost}")
        yield f"| {tool} | {' | '.join(cells)} |"


def missed(results: Json, tool: str) -> Iterator[str]:
    """Yield the faults that a tool missed, with who found them."""
    found = found_by(results, TOOLS[tool])
    others = {name: found_by(results, rows) for name, rows in TOOLS.items() if name != tool}
    for one in _tried(results, TOOLS[tool]):
        if one["fault"] not in found:
            by = [name for name, known in others.items() if one["fault"] in known]
            known_to = f"Found by: {', '.join(by) or 'none'}."
            yield f"- `{one['fault']}` ({NAMES[one['protocol']]}): {one['summary']} {known_to}"


def agreement(results: Json) -> Iterator[str]:
    """Yield whether newman and Tavern themselves said what the loop of httpx said of the same faults."""
    cases = found_by(results, "cases")
    for tool in ("newman", "Tavern"):
        own, found = tried_by(results, tool), found_by(results, tool)
        alike = sum((one in cases) == (one in found) for one in own)
        yield f"{tool}: run against {len(own)} faults, and said of {alike} what the loop of httpx said"


def main() -> None:
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    lines = [*overview(results), "", *by_protocol(results), "", *agreement(results)]
    for tool in TOOLS:
        lines += ["", f"Missed by {tool}:", "", *missed(results, tool)]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
