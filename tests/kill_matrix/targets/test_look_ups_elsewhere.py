"""A gateway whose look-ups by order have an address of their own: line 342 shows none."""

from __future__ import annotations

from fixtures.profile import Profile
from tests.kill_matrix.collected import suite
from tests.support.suite_in_process import Outcomes

VARIATION = "look-ups-by-order-elsewhere"
PLACES = ("suites/checkout/look_ups/", "suites/checkout/changes/test_operation_signatures.py")


def said_with(profile: Profile) -> Outcomes:
    checks = [check for check in suite().items if check.nodeid.startswith(PLACES)]
    return suite().run(checks, variations=(VARIATION,), profile=profile)


def test_nothing_of_the_contract_fails_while_the_profile_does_not_name_the_address() -> None:
    said = said_with(suite().profile)

    # That look-ups have the address of public documents is a requirement of its own, of basis platform.
    assert said.requirements("fail") | said.requirements("error") <= {"CHK-STA-01"}, said.details("fail", "error")
    assert "CHK-STA-03" in said.requirements("inconclusive")


def test_everything_is_decided_with_the_address() -> None:
    profile = suite().profile
    dialect = profile.dialect.model_copy(update={"status_by_order_path": "/api/v1/order/status"})

    said = said_with(profile.model_copy(update={"dialect": dialect}))

    undesired = ("fail", "error", "inconclusive")
    assert not any(map(said.requirements, undesired)), said.details(*undesired)
