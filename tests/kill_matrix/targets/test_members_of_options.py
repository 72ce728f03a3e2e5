"""A member that an option may add beside others: which of them a mapping adds, line 288 leaves to it."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import LATEST, suite

WITHOUT = {
    "checkout-callback-without-rrn": "CBK-ATT-36",
    "checkout-callback-without-trans-status-reason": "CBK-ATT-47",
    "checkout-vat-unreported": "CHK-VAT-01",
}
"""What leaves a member out, and the requirement that asks for it."""


@pytest.mark.parametrize(
    ("carries", "verdict"), [(None, "inconclusive"), (False, "not_applicable"), (True, "fail")], ids=str
)
def test_missing_member_fails_only_where_the_profile_says_that_there_are_such_members(
    carries: bool | None, verdict: str
) -> None:
    profile = suite().profile
    profile = profile.model_copy(update={"dialect": profile.dialect.model_copy(update={"platform_members": carries})})
    claimed = frozenset(WITHOUT.values())

    said = suite().run(suite().claiming(claimed), faults=tuple(WITHOUT), release=LATEST, profile=profile)

    assert said.requirements(verdict) == claimed, said.details("pass", "fail", "inconclusive", "error")
