"""Month and year of a card are chosen from two lists: the checks of expiry dates run on them as on one field."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import suite

IN_TWO = "form-expiry-from-two-lists"
OF_EXPIRY = frozenset({f"HPP-EXP-0{number}" for number in range(1, 6)})


def test_every_check_of_expiry_dates_runs_on_two_lists() -> None:
    said = suite().run(suite().claiming(OF_EXPIRY), variations=(IN_TWO,))

    assert said.requirements("pass") == OF_EXPIRY, said.details("fail", "error", "inconclusive")


@pytest.mark.parametrize(
    ("fault", "requirement"), [("page-expired-accepted", "HPP-EXP-02"), ("page-expiry-month-13", "HPP-EXP-05")]
)
def test_fault_of_expiry_dates_is_noticed_on_two_lists(fault: str, requirement: str) -> None:
    said = suite().run(suite().claiming({requirement}), variations=(IN_TWO,), faults=(fault,))

    assert requirement in said.requirements("fail")
