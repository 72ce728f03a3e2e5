"""Payouts and wallets are asked of the accounts that are for them alone, and nothing else is asked of these."""

from __future__ import annotations

import pytest

from contract.catalogue import load_catalogue
from fixtures.profile import Profile
from fixtures.profile.accounts import FurtherAccount
from tests.kill_matrix.apart import FOR_ONE_PURPOSE, FOR_PART_OF_ONE, PAYS_NOTHING_OUT
from tests.kill_matrix.collected import part_of, suite

VARIATION = FOR_ONE_PURPOSE
ONLY_FOR = {"soft_declines": ("payouts",), "wallet_cards": ("wallets",)}
OF_PAYOUTS = frozenset(f"capability:{name}" for name in ("transfer", "credit2card", "card2card", "credit"))
OF_WALLETS = frozenset({"capability:wallets"})


def with_specialists(*names: str) -> Profile:
    """Return the profile that says what some of its accounts are for alone."""
    accounts: dict[str, FurtherAccount] = {}
    for name, account in suite().profile.accounts.items():
        accounts[name] = account.model_copy(update={"only_for": ONLY_FOR[name]} if name in names else {})
        accounts[name].called(name)
    return suite().profile.model_copy(update={"accounts": accounts})


def about(needs: frozenset[str]) -> list[pytest.Item]:
    """Return the checks of what needs one of these, and those of payouts by S2S APM, which needs nothing."""
    found = {name for name, one in load_catalogue().items() if needs.intersection(one.needs)}
    found |= {name for name in load_catalogue() if name.startswith("APM-C2V-")} if needs is OF_PAYOUTS else set()
    return suite().claiming(found)


@pytest.mark.parametrize("part", range(2))
def test_payouts_are_decided_by_the_account_for_them(part: int) -> None:
    checks = part_of(about(OF_PAYOUTS), part, 4)

    said = suite().run(checks, variations=(VARIATION,), profile=with_specialists(*ONLY_FOR))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    # The token of the profile is one of the main account.
    undecided = [one for one in said.checks if one.verdict == "inconclusive" and "205005" not in one.reason]
    assert not [one for one in undecided if "account" in one.reason], said.details("inconclusive")


def test_wallets_are_decided_by_the_account_for_them() -> None:
    said = suite().run(suite().claiming({"S2C-WAL-01"}), variations=(VARIATION,), profile=with_specialists(*ONLY_FOR))

    assert said.requirements("pass") == {"S2C-WAL-01"}, said.details("fail", "inconclusive", "error")


def test_nothing_fails_where_the_profile_does_not_say_for_what_an_account_is() -> None:
    checks = part_of([*about(OF_PAYOUTS), *about(OF_WALLETS)], 1, 8)

    said = suite().run(checks, variations=(VARIATION,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")


def test_payouts_that_the_account_for_them_refuses_are_noticed() -> None:
    said = suite().run(
        suite().claiming({"S2C-PAY-06"}),
        variations=(VARIATION,),
        faults=("credit2card-refused",),
        profile=with_specialists(*ONLY_FOR),
    )

    assert said.requirements("fail") == {"S2C-PAY-06"}, said.details("pass", "inconclusive", "error")


BY_WALLET = {"S2C-WAL-01", "S2C-WAL-03", "S2C-WAL-04", "S2C-SIG-29", "S2C-SIG-30", "S2C-STA-10"}


def with_wallets_elsewhere() -> Profile:
    """Return the profile whose main account says nothing of wallets, and another one how they run there."""
    profile = suite().profile
    mains = {name: one.model_copy(update={"wallet_flow": None}) for name, one in profile.credentials if one}
    return profile.model_copy(update={"credentials": profile.credentials.model_copy(update=mains)})


@pytest.mark.parametrize("fault", ["", "sale-by-wallet-refused"])
def test_wallets_are_asked_of_the_account_that_says_how_they_run(fault: str) -> None:
    said = suite().run(
        suite().claiming(BY_WALLET),
        variations=(VARIATION,),
        faults=(fault,) if fault else (),
        profile=with_wallets_elsewhere(),
    )

    assert said.requirements("fail") == ({"S2C-WAL-01"} if fault else set()), said.details("fail")
    assert not said.requirements("error"), said.details("error")
    if not fault:
        assert said.requirements("pass") >= BY_WALLET, said.details("inconclusive")


TRANSFERS = {"S2C-PAY-01", "S2C-PAY-02", "S2C-PAY-06", "CHK-SES-09", "APM-C2V-01"}


def test_what_the_account_for_payouts_does_not_carry_out_is_asked_of_the_main_one() -> None:
    checks = part_of(about(OF_PAYOUTS), 1, 6)

    said = suite().run(checks, variations=(FOR_PART_OF_ONE,), profile=with_specialists(*ONLY_FOR))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    undecided = [one for one in said.checks if one.verdict == "inconclusive" and "205005" not in one.reason]
    assert not [one for one in undecided if "account" in one.reason], said.details("inconclusive")


def test_transfers_of_the_main_account_are_decided() -> None:
    said = suite().run(
        suite().claiming(TRANSFERS | {"S2C-WAL-01"}), variations=(FOR_PART_OF_ONE,), profile=with_specialists(*ONLY_FOR)
    )

    assert said.requirements("pass") >= TRANSFERS | {"S2C-WAL-01"}, said.details("fail", "inconclusive", "error")


def test_transfers_that_no_account_carries_out_are_noticed() -> None:
    said = suite().run(
        suite().claiming({"S2C-PAY-01"}),
        variations=(FOR_PART_OF_ONE, PAYS_NOTHING_OUT),
        profile=with_specialists(*ONLY_FOR),
    )

    assert said.requirements("fail") == {"S2C-PAY-01"}, said.details("pass", "inconclusive", "error")


REPETITIONS = {"CHK-DUP-07", "S2C-DUP-01", "S2C-DUP-04", "S2C-DUP-05", "APM-REQ-11", "APM-REQ-12"}


@pytest.mark.parametrize("variation", [FOR_ONE_PURPOSE, FOR_PART_OF_ONE])
def test_what_goes_out_by_two_keys_is_no_repetition(variation: str) -> None:
    said = suite().run(suite().claiming(REPETITIONS), variations=(variation,), profile=with_specialists(*ONLY_FOR))

    assert said.requirements("pass") == REPETITIONS, said.details("fail", "inconclusive", "error")
    by_two_keys = {one.reason for one in said.checks if "sends both" in one.reason}
    assert by_two_keys
    assert all("only_for in [accounts.soft_declines]" in reason for reason in by_two_keys)


def test_repetition_by_another_operation_of_one_key_is_noticed() -> None:
    said = suite().run(
        suite().claiming({"CHK-DUP-07"}),
        variations=(FOR_ONE_PURPOSE,),
        faults=("duplicate-of-purchases-only",),
        profile=with_specialists(*ONLY_FOR),
    )

    assert said.requirements("fail") == {"CHK-DUP-07"}, said.details("pass", "inconclusive", "error")


BY_TOKEN = {"S2C-PAY-09", "S2C-PAY-10", "S2C-TOK-09", "CHK-SES-54", "CHK-SES-79", "CHK-TOK-07", "CHK-TOK-08"}
"""What pays out by card token, of S2S CARD and of Checkout."""


def test_token_of_the_main_account_is_paid_out_to_by_it_where_it_pays_out_too() -> None:
    said = suite().run(suite().claiming(BY_TOKEN), profile=with_specialists("soft_declines"))

    undesired = said.requirements("fail") | said.requirements("error") | said.requirements("inconclusive")
    assert not undesired, said.details("fail", "error", "inconclusive")


def test_token_of_another_merchant_that_is_paid_out_to_is_noticed() -> None:
    said = suite().run(
        suite().claiming({"S2C-TOK-09"}), faults=("token-of-another-pays",), profile=with_specialists("soft_declines")
    )

    assert said.requirements("fail") == {"S2C-TOK-09"}, said.details("pass", "inconclusive", "error")


def test_token_that_can_be_given_to_nobody_is_said_to_be_so() -> None:
    said = suite().run(
        suite().claiming({"S2C-PAY-09", "S2C-TOK-08", "CHK-SES-54"}),
        variations=(VARIATION,),
        profile=with_specialists(*ONLY_FOR),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    refused = [one for one in said.checks if one.verdict == "inconclusive" and "205005" in one.reason]
    assert refused
    assert all(
        "leave only_for out" in one.decides and "card_token in [test_data]" not in one.decides for one in refused
    )
