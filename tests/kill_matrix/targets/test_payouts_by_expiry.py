"""A target whose cards have one number and differ by their expiry, which no payout of the suite names."""

from __future__ import annotations

from fixtures.profile import Profile
from tests.kill_matrix.collected import suite

OF_DECLINED_PAYOUTS = ("S2C-PAY-12", "CBK-S2C-19")


def profile_with_one_number() -> Profile:
    """Return a profile whose card that is declined for a payout differs by its expiry from the one that receives."""
    profile = suite().profile
    data = profile.test_data
    assert data.cards.payout_success is not None
    declined = data.cards.payout_success.model_copy(update={"expiry": "02/2038"})
    cards = data.cards.model_copy(update={"payout_decline": declined})
    return profile.model_copy(update={"test_data": data.model_copy(update={"cards": cards})})


def test_payout_to_the_number_of_the_card_that_receives_decides_nothing() -> None:
    said = suite().run(suite().claiming(OF_DECLINED_PAYOUTS), profile=profile_with_one_number())

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert set(OF_DECLINED_PAYOUTS) <= said.requirements("inconclusive")
