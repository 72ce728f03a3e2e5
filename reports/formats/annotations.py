"""Annotations of a job on GitHub: one for each finding, shown on the page of the job without opening a report.

Written to the terminal as commands of the workflow: https://docs.github.com/actions/reference/workflow-commands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from reports.conclusion import Conclusion
from reports.judging.gate import RunVerdict
from reports.model import Verdict
from reports.text import one_line

MOST: Final = 10
"""GitHub shows so many errors, and so many warnings, of one step."""
_TITLE: Final = 160
_MESSAGE: Final = 400
_IN_MESSAGE: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_TITLE: Final = {**_IN_MESSAGE, **str.maketrans({":": "%3A", ",": "%2C"})}


def annotated(conclusion: Conclusion, environment: Mapping[str, str]) -> Iterator[str]:
    """Show the annotations where GitHub runs us, and nothing elsewhere."""
    if environment.get("GITHUB_ACTIONS"):
        yield from annotations_of(conclusion)


def annotations_of(conclusion: Conclusion) -> Iterator[str]:
    """Show what holds the gate as errors and other findings as warnings, worst first."""
    left = {"error": MOST, "warning": MOST}
    for found in conclusion.findings:
        level = "error" if any(check.id in conclusion.gating_checks for check in found.checks) else "warning"
        left[level] -= 1
        if left[level] >= 0:
            weight = f" {weighed}:" if (weighed := conclusion.weight_of(found)) else ""
            title = f"{found.id}{weight} {conclusion.title(found)}"
            yield _command(level, title, f"{', '.join(found.requirements[:12])}. {found.witness.reason}")
    if conclusion.gate.verdict in {RunVerdict.UNDECIDED, RunVerdict.BROKEN}:
        yield _command("error", "Conformance", conclusion.sentence)
    for check in [check for check in conclusion.run.checks if check.verdict is Verdict.ERROR][:1]:
        yield _command("error", "The suite broke", f"{check.id}: {check.reason}")


def _command(level: str, title: str, message: str) -> str:
    words = one_line(title, _TITLE).translate(_IN_TITLE)
    return f"::{level} title={words}::{one_line(message, _MESSAGE).translate(_IN_MESSAGE)}"
