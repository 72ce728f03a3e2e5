"""A suite takes what it shares with others from the fixtures, so that a file of checks can go without another."""

from __future__ import annotations

import ast
from pathlib import Path

SUITES = Path(__file__).parents[2] / "suites"


def test_no_suite_imports_another() -> None:
    found = {
        f"{path.relative_to(SUITES)}: {node.module}"
        for path in SUITES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and ".test_" in str(node.module) and str(node.module).startswith("suites.")
    }

    assert found == set()
