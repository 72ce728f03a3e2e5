"""Which brands S2S APM offers, the profile may say more precisely than by families of methods."""

from __future__ import annotations

from typing import Any

import pytest

from fixtures.profile import Profile
from fixtures.profile.test_data import ApmPayments
from tests.kill_matrix.collected import suite

ANOTHER_BRAND = "order_id_of_a_sale_by_another_brand"
BELOW_THE_BRAND = "apm-parameters-below-brand"
BANK_ACCOUNT = {"bank_code": "DEUTDEFF", "bank_account_number": "532013000"}
ASKED_FOR: dict[str, str] = {f"parameters[{name}]": value for name, value in BANK_ACCOUNT.items()}
"""What a brand asks for, as the profile says it."""
BY_BRAND = {"brand": "bank-account", "fields": ASKED_FOR}


def described(*, dialect: dict[str, Any] | None = None, offered: bool = True, **apm: Any) -> Profile:  # noqa: ANN401
    """Return the profile of the emulator with other brands, and families of Checkout alone where none is offered."""
    profile = suite().profile
    known = profile.test_data.apm.model_dump()
    capabilities = profile.capabilities
    if not offered:
        families = {f"method_{name}": ("checkout",) for name in profile.test_data.methods}
        known_families = {name: value for name, value in families.items() if name in type(capabilities).model_fields}
        capabilities = capabilities.model_copy(update=known_families)
    test_data = profile.test_data.model_copy(update={"apm": ApmPayments.model_validate({**known, **apm})})
    return profile.model_copy(
        update={
            "test_data": test_data,
            "capabilities": capabilities,
            "dialect": profile.dialect.model_copy(update=dialect or {}),
        }
    )


def verdicts(claimed: str, profile: Profile, *, part: str = "", faults: tuple[str, ...] = ()) -> set[str]:
    checks = [check for check in suite().claiming({claimed}) if part in check.nodeid]
    assert checks
    return {one.verdict for one in suite().run(checks, profile=profile, faults=faults).checks}


def test_a_second_brand_is_one_whose_outcome_is_said() -> None:
    known = suite().profile.test_data.apm.success
    assert known is not None
    single = described(offered=False, methods={}, decline=None, redirect=None)
    double = described(offered=False, methods={}, decline=None, redirect=BY_BRAND)

    assert verdicts("APM-REQ-11", single, part=ANOTHER_BRAND) == {"inconclusive"}
    assert verdicts("APM-REQ-11", double, part=ANOTHER_BRAND) == {"pass"}


def test_families_of_checkout_alone_are_not_tried_in_s2s() -> None:
    assert verdicts("APM-MTH-01", described(offered=False)) == {"inconclusive"}


@pytest.mark.parametrize(("faults", "verdict"), [((), "pass"), ((BELOW_THE_BRAND,), "inconclusive")])
def test_parameters_of_a_brand_that_the_profile_gives_decide(faults: tuple[str, ...], verdict: str) -> None:
    profile = described(offered=False, methods={}, redirect=BY_BRAND)

    assert verdicts("APM-MTH-01", profile, faults=faults) == {verdict}


@pytest.mark.parametrize(
    ("own", "verdict"),
    [
        ({"s2s_apm": False}, "not_applicable"),
        ({"s2s_apm": False, "method_bank_account": True}, "pass"),
        ({"method_bank_account": False}, "pass"),
    ],
)
def test_a_list_that_is_the_target_s_decides(own: dict[str, bool], verdict: str) -> None:
    assert verdicts("APM-MTH-01", described(dialect={"platform_parameters": own})) == {verdict}


def test_parameters_below_the_brand_are_noticed_by_a_list_that_is_the_target_s() -> None:
    own = {"s2s_apm": False, "method_bank_account": True}
    profile = described(dialect={"platform_parameters": own})

    assert verdicts("APM-MTH-01", profile, faults=(BELOW_THE_BRAND,)) == {"fail"}
