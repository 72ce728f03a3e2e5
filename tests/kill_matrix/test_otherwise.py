"""A platform requirement that the profile declares to be otherwise fails no more, and the reason is shown."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from fixtures.requirement import claimed_by
from tests.kill_matrix.collected import suite

REASON = "ours does it in another way"


def declaring(*names: str) -> Profile:
    return suite().profile.model_copy(update={"otherwise": dict.fromkeys(names, REASON)})


@pytest.mark.parametrize(
    ("requirement", "fault"),
    [("CBK-SIG-05", "checkout-callback-signed-over-ascii-alone"), ("S2C-CAP-07", "capture-amount-zero-taken")],
)
def test_requirement_that_is_declared_otherwise_is_not_applicable(requirement: str, fault: str) -> None:
    checks = suite().claiming([requirement])

    said = suite().run(checks, faults=(fault,), profile=declaring(requirement))

    assert requirement in suite().run(checks, faults=(fault,)).requirements("fail")
    assert {check.verdict for check in said.checks} == {"not_applicable"}
    assert all(REASON in check.reason for check in said.checks)


def test_generated_requests_find_what_is_declared_otherwise_and_show_the_rest() -> None:
    checks = [check for check in suite().generated if "text_in_a_session" in check.nodeid]
    faults = ("address-quote-shows-database", "description-nul-breaks")

    said = suite().run(checks, faults=faults, profile=declaring("GEN-ERR-23"))

    assert said.requirements("fail") == {"GEN-ERR-10"}


def test_what_else_a_check_decides_of_the_contract_is_undecided() -> None:
    both = {"APM-CAP-09", "APM-REQ-10"}
    checks = [check for check in suite().claiming(both) if both <= set(claimed_by(check))]

    said = suite().run(checks, profile=declaring("APM-CAP-09"))

    assert checks
    assert said.requirements("inconclusive") >= both
