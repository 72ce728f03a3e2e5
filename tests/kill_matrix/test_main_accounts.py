"""Nothing of S2S CARD fails whatever the main account is like, nor when the profile does not say what it is like."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from fixtures.profile.accounts import AccountSettings
from tests.kill_matrix.collected import checks_of, suite

AFFECTED = ("test_amounts", "test_answers", "test_callback", "test_recurring", "test_three_ds", "test_transitions")
"""Files whose checks look at statuses."""
MOST_UNDECIDED = {"sms": 8, "dms": 8, "sha256": 4}
"""What only an account without that setting decides."""


def with_main_account(name: str, *, says: bool) -> Profile:
    """Return the profile with one of its accounts as the main one, and without it among the others."""
    profile = suite().profile
    account = profile.accounts[name]
    if not says:
        account = account.model_copy(update={"mid_mode": None})
    others = {other: value for other, value in profile.accounts.items() if other != name}
    main = profile.credentials.s2s_card
    assert main is not None
    own = {field for field in AccountSettings.model_fields if getattr(account, field) is not None} | {"key", "password"}
    merged = main.model_copy(update={field: getattr(account, field) for field in own} | {"mid_mode": account.mid_mode})
    credentials = profile.credentials.model_copy(update={"s2s_card": merged})
    return profile.model_copy(update={"credentials": credentials, "accounts": others})


@pytest.mark.parametrize("name", MOST_UNDECIDED)
def test_nothing_fails_with_another_main_account(name: str) -> None:
    checks = [check for check in checks_of("s2s_card") if check.path.name.startswith(AFFECTED)]

    said = suite().run(checks, profile=with_main_account(name, says=True))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert len(said.named("inconclusive")) <= MOST_UNDECIDED[name], said.details("inconclusive")


@pytest.mark.parametrize("name", ["sms", "dms"])
def test_nothing_fails_when_the_profile_does_not_say_the_mode(name: str) -> None:
    checks = [check for check in checks_of("s2s_card") if check.path.name.startswith(AFFECTED)]

    said = suite().run(checks, profile=with_main_account(name, says=False))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert any("the profile does not say" in check.reason for check in said.checks)
