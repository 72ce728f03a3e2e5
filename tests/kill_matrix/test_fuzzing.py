"""Rare faults are found by generated requests, within the gate's budget and with its seed; else nothing is."""

from __future__ import annotations

import random
import re

import pytest

from emulator.faults import Fault
from emulator.variations import registry
from tests.kill_matrix.apart import DESCRIBED_OTHERWISE, OWN_FORMULAS, POOR_NAMES
from tests.kill_matrix.collected import RARE, suite
from tests.kill_matrix.test_variations import must_be_green

GROUPS = 6

pytestmark = pytest.mark.whole_matrix


def likely(fault: Fault) -> list[pytest.Item]:
    """Return the generated requests that can find a fault, those whose name is most like the fault's first."""
    claiming = {item.nodeid for name in fault.requirements for item in suite().by_requirement[name]}
    able = [item for item in suite().generated if item.nodeid in claiming] or list(suite().generated)
    words = set(re.findall("[a-z]{4,}", fault.name))
    return sorted(able, key=lambda item: -len(words & set(re.findall("[a-z]{4,}", item.nodeid))))


@pytest.mark.parametrize("fault", RARE, ids=lambda fault: fault.name)
def test_rare_fault_is_found_by_generated_requests(fault: Fault) -> None:
    broken = set(fault.requirements)

    said = suite().run(likely(fault), faults=(fault.name,), until_failed=broken)

    assert all(said.sanity.values())
    assert broken <= said.requirements("fail"), said.details("fail", "error")
    assert not said.requirements("error"), said.details("error")


@pytest.mark.parametrize("fault", RARE, ids=lambda fault: fault.name)
def test_rare_fault_is_rare(fault: Fault) -> None:
    said = suite().run(suite().claiming(fault.requirements), faults=(fault.name,))

    assert not said.requirements("fail"), said.details("fail")


def groups() -> list[tuple[str, ...]]:
    names = sorted(set(registry()) - {*DESCRIBED_OTHERWISE, *OWN_FORMULAS, *POOR_NAMES})
    random.Random(0).shuffle(names)  # noqa: S311 - which ones go together is no secret
    return [tuple(names[first::GROUPS]) for first in range(GROUPS)]


def test_nothing_is_found_on_the_emulator() -> None:
    must_be_green(suite().run(suite().generated))


@pytest.mark.parametrize("group", groups(), ids=lambda group: group[0])
def test_nothing_is_found_on_variations(group: tuple[str, ...]) -> None:
    said = suite().run(suite().generated, variations=group)

    assert not said.requirements("fail") | said.requirements("error"), (group, said.details("fail", "error"))


@pytest.mark.parametrize("release", ["6.6.3", "6.6.5"])
def test_nothing_is_found_on_an_older_release(release: str) -> None:
    said = suite().run(suite().generated, release=release)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
