"""A platform requirement that the profile declares to be otherwise fails no more, and the reason is shown."""

from __future__ import annotations

import pytest

from contract.catalogue import load_catalogue
from fixtures.profile import Profile
from fixtures.profile.parameters import names_of
from fixtures.requirement import claimed_by
from tests.kill_matrix.apart import WITHOUT_LISTS
from tests.kill_matrix.collected import checks_of, part_of, suite

REASON = "ours does it in another way"


def declaring(*names: str) -> Profile:
    return suite().profile.model_copy(update={"otherwise": dict.fromkeys(names, REASON)})


@pytest.mark.parametrize(
    ("requirement", "fault"),
    [("CBK-SIG-05", "checkout-callback-signed-over-ascii-alone"), ("S2C-CAP-07", "capture-amount-zero-taken")],
)
def test_requirement_that_is_declared_otherwise_is_not_applicable(requirement: str, fault: str) -> None:
    checks = suite().claiming([requirement])

    said = suite().run(checks, faults=(fault,), profile=declaring(requirement))

    assert requirement in suite().run(checks, faults=(fault,)).requirements("fail")
    assert {check.verdict for check in said.checks} == {"not_applicable"}
    assert all(REASON in check.reason for check in said.checks)


@pytest.mark.parametrize(("variation", "protocol"), WITHOUT_LISTS.items())
@pytest.mark.parametrize("whole", [True, False], ids=["all lists", "those of the protocol"])
def test_lists_of_parameters_that_are_not_the_target_s_are_not_applicable(
    variation: str, protocol: str, whole: bool
) -> None:
    lists = {name for name, one in load_catalogue().items() if one.parameter_list and protocol in names_of(one)}
    dialect = suite().profile.dialect.model_copy(update={"platform_parameters": False if whole else {protocol: False}})
    profile = suite().profile.model_copy(update={"dialect": dialect})

    asked = suite().claiming(lists)
    unsaid = suite().run(asked, variations=(variation,))
    others = [check for check in part_of(checks_of(protocol), 0, 4) if whole and check not in asked]
    said = suite().run([*asked, *others], variations=(variation,), profile=profile)

    assert unsaid.requirements("fail") <= lists
    assert unsaid.requirements("fail")
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert lists <= said.requirements("not_applicable")
    assert not lists & (said.requirements("pass") | said.requirements("inconclusive"))


def test_lists_of_one_family_are_not_the_target_s() -> None:
    dialect = suite().profile.dialect.model_copy(update={"platform_parameters": {"method_bank_account": False}})

    said = suite().run(
        suite().claiming({"APM-MTH-11", "APM-MTH-13", "CHK-MTH-09"}),
        variations=("apm-without-parameter-lists",),
        profile=suite().profile.model_copy(update={"dialect": dialect}),
    )

    assert said.requirements("not_applicable") == {"APM-MTH-11"}
    assert said.requirements("fail") == {"APM-MTH-13"}
    assert "CHK-MTH-09" in said.requirements("pass")


def test_generated_requests_find_what_is_declared_otherwise_and_show_the_rest() -> None:
    checks = [check for check in suite().generated if "text_in_a_session" in check.nodeid]
    faults = ("address-quote-shows-database", "description-nul-breaks")

    said = suite().run(checks, faults=faults, profile=declaring("GEN-ERR-23"))

    assert said.requirements("fail") == {"GEN-ERR-10"}


def test_what_else_a_check_decides_of_the_contract_is_undecided() -> None:
    both = {"APM-CAP-09", "APM-REQ-10"}
    checks = [check for check in suite().claiming(both) if both <= set(claimed_by(check))]

    said = suite().run(checks, profile=declaring("APM-CAP-09"))

    assert checks
    assert said.requirements("inconclusive") >= both
