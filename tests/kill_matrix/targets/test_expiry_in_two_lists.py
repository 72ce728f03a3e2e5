"""Month and year of a card are chosen from two lists, or typed into two fields: its checks run as on one field."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import suite

IN_TWO = ("form-expiry-from-two-lists", "form-expiry-in-two-short-fields")
OF_EXPIRY = frozenset({f"HPP-EXP-0{number}" for number in range(1, 6)})


@pytest.mark.parametrize("variation", IN_TWO)
def test_every_check_of_expiry_dates_runs_on_two_fields(variation: str) -> None:
    said = suite().run(suite().claiming(OF_EXPIRY), variations=(variation,))

    assert said.requirements("pass") == OF_EXPIRY, said.details("fail", "error", "inconclusive")


@pytest.mark.parametrize(
    ("fault", "requirement"), [("page-expired-accepted", "HPP-EXP-02"), ("page-expiry-month-13", "HPP-EXP-05")]
)
def test_fault_of_expiry_dates_is_noticed_on_two_lists(fault: str, requirement: str) -> None:
    said = suite().run(suite().claiming({requirement}), variations=IN_TWO[:1], faults=(fault,))

    assert requirement in said.requirements("fail")
