"""Which part of the kill matrix runs: every fault against its checks always, what takes longer when it is asked for."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import WHOLE


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "whole_matrix: runs with KILL_MATRIX=whole or KILL_MATRIX=full only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    long = [] if WHOLE else [item for item in items if item.get_closest_marker("whole_matrix")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in set(long)]
