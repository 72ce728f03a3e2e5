"""Cases that a target has not, or its profile does not name, take no verdict of what the usual cases decide."""

from __future__ import annotations

from fixtures.profile import Profile
from tests.kill_matrix.collected import suite

DECIDED = {"APM-CAP-02", "APM-VOI-04", "APM-VOI-05", "APM-CVD-01", "CBK-S2C-11", "S2C-AMT-05", "S2C-SAL-40"}


def with_few_cases() -> Profile:
    """Return a profile without an account that only holds, a card that redirects, and other currencies and wallets."""
    profile = suite().profile
    data = profile.test_data
    cards = data.cards.model_copy(update={"redirect_success": None})
    currencies = data.currencies.model_copy(update={"exponent_0": None, "exponent_4": None})
    accounts = {
        name: account.model_copy(update={"wallet_flow": None})
        for name, account in profile.accounts.items()
        if account.mid_mode != "DMS"
    }
    for name, account in accounts.items():
        account.called(name)
    credentials = profile.credentials.model_copy(
        update={
            protocol: getattr(profile.credentials, protocol).model_copy(update={"wallet_flow": None})
            for protocol in ("checkout", "s2s_card", "s2s_apm")
        }
    )
    return profile.model_copy(
        update={
            "accounts": accounts,
            "credentials": credentials,
            "test_data": data.model_copy(update={"cards": cards, "currencies": currencies}),
        }
    )


def test_usual_cases_decide_where_rare_ones_are_missing() -> None:
    said = suite().run(suite().claiming(DECIDED), profile=with_few_cases())

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not said.requirements("inconclusive"), said.details("inconclusive")
    assert said.requirements("pass") >= DECIDED
