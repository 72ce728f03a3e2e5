"""A QR that is a text on a bank's page, at an address with a secret: what decides the payment stands beside it."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from fixtures.profile.test_data import InstantQr
from tests.kill_matrix.collected import suite

AT_A_BANK = "page-qr-as-text-at-a-bank"
SHOWN = frozenset({"HPP-OUT-05", "HPP-OUT-06"})
REPORTED = frozenset({"CHK-TRN-08", "CHK-TRN-09", "CHK-TRN-10"})


def profile_of_a_stranger() -> Profile:
    """Return a profile that does not know how a session says what its bank reports."""
    profile = suite().profile
    qr = InstantQr.model_validate({"brand": profile.test_data.instant_qr.brand})
    return profile.model_copy(update={"test_data": profile.test_data.model_copy(update={"instant_qr": qr})})


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


@pytest.mark.parametrize("variations", [(AT_A_BANK,), ()], ids=["at a bank", "on the page"])
def test_bank_reports_what_is_pressed_on_the_page_that_shows_the_code(variations: tuple[str, ...]) -> None:
    said = suite().run(suite().claiming(REPORTED), variations=variations, profile=profile_of_a_stranger())

    assert said.requirements("pass") == REPORTED, said.details("fail", "error", "inconclusive")


def test_status_that_is_not_what_the_bank_reported_is_noticed() -> None:
    fault, checks = "checkout-qr-rejected-reported-pending", suite().claiming({"CHK-TRN-09"})

    said = suite().run(checks, variations=(AT_A_BANK,), faults=(fault,), profile=profile_of_a_stranger())

    assert "CHK-TRN-09" in said.requirements("fail"), said.details("inconclusive", "pass")


@pytest.mark.parametrize(("stranger", "verdict"), [(True, "inconclusive"), (False, "fail")])
def test_payer_who_says_that_they_paid_is_no_bank_that_reports_it(stranger: bool, verdict: str) -> None:
    fault, checks = "checkout-qr-executed-reported-pending", suite().claiming({"CHK-TRN-08"})
    profile = profile_of_a_stranger() if stranger else suite().profile

    said = suite().run(checks, variations=(AT_A_BANK,), faults=(fault,), profile=profile)

    assert "CHK-TRN-08" in said.requirements(verdict), said.details("inconclusive", "pass", "fail")
