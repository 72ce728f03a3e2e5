"""``overview.html``: many targets on one page, each with its verdict, its numbers and the way to its own report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from reports.model import Json
from reports.templating import pages

OVERVIEW_FILE = "overview.html"
_VERDICTS = {0: "conforming", 1: "not_conforming", 2: "broken", 3: "undecided"}
_WITHOUT_REPORT = {
    2: "its profile or an option is wrong, so nothing was sent; its log says what",
    5: "nothing was selected",
}


@dataclass(frozen=True, kw_only=True)
class Row:
    """What became of one target.

    Attributes:
        name: of its profile.
        status: exit status of its run.
        verdict: as in ``conformance.json``; ``broken`` where there is none.
        sentence: the verdict in one sentence.
        failed: requirements that failed.
        kept: requirements that are kept.
        undecided: requirements that were to be decided and were not.
        requests: that were sent.
        duration_s: seconds.
        report: the page of the run, relative to the overview; empty: there is none.
    """

    name: str
    status: int
    verdict: str
    sentence: str
    failed: int = 0
    kept: int = 0
    undecided: int = 0
    requests: int = 0
    duration_s: float = 0.0
    report: str = ""


def row_of(name: str, place: Path, status: int) -> Row:
    """Return the row of a run by its ``conformance.json``; a run that left none says why in its log."""
    try:
        page: Json = json.loads((place / "conformance.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        page = None
    # What a former run left there is not what this run says.
    if page is None or page["exit_status"] != status:
        sentence = _WITHOUT_REPORT.get(status, f"the run broke with status {status}; its log says where")
        return Row(name=name, status=status, verdict="broken", sentence=sentence)
    return Row(
        name=name,
        status=status,
        verdict=page["verdict"],
        sentence=page["sentence"],
        failed=page["coverage"]["failed"],
        kept=page["coverage"]["kept"],
        undecided=page["coverage"]["undecided"],
        requests=page["requests"],
        duration_s=page["duration_s"],
        report=f"{place.name}/conformance.html",
    )


def write_overview(rows: Sequence[Row], output: Path) -> Path:
    """Write the page, and ``overview.json`` with the same; return the page."""
    page = output / OVERVIEW_FILE
    page.write_text(pages().get_template("overview.html.jinja").render(rows=rows), encoding="utf-8")
    data = json.dumps({"schema": 1, "targets": [asdict(row) for row in rows]}, indent=2)
    (output / "overview.json").write_text(f"{data}\n", encoding="utf-8")
    return page
