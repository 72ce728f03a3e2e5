"""What needs a further account is decided by one that takes another currency than most checks pay in."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from fixtures.profile.accounts import Hash
from tests.kill_matrix.apart import IN_ONE_EACH, OF_FEW_CURRENCIES, OF_THEIR_COUNTRY
from tests.kill_matrix.collected import suite

TAKEN = {"second": "THB", "sms": "JPY", "dms": "PLN", "no_zero_amount": "JPY", "no_refunds": "PLN"}
OF_OTHERS = {"CHK-RFD-25", "CHK-RFD-26", "CHK-STA-28", "CHK-STA-29", "S2C-SIG-14", "APM-SIG-10"}
OF_ACCOUNTS = {"CHK-ORD-22", "CHK-SES-56", "S2C-AMT-07", "S2C-AMT-02"}


def in_one_each() -> Profile:
    """Return the profile with a currency for each of some further accounts, and no others of these kinds."""
    profile = suite().profile
    accounts = {
        name: account.model_copy(update={"currencies": (TAKEN[name],)} if name in TAKEN else {})
        for name, account in profile.accounts.items()
    }
    for name, account in accounts.items():
        account.called(name)
    return profile.model_copy(update={"accounts": accounts})


def test_other_currencies_of_further_accounts_decide_as_much() -> None:
    said = suite().run(suite().claiming(OF_OTHERS | OF_ACCOUNTS), variations=(IN_ONE_EACH,), profile=in_one_each())

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"CHK-RFD-25", "CHK-RFD-26", "CHK-STA-28", "CHK-STA-29"} <= said.requirements("pass"), said.details(
        "inconclusive"
    )
    assert not [check for check in said.checks if "no account with" in check.reason]


@pytest.mark.parametrize("fault", ["checkout-refund-of-anybody"])
def test_operations_that_reach_other_merchants_are_noticed(fault: str) -> None:
    said = suite().run(
        suite().claiming({"CHK-RFD-25"}), faults=(fault,), variations=(IN_ONE_EACH,), profile=in_one_each()
    )

    assert said.requirements("fail") == {"CHK-RFD-25"}, said.details("inconclusive", "error")


@pytest.mark.parametrize("fault", [None, "card-allowlist-guards-payments-only"])
def test_account_that_is_turned_away_need_not_take_a_currency_of_two_decimals(fault: str | None) -> None:
    profile = suite().profile
    fenced = profile.accounts["ip_allowlist"].model_copy(update={"currencies": ("BHD",)})
    fenced.called("ip_allowlist")
    accounts = {**profile.accounts, "ip_allowlist": fenced}

    said = suite().run(
        suite().claiming({"S2C-REQ-13"}),
        profile=profile.model_copy(update={"accounts": accounts}),
        faults=(fault,) if fault else (),
    )

    assert said.requirements("fail" if fault else "pass") >= {"S2C-REQ-13"}, said.details("inconclusive", "fail")
    assert not said.named("error" if fault else "fail"), said.details("fail")
    assert not said.named("inconclusive"), said.details("inconclusive")


OF_PAYOUTS = {"APM-SIG-06", "APM-C2V-01", "APM-C2V-02", "CBK-SIG-16"}


def paying_out_by(**settings: object) -> Profile:
    """Return the profile with a main account that takes no GHS and KES, and one besides that takes them."""
    profile = suite().profile
    taken = ("USD", "EUR", "GBP", "BTC", "XOF", "XAF", "TZS", "EGP")
    mains = {name: one.model_copy(update={"currencies": taken}) for name, one in profile.credentials if one is not None}
    other = profile.accounts["no_refunds"].model_copy(update={"currencies": ("GHS", "KES"), **settings})
    other.called("no_refunds")
    credentials = profile.credentials.model_copy(update=mains)
    return profile.model_copy(update={"credentials": credentials, "accounts": {"no_refunds": other}})


@pytest.mark.parametrize("fault", [None, "apm-callback-of-payout-other-form"])
def test_account_that_gives_nothing_back_may_pay_out(fault: str | None) -> None:
    said = suite().run(
        suite().claiming(OF_PAYOUTS),
        variations=(OF_FEW_CURRENCIES,),
        faults=(fault,) if fault else (),
        profile=paying_out_by(),
    )

    assert not [one for one in said.checks if "does not take" in one.reason], said.details("inconclusive")
    assert bool(said.requirements("fail")) is bool(fault), said.details("fail")
    assert not said.requirements("error"), said.details("error")


def test_account_that_is_passed_over_is_named_with_what_it_has() -> None:
    said = suite().run(
        suite().claiming({"APM-C2V-01"}), variations=(OF_FEW_CURRENCIES,), profile=paying_out_by(hash=Hash.SHA256)
    )

    reasons = {one.reason for one in said.checks if "cannot be asked" in one.reason}
    assert reasons
    assert all('[accounts.no_refunds] has hash = "sha256"' in reason for reason in reasons)
    assert all("apm_sha256" in reason for reason in reasons)


@pytest.mark.parametrize(("fault", "verdict"), [("", "pass"), ("apm-payout-ghana-more-accepted", "fail")])
def test_currencies_of_an_account_keep_no_payout_from_it(fault: str, verdict: str) -> None:
    profile = suite().profile
    mains = {name: one.model_copy(update={"currencies": ("USD",)}) for name, one in profile.credentials if one}
    credentials = profile.credentials.model_copy(update=mains)

    said = suite().run(
        suite().claiming({"APM-C2V-15"}),
        profile=profile.model_copy(update={"credentials": credentials, "accounts": {}}),
        faults=(fault,) if fault else (),
    )

    assert said.requirements(verdict) == {"APM-C2V-15"}, said.details("fail", "error", "inconclusive")


def selling_by_another(name: str, **settings: object) -> Profile:
    """Return the profile with main accounts that take no yen, dinars and francs, and one besides that takes them."""
    profile = suite().profile
    mains = {name: one.model_copy(update={"currencies": ("USD",)}) for name, one in profile.credentials if one}
    other = profile.accounts[name].model_copy(update={"currencies": ("JPY", "BHD", "XOF", "XAF")})
    other.called(name)
    credentials = profile.credentials.model_copy(update=mains)
    dialect = profile.dialect.model_copy(update=settings)
    return profile.model_copy(update={"credentials": credentials, "accounts": {name: other}, "dialect": dialect})


@pytest.mark.parametrize("fault", ["", "amount-exponent-0-two-refused"])
def test_account_that_takes_no_amounts_of_zero_sells_in_its_currency(fault: str) -> None:
    faults = (fault,) if fault else ()
    profile = selling_by_another("no_zero_amount")

    said = suite().run(suite().claiming({"S2C-SAL-13", "S2C-AMT-05"}), faults=faults, profile=profile)

    of_it = [one for one in said.checks if "S2C-SAL-13" in one.requirements]
    assert of_it
    assert not [one for one in of_it if one.verdict == "inconclusive"], said.details("inconclusive")
    assert said.requirements("fail") == ({"S2C-SAL-13"} if fault else set()), said.details("fail")
    # That account is not asked for an authorization of nothing.
    assert any("zero_amount = false" in one.reason for one in said.checks if one not in of_it)


SOLD = {"S2C-SAL-13", "S2C-AMT-05", "CHK-AMT-03", "APM-SAL-17"}
HOW_SHA256_SIGNS = {"checkout_sha256": "inner", "apm_sha256": "requests"}


@pytest.mark.parametrize(
    ("name", "settings"), [("no_refunds", {}), ("connector_refunds", {}), ("sha256", HOW_SHA256_SIGNS)]
)
def test_account_that_gives_nothing_back_or_signs_by_sha256_sells_in_its_currency(
    name: str, settings: dict[str, object]
) -> None:
    said = suite().run(suite().claiming(SOLD), profile=selling_by_another(name, **settings))

    assert said.requirements("pass") >= SOLD, said.details("inconclusive", "fail", "error")
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    # No account of this profile takes CLF.
    assert not [one for one in said.checks if one.verdict == "inconclusive" and "CLF" not in one.reason]


@pytest.mark.parametrize("fault", ["amount-exponent-0-two-refused"])
def test_what_is_wrong_in_the_currency_of_such_an_account_is_noticed(fault: str) -> None:
    said = suite().run(suite().claiming({"S2C-SAL-13"}), faults=(fault,), profile=selling_by_another("no_refunds"))

    assert said.requirements("fail") == {"S2C-SAL-13"}, said.details("inconclusive", "error")


def test_account_that_gives_nothing_back_is_not_asked_for_that() -> None:
    given_back = {"S2C-CVD-03", "APM-CVD-07", "APM-CVD-08", "CHK-RFD-01"}

    said = suite().run(suite().claiming(given_back), profile=selling_by_another("no_refunds"))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    reasons = [one.reason for one in said.checks if "made the payment" in one.reason]
    assert reasons
    assert all("[accounts.no_refunds]" in reason and "refunds = false" in reason for reason in reasons)


def test_chain_is_not_charged_by_another_account_than_began_it() -> None:
    said = suite().run(suite().claiming({"S2C-REC-29"}), profile=selling_by_another("no_refunds"))

    reasons = {one.reason for one in said.checks if "S2C-REC-29" in one.requirements}
    assert all("began the chain, and does not take JPY" in reason for reason in reasons)


@pytest.mark.parametrize("protocol", ["checkout", "s2s_apm"])
def test_account_whose_option_may_mean_anything_is_passed_over(protocol: str) -> None:
    claimed = {"checkout": "CHK-AMT-03", "s2s_apm": "APM-SAL-17"}[protocol]

    said = suite().run(suite().claiming({claimed}), profile=selling_by_another("sha256"))

    reasons = {one.reason for one in said.checks if "does not take" in one.reason}
    assert reasons
    assert all("_sha256 in [dialect]" in reason for reason in reasons)


def test_callback_of_a_payout_in_a_currency_of_no_account_is_signed_by_who_asked_for_it() -> None:
    profile = suite().profile
    mains = {name: one.model_copy(update={"currencies": ("USD",)}) for name, one in profile.credentials if one}
    credentials = profile.credentials.model_copy(update=mains)

    said = suite().run(
        suite().claiming({"CBK-SIG-16"}),
        profile=profile.model_copy(update={"credentials": credentials, "accounts": {}}),
    )

    assert said.requirements("pass") == {"CBK-SIG-16"}, said.details("fail", "error", "inconclusive")


def test_schedules_are_of_the_account_that_takes_the_currency() -> None:
    profile = suite().profile
    usual = {"currencies": ("USD", "EUR", "GBP")}
    mains = {name: one.model_copy(update=usual) for name, one in profile.credentials if one is not None}
    taken = {"declines": ("JPY",), "wallet_cards": ("BHD",)}
    accounts = {
        name: one.model_copy(update={"currencies": taken[name]} if name in taken else {})
        for name, one in profile.accounts.items()
    }
    found = {"credentials": profile.credentials.model_copy(update=mains), "accounts": accounts}
    kinds = ("a sale without decimals", "a sale in three decimals", "of_three_decimals")
    checks = [one for one in suite().items if "s2s_card" in one.nodeid and any(kind in one.nodeid for kind in kinds)]

    said = suite().run(checks, variations=(OF_FEW_CURRENCIES,), profile=profile.model_copy(update=found))

    assert {"S2C-SCP-05", "S2C-SCH-54"} <= said.requirements("pass"), said.details("inconclusive", "not_applicable")
    undesired = ("fail", "error", "inconclusive", "not_applicable")
    assert not any(map(said.requirements, undesired)), said.details(*undesired)


OF_DECIMALS = {"CHK-AMT-02", "CHK-AMT-05", "APM-SAL-17", "APM-SAL-18", "S2C-SAL-13", "S2C-SAL-14"}


@pytest.mark.parametrize("taken", [{}, {"declines": ("JPY",), "wallet_cards": ("BHD",)}], ids=["nobody", "others"])
def test_currency_that_the_main_account_may_not_have_says_nothing_of_decimals(
    taken: dict[str, tuple[str, ...]],
) -> None:
    profile = suite().profile
    accounts = {
        name: account.model_copy(update={"currencies": taken[name]} if name in taken else {})
        for name, account in profile.accounts.items()
    }
    for name, account in accounts.items():
        account.called(name)

    said = suite().run(
        suite().claiming(OF_DECIMALS),
        variations=(OF_FEW_CURRENCIES,),
        profile=profile.model_copy(update={"accounts": accounts}),
    )

    assert said.requirements("inconclusive") == OF_DECIMALS, said.details("fail", "error")
    reasons = [one.reason for one in said.checks if one.verdict == "inconclusive"]
    assert all("does not say which currencies the main account takes" in reason for reason in reasons), reasons
    assert any("JPY may be none of them, and is one of [accounts.declines]" in each for each in reasons) is bool(taken)


OF_A_COUNTRY = {"CHK-MTH-05", "CHK-MTH-06", "CHK-MTH-09", "CHK-MTH-10", "CHK-MTH-11"}
OF_A_COUNTRY |= {"APM-MTH-01", "APM-MTH-07", "APM-MTH-08", "APM-MTH-11", "APM-MTH-12", "APM-MTH-13", "HPP-ASK-07"}
"""What is checked of methods that take the currency of their country alone."""


def selling_in_zloty(*, is_said: bool) -> Profile:
    """Return the profile with one more account than the main one, which takes PLN, and perhaps says so."""
    profile = selling_by_another("no_refunds")
    other = profile.accounts["no_refunds"].model_copy(update={"currencies": ("PLN",) if is_said else None})
    other.called("no_refunds")
    return profile.model_copy(update={"accounts": {"no_refunds": other}})


@pytest.mark.parametrize(
    ("fault", "missed"),
    [
        ("", set()),
        ("parameters.bank-account.bank_code.required.ignored", {"CHK-MTH-09"}),
        ("apm.sale.parameters.bank_code.required.bank_account.ignored", {"APM-MTH-11"}),
        ("page-document-number-not-asked", {"HPP-ASK-07"}),
    ],
)
def test_method_of_another_currency_is_asked_of_the_account_that_takes_it(fault: str, missed: set[str]) -> None:
    faults = (fault,) if fault else ()

    said = suite().run(
        suite().claiming(OF_A_COUNTRY),
        variations=(OF_THEIR_COUNTRY,),
        faults=faults,
        profile=selling_in_zloty(is_said=True),
    )

    assert not said.requirements("error"), said.details("error")
    assert said.requirements("fail") == missed, said.details("fail")
    assert not said.requirements("inconclusive") & OF_A_COUNTRY, said.details("inconclusive")


def test_method_of_a_currency_that_nobody_is_said_to_take_names_the_setting() -> None:
    said = suite().run(
        suite().claiming(OF_A_COUNTRY - {"APM-MTH-01", "HPP-ASK-07"}),
        variations=(OF_THEIR_COUNTRY,),
        profile=selling_in_zloty(is_said=False),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    deciding = [one.decides for one in said.checks if one.verdict == "inconclusive"]
    assert deciding
    assert all("[accounts.<name>] that has it" in each for each in deciding), deciding
