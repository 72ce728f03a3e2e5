"""A target that posts no callback at all, although its profile declares them: what does not come proves nothing."""

from __future__ import annotations

import pytest

from contract.catalogue import load_catalogue
from emulator import Settings
from fixtures.profile import Profile
from fixtures.requirement import claimed_by
from tests.kill_matrix.collected import part_of, suite
from tests.support.listening_gateway import listening_gateway

LATER = (
    "checkout-refund-of-too-much-fails-later",
    "apm-refund-too-large-declined-later",
    "apm-refunds-carried-out-later",
    "creditvoid-declined-later",
    "creditvoid-takes-a-second",
    "void-declined-later",
)
"""Variations that take on what has to fail, so that a callback alone would say so."""
ABOUT_OUTCOMES = (
    "test_refunds",
    "test_transitions",
    "test_schedules",
    "test_duplicates",
    "test_after",
    "test_recurring",
)
"""Files whose checks look at callbacks besides answers."""


def of_another_target(profile: Profile) -> Profile:
    """Return the profile of a target that was started by others: nobody knows whether it posts to this machine."""
    emulator = profile.emulator.model_copy(update={"start": False})
    return profile.model_copy(update={"emulator": emulator})


def checks() -> list[pytest.Item]:
    """Return the checks that look at callbacks."""
    catalogue = load_catalogue()
    return [
        check
        for check in suite().items
        if check.path.name.startswith(ABOUT_OUTCOMES)
        or any("capability:callbacks" in catalogue[name].needs for name in claimed_by(check))
    ]


@pytest.mark.parametrize(
    "variations", [pytest.param((), id="at once", marks=pytest.mark.whole_matrix), pytest.param(LATER, id="later")]
)
def test_callbacks_that_never_come_fail_nothing(variations: tuple[str, ...]) -> None:
    address = listening_gateway().play(Settings(control=True, variations=variations))

    said = suite().run(part_of(checks(), 0, 2), url=address, profile=of_another_target(suite().profile))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"CBK-DEL-01", "CBK-DEL-02", "CBK-DEL-03"} & said.requirements("inconclusive")
