"""Accounts that each have few options: what the main one has not is asked of the one that has it."""

from __future__ import annotations

from typing import Any

import pytest

from fixtures.profile import Profile
from fixtures.profile.accounts import FurtherAccount, MidMode
from tests.kill_matrix.collected import suite
from tests.kill_matrix.main_accounts import with_main_account

ON_FILE = "schedules-on-file-are-of-one-account"


def where_one_sells_and_the_main_one_holds(*, creates_schedules: bool = True) -> Profile:
    """Return the profile with a main account that only holds, and no other that sells but one."""
    profile = with_main_account("dms", says=True, protocol="checkout")
    serves = None if creates_schedules else ("checkout",)
    selling = profile.accounts["sms"].model_copy(update={"protocols": serves})
    selling.called("sms")
    # The tokens of the profile are those of the account that was the main one.
    data = profile.test_data.model_copy(update={"card_token": None, "second_card_token": None})
    return profile.model_copy(update={"accounts": {"sms": selling}, "test_data": data})


SCHEDULED = {"CHK-SCH-01", "CHK-SCH-02", "CHK-SCH-03", "CHK-SCH-04", "CHK-SCH-05", "CHK-SCH-06", "CHK-SCH-07"}
SCHEDULED |= {"CBK-ATT-28", "CBK-ATT-29", "CBK-ATT-57", "CHK-SES-63", "CHK-SES-64", "CHK-SES-66", "CHK-STA-42"}
"""What schedules of Checkout charge, and when."""


@pytest.mark.parametrize(
    ("fault", "broken"),
    [("", set()), ("checkout-schedule-amount-ignored", {"CHK-SCH-05"})],
)
def test_schedules_are_of_the_account_that_opens_their_sessions(fault: str, broken: set[str]) -> None:
    said = suite().run(
        suite().claiming(SCHEDULED),
        profile=where_one_sells_and_the_main_one_holds(),
        variations=("modes-are-routed", ON_FILE),
        faults=(fault,) if fault else (),
    )

    assert not said.requirements("error"), said.details("error")
    assert said.requirements("fail") == broken, said.details("fail")
    assert said.requirements("pass") >= SCHEDULED - broken, said.details("inconclusive")


def test_account_that_has_no_schedule_is_named() -> None:
    said = suite().run(
        suite().claiming({"CHK-SCH-03", "CHK-SES-64"}),
        profile=where_one_sells_and_the_main_one_holds(creates_schedules=False),
        variations=("modes-are-routed", ON_FILE),
    )

    undecided = [one for one in said.checks if one.verdict == "inconclusive"]
    assert undecided
    assert all("another account than [accounts.sms]" in one.reason for one in undecided), said.details("inconclusive")


BY_WALLET = {"CHK-WAL-01", "CBK-ATT-31", "HPP-ASK-16", "CHK-STA-43"}
"""What is paid by wallet on the hosted page, and offered there."""
HAVE_WALLETS = "pages-of-one-account-offer-wallets"


def where_another_account_has_wallets(**settings: object) -> Profile:
    """Return the profile whose main account says nothing of wallets, and another one how they run there."""
    profile = suite().profile
    main = profile.credentials.checkout
    assert main is not None
    credentials = profile.credentials.model_copy(update={"checkout": main.model_copy(update={"wallet_flow": None})})
    having = profile.accounts["wallet_cards"].model_copy(update={"wallet_flow": "card", **settings})
    having.called("wallet_cards")
    accounts = {**profile.accounts, "wallet_cards": having}
    return profile.model_copy(update={"credentials": credentials, "accounts": accounts})


@pytest.mark.parametrize(
    ("fault", "broken"),
    [
        ("", set()),
        ("checkout-wallet-declined", {"CHK-WAL-01"}),
        ("callback-method-of-earlier-attempt", {"CBK-ATT-31"}),
        ("page-wallets-hidden", {"HPP-ASK-16"}),
    ],
)
def test_wallets_are_asked_of_the_account_whose_pages_offer_them(fault: str, broken: set[str]) -> None:
    said = suite().run(
        suite().claiming(BY_WALLET),
        profile=where_another_account_has_wallets(checkout_payment_method=True),
        variations=(HAVE_WALLETS,),
        faults=(fault,) if fault else (),
    )

    assert not said.requirements("error"), said.details("error")
    assert said.requirements("fail") >= broken, said.details("pass", "inconclusive")
    if not fault:
        assert said.requirements("pass") >= BY_WALLET, said.details("inconclusive", "fail")
        assert not said.named("inconclusive"), said.details("inconclusive")
        assert not said.named("fail"), said.details("fail")


def test_account_that_shows_the_method_and_has_no_wallets_is_named() -> None:
    checks = [one for one in suite().claiming({"CBK-ATT-31"}) if "paid_by_wallet" in one.name]

    said = suite().run(checks, profile=where_another_account_has_wallets(), variations=(HAVE_WALLETS,))

    assert {one.verdict for one in said.checks} == {"inconclusive"}, said.details("pass", "fail", "not_applicable")
    assert "wallet_flow is not said, as it is of wallet_cards" in said.details("inconclusive")


WITHOUT_CARDS = "account-without-cards"


def with_a_bare_account(like: str, settings: dict[str, Any]) -> Profile:
    """Return the profile whose first further account has a setting as another one has, and little besides."""
    profile = suite().profile
    known = profile.accounts["options"]
    bare = FurtherAccount.model_construct(key=known.key, password=known.password, **settings)
    bare.called("options")
    return profile.model_copy(update={"accounts": {"options": bare, like: profile.accounts[like]}})


LIKE: dict[str, dict[str, Any]] = {
    "no_refunds": {"refunds": False},
    "connector_refunds": {"connector_refunds_only": True},
    "no_zero_amount": {"zero_amount": False},
}
"""What is said of an account besides which there is one like it, by the name of that."""


@pytest.mark.parametrize(
    ("like", "fault", "broken"),
    [
        ("no_refunds", "", {"CHK-RFD-03"}),
        ("no_refunds", "checkout-credit-refunds-for-all", {"CHK-RFD-03"}),
        ("connector_refunds", "", {"CHK-RFD-04"}),
        ("no_zero_amount", "", {"CHK-ORD-23", "S2C-AMT-07"}),
        ("no_zero_amount", "zero-whatever-the-provider", {"S2C-AMT-07"}),
        ("no_zero_amount", "zero-amount-recurring-without-provider", {"CHK-ORD-23"}),
    ],
)
def test_account_that_has_what_the_check_asks_for_is_asked(like: str, fault: str, broken: set[str]) -> None:
    said = suite().run(
        suite().claiming(broken),
        profile=with_a_bare_account(like, LIKE[like]),
        variations=(WITHOUT_CARDS,),
        faults=(fault,) if fault else (),
    )

    assert not said.requirements("error"), said.details("error")
    assert said.requirements("fail" if fault else "pass") >= broken, said.details("inconclusive", "fail")
    assert fault or not said.requirements("fail"), said.details("fail")
    assert not said.named("inconclusive"), said.details("inconclusive")


def test_accounts_that_were_asked_are_named_where_none_has_it() -> None:
    profile = with_a_bare_account("no_refunds", {"refunds": False})
    cards = profile.test_data.cards.model_copy(update={"success": profile.test_data.cards.decline})
    data = profile.test_data.model_copy(update={"cards": cards})
    checks = [one for one in suite().claiming({"CHK-RFD-03"}) if "as_well" in one.name]

    said = suite().run(checks, profile=profile.model_copy(update={"test_data": data}), variations=(WITHOUT_CARDS,))

    assert {one.verdict for one in said.checks} == {"inconclusive"}, said.details("pass", "fail")
    assert all(f"[accounts.{name}]" in said.details("inconclusive") for name in ("options", "no_refunds"))


OF_A_DECLINE = {"S2C-PAY-05", "S2C-DEB-08"}


@pytest.mark.parametrize("variations", [("card-challenges-of-sales-alone",), ()], ids=["of-sales", "of-all"])
def test_card_that_only_a_challenge_declines_is_named(variations: tuple[str, ...]) -> None:
    profile = suite().profile
    cards = profile.test_data.cards.model_copy(update={"decline": profile.test_data.cards.three_ds_decline})
    data = profile.test_data.model_copy(update={"cards": cards})
    checks = [one for one in suite().claiming(OF_A_DECLINE) if "is_answered" in one.name]

    said = suite().run(checks, profile=profile.model_copy(update={"test_data": data}), variations=variations)

    assert said.requirements("inconclusive") == OF_A_DECLINE, said.details("pass", "fail", "error")
    assert all("declined without a challenge" in one.decides for one in said.checks), said.details("inconclusive")


BY_METHODS = {f"CHK-MTH-{number:02}" for number in (9, 10, 13, 14, 15, 16, 17, 18, 19)}
"""What is asked of methods that the main account need not have."""


def with_accounts(*names: str) -> Profile:
    """Return the profile with these of its further accounts and no others."""
    profile = suite().profile
    return profile.model_copy(update={"accounts": {name: profile.accounts[name] for name in names}})


@pytest.mark.parametrize(
    ("fault", "broken"),
    [("", set()), ("parameters.bank-account.bank_code.required.ignored", {"CHK-MTH-09"})],
)
def test_methods_are_asked_of_the_account_that_has_them(fault: str, broken: set[str]) -> None:
    said = suite().run(
        suite().claiming(BY_METHODS),
        profile=with_accounts("second", "sms", "options"),
        variations=("methods-of-one-account",),
        faults=(fault,) if fault else (),
    )

    assert not said.requirements("error"), said.details("error")
    assert said.requirements("fail") == broken, said.details("fail")
    assert not said.named("inconclusive"), said.details("inconclusive")
    assert said.requirements("pass") >= BY_METHODS - broken, said.details("not_applicable")


def test_methods_are_asked_of_an_account_of_another_currency() -> None:
    profile = with_accounts("second", "sms", "options")
    there = profile.accounts["options"].model_copy(update={"currencies": ("EUR", "GBP")})
    there.called("options")

    said = suite().run(
        suite().claiming(BY_METHODS),
        profile=profile.model_copy(update={"accounts": {**profile.accounts, "options": there}}),
        variations=("methods-of-one-account",),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("pass") >= BY_METHODS, said.details("not_applicable", "inconclusive")


def test_accounts_that_were_asked_for_a_method_are_named() -> None:
    said = suite().run(
        suite().claiming({"CHK-MTH-13"}),
        profile=with_accounts("second", "sms", "no_refunds"),
        variations=("methods-of-one-account",),
    )

    undecided = [one for one in said.checks if one.verdict == "inconclusive"]
    assert undecided
    assert all("it was asked of sms as well" in one.decides for one in undecided), undecided


def where_another_account_of(kind: str) -> Profile:
    """Return the profile whose first account of a kind lacks the usual brand, and the second one has it."""
    if kind == "second_merchant":
        profile = with_a_bare_account("second", {"merchant": "third"})
        return profile.model_copy(update={"accounts": dict(sorted(profile.accounts.items()))})
    selling = with_main_account("sms", says=True, protocol="s2s_apm")
    holding = with_a_bare_account("dms", {"mid_mode": MidMode.DMS})
    return selling.model_copy(update={"accounts": holding.accounts})


@pytest.mark.parametrize(
    ("kind", "fault", "broken"),
    [
        ("second_merchant", "", "APM-REQ-17"),
        ("mid_dms", "", "APM-AUT-01"),
        ("mid_dms", "e-apm-authorization-settles-after-redirect", "APM-AUT-01"),
    ],
)
def test_brands_are_asked_of_the_account_that_has_them(kind: str, fault: str, broken: str) -> None:
    checks = [one for one in suite().claiming({broken}) if "wallet" not in one.name and "undefined" not in one.name]

    said = suite().run(
        checks,
        profile=where_another_account_of(kind),
        variations=(WITHOUT_CARDS,),
        faults=(fault,) if fault else (),
    )

    assert said.requirements("fail" if fault else "pass") == {broken}, said.details("inconclusive", "fail", "error")
    assert fault or not said.named("inconclusive"), said.details("inconclusive")


OF_CHANNELS = {"CHK-SES-31", "CHK-SES-32", "CHK-SES-33"}
"""That a session with a channel of the merchant is accepted."""


def test_channel_of_the_main_account_is_named_by_no_other() -> None:
    said = suite().run(
        suite().claiming(OF_CHANNELS),
        profile=where_one_sells_and_the_main_one_holds(),
        variations=("modes-are-routed", "channels-of-the-account-that-holds"),
    )

    assert said.requirements("pass") == OF_CHANNELS, said.details("fail", "error", "inconclusive")
