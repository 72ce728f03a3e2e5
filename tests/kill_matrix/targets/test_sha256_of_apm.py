"""The SHA256 option of an account: whether it is one of its S2S APM mapping, the profile says (line 406)."""

from __future__ import annotations

import pytest

from fixtures.profile.accounts import Hash
from fixtures.profile.dialect import Dialect
from tests.kill_matrix.apart import OWN_FORMULAS
from tests.kill_matrix.collected import suite
from tests.kill_matrix.test_accounts_that_hold import where_sha256_holds

NO_SHA256 = "apm-without-sha256"
OWN = "apm-formulas-of-its-own"


@pytest.mark.parametrize(("said_of_it", "verdict"), [("literal", "fail"), ("off", "not_applicable")])
def test_callbacks_by_md5_are_judged_by_what_the_profile_says(said_of_it: str, verdict: str) -> None:
    profile = suite().profile
    dialect = profile.dialect.model_copy(update={"apm_sha256": said_of_it})
    checks = suite().claiming({"CBK-SIG-17"})

    said = suite().run(checks, variations=(NO_SHA256,), profile=profile.model_copy(update={"dialect": dialect}))

    assert verdict in {one.verdict for one in said.checks}, said.details("pass", "inconclusive", "error")
    assert not said.requirements("pass") | said.requirements("inconclusive"), said.details("pass", "inconclusive")


@pytest.mark.parametrize("said_of_it", ["off", "try"])
def test_formula_of_its_own_is_by_the_digest_of_the_mapping(said_of_it: str) -> None:
    profile = suite().profile
    said = {**profile.dialect.model_dump(), "apm_sha256": said_of_it, "apm_formulas": dict(OWN_FORMULAS[OWN][1])}
    described = profile.model_copy(update={"dialect": Dialect.model_validate(said)})

    found = suite().run(suite().claiming({"CBK-SIG-17"}), variations=(OWN, NO_SHA256), profile=described)

    assert not found.requirements("fail") | found.requirements("error"), found.details("fail", "error")


def test_an_option_that_another_protocol_has_is_not_asked_of_the_main_account() -> None:
    profile = suite().profile
    assert profile.credentials.s2s_apm is not None
    main = profile.credentials.s2s_apm.model_copy(update={"hash": "sha256"})
    described = profile.model_copy(
        update={
            "credentials": profile.credentials.model_copy(update={"s2s_apm": main}),
            "dialect": profile.dialect.model_copy(update={"apm_sha256": "off"}),
        }
    )

    found = suite().run(suite().claiming({"CBK-SIG-13", "CBK-SIG-14"}), variations=(NO_SHA256,), profile=described)

    assert {"CBK-SIG-13", "CBK-SIG-14"} <= found.requirements("pass"), found.details("inconclusive")
    assert not found.requirements("fail") | found.requirements("error"), found.details("fail", "error")


@pytest.mark.parametrize("of_the_main_account", [False, True])
@pytest.mark.parametrize("fault", [None, "apm-callback-of-release-unsigned"])
def test_option_may_be_one_of_another_protocol_though_nobody_says_so(
    fault: str | None, *, of_the_main_account: bool
) -> None:
    """What is signed shows by either digest; only the check of the option stays open, and names the setting."""
    sells = where_sha256_holds("s2s_apm")
    main = sells.credentials.s2s_apm
    assert main is not None
    if of_the_main_account:
        main = main.model_copy(update={"hash": Hash.SHA256, "mid_mode": None, "key": sells.accounts["sha256"].key})
        main = main.model_copy(update={"password": sells.accounts["sha256"].password})
    credentials = sells.credentials.model_copy(update={"s2s_apm": main})
    # Of several accounts that hold one without the option would be taken.
    profile = sells.model_copy(update={"accounts": {"sha256": sells.accounts["sha256"]}, "credentials": credentials})

    found = suite().run(
        suite().claiming({"CBK-SIG-13", "CBK-SIG-14", "CBK-SIG-15"} | (set() if fault else {"CBK-SIG-17"})),
        variations=(NO_SHA256, "modes-are-routed"),
        faults=(fault,) if fault else (),
        profile=profile,
    )

    said = found.details("fail", "error", "inconclusive")
    assert found.requirements("fail") == ({"CBK-SIG-14"} if fault else set()), said
    assert found.requirements("pass") >= {"CBK-SIG-13", "CBK-SIG-15"} | (set() if fault else {"CBK-SIG-14"}), said
    left_open = [one for one in found.checks if one.verdict == "inconclusive"]
    assert fault or left_open, said
    assert all("and this callback, are by MD5" in one.reason for one in left_open), said


@pytest.mark.parametrize("has_account", [True, False])
def test_option_that_the_mapping_has_not_is_not_asked_for(has_account: bool) -> None:
    """That no account of S2S APM has it is the same answer."""
    profile = suite().profile
    accounts = {name: each for name, each in profile.accounts.items() if has_account or name != "sha256"}
    dialect = profile.dialect.model_copy(update={"apm_sha256": "off"})
    described = profile.model_copy(update={"accounts": accounts, "dialect": dialect})
    asked = {"APM-SIG-23", "APM-SIG-24", "CBK-SIG-17"}

    found = suite().run(suite().claiming(asked), variations=(NO_SHA256,), profile=described)

    assert {one.verdict for one in found.checks} == {"not_applicable"}, found.details("pass", "fail", "inconclusive")


@pytest.mark.parametrize("fault", [None, "apm-payout-callback-always-by-md5"])
def test_payout_of_an_account_is_in_a_currency_that_it_pays_out(fault: str | None) -> None:
    faults = (fault,) if fault else ()
    checks = [check for check in suite().claiming({"CBK-SIG-17"}) if "paid_out" in check.nodeid]

    said = suite().run(checks, faults=faults, variations=("apm-sha256-account-pays-out-in-kes",))

    assert [one.verdict for one in said.checks] == ["fail" if fault else "pass"], said.details(
        "not_applicable", "error"
    )
