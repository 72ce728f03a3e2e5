"""A clock whose address answers with an error: what would happen later is undecided, for every check that asks."""

from __future__ import annotations

from tests.kill_matrix.collected import part_of, suite
from tests.support.listening_gateway import listening_gateway


def test_nothing_fails_where_the_clock_cannot_be_moved() -> None:
    waiting = [check for check in suite().items if check.get_closest_marker("waits")]

    said = suite().run(part_of(waiting, 0, 2), clock=f"{listening_gateway().url}/nowhere")

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"S2C-SCP-05", "S2C-SCP-06"} & said.requirements("inconclusive")
