"""A QR that is a text on a bank's page, at an address with a secret: what decides the payment stands beside it."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import suite

AT_A_BANK = "page-qr-as-text-at-a-bank"
SHOWN = frozenset({"HPP-OUT-05", "HPP-OUT-06"})


def test_code_is_seen_and_nothing_is_pressed_beside_it() -> None:
    said = suite().run(suite().claiming(SHOWN), variations=(AT_A_BANK,))

    assert {check.verdict for check in said.checks} == {"pass"}, said.details("fail", "error", "inconclusive")


@pytest.mark.parametrize(
    ("fault", "requirement"),
    [
        ("page-qr-not-shown", "HPP-OUT-05"),
        ("page-qr-amount-hidden", "HPP-OUT-05"),
        ("page-qr-lasts-an-hour", "HPP-OUT-06"),
        ("page-qr-lasts-ten-seconds", "HPP-OUT-06"),
    ],
)
def test_fault_of_the_code_is_noticed(fault: str, requirement: str) -> None:
    said = suite().run(suite().claiming({requirement}), variations=(AT_A_BANK,), faults=(fault,))

    assert requirement in said.requirements("fail"), said.details("inconclusive", "pass")
