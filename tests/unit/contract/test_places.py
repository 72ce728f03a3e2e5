"""No rule that a field table knows goes unchecked on an operation unless a reason is filed, and no reason is idle."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase

from contract.catalogue import load_catalogue
from contract.places import REASONS_FILE, cells
from reports.pages.catalogue import render_catalogue


def test_no_cell_is_empty() -> None:
    empty = [f"{cell.protocol} {cell.operation} {cell.field} {cell.rule}" for cell in cells() if cell.is_empty]

    assert not empty


def test_every_requirement_of_a_cell_exists() -> None:
    named = {cell.requirement for cell in cells() if cell.requirement}

    assert named <= load_catalogue().keys()


def test_every_reason_is_of_a_cell() -> None:
    names = [f"{cell.protocol} {cell.operation} {cell.field} {cell.rule}" for cell in cells() if not cell.requirement]
    patterns = [
        pattern for entry in tomllib.loads(REASONS_FILE.read_text("utf-8")).values() for pattern in entry["cells"]
    ]

    assert [one for one in patterns if not any(fnmatchcase(name, one) for name in names)] == []


def test_catalogue_publishes_the_cells() -> None:
    page = render_catalogue(load_catalogue())["places.md"]

    assert f"{len(cells())} cells" in page
    assert "CARD2CARD (S2C-PAY-14)" in page
