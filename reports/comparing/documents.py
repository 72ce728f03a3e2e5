"""What comparisons say, for other tools: the JSON beside each page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from reports.comparing.differential import Difference, Differential
from reports.comparing.history import History, Line, PastRun
from reports.conclusion import Conclusion
from reports.findings.story import Step
from reports.model import SCHEMA, Json


def write_beside(page: Path, document: Json) -> Path:
    """Write a document beside its page, with the same name; return where."""
    file = page.with_name(f"{page.stem}.json") if page.suffix != ".json" else page.with_name(f"{page.name}.json")
    file.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return file


def differential_document(found: Differential) -> Json:
    """Return two runs side by side, worst difference first."""
    return {
        "schema": SCHEMA,
        "before": _run(found.before),
        "after": _run(found.after),
        "regressed": found.regressed,
        "notes": list(found.notes),
        "counts": {str(kind): count for kind, count in found.counted().items()},
        "differences": [_difference(each) for each in found.differences],
    }


def _run(conclusion: Conclusion) -> Json:
    header = conclusion.run.header
    return {
        "run_id": header.run_id,
        "target": header.target.name,
        "release": header.release,
        "seed": header.seed,
        "started": header.started,
        "verdict": str(conclusion.gate.verdict),
    }


def _difference(each: Difference) -> Json:
    return {
        "requirement": each.requirement.id,
        "sentence": each.requirement.sentence,
        "kind": str(each.kind),
        "says": list(each.says),
        "checks": [
            {"id": side.check, "before": _titles(side.before), "after": _titles(side.after)} for side in each.sides
        ],
    }


def _titles(steps: Sequence[Step]) -> list[str]:
    return [step.title for step in steps]


def history_document(history: History) -> Json:
    """Return many runs, oldest first, and the requirements that were ever anything but kept, worst first."""
    return {
        "schema": SCHEMA,
        "runs": [_past(run) for run in history.runs],
        "requirements": [_line(line, history.runs) for line in history.lines],
        "steady": history.steady,
        "unreadable": list(history.unreadable),
    }


def _past(run: PastRun) -> Json:
    return {
        "place": run.place,
        "started": run.judged.started,
        "release": run.judged.release,
        "commit": run.judged.commit,
        "verdict": run.judged.verdict,
    }


def _line(line: Line, runs: Sequence[PastRun]) -> Json:
    first = None if line.first_failing is None else runs[line.first_failing]
    return {
        "id": line.id,
        "sentence": line.sentence,
        "verdicts": [None if verdict is None else str(verdict) for verdict in line.verdicts],
        "changes": line.changes,
        "flaky": line.is_flaky,
        "first_failing_run": line.first_failing,
        "first_failing_commit": first.judged.commit if first else None,
    }
