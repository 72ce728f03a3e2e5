"""No value that a target sends, in whatever member of whatever answer or callback, makes a check end as an error.

Each value goes into one member of half of all answers, chosen anew from a seed, while a part of the suite runs; many
of its checks then wait in vain. Together the values meet every fourth check; in the whole matrix each one four times.
"""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import WHOLE, suite
from tests.support.hostile_values import VALUES, hostile_values

PARTS = len(VALUES) if WHOLE else 4 * len(VALUES)
TIMES = 4 if WHOLE else 1


@pytest.mark.parametrize("name", VALUES)
def test_hostile_value_is_never_an_error_of_the_suite(name: str) -> None:
    part = list(VALUES).index(name)
    checks = [check for place, check in enumerate(suite().items) if (place - part) % PARTS < TIMES]

    with hostile_values(lambda: VALUES[name], seed=part, share=0.5):
        said = suite().run(checks)

    assert checks
    assert not said.named("error"), said.details("error")
