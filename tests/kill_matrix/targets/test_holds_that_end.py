"""A gateway that gives up an authorization of a card which nobody captured for days breaks nothing."""

from __future__ import annotations

import pytest

from tests.kill_matrix.apart import HOLDS_END, OLD_HOLDS
from tests.kill_matrix.collected import suite


@pytest.mark.whole_matrix
@pytest.mark.parametrize(("protocol", "variation"), HOLDS_END.items())
def test_lifecycles_of_days_follow_holds_that_end(protocol: str, variation: str) -> None:
    name = f"test_{protocol}_lifecycle_agrees_with_the_ledger[days]"
    checks = [check for check in suite().generated if check.nodeid.endswith(name)]

    said = suite().run(checks, variations=(variation,))

    assert checks
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")


def test_capture_of_a_hold_that_the_bank_has_let_go_may_be_declined() -> None:
    checks = [check for check in suite().items if "s2s_apm/test_long_after.py" in check.nodeid]

    said = suite().run(checks, variations=(OLD_HOLDS,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert "APM-AUT-06" in said.requirements("pass"), said.details("inconclusive")
