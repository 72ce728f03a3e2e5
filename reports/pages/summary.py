"""``summary.md``: the page of a CI job."""

from __future__ import annotations

from pathlib import Path

from reports.conclusion import Conclusion
from reports.judging.gaps import GAP_SENTENCES
from reports.judging.waivers import STATE_SENTENCES, WaiverState
from reports.model import VERDICT_WORDS, Verdict
from reports.templating import documents

MAX_ROWS = 100
MAX_DETAILED = 10
"""How many findings are reported with what came back."""


def write_summary(conclusion: Conclusion, file: Path) -> None:
    """Write ``summary.md``."""
    file.write_text(summary(conclusion), encoding="utf-8")


def summary(conclusion: Conclusion) -> str:
    """Return the page in Markdown."""
    requirements, checks = conclusion.requirement_counts, conclusion.run.counts
    return (
        documents()
        .get_template("summary.md.jinja")
        .render(
            conclusion=conclusion,
            header=conclusion.run.header,
            findings=conclusion.findings,
            broken=[check for check in conclusion.run.checks if check.verdict is Verdict.ERROR],
            open_waivers=[found for found in conclusion.waivers if found.state is not WaiverState.COVERS],
            waiver_sentences=STATE_SENTENCES,
            gap_sentences=GAP_SENTENCES,
            verdicts=[verdict for verdict in Verdict if requirements[verdict] or checks[verdict]],
            words=VERDICT_WORDS,
            max_rows=MAX_ROWS,
            max_detailed=MAX_DETAILED,
        )
    )
