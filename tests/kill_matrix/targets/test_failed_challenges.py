"""A page of an issuer on which nothing fails the challenge, and a profile with one card for both of its outcomes."""

from __future__ import annotations

from fixtures.profile import Profile
from tests.kill_matrix.collected import suite

ONE_BUTTON = ("page-challenge-decided-by-card", "card-issuer-has-one-button")
OF_S2S = ("S2C-TDS-07", "S2C-TDS-14", "CBK-S2C-22")
OF_FAILED = ("HPP-OUT-04", "CHK-TRN-07", "CHK-URL-15", "HPF-PAY-22", "CBK-DEL-04", *OF_S2S)


def profile_with_one_card() -> Profile:
    """Return a profile as probe drafts it: the card whose challenge passes, and fails, is named twice."""
    profile = suite().profile
    data = profile.test_data
    cards = data.cards.model_copy(update={"three_ds_decline": data.cards.three_ds_success})
    return profile.model_copy(update={"test_data": data.model_copy(update={"cards": cards})})


def test_nothing_fails_where_the_payer_cannot_fail_a_challenge() -> None:
    said = suite().run(suite().claiming(OF_FAILED), variations=ONE_BUTTON, profile=profile_with_one_card())

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"HPP-OUT-04", "CHK-TRN-07", "HPF-PAY-22", *OF_S2S} <= said.requirements("inconclusive")


def test_what_fails_a_challenge_decides_whatever_the_card() -> None:
    said = suite().run(suite().claiming(OF_FAILED), profile=profile_with_one_card())

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"HPP-OUT-04", "CHK-TRN-07", "HPF-PAY-22", *OF_S2S} <= said.requirements("pass")
