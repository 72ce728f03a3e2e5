"""A plugin by which pytest itself crashes, quoting what was sent and answered last."""

from __future__ import annotations

import pytest

from tests.support.crashing_suite import LAST, CrashError

AFTER_REPORTS = 60
"""So many reports are taken before the hook breaks."""

_reports = [0]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> None:
    """Break once there is something to report."""
    _reports[0] += 1
    if _reports[0] == AFTER_REPORTS:
        raise CrashError(f"a hook broke beside {LAST[0]!r} and {item.nodeid}")
