"""A page between the card and the issuer on which a payment is confirmed: the challenge after it is met and failed."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import suite

REVIEWED = "page-reviewed-before-payment"
CHALLENGED = frozenset({"CHK-URL-05", "CHK-URL-15", "HPP-OUT-03", "HPP-OUT-04", "HPP-OUT-11"})


def test_challenge_after_the_page_is_met() -> None:
    said = suite().run(suite().claiming(CHALLENGED), variations=(REVIEWED,))

    assert said.requirements("pass") == CHALLENGED, said.details("fail", "error", "inconclusive")


@pytest.mark.parametrize(
    ("fault", "requirement"),
    [("page-challenge-skipped", "HPP-OUT-03"), ("page-challenge-always-passed", "HPP-OUT-04")],
)
def test_fault_of_the_challenge_is_noticed_behind_the_page(fault: str, requirement: str) -> None:
    said = suite().run(suite().claiming({requirement}), variations=(REVIEWED,), faults=(fault,))

    assert requirement in said.requirements("fail")
