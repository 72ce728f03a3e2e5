"""A target that signs otherwise where the contract shows no formula breaks nothing that the contract says."""

from __future__ import annotations

import pytest

from contract.catalogue import load_catalogue
from contract.model import Basis
from tests.kill_matrix.collected import suite

SIGNED_OTHERWISE = {
    "apm-creditvoid-signed-like-void": ("APM-CVD-01", "APM-CVD-08", "APM-CVD-11"),
    "credit2card-signed-otherwise": ("CBK-S2C-04", "S2C-PAY-01"),
    "checkout-charge-signed-like-sessions": ("CHK-REC-01", "CHK-REC-03", "CHK-REC-17"),
}


@pytest.mark.parametrize(("fault", "requirements"), SIGNED_OTHERWISE.items())
def test_formula_that_is_not_shown_fails_no_requirement_of_the_contract(
    fault: str, requirements: tuple[str, ...]
) -> None:
    said = suite().run(suite().claiming(requirements), faults=(fault,))

    catalogue = load_catalogue()
    failed = {catalogue[name] for name in said.requirements("fail")}
    assert not {each.id for each in failed if each.basis is not Basis.PLATFORM or each.safety}, said.details("fail")
    assert said.requirements("inconclusive")
