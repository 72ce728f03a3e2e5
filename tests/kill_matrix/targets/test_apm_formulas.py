"""S2S APM actions that a target signs as another one is: with the profile's word nothing fails."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from tests.kill_matrix.collected import suite

FAULTS = ("apm-sale-signed-by-the-formula-of-payouts",)
"""A fault for whoever signs as public documents do; the contract does not show the formula (line 405)."""
FILES = ("test_sale_signature", "test_operation_signatures", "test_duplicates", "test_captures", "test_creditvoid")


def saying_so(profile: Profile) -> Profile:
    """Return the profile with the formulas of the target."""
    formulas = {"SALE": "CREDIT2VIRTUAL"}
    return profile.model_copy(update={"dialect": profile.dialect.model_copy(update={"apm_formulas": formulas})})


@pytest.mark.parametrize("known", [True, False])
def test_formulas_of_the_profile_are_signed_by(known: bool) -> None:
    checks = [one for one in suite().items if "s2s_apm" in one.nodeid and one.path.name.startswith(FILES)]
    profile = saying_so(suite().profile) if known else suite().profile

    said = suite().run(checks, faults=FAULTS, profile=profile)

    assert all(said.sanity.values()) == known
    if known:
        failed = said.requirements("fail") | said.requirements("error")
        assert failed <= {"APM-SIG-06", "APM-SIG-07"}, said.details("fail", "error")
