"""Which part of the kill matrix runs: every fault against its checks always, what takes longer when it is asked for."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import WHOLE

MINUTES_OF = ("test_variations.py", "test_own_formulas.py", "test_main_accounts.py")
"""Files whose tests take up to a minute or two each."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "whole_matrix: runs with KILL_MATRIX=whole or KILL_MATRIX=full only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    long = [] if WHOLE else [item for item in items if item.get_closest_marker("whole_matrix")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in set(long)]
    items[:] = _with_minutes_spread(items)


def _with_minutes_spread(items: list[pytest.Item]) -> list[pytest.Item]:
    """Spread what takes minutes evenly among the rest, the first of it first: no process is left alone with it."""
    minutes = [item for item in items if item.path.name in MINUTES_OF]
    others = [item for item in items if item.path.name not in MINUTES_OF]
    step = len(others) // (len(minutes) or 1)
    spread = [each for place, item in enumerate(minutes) for each in (item, *others[place * step : (place + 1) * step])]
    return [*spread, *others[len(minutes) * step :]]
