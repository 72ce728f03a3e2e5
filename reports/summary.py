"""``summary.md``: the page of a CI job."""

from __future__ import annotations

from pathlib import Path

from reports.conclusion import Conclusion
from reports.model import VERDICT_WORDS, Verdict
from reports.templating import documents
from reports.waivers import STATE_SENTENCES, WaiverState

MAX_ROWS = 100


def write_summary(conclusion: Conclusion, file: Path) -> None:
    """Write ``summary.md``."""
    file.write_text(summary(conclusion), encoding="utf-8")


def summary(conclusion: Conclusion) -> str:
    """Return the page in Markdown."""
    return (
        documents()
        .get_template("summary.md.jinja")
        .render(
            conclusion=conclusion,
            header=conclusion.run.header,
            failing=conclusion.with_verdict(Verdict.FAIL),
            broken=[check for check in conclusion.run.checks if check.verdict is Verdict.ERROR],
            open_waivers=[found for found in conclusion.waivers if found.state is not WaiverState.COVERS],
            waiver_sentences=STATE_SENTENCES,
            verdicts=list(Verdict),
            words=VERDICT_WORDS,
            max_rows=MAX_ROWS,
        )
    )
