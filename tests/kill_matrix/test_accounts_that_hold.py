"""One account for each kind of payment: what the main account may not do is asked of the one that does it."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from fixtures.profile.accounts import MidMode
from tests.kill_matrix.apart import OF_FEW_CURRENCIES
from tests.kill_matrix.collected import suite
from tests.kill_matrix.main_accounts import with_another_that_does_both, with_main_account, with_other_merchants


def where_sha256_holds(protocol: str) -> Profile:
    """Return the profile with a main account that only sells, and one with SHA256 that sells and holds."""
    profile = with_main_account("sms", says=True, protocol=protocol)
    holding = profile.accounts["sha256"].model_copy(
        update={"mid_mode": MidMode.EITHER, "arn": True, "status_arn": True}
    )
    holding.called("sha256")
    accounts = {name: other for name, other in profile.accounts.items() if name != "dms"} | {"sha256": holding}
    # The tokens of the profile are those of the account that was the main one.
    data = profile.test_data.model_copy(update={"card_token": None, "second_card_token": None})
    return profile.model_copy(update={"accounts": accounts, "test_data": data})


@pytest.mark.parametrize(
    ("protocol", "requirement", "fault"),
    [
        ("s2s_card", "S2C-SIG-56", None),
        ("s2s_card", "S2C-SIG-56", "s2s-card.VOID.sha256-without-option"),
        ("checkout", "CHK-SIG-16", None),
    ],
)
def test_sha256_of_the_account_that_holds_keeps_nothing_open(
    protocol: str, requirement: str, fault: str | None
) -> None:
    checks = [check for check in suite().by_requirement[requirement] if "sha256" in check.name]

    said = suite().run(
        checks,
        profile=where_sha256_holds(protocol),
        variations=("modes-are-routed",),
        faults=(fault,) if fault else (),
    )

    assert requirement in said.requirements("fail" if fault else "pass")

    assert not said.requirements("error"), said.details("error")
    assert not [check.check for check in said.checks if "signs with SHA256" in check.reason], said.details(
        "inconclusive"
    )


ARN_AND_RELEASES = {"CBK-ATT-33", "CHK-STA-39", "CBK-S2C-16", "S2C-CVD-01"}


@pytest.mark.parametrize("protocol", ["s2s_card", "checkout"])
def test_authorization_with_an_option_is_of_an_account_that_holds(protocol: str) -> None:
    profile = where_sha256_holds(protocol)
    # CREDITVOID of S2S CARD only releases what is held.
    capabilities = profile.capabilities.model_copy(update={"creditvoid_refunds": ("checkout", "s2s_apm")})
    checks = suite().claiming(ARN_AND_RELEASES)

    said = suite().run(
        [check for check in checks if protocol in str(check.path)],
        profile=profile.model_copy(update={"capabilities": capabilities}),
        variations=("modes-are-routed", "creditvoid-releases-only"),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not [check for check in said.checks if "SMS" in check.reason], said.details("inconclusive")
    assert len(said.requirements("pass") & ARN_AND_RELEASES) == 2


def where_yen_are_only_held() -> Profile:
    """Return the profile with a main account that sells, one that holds besides, and one that holds yen and no more."""
    profile = suite().profile
    kept = {name: other for name, other in profile.accounts.items() if other.mid_mode is None}
    taken = {"currencies": tuple(str(each) for each in ("USD", "BHD", profile.test_data.currencies.crypto))}
    sha256 = profile.accounts["sha256"].model_copy(update={"mid_mode": MidMode.EITHER, "currencies": ("USD",)})
    dms = profile.accounts["dms"].model_copy(update={"currencies": ("JPY",)})
    accounts = {}
    # That an account takes every currency is what leaving out its currencies says.
    for name, account in kept.items():
        accounts[name] = account.model_copy(update={"currencies": ("USD",)})
    accounts |= {"sha256": sha256, "dms": dms}
    for name, account in accounts.items():
        account.called(name)
    mains = {
        protocol: getattr(profile.credentials, protocol).model_copy(update=taken | {"mid_mode": MidMode.SMS})
        for protocol in ("checkout", "s2s_card", "s2s_apm")
    }
    credentials = profile.credentials.model_copy(update=mains)
    return profile.model_copy(update={"accounts": accounts, "credentials": credentials})


IN_YEN = {
    "APM-CAP-01",
    "APM-CVD-01",
    "CHK-AMT-02",
    "CHK-AMT-03",
    "CHK-AMT-04",
    "CHK-ORD-19",
    "S2C-SAL-13",
    "APM-SAL-17",
}
"""Requirements of payments in yen: what is held is captured and released, and the format of amounts is tried."""
OF_OTHER_ACTIONS = ("debit", "recurring_sale", "void", "session_with")
"""Checks, by their parameters, of what only an account that sells does in yen."""


@pytest.mark.parametrize("fault", [None, "amount-exponent-0-one"])
def test_yen_are_asked_of_the_account_that_only_holds_them(fault: str | None) -> None:
    checks = [check for check in suite().claiming(IN_YEN) if not any(word in check.name for word in OF_OTHER_ACTIONS)]

    said = suite().run(
        checks,
        profile=where_yen_are_only_held(),
        variations=("modes-are-routed", OF_FEW_CURRENCIES),
        faults=(fault,) if fault else (),
    )

    assert not said.requirements("error"), said.details("error")
    broken = {"CHK-AMT-03", "S2C-SAL-13"} if fault else set()
    assert said.requirements("fail") == broken, said.details("fail")
    assert "JPY" not in said.details("inconclusive")
    assert said.requirements("pass") >= IN_YEN - broken, said.details("inconclusive")


@pytest.mark.parametrize("fault", [None, "e-start-date-forgotten-until-capture"])
def test_session_with_a_schedule_is_opened_by_the_account_whose_schedule_it_is(fault: str | None) -> None:
    profile = where_sha256_holds("checkout")
    # A schedule of which the account that holds knows nothing.
    data = profile.test_data.model_copy(update={"schedule_id": "0c5a4c4b-6f0f-4bb1-9d5c-0d6c2f3f7a11"})
    checks = [check for check in suite().claiming({"CHK-SCH-01"}) if "first_payment_is_captured" in check.name]

    said = suite().run(
        checks,
        profile=profile.model_copy(update={"test_data": data}),
        variations=("modes-are-routed",),
        faults=(fault,) if fault else (),
    )

    assert said.requirements("fail" if fault else "pass") == {"CHK-SCH-01"}, said.details("fail", "inconclusive")


def test_account_without_a_schedule_is_named() -> None:
    profile = where_sha256_holds("checkout")
    holding = profile.accounts["sha256"].model_copy(update={"protocols": ("checkout",)})
    holding.called("sha256")
    data = profile.test_data.model_copy(update={"schedule_id": "0c5a4c4b-6f0f-4bb1-9d5c-0d6c2f3f7a11"})
    changed = {"accounts": {**profile.accounts, "sha256": holding}, "test_data": data}
    checks = [check for check in suite().claiming({"CHK-SCH-01"}) if "first_payment_is_captured" in check.name]

    said = suite().run(checks, profile=profile.model_copy(update=changed), variations=("modes-are-routed",))

    assert "another account than [accounts.sha256]" in said.details("inconclusive"), said.details("fail", "error")


@pytest.mark.parametrize("protocol", ["s2s_card", "checkout"])
def test_option_that_no_account_that_holds_is_known_to_have_is_named(protocol: str) -> None:
    profile = where_sha256_holds(protocol)
    accounts = {name: one.model_copy(update={"arn": None}) for name, one in profile.accounts.items()}
    for name, account in accounts.items():
        account.called(name)
    checks = [check for check in suite().claiming(ARN_AND_RELEASES) if "authorized" in check.name]

    said = suite().run(
        [check for check in checks if protocol in str(check.path)],
        profile=profile.model_copy(update={"accounts": accounts}),
        variations=("modes-are-routed",),
    )

    assert {check.verdict for check in said.checks} == {"inconclusive"}, said.details("pass", "fail", "error")
    assert all("no account that holds is known to have arn" in check.reason for check in said.checks)


@pytest.mark.parametrize("fault", [None, "checkout-capture-not-carried-out"])
def test_authorization_after_a_decline_is_of_an_account_that_holds(fault: str | None) -> None:
    checks = [one for one in suite().by_requirement["CHK-CAP-01"] if "after_a_decline" in one.name]

    said = suite().run(
        checks,
        profile=where_sha256_holds("checkout"),
        variations=("modes-are-routed",),
        faults=(fault,) if fault else (),
    )

    assert said.requirements("fail" if fault else "pass") == {"CHK-CAP-01"}, said.details("inconclusive", "fail")


def test_refund_of_a_hold_is_asked_for_with_a_token_of_the_account_that_holds() -> None:
    """The token of the profile is one of another account."""
    profile, known = where_sha256_holds("checkout"), suite().profile.test_data.card_token
    data = profile.test_data.model_copy(update={"card_token": known})
    checks = [one for one in suite().by_requirement["CHK-RFD-02"] if "authorized" in one.name]

    said = suite().run(checks, profile=profile.model_copy(update={"test_data": data}), variations=("modes-are-routed",))

    assert said.requirements("pass") == {"CHK-RFD-02"}, said.details("inconclusive", "fail")


@pytest.mark.parametrize(
    ("variations", "faults", "has_other", "verdict"),
    [
        ((), (), True, "pass"),
        (("modes-are-routed",), (), False, "pass"),
        ((), ("apm-auth-ignored",), False, "inconclusive"),
        (("modes-are-routed",), ("apm-auth-lower-case-holds",), False, "fail"),
        ((), ("apm-auth-lower-case-holds",), True, "fail"),
    ],
    ids=["holds", "refuses-to-hold", "looks-at-no-auth", "holds-by-y-though-it-only-sells", "holds-by-y"],
)
def test_auth_is_looked_at_where_it_makes_a_difference(
    variations: tuple[str, ...], faults: tuple[str, ...], has_other: bool, verdict: str
) -> None:
    profile = where_sha256_holds("s2s_apm")
    accounts = {"sha256": profile.accounts["sha256"]} if has_other else {}
    claimed = {"APM-AUT-04"}

    said = suite().run(
        suite().claiming(claimed),
        variations=variations,
        faults=faults,
        profile=profile.model_copy(update={"accounts": accounts}),
    )

    assert said.requirements(verdict) == claimed, said.details("pass", "fail", "inconclusive", "error")


def where_euros_are_held(*, has_twin: bool) -> Profile:
    """Return the profile with a main account of S2S APM that only sells, and one that sells and holds in euros."""
    profile = where_sha256_holds("s2s_apm")
    holding = profile.accounts["sha256"].model_copy(update={"currencies": ("EUR",)})
    holding.called("sha256")
    twin = {"dms": suite().profile.accounts["dms"]} if has_twin else {}
    return profile.model_copy(update={"accounts": {"sha256": holding, **twin}})


@pytest.mark.parametrize(
    ("has_twin", "variations", "verdict"),
    [
        (True, ("modes-are-routed", "further-account-in-another-currency"), "pass"),
        (False, ("modes-are-routed", "further-accounts-refuse-the-usual-brand"), "inconclusive"),
    ],
    ids=["a-twin-holds", "nobody-holds"],
)
def test_authorization_that_is_not_taken_repeats_nothing(
    has_twin: bool, variations: tuple[str, ...], verdict: str
) -> None:
    checks = [one for one in suite().claiming({"APM-REQ-11"}) if one.name.endswith("[authorization]")]

    said = suite().run(checks, profile=where_euros_are_held(has_twin=has_twin), variations=variations)

    assert said.requirements(verdict) == {"APM-REQ-11"}, said.details("inconclusive", "fail", "error", "pass")


def test_authorizations_are_asked_of_a_twin_before_an_account_in_another_currency() -> None:
    checks = suite().claiming({"APM-AUT-01", "APM-CAP-01", "APM-CVD-01"})

    said = suite().run(
        checks,
        profile=where_euros_are_held(has_twin=True),
        variations=("modes-are-routed", "further-account-in-another-currency"),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("pass") >= {"APM-CAP-01", "APM-CVD-01"}, said.details("inconclusive")


OF_ANOTHER = {"GEN-ERR-30", "S2C-STA-19", "S2C-STA-24", "S2C-DUP-09", "CHK-STA-28", "CHK-STA-29", "CHK-DUP-05"}
"""Requirements of payments of another merchant, which that one need not sell."""


@pytest.mark.parametrize(
    ("faults", "broken"),
    [
        ((), set()),
        (
            ("look-up-of-anybodys", "checkout-look-up-payment-of-anybody", "duplicate-across-merchants"),
            {"S2C-STA-19", "CHK-STA-29", "CHK-DUP-05"},
        ),
    ],
    ids=["as-it-is", "of-anybody"],
)
def test_other_merchant_who_only_holds_makes_what_is_needed(faults: tuple[str, ...], broken: set[str]) -> None:
    said = suite().run(
        suite().claiming(OF_ANOTHER),
        profile=with_other_merchants("dms"),
        variations=("modes-are-routed",),
        faults=faults,
    )

    assert said.requirements("fail") >= broken, said.details("inconclusive", "pass", "error")
    assert faults or said.requirements("pass") >= OF_ANOTHER, said.details("inconclusive", "fail", "error")


@pytest.mark.parametrize(("protocol", "requirement"), [("checkout", "CHK-URL-02"), ("s2s_card", "S2C-STA-01")])
def test_only_account_holds_and_that_is_enough(protocol: str, requirement: str) -> None:
    alone = with_main_account("dms", says=True, protocol=protocol).model_copy(update={"accounts": {}})

    said = suite().run(suite().claiming({requirement}), profile=alone, variations=("modes-are-routed",))

    assert said.requirements("pass") == {requirement}, said.details("fail", "error", "inconclusive")


OF_A_HOLD = {
    "s2s_card": (
        "test_callback_of_an_authorization_that_asks_for_a_token_carries_it",
        "test_no_more_is_given_back_than_was_captured",
        "test_callback_of_a_capture_of_the_whole_names_all_decimals",
        "test_schedule_charges_the_amount_that_was_said_whatever_started_it[a sale that is captured]",
        "whatever_it_reports[a CAPTURE]",
    ),
    "s2s_apm": ("whatever_it_reports[a CAPTURE]",),
    "checkout": (
        "test_authorization_with_vat_has_vat_amount",
        "whatever_else_it_asks_for[captured]",
        "test_success_carries_the_return_parameters[authorization]",
    ),
}
"""Checks by which an amount is held where neither their requirement nor a state says so."""


@pytest.mark.parametrize("protocol", OF_A_HOLD)
def test_hold_that_nothing_but_the_check_asks_for_is_of_an_account_that_holds(protocol: str) -> None:
    suites = ("suites/checkout", "suites/hosted_page") if protocol == "checkout" else (f"suites/{protocol}",)
    named = [one for one in suite().items if any(name in one.nodeid for name in OF_A_HOLD[protocol])]
    checks = [one for one in named if one.nodeid.startswith(suites)]
    profile = with_another_that_does_both(with_main_account("sms", says=True, protocol=protocol), protocol)

    said = suite().run(checks, profile=profile, variations=("modes-are-routed",))

    assert {one.verdict for one in said.checks} == {"pass"}, said.details(
        "inconclusive", "not_applicable", "fail", "error"
    )
