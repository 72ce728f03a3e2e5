"""A code that is declined while another ends, and would be without that one too, says nothing of both."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from tests.kill_matrix.collected import suite

ENDS_WITH_THE_OLDEST = "p-apm-codes-end-with-the-oldest"
IN_BATCHES = "f-apm-qr-expires-with-the-minute"
"""Declines whatever is open at each full minute: of its codes another check says that their minute is short."""


def valid_for(seconds: int) -> Profile:
    """Return the profile of an operator whose codes are valid for so long."""
    profile = suite().profile
    qr = profile.test_data.instant_qr.model_copy(update={"valid_seconds": seconds})
    return profile.model_copy(update={"test_data": profile.test_data.model_copy(update={"instant_qr": qr})})


@pytest.mark.parametrize(
    ("fault", "seconds", "verdicts"),
    [
        (ENDS_WITH_THE_OLDEST, 60, {"fail"}),
        (ENDS_WITH_THE_OLDEST, 15, {"not_applicable"}),
        (IN_BATCHES, 60, {"pass", "not_applicable"}),
    ],
)
def test_code_ends_with_another(fault: str, seconds: int, verdicts: set[str]) -> None:
    checks = [check for check in suite().by_requirement["APM-QRC-04"] if "another_payment_ends" in check.name]

    said = suite().run(checks, faults=(fault,), profile=valid_for(seconds))

    assert {check.verdict for check in said.checks} <= verdicts, said.details("pass", "fail", "inconclusive", "error")
    assert said.checks
