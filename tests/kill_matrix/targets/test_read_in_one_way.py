"""What few checks can meet: an amount, a success or an address that is read in one way only is read wrongly."""

from __future__ import annotations

import pytest

from tests.kill_matrix.apart import READ_IN_ONE_WAY
from tests.kill_matrix.collected import suite


@pytest.mark.parametrize("variation", READ_IN_ONE_WAY)
def test_requirements_are_decided_by_a_gateway_that_writes_otherwise(variation: str) -> None:
    claimed = READ_IN_ONE_WAY[variation]

    said = suite().run(suite().claiming(claimed), variations=(variation,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not said.named("inconclusive"), said.details("inconclusive")
    assert said.requirements("pass") >= claimed
