"""A payment of which a part was captured may be PENDING until the rest is released: its limits are looked at then."""

from __future__ import annotations

import pytest

from tests.kill_matrix.apart import HELD_IN_CHECKOUT, HELD_IN_PART
from tests.kill_matrix.collected import suite

SETTLED_AT_ONCE = ("S2C-CAP-05", "APM-CAP-11")
"""What public documents say, and the profile of such a target that it is otherwise."""
LIMITS = {
    "S2C-CVD-05": ("refunds-up-to-what-was-held", "test_no_more_is_given_back_than_was_captured"),
    "APM-CVD-08": ("apm-lifecycle-refund-up-to-authorized", "test_no_more_can_be_given_back_than_was_captured"),
    "CHK-RFD-09": ("checkout-lifecycle-refund-up-to-authorized", "test_no_more_is_refunded_than_was_captured"),
    "CHK-RFD-24": (
        "checkout-lifecycle-refund-up-to-authorized",
        "test_card_credits_give_back_no_more_than_was_captured",
    ),
}
LATER = ("S2C-CAP-08", "S2C-VOI-01", "APM-CAP-04", "APM-VOI-06")
"""What else is asked of a payment of which a part was captured."""


@pytest.mark.parametrize("held", [HELD_IN_PART, HELD_IN_CHECKOUT])
def test_what_is_asked_of_captured_parts_is_decided_once_the_rest_is_released(held: str) -> None:
    profile = suite().profile.model_copy(update={"otherwise": dict.fromkeys(SETTLED_AT_ONCE, "parts stay PENDING")})

    said = suite().run(suite().claiming([*LIMITS, *LATER]), variations=(held,), profile=profile)

    undesired = said.requirements("fail") | said.requirements("error") | said.requirements("inconclusive")
    assert not undesired, said.details("fail", "error", "inconclusive")


@pytest.mark.parametrize("held", [HELD_IN_PART, HELD_IN_CHECKOUT])
@pytest.mark.parametrize("requirement", LIMITS)
def test_limit_of_what_was_held_is_noticed_once_the_rest_is_released(requirement: str, held: str) -> None:
    fault, name = LIMITS[requirement]
    checks = [check for check in suite().claiming([requirement]) if name in check.nodeid]

    said = suite().run(checks, variations=(held,), faults=(fault,))

    assert said.requirements("fail") == {requirement}, said.details("pass", "inconclusive", "not_applicable")
