"""A check of Checkout fails only on what it has seen: with a precondition taken away nothing fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.profile import Profile, Secret
from fixtures.profile.accounts import AccountSettings
from fixtures.profile.test_data import Card
from tests.kill_matrix.collected import checks_of, suite

AFTER_A_PAYMENT = (
    "test_callback",
    "test_capture",
    "test_payment_states",
    "test_recurring",
    "test_refunds",
    "test_status",
    "test_tokens",
    "test_transitions",
    "test_wallets",
)
"""Files whose checks begin with a payment."""
NO_CARD_NUMBER = "4111111111111112"
"""Its check digit is wrong, so that no page takes it."""


def without_cards(profile: Profile) -> Profile:
    """Return the profile with cards that no page takes: the payer cannot pay."""
    cards = profile.test_data.cards
    wrong = {
        name: card.model_copy(update={"number": Secret(NO_CARD_NUMBER)})
        for name, card in cards
        if isinstance(card, Card) and name != "wallet"
    }
    data = profile.test_data.model_copy(update={"cards": cards.model_copy(update=wrong)})
    return profile.model_copy(update={"test_data": data})


def without_challenge_selectors(profile: Profile) -> Profile:
    """Return the profile with selectors that find no challenge."""
    selectors = profile.payer.selectors.model_copy(update={"challenge_pass": "#none", "challenge_fail": "#none"})
    return profile.model_copy(update={"payer": profile.payer.model_copy(update={"selectors": selectors})})


def without_the_way_to_fail(profile: Profile) -> Profile:
    """Return the profile with selectors that find the challenge, and nothing that fails it."""
    selectors = profile.payer.selectors.model_copy(update={"challenge_fail": "#none"})
    return profile.model_copy(update={"payer": profile.payer.model_copy(update={"selectors": selectors})})


def with_a_dms_account(profile: Profile) -> Profile:
    """Return the profile with its DMS account as the main one of Checkout, and no other account with a mode."""
    account, main = profile.accounts["dms"], profile.credentials.checkout
    assert main is not None
    own = {name for name in AccountSettings.model_fields if getattr(account, name) is not None} | {"key", "password"}
    merged = main.model_copy(update={name: getattr(account, name) for name in own})
    others = {name: value for name, value in profile.accounts.items() if value.mid_mode is None}
    credentials = profile.credentials.model_copy(update={"checkout": merged})
    # The card token of the profile is of the account that was the main one.
    data = profile.test_data.model_copy(update={"card_token": None, "second_card_token": None})
    return profile.model_copy(update={"credentials": credentials, "accounts": others, "test_data": data})


@pytest.mark.parametrize(
    ("taken_away", "is_decided"),
    [
        (without_cards, False),
        # What passes and fails a challenge is found as it reads; on a page with one button the card decides.
        (without_challenge_selectors, True),
        (without_the_way_to_fail, True),
        (with_a_dms_account, False),
    ],
)
def test_nothing_fails_without_a_precondition(taken_away: Callable[[Profile], Profile], *, is_decided: bool) -> None:
    checks = [check for check in checks_of("checkout") if check.path.name.startswith(AFTER_A_PAYMENT)]

    said = suite().run(checks, profile=taken_away(suite().profile))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert (not said.named("inconclusive")) == is_decided


def test_zero_amounts_are_decided_where_no_schedule_is_known() -> None:
    data = suite().profile.test_data.model_copy(update={"schedule_id": None})
    checks = [check for check in checks_of("checkout") if check.path.name == "test_zero_without_a_provider.py"]

    said = suite().run(checks, profile=suite().profile.model_copy(update={"test_data": data}))

    assert not said.requirements("inconclusive") | said.requirements("fail"), said.details("inconclusive", "fail")
    assert "CHK-ORD-23" in said.requirements("pass")


def test_field_that_no_page_has_is_not_looked_for_by_a_selector() -> None:
    said = suite().run(suite().claiming({"HPP-NAM-02", "HPP-NAM-04"}), faults=("page-name-not-asked",))

    assert said.requirements("fail") == {"HPP-NAM-04"}, said.details("fail", "error")
    (one,) = [one for one in said.checks if one.verdict == "inconclusive"]
    assert one.decides.startswith("a target whose page has such a field")
