"""A payer whose profile does not name the button that pays finds it: most buttons of the emulator have no type."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from fixtures.profile.settings import Selectors
from tests.kill_matrix.collected import checks_of, suite


def without_submit(profile: Profile) -> Profile:
    """Return the profile with the usual selector of what pays."""
    selectors = profile.payer.selectors.model_copy(update={"submit": Selectors().submit})
    return profile.model_copy(update={"payer": profile.payer.model_copy(update={"selectors": selectors})})


@pytest.mark.parametrize("variations", [(), ("page-method-first", "page-challenge-by-choice")])
def test_page_is_paid_on_without_naming_its_button(variations: tuple[str, ...]) -> None:
    said = suite().run(checks_of("hosted_page"), variations=variations, profile=without_submit(suite().profile))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not said.named("inconclusive"), said.details("inconclusive")
