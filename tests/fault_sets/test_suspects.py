"""A fault meets the checks of what it changes, those first that speak of it."""

from __future__ import annotations

import pytest

from emulator.faults import registry
from fixtures.requirement import claimed_by
from tests.fault_sets.suspects import Suspects, suites_for
from tests.kill_matrix.collected import suite


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("apm-capture-of-redirected", {"general", "s2s_apm"}),
        ("checkout-credit-refund-refused", {"general", "checkout", "hosted_page", "hosted_fields"}),
        ("seldom-captures-beyond-authorization", None),
    ],
)
def test_suites_are_those_of_what_a_fault_changes(fault: str, expected: set[str] | None) -> None:
    suites = suites_for(registry()[fault])

    assert (suites if suites is None else set(suites)) == expected


def test_checks_of_the_requirement_come_first() -> None:
    fault = registry()["apm-capture-of-redirected"]

    checks = Suspects(suite().items).checks_for(fault)

    claims = [bool({*fault.requirements}.intersection(claimed_by(check))) for check in checks]
    assert claims == sorted(claims, reverse=True)
    assert claims[0]
    assert not claims[-1]
