"""SALE and CREDIT2VIRTUAL are of an order both, and each has a formula of its own: that of the other signs neither."""

from __future__ import annotations

import pytest

from fixtures.judging.baselines import Baselines
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.must import must_refuse_signature
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest


@pytest.mark.parametrize(
    ("action", "other"),
    [
        pytest.param("SALE", "CREDIT2VIRTUAL", id="SALE", marks=requirement("APM-SIG-05")),
        pytest.param("CREDIT2VIRTUAL", "SALE", id="CREDIT2VIRTUAL", marks=requirement("APM-SIG-09")),
    ],
)
def test_signature_by_the_formula_of_another_action_is_refused(
    action: str, other: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    request = apm(action.lower())
    wrong = s2s_apm.recipe_of_another(request, other)
    if wrong.sign() == s2s_apm.recipe(request).sign():
        not_applicable(f"{action} of this target is signed so: {action} in [dialect.apm_formulas]")

    must_refuse_signature(s2s_apm, request, wrong.sign())
