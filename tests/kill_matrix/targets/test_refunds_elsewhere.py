"""An S2S CARD account that gives no settled payment back: line 371 shows CREDITVOID of an authorization only."""

from __future__ import annotations

from fixtures.profile import Profile
from fixtures.profile.accounts import AccountSettings
from tests.kill_matrix.collected import suite

SIGNED = ("suites/s2s_card/messages/test_signatures.py", "suites/s2s_card/messages/test_wrong_signatures.py")
OF_CREDITVOID = "creditvoid"


def without_refunds(profile: Profile) -> Profile:
    """Return the profile with its account without refunds as the main one of S2S CARD."""
    account, main = profile.accounts["no_refunds"], profile.credentials.s2s_card
    assert main is not None
    own = {name for name in AccountSettings.model_fields if getattr(account, name) is not None} | {"key", "password"}
    merged = main.model_copy(update={name: getattr(account, name) for name in own})
    credentials = profile.credentials.model_copy(update={"s2s_card": merged})
    data = profile.test_data.model_copy(update={"card_token": None, "second_card_token": None})
    return profile.model_copy(update={"credentials": credentials, "test_data": data})


def test_signature_of_creditvoid_is_proven_on_an_authorization() -> None:
    checks = [check for check in suite().items if check.nodeid.startswith(SIGNED) and OF_CREDITVOID in check.nodeid]

    said = suite().run(checks, profile=without_refunds(suite().profile))

    assert len(checks) >= 8
    undesired = ("fail", "error", "inconclusive")
    assert not any(map(said.requirements, undesired)), said.details(*undesired)
