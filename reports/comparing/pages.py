"""The pages of comparisons: two runs side by side, and many through time. Static, without scripts or network."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from markupsafe import Markup

from reports.comparing.differential import Differential
from reports.comparing.documents import differential_document, history_document, write_beside
from reports.comparing.history import History
from reports.model import VERDICT_WORDS
from reports.templating import TEMPLATES, pages

MARKS = {
    "pass": "·",
    "fail": "F",
    "error": "E",
    "inconclusive": "?",
    "not_run": "–",  # noqa: RUF001 - a dash
    "not_covered": "o",
    "not_applicable": " ",
}
"""What stands in a cell of the heat map, so that colour is not all."""


def write_differential(found: Differential, file: Path) -> None:
    """Write the page of a differential run, and the same as JSON beside it."""
    file.write_text(_page("differential.html.jinja", found=found, words=VERDICT_WORDS), encoding="utf-8")
    write_beside(file, differential_document(found))


def write_history(history: History, file: Path) -> None:
    """Write the page of many runs, and the same as JSON beside it."""
    file.write_text(_page("history.html.jinja", history=history, marks=MARKS, words=VERDICT_WORDS), encoding="utf-8")
    write_beside(file, history_document(history))


def _page(template: str, **values: object) -> str:
    # The style sheet is ours; nothing of a target is in it.
    style = Markup((TEMPLATES / "conformance.css").read_text(encoding="utf-8"))  # noqa: S704
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return pages().get_template(template).render(style=style, style_digest=digest, **values)
