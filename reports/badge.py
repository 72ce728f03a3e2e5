"""``badge.svg``: the verdict as a small picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from reports.conclusion import Conclusion
from reports.gate import RunVerdict
from reports.templating import pages

_COLOURS: Mapping[RunVerdict, str] = MappingProxyType(
    {
        RunVerdict.CONFORMING: "#13652f",
        RunVerdict.NOT_CONFORMING: "#b3131f",
        RunVerdict.UNDECIDED: "#6b5200",
        RunVerdict.BROKEN: "#8a3b00",
    }
)
_LABEL = "conformance"
_CHARACTER, _PADDING = 7, 12


def write_badge(conclusion: Conclusion, file: Path) -> None:
    """Write ``badge.svg``."""
    verdict = conclusion.gate.verdict
    release = conclusion.run.header.release
    word = f"{release} {verdict.value.replace('_', ' ')}"
    left, right = (_CHARACTER * len(text) + _PADDING for text in (_LABEL, word))
    badge = pages().get_template("badge.svg.jinja")
    file.write_text(
        badge.render(label=_LABEL, word=word, left=left, right=right, colour=_COLOURS[verdict]), encoding="utf-8"
    )
