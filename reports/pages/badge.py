"""``badge.svg``: the verdict as a small picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from reports.conclusion import Conclusion
from reports.judging.gate import RunVerdict
from reports.templating import pages

_COLOURS: Mapping[RunVerdict, str] = MappingProxyType(
    {
        RunVerdict.CONFORMING: "#13652f",
        RunVerdict.NOT_CONFORMING: "#b3131f",
        RunVerdict.UNDECIDED: "#6b5200",
        RunVerdict.BROKEN: "#8a3b00",
    }
)
_AMBER = "#8f5b00"
"""Of a run that passes the gate and keeps not everything."""
_LABEL = "conformance"
_CHARACTER, _PADDING = 7, 12


def write_badge(conclusion: Conclusion, file: Path) -> None:
    """Write ``badge.svg``."""
    word = f"{conclusion.run.header.release} {_word(conclusion)}"
    left, right = (_CHARACTER * len(text) + _PADDING for text in (_LABEL, word))
    badge = pages().get_template("badge.svg.jinja")
    file.write_text(
        badge.render(label=_LABEL, word=word, left=left, right=right, colour=_colour(conclusion)), encoding="utf-8"
    )


def _word(conclusion: Conclusion) -> str:
    verdict = conclusion.gate.verdict
    failing = len(conclusion.quiet) + len(conclusion.waived_failures)
    if verdict is RunVerdict.CONFORMING and failing:
        return f"passes, {failing} {'fails' if failing == 1 else 'fail'}"
    word = verdict.value.replace("_", " ")
    not_covered = conclusion.coverage.not_covered
    return f"{word}, {not_covered} not covered" if verdict is RunVerdict.CONFORMING and not_covered else word


def _colour(conclusion: Conclusion) -> str:
    verdict = conclusion.gate.verdict
    failing = conclusion.quiet or conclusion.waived_failures
    return _AMBER if verdict is RunVerdict.CONFORMING and failing else _COLOURS[verdict]
