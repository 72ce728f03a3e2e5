"""Accounts that each have few options: what the main one has not is asked of the one that has it."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from tests.kill_matrix.collected import suite
from tests.kill_matrix.test_main_accounts import with_main_account

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
