"""A card token of the profile that the target has forgotten: who takes the tokens of others is found all the same."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile, Secret
from tests.kill_matrix.collected import LATEST, suite
from tests.support.suite_in_process import Outcomes

FORGOTTEN = "d" * 64
FAULTS = {"token-of-another-pays": "S2C-TOK-09", "card-token-of-anybody": "CHK-SES-84"}


def with_a_forgotten_token(profile: Profile) -> Profile:
    """Return the profile with a token of the second merchant that the target does not know."""
    data = profile.test_data.model_copy(update={"second_card_token": Secret(FORGOTTEN)})
    return profile.model_copy(update={"test_data": data})


@pytest.mark.parametrize("fault", FAULTS)
def test_tokens_of_others_are_noticed_by_one_made_anew(fault: str) -> None:
    claimed = {FAULTS[fault]}

    said = suite().run(
        suite().claiming(claimed), faults=(fault,), release=LATEST, profile=with_a_forgotten_token(suite().profile)
    )

    assert claimed <= said.requirements("fail"), said.details("pass", "inconclusive", "error")


def test_nothing_fails_or_stays_open_for_a_forgotten_token() -> None:
    said = suite().run(suite().claiming({*FAULTS.values()}), profile=with_a_forgotten_token(suite().profile))

    undesired = ("fail", "error", "inconclusive")
    assert not any(map(said.requirements, undesired)), said.details(*undesired)


def declined_by_another_card(profile: Profile) -> Profile:
    """Return the profile with a card to be declined that has another number than the one that pays."""
    cards, other = profile.test_data.cards, profile.test_data.cards.payout_decline
    assert cards.decline is not None
    assert other is not None
    declined = cards.decline.model_copy(update={"number": other.number})
    data = profile.test_data.model_copy(update={"cards": cards.model_copy(update={"decline": declined})})
    return profile.model_copy(update={"test_data": data})


def refunds_of_declined(*, variations: tuple[str, ...] = (), faults: tuple[str, ...] = ()) -> Outcomes:
    checks = [check for check in suite().claiming({"CHK-RFD-02"}) if "declined" in check.name]
    return suite().run(checks, variations=variations, faults=faults, profile=declined_by_another_card(suite().profile))


@pytest.mark.parametrize(
    "variation",
    ["card-credit-takes-the-token-of-the-card-alone", "refund-by-another-card-refused-by-a-code-of-its-own"],
)
def test_token_of_another_card_than_the_declined_one_decides_nothing(variation: str) -> None:
    said = refunds_of_declined(variations=(variation,))

    reasons = [check.reason for check in said.checks if check.verdict == "inconclusive"]
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert reasons
    assert all("of another card" in reason for reason in reasons), reasons


def test_what_is_given_back_after_a_refusal_of_the_token_is_noticed() -> None:
    said = refunds_of_declined(faults=("checkout-credit-refund-of-declined-refused-and-made",))

    assert "CHK-RFD-02" in said.requirements("fail"), said.details("pass", "inconclusive", "error")


def test_credit_after_a_decline_by_another_card_may_be_a_payout_and_passes_nothing() -> None:
    said = refunds_of_declined(faults=("checkout-credit-refund-of-unsettled",))

    assert "CHK-RFD-02" not in said.requirements("fail") | said.requirements("pass"), said.details("fail", "pass")
    assert any("may be a payout" in check.reason for check in said.checks), said.checks
