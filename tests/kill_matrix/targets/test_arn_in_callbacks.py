"""Whether look-ups have the ARN that callbacks have is an option of its own, which the profile may leave open."""

from __future__ import annotations

import pytest

from tests.kill_matrix.apart import ARN_IN_CALLBACKS
from tests.kill_matrix.collected import suite


@pytest.mark.parametrize(("says", "verdict"), [(None, "inconclusive"), (False, "not_applicable")])
def test_look_ups_without_an_arn_fail_nothing_where_the_profile_does_not_say_that_they_have_it(
    says: bool | None, verdict: str
) -> None:
    profile = suite().profile
    credentials = profile.credentials
    assert credentials.s2s_card is not None
    account = credentials.s2s_card.model_copy(update={"status_arn": says})
    mains = credentials.model_copy(update={"s2s_card": account})
    others = {name: one.model_copy(update={"status_arn": says}) for name, one in profile.accounts.items()}

    said = suite().run(
        suite().claiming({"S2C-STA-13", "CBK-S2C-16"}),
        variations=(ARN_IN_CALLBACKS,),
        profile=profile.model_copy(update={"credentials": mains, "accounts": others}),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert "S2C-STA-13" in said.requirements(verdict)
