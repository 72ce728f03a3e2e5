"""Every rule that all operations have is tried on each of them, or filed with a reason; and no line is idle."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

from contract.catalogue import load_catalogue
from contract.operation_rules import OperationRule, load_operation_rules, operation_cells, operations
from reports.pages.catalogue import render_catalogue

RULES = load_operation_rules()


def test_no_cell_is_empty() -> None:
    assert [cell for cell in operation_cells() if not cell.requirement and not cell.reason] == []


def test_every_requirement_exists() -> None:
    assert {cell.requirement for cell in operation_cells() if cell.requirement} <= load_catalogue().keys()


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_every_line_is_of_an_operation(rule: OperationRule) -> None:
    in_full = [line for line in rule.filed if "*" not in line]
    left = list(operations())
    for pattern in (*in_full, *rule.tried, *(line for line in rule.filed if "*" in line)):
        met = [one for one in left if fnmatchcase(one, pattern)]
        assert met, pattern
        left = [one for one in left if one not in met]


def test_catalogue_publishes_the_cells() -> None:
    page = render_catalogue(load_catalogue())["places.md"]

    assert f"{len(operation_cells())} cells" in page
    assert "S2C-SIG-11" in page
