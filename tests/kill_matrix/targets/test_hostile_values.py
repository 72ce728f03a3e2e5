"""No value that a target sends, in whatever member of whatever answer or callback, makes a check end as an error.

Each value goes into one member of half of all answers, chosen anew from a seed, while a part of the suite runs; many
of its checks then wait in vain. Together the values meet every twelfth check; in the whole matrix each one four times.

Besides, one check of every other function reads members that are exchanged where it reads them; in the whole matrix of
each function, and with other seeds and shares.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

import pytest

from tests.kill_matrix.collected import PROTOCOLS, WHOLE, checks_of, part_of, suite
from tests.support.hostile_members import hostile_members
from tests.support.hostile_values import VALUES, hostile_values

PARTS = len(VALUES) if WHOLE else 12 * len(VALUES)
TIMES = 4 if WHOLE else 1
SEEDS = range(8 if WHOLE else 1)
SHARES = (0.1, 0.3, 0.5)


@pytest.mark.parametrize("name", VALUES)
def test_hostile_value_is_never_an_error_of_the_suite(name: str) -> None:
    part = list(VALUES).index(name)
    checks = [check for place, check in enumerate(suite().items) if (place - part) % PARTS < TIMES]

    with hostile_values(lambda: VALUES[name], seed=part, share=0.5):
        said = suite().run(checks)

    assert checks
    assert not said.named("error"), said.details("error")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_hostile_member_is_never_an_error_of_the_suite(
    protocol: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = _one_of_each_function(protocol, random.Random(seed))  # noqa: S311 - no secret
    running: list[pytest.Item] = []
    for check in checks:
        monkeypatch.setattr(check, "runtest", _noted(check, running))

    with hostile_members(lambda: bool(running), seed=seed, share=SHARES[seed % len(SHARES)]):
        said = suite().run(checks)

    assert not said.named("error"), said.details("error")


def _one_of_each_function(protocol: str, choose: random.Random) -> Sequence[pytest.Item]:
    functions: dict[str, list[pytest.Item]] = defaultdict(list)
    for check in checks_of(protocol):
        if not check.get_closest_marker("fuzz"):
            functions[check.nodeid.partition("[")[0]].append(check)
    return part_of([choose.choice(each) for each in functions.values()], 0, 2)


def _noted(check: pytest.Item, running: list[pytest.Item]) -> object:
    usual = check.runtest

    def runtest() -> None:
        running.append(check)
        try:
            usual()
        finally:
            running.remove(check)

    return runtest
