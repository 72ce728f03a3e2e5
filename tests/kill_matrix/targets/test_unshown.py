"""A target that signs otherwise where the contract shows no formula breaks nothing that the contract says."""

from __future__ import annotations

import pytest

from contract.catalogue import load_catalogue
from contract.model import Basis
from fixtures.profile.dialect import Dialect
from tests.kill_matrix.apart import BY_TRANS_ID
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


def test_hash_of_callbacks_by_a_formula_of_its_own_fails_one_requirement() -> None:
    of_callbacks = ("CBK-SIG-03", "CBK-SIG-04", "CBK-SIG-05", "CBK-SIG-06", "CBK-ATT-02")

    said = suite().run(suite().claiming(of_callbacks), faults=("checkout-callback-body-signed",))

    assert said.requirements("fail") == {"CBK-SIG-03"}, said.details("fail")
    assert said.requirements("inconclusive") == {"CBK-SIG-04", "CBK-SIG-05", "CBK-SIG-06"}


def test_what_the_profile_says_a_method_asks_for_is_always_sent() -> None:
    apm = suite().profile.test_data.apm
    assert apm.success is not None
    asked = {"payer_email": suite().profile.test_data.payer.email}
    fields = {**apm.fields, apm.success.brand: {**apm.fields.get(apm.success.brand, {}), **asked}}
    test_data = suite().profile.test_data.model_copy(update={"apm": apm.model_copy(update={"fields": fields})})

    said = suite().run(
        suite().claiming(("APM-SAL-06",)),
        faults=("apm-sale-payer-fields-required",),
        profile=suite().profile.model_copy(update={"test_data": test_data}),
    )

    assert said.requirements("pass") == {"APM-SAL-06"}, said.details("fail", "inconclusive")


LEAVES = ("S2C-SCH-17", "S2C-SCH-32", "S2C-SCH-34", "S2C-SIG-50")


def test_what_an_update_leaves_is_undecided_where_a_schedule_shows_nothing() -> None:
    said = suite().run(suite().claiming(LEAVES), faults=("schedule-info-of-the-id-alone",))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    of_stays = {check.verdict for check in said.checks if "S2C-SCH-32" in check.requirements}
    assert of_stays == {"inconclusive", "not_applicable"}, said.details("pass", "fail")
    assert said.requirements("inconclusive") == set(LEAVES) - {"S2C-SCH-17"}
    assert "S2C-SCH-17" in said.requirements("pass")


def test_deschedule_that_goes_by_the_token_alone_need_not_look_at_the_id_of_a_schedule() -> None:
    said = suite().run(suite().claiming(("S2C-SCH-42",)), faults=("deschedule-reads-no-schedule",))

    of_descheduling = {check.verdict for check in said.checks if "DESCHEDULE" in check.check}
    assert of_descheduling == {"not_applicable"}, said.details("fail", "inconclusive")
    assert said.requirements("pass") == {"S2C-SCH-42"}


CAPTURES = frozenset(f"CHK-CAP-{number:02}" for number in range(1, 15))
FORMULAS = (None, "sha1(md5(upper(trans_id + amount + PASSWORD)))")


@pytest.mark.parametrize("formula", FORMULAS, ids=["usual", "own"])
def test_captures_name_the_payment_as_the_profile_says(formula: str | None) -> None:
    profile = suite().profile
    formulas = {"capture": formula} if formula else {}
    said = {**profile.dialect.model_dump(), "capture_member": "trans_id", "checkout_formulas": formulas}
    described = profile.model_copy(update={"dialect": Dialect.model_validate(said)})

    found = suite().run(suite().claiming(CAPTURES), variations=(BY_TRANS_ID,), profile=described)

    undesired = found.requirements("fail") | found.requirements("error") | found.requirements("inconclusive")
    assert not undesired, found.details("fail", "error", "inconclusive")
    assert {"CHK-CAP-01", "CHK-CAP-04", "CHK-CAP-10", "CHK-CAP-11"} <= found.requirements("pass")


def test_capture_that_is_asked_for_another_member_decides_nothing() -> None:
    found = suite().run(suite().claiming({"CHK-CAP-01", "CHK-CAP-04", "CHK-CAP-10"}), variations=(BY_TRANS_ID,))

    assert not found.requirements("fail") | found.requirements("error"), found.details("fail", "error")
    assert {"CHK-CAP-01", "CHK-CAP-04", "CHK-CAP-10"} <= found.requirements("inconclusive")
