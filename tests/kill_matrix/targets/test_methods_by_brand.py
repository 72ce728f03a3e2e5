"""Which methods a page may offer, the profile says as brands as well, of which none is a family of the contract."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from tests.kill_matrix.collected import suite


def with_brands_alone() -> Profile:
    """Return the profile of the emulator with the same methods as further brands, and none by its family."""
    profile = suite().profile
    named = (*profile.test_data.methods.values(), *profile.test_data.wallet_tokens)
    data = profile.test_data.model_copy(update={"methods": {}, "wallet_tokens": {}, "further_brands": named})
    return profile.model_copy(update={"test_data": data})


@pytest.mark.parametrize(("faults", "verdict"), [((), "pass"), (("page-methods-ignored",), "fail")])
def test_brand_is_a_method_that_a_page_may_offer(faults: tuple[str, ...], verdict: str) -> None:
    checks = [
        one
        for one in suite().claiming({"HPP-ASK-04"})
        if one.name == "test_methods_restricts_what_is_offered[purchase]"
    ]

    said = suite().run(checks, profile=with_brands_alone(), faults=faults)

    assert said.requirements(verdict) == {"HPP-ASK-04"}, said.details("inconclusive", "fail", "error")


def test_method_of_the_account_is_no_other_one() -> None:
    data = suite().profile.test_data.model_copy(
        update={"method": "Card", "further_brands": ("card", "cards-eu", "twint"), "methods": {}}
    )

    assert "twint" in data.other_methods
    assert not {"card", "cards-eu"} & data.other_methods
