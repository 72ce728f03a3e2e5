"""A bank that reports a moment later what its payer decided: the status is PENDING before and after."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from fixtures.wire.clock import ControlledClock
from tests.kill_matrix.apart import REPORTS_LATER
from tests.kill_matrix.collected import suite
from tests.support import suite_in_process

OUTCOMES_ONLY = "apm-callbacks-of-outcomes-only"
HELD = frozenset({"APM-CAP-01", "APM-CAP-02", "APM-AUT-06", "APM-CVD-01"})
WITH_CUSTOM_DATA = frozenset({"CBK-APM-06", "CBK-SIG-15"})


def pressing(*, hears: bool = True) -> Profile:
    """Return the profile whose payers press what decides; of a merchant that hears nothing, without callbacks."""
    profile = suite().profile
    apm = profile.test_data.apm
    assert apm.success is not None
    assert apm.decline is not None
    pressed = {
        "success": apm.success.model_copy(update={"press": "[data-challenge=pass]"}),
        "decline": apm.decline.model_copy(update={"press": "[data-challenge=fail]"}),
    }
    data = profile.test_data.model_copy(update={"apm": apm.model_copy(update=pressed)})
    callbacks = profile.callbacks if hears else profile.callbacks.model_copy(update={"none": True})
    return profile.model_copy(update={"test_data": data, "callbacks": callbacks})


def test_hold_is_captured_once_the_bank_reported() -> None:
    said = suite().run(
        suite().claiming(HELD), variations=(REPORTS_LATER, OUTCOMES_ONLY), profile=pressing(), clock="alone"
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("pass") >= HELD, said.details("inconclusive")


def test_what_came_too_soon_is_asked_for_again_where_no_callback_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def pausing(url: str, **_: float) -> ControlledClock:
        return ControlledClock(url, longest_pause=0.6)

    monkeypatch.setattr(suite_in_process, "ControlledClock", pausing)
    checks = [check for check in suite().claiming(HELD) if check.path.name == "test_transitions.py"]

    said = suite().run(checks, variations=(REPORTS_LATER,), profile=pressing(hears=False), clock="alone")

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("pass") >= {"APM-CAP-01", "APM-CAP-02", "APM-CVD-01"}, said.details("inconclusive")


def test_hold_that_is_never_captured_is_noticed() -> None:
    said = suite().run(
        suite().claiming({"APM-CAP-01"}),
        variations=(REPORTS_LATER, OUTCOMES_ONLY),
        faults=("apm-capture-refused",),
        profile=pressing(),
        until_failed=("APM-CAP-01",),
    )

    assert "APM-CAP-01" in said.requirements("fail"), said.details("inconclusive")


def test_payer_decides_what_carries_further_data() -> None:
    said = suite().run(
        suite().claiming(WITH_CUSTOM_DATA), variations=(REPORTS_LATER, OUTCOMES_ONLY), profile=pressing(), clock="alone"
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("pass") >= WITH_CUSTOM_DATA, said.details("inconclusive")
