"""A main account that routes no payout fails nothing where the profile has others, one of which may be for payouts."""

from __future__ import annotations

from tests.kill_matrix.apart import PAYS_NOTHING_OUT
from tests.kill_matrix.collected import suite

ASKED = {"CHK-SES-07", "CHK-SES-09", "CHK-SES-55", "CHK-TOK-07", "CHK-PAY-08", "CHK-SES-79"}
ASKED_OF_S2S = {"S2C-PAY-01", "S2C-PAY-06", "APM-C2V-01", "APM-C2V-05"}
"""What a stranger's gateway with an account for payouts failed, and another of each kind."""


def test_payouts_of_another_account_fail_nothing() -> None:
    said = suite().run(suite().claiming(ASKED | ASKED_OF_S2S), variations=(PAYS_NOTHING_OUT,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("inconclusive") >= ASKED_OF_S2S


def test_payouts_that_no_other_account_may_serve_are_missed() -> None:
    profile = suite().profile.model_copy(update={"accounts": {}})

    said = suite().run(suite().claiming({"S2C-PAY-01", "S2C-PAY-06"}), variations=(PAYS_NOTHING_OUT,), profile=profile)

    assert said.requirements("fail") == {"S2C-PAY-01", "S2C-PAY-06"}
