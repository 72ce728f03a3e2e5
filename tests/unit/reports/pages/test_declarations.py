"""Drafts of what a target's operator declares: of platform facts and of needs, never of what safety demands."""

from __future__ import annotations

import tomllib

import pytest

from reports.conclusion import conclude
from reports.declarations import Declaration, as_toml, declarations_of
from tests.unit.reports.small_run import catalogue_of, check, requirement, run_of

DECLARED = (
    Declaration("not_offered", "account:no_brand", "wanted by CBK-ATT-44"),
    Declaration("otherwise", "CBK-SIG-05", "expected one thing;\nreceived another"),
)
PROFILE = '[target]\nname = "a box"\n\n[otherwise]\nCBK-SIG-05 = "as it was"\n'


def test_tables_are_toml_with_what_was_seen_beside_each_line() -> None:
    text = as_toml(DECLARED, "the portal says so")

    assert tomllib.loads(text) == {
        "not_offered": {"account:no_brand": "the portal says so"},
        "otherwise": {"CBK-SIG-05": "the portal says so"},
    }
    assert "# wanted by CBK-ATT-44" in text
    assert "# expected one thing; received another" in text


def test_what_a_profile_declares_already_stays() -> None:
    declared = tomllib.loads(as_toml(DECLARED, "", PROFILE))

    assert declared["otherwise"] == {"CBK-SIG-05": "as it was"}
    assert declared["not_offered"] == {"account:no_brand": ""}
    assert declared["target"] == {"name": "a box"}


LISTS = (
    Declaration("dialect", "method_bank_account", "APM-MTH-11, APM-MTH-12 failed"),
    Declaration("dialect", "card_set_descriptor", "S2C-PRM-03 failed"),
)


@pytest.mark.parametrize("before", ["", "[dialect]\nplatform_parameters = true\n", PROFILE])
def test_lists_of_parameters_are_denied_in_one_line(before: str) -> None:
    text = as_toml(LISTS, "the portal says so", before)

    denied = {"method_bank_account": False, "card_set_descriptor": False}
    assert tomllib.loads(text)["dialect"] == {"platform_parameters": denied}
    (line,) = (line for line in text.splitlines() if "platform_parameters" in line)
    assert line.endswith("# APM-MTH-11, APM-MTH-12 failed; S2C-PRM-03 failed")


def test_lists_that_a_profile_speaks_of_stay() -> None:
    before = "[dialect]\nplatform_parameters = { method_bank_account = true, s2s_card = false }\n"

    lists = tomllib.loads(as_toml(LISTS, "", before))["dialect"]["platform_parameters"]

    assert lists == {"method_bank_account": True, "s2s_card": False, "card_set_descriptor": False}


def test_requirements_of_a_list_are_drafted_as_their_list() -> None:
    family = {"basis": "platform", "parameter_list": True}
    known = catalogue_of(
        requirement(
            id="APM-MTH-11",
            sentence="Without a bank it is refused.",
            needs=["capability:method_bank_account"],
            **family,
        ),
        requirement(id="APM-MTH-01", sentence="They stand beside the brand.", **family),
    )
    run = run_of(check("a", "fail", "APM-MTH-11"), check("b", "fail", "APM-MTH-01"))

    found = {(each.table, each.key) for each in declarations_of(conclude(run, known))}

    assert found == {("dialect", "method_bank_account"), ("otherwise", "APM-MTH-01")}


@pytest.mark.parametrize(("passed", "is_one_line"), [(0, True), (2, True), (3, False)])
def test_lists_of_a_protocol_are_denied_in_one_line_where_most_failed(passed: int, *, is_one_line: bool) -> None:
    names = [f"S2C-SAL-{number:02}" for number in range(1, 4 + passed)]
    public = {"sentence": "It is no longer.", "basis": "platform", "parameter_list": True}
    known = catalogue_of(*(requirement(id=name, **public) for name in names))
    run = run_of(*(check(name, "fail" if at < 3 else "pass", name) for at, name in enumerate(names)))

    found = {(each.table, each.key) for each in declarations_of(conclude(run, known))}

    assert found == ({("dialect", "s2s_card")} if is_one_line else {("otherwise", name) for name in names[:3]})


def test_only_what_an_operator_may_say_is_drafted() -> None:
    known = catalogue_of(
        requirement(id="CHK-SIG-17", sentence="A live key is refused.", needs=["account:live_key"]),
        requirement(id="CHK-STA-01", sentence="The look-up has the usual path.", basis="platform"),
        requirement(id="CHK-STA-28", sentence="Nothing of others is shown.", basis="platform", safety=True),
        requirement(id="CHK-SES-01", sentence="A valid session request is accepted."),
    )
    run = run_of(
        check("a", "fail", "CHK-SES-01"),
        check("b", "inconclusive", "CHK-SIG-17", reason="not given", lacks="account:live_key"),
        check("c", "fail", "CHK-STA-01"),
        check("d", "fail", "CHK-STA-28"),
        check("e", "inconclusive", "CHK-SES-01", reason="not given", lacks="account:second_merchant"),
    )

    found = {(each.table, each.key) for each in declarations_of(conclude(run, known))}

    assert found == {("not_offered", "account:live_key"), ("otherwise", "CHK-STA-01")}
