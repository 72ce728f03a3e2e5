"""Every fault of callbacks, ways back and hosted fields shows somewhere in a story of payments."""

from __future__ import annotations

import pytest

from emulator.faults import Fault
from emulator.faults.checkout_attributes import FAULTS as ATTRIBUTES
from emulator.faults.checkout_callbacks import FAULTS as CALLBACKS
from emulator.faults.checkout_extras import FAULTS as EXTRAS
from emulator.faults.checkout_hosted_fields import FAULTS as HOSTED
from emulator.faults.checkout_hosted_tokens import FAULTS as TOKENS
from emulator.faults.checkout_returns import FAULTS as RETURNS
from emulator.releases import LATEST
from tests.emulator.checkout_story import STORIES, Story
from tests.emulator.probe import Gateway

_UNSEEN = {"callback-never-again", "callback-again-of-another", "callback-only-200-counts"}
"""Faults that show only to a merchant who refuses callbacks."""

FAULTS = [
    fault
    for fault in (*ATTRIBUTES, *CALLBACKS, *EXTRAS, *HOSTED, *TOKENS, *RETURNS)
    if LATEST in fault.releases and fault.name not in _UNSEEN
]


def story(name: str, *faults: str) -> Story:
    return STORIES[name](Gateway(control=True, faults=faults))


@pytest.fixture(scope="module")
def usual() -> dict[str, Story]:
    return {name: story(name) for name in STORIES}


def test_stories_are_told_alike(usual: dict[str, Story]) -> None:
    assert {name: story(name) for name in STORIES} == usual


def first_of(fault: Fault) -> list[str]:
    """The stories, the one that most likely shows a fault first."""
    known = {"hosted": "hosted fields", "return": "ways back", "link": "ways back", "session": "ways back"}
    likely = known.get(fault.name.removeprefix("checkout-").partition("-")[0], "purchases")
    return sorted(STORIES, key=lambda one: one != likely)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_changes_the_story(fault: Fault, usual: dict[str, Story]) -> None:
    assert any(story(one, fault.name) != usual[one] for one in first_of(fault))
