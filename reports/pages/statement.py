"""``statement.html``: one page for an auditor: what was tested, how it ended, how to verify that."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from markupsafe import Markup

from reports.conclusion import Conclusion
from reports.judging.gaps import GAP_SENTENCES
from reports.judging.waivers import STATE_SENTENCES
from reports.stream.chain import Verification, verify_file
from reports.stream.lines import STREAM_FILE
from reports.templating import TEMPLATES, pages

MOST_LISTED = 8
"""Failures, waivers and gaps that fit on the page; the rest is counted."""


def write_statement(conclusion: Conclusion, file: Path) -> None:
    """Write ``statement.html``; the stream that it speaks of lies beside it."""
    stream = file.parent / STREAM_FILE
    found = verify_file(stream) if stream.is_file() else Verification(0, "")
    text = statement(conclusion, "" if found.broken else found.last, broken=found.broken)
    file.write_text(text, encoding="utf-8")


def statement(conclusion: Conclusion, last_link: str, *, broken: str = "") -> str:
    """Return the page.

    Args:
        conclusion: what it states.
        last_link: the last link of the chain of digests of the stream; empty: not known.
        broken: what is wrong with that chain; empty where it is whole.
    """
    # The style sheet is ours; nothing of a target is in it.
    style = Markup((TEMPLATES / "statement.css").read_text(encoding="utf-8"))  # noqa: S704
    return (
        pages()
        .get_template("statement.html.jinja")
        .render(
            conclusion=conclusion,
            header=conclusion.run.header,
            footer=conclusion.run.footer,
            coverage=conclusion.coverage,
            last_link=last_link,
            broken=broken,
            most=MOST_LISTED,
            waiver_sentences=STATE_SENTENCES,
            gap_sentences=GAP_SENTENCES,
            style=style,
            style_digest=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        )
    )
