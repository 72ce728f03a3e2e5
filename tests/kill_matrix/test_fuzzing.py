"""Rare faults are found by generated requests, within the gate's budget and with its seed; on nothing else is any found."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

import pytest

from emulator.faults import Fault, registry
from emulator.variations import registry as variations
from tests.kill_matrix.collected import LATEST, suite
from tests.kill_matrix.test_variations import DESCRIBED_OTHERWISE, must_be_green
from tests.suite_in_process import Outcomes

RARE: Sequence[Fault] = tuple(fault for fault in registry().values() if fault.rare)
GROUPS = 6
AT_A_TIME = 12


def likely(fault: Fault) -> list[pytest.Item]:
    """Return the generated requests that can find a fault, those whose name is most like the fault's first."""
    claiming = {item.nodeid for name in fault.requirements for item in suite().by_requirement[name]}
    able = [item for item in suite().generated if item.nodeid in claiming] or list(suite().generated)
    words = set(re.findall("[a-z]{4,}", fault.name))
    return sorted(able, key=lambda item: -len(words & set(re.findall("[a-z]{4,}", item.nodeid))))


def found_by(fault: Fault) -> Iterator[Outcomes]:
    """Run the checks that can find a fault, a few at a time, until one of them does."""
    checks = likely(fault)
    for first in range(0, len(checks), AT_A_TIME):
        said = suite().run(checks[first : first + AT_A_TIME], faults=(fault.name,))
        yield said
        if set(fault.requirements) <= said.requirements("fail"):
            return


@pytest.mark.parametrize("fault", RARE, ids=lambda fault: fault.name)
def test_rare_fault_is_found_by_generated_requests(fault: Fault) -> None:
    for said in found_by(fault):
        assert all(said.sanity.values())
        assert not said.requirements("error"), said.told("error")

    assert set(fault.requirements) <= said.requirements("fail")


@pytest.mark.parametrize("fault", RARE, ids=lambda fault: fault.name)
def test_rare_fault_is_rare(fault: Fault) -> None:
    said = suite().run(suite().claiming(fault.requirements), faults=(fault.name,))

    assert not said.requirements("fail"), said.told("fail")


def groups() -> list[tuple[str, ...]]:
    names = sorted(name for name in variations() if name not in DESCRIBED_OTHERWISE)
    random.Random(0).shuffle(names)  # noqa: S311 - which ones go together is no secret
    return [tuple(names[first::GROUPS]) for first in range(GROUPS)]


def test_nothing_is_found_on_the_emulator() -> None:
    must_be_green(suite().run(suite().generated))


@pytest.mark.parametrize("group", groups(), ids=lambda group: group[0])
def test_nothing_is_found_on_variations(group: tuple[str, ...]) -> None:
    said = suite().run(suite().generated, variations=group)

    assert not said.requirements("fail") | said.requirements("error"), (group, said.told("fail", "error"))


@pytest.mark.parametrize("release", ["6.6.3", "6.6.5"])
def test_nothing_is_found_on_an_older_release(release: str) -> None:
    said = suite().run(suite().generated, release=release)

    assert not said.requirements("fail") | said.requirements("error"), said.told("fail", "error")
