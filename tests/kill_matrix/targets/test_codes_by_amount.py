"""A bank of tests that goes by the amount: only one amount is that of a code that nobody scans."""

from __future__ import annotations

import pytest

from emulator.variations.s2s_apm.codes_by_amount import REJECTED, UNSCANNED
from fixtures.profile import Profile
from fixtures.profile.test_data import InstantQr
from tests.kill_matrix.apart import CODES_BY_AMOUNT
from tests.kill_matrix.collected import suite

OF_UNSCANNED_CODES = {"APM-QRC-04", "APM-QRC-09"}


def by_amount() -> Profile:
    """Return the profile of such a bank, whose page nobody knows."""
    profile = suite().profile
    by = {"sale_member": "order_amount", "executed": "46.00", "rejected": REJECTED, "pending": UNSCANNED}
    qr = InstantQr.model_validate({"brand": profile.test_data.instant_qr.brand, **by})
    return profile.model_copy(update={"test_data": profile.test_data.model_copy(update={"instant_qr": qr})})


@pytest.mark.parametrize("fault", [None, "apm-qr-never-expires"])
def test_code_that_nobody_scans_has_the_amount_for_that(fault: str | None) -> None:
    said = suite().run(
        suite().claiming(OF_UNSCANNED_CODES),
        profile=by_amount(),
        variations=(CODES_BY_AMOUNT,),
        faults=(fault,) if fault else (),
    )

    assert not said.requirements("error"), said.details("error")
    assert not said.requirements("fail"), said.details("fail")
    decided = OF_UNSCANNED_CODES if fault is None else {"APM-QRC-04"}
    assert said.requirements("pass") == decided, said.details("inconclusive", "not_applicable")
