"""Writes every rendering of a conclusion into one directory."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

from reports.conclusion import Conclusion
from reports.evidence.files import EVIDENCE_DIRECTORY, clear_evidence, write_evidence
from reports.formats.allure import clear_allure, write_allure
from reports.formats.conformance import CONFORMANCE_FILE, write_conformance
from reports.formats.junit import write_junit
from reports.formats.learned import (
    ATLAS_CSV,
    ATLAS_JSON,
    LIFECYCLE_JSON,
    write_atlas,
    write_atlas_table,
    write_lifecycle,
)
from reports.pages.badge import write_badge
from reports.pages.page import write_page
from reports.pages.statement import write_statement
from reports.pages.summary import write_summary
from reports.stream.lines import STREAM_FILE

PAGE_FILE = "conformance.html"
SUMMARY_FILE = "summary.md"

WRITERS: Mapping[str, Callable[[Conclusion, Path], None]] = MappingProxyType(
    {
        CONFORMANCE_FILE: write_conformance,
        PAGE_FILE: write_page,
        SUMMARY_FILE: write_summary,
        "junit.xml": write_junit,
        "badge.svg": write_badge,
        "statement.html": write_statement,
        ATLAS_CSV: write_atlas_table,
        ATLAS_JSON: write_atlas,
        LIFECYCLE_JSON: write_lifecycle,
    }
)
ALLURE_DIRECTORY = "allure-results"
EARLIER_DIRECTORY = "earlier"
EARLIER_KEPT = 5
"""How many former runs stay beside the last one."""
LATEST_LINK = "latest"


def clear(output: Path, allure: Path) -> None:
    """Remove what a former run left, so that a killed run does not stand beside an old verdict."""
    for name in WRITERS:
        (output / name).unlink(missing_ok=True)
    clear_evidence(output / EVIDENCE_DIRECTORY)
    clear_allure(allure)


def set_aside(output: Path) -> Path | None:
    """Move what a former run left out of the way of the next one, and forget all but the last few.

    Returns:
        Where it is now, below ``earlier``, by the moment at which the former run ended; ``latest`` there leads to it.
    """
    left = [
        output / name
        for name in (*WRITERS, STREAM_FILE, EVIDENCE_DIRECTORY, ALLURE_DIRECTORY)
        if (output / name).exists()
    ]
    if not left:
        return None
    earlier = output / EARLIER_DIRECTORY
    ended = datetime.fromtimestamp(max(path.stat().st_mtime for path in left), UTC)
    place = earlier / f"{ended:%Y%m%dT%H%M%S.%f}Z"
    place.mkdir(parents=True, exist_ok=True)
    for path in left:
        path.rename(place / path.name)
    kept = sorted(path for path in earlier.iterdir() if path.is_dir() and not path.is_symlink())
    for forgotten in kept[:-EARLIER_KEPT]:
        shutil.rmtree(forgotten, ignore_errors=True)
    _point(earlier / LATEST_LINK, place.name)
    return place


def _point(link: Path, name: str) -> None:
    # A file system without links has the directories all the same.
    with suppress(OSError):
        link.unlink(missing_ok=True)
        link.symlink_to(name, target_is_directory=True)


def render(conclusion: Conclusion, output: Path, allure: Path) -> tuple[str, ...]:
    """Write all renderings.

    Returns:
        What went wrong, one sentence for each rendering that could not be written; empty when all were.
    """
    output.mkdir(parents=True, exist_ok=True)
    writers = {output / name: writer for name, writer in WRITERS.items()}
    writers |= {output / EVIDENCE_DIRECTORY: write_evidence, allure: write_allure}
    return tuple(problem for place, writer in writers.items() if (problem := _problem(writer, conclusion, place)))


def _problem(writer: Callable[[Conclusion, Path], None], conclusion: Conclusion, place: Path) -> str:
    try:
        writer(conclusion, place)
    except Exception as error:
        # A report that cannot be written must not take the others with it.
        return f"{place.name} could not be written: {type(error).__name__}: {error}"
    return ""
