"""A card or an amount decides that later charges are declined: the same is decided as by an account that does."""

from __future__ import annotations

import pytest

from contract.catalogue import load_catalogue
from fixtures.profile import Profile
from fixtures.profile.secret import Secret
from fixtures.profile.test_data import Card
from tests.kill_matrix.apart import BY_AMOUNT
from tests.kill_matrix.collected import suite

NEED = "account:declining_recurring"
CLAIMED = frozenset(name for name, known in load_catalogue().items() if NEED in known.needs)
BESIDES = frozenset({"CBK-S2C-14", "CBK-S2C-24", "CHK-SIG-17", "S2C-SIG-11"})
"""Requirements with checks that need such a charge, though not all of theirs do."""


def _with(**decided: object) -> Profile:
    """Return the profile whose cards or amounts decide, and no account of it."""
    profile = suite().profile
    accounts = {name: account for name, account in profile.accounts.items() if not account.declining_recurring}
    data = profile.test_data
    tables = {name: getattr(data, name).model_copy(update={"recurring_decline": it}) for name, it in decided.items()}
    return profile.model_copy(update={"accounts": accounts, "test_data": data.model_copy(update=tables)})


def _profile(decided_by: str) -> Profile:
    card = Card(number=Secret("4601541833776519"), expiry="01/2038")
    return _with(cards=card) if decided_by == "card" else _with(amounts=666)


@pytest.mark.parametrize("decided_by", ["card", "amount"])
def test_declined_charges_are_decided_by_test_data(decided_by: str) -> None:
    said = suite().run(
        suite().claiming(CLAIMED | BESIDES),
        profile=_profile(decided_by),
        variations=(f"charges-are-declined-by-{decided_by}",),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not said.named("inconclusive"), said.details("inconclusive")
    assert said.requirements("pass") >= CLAIMED


@pytest.mark.parametrize("decided_by", ["card", "amount"])
def test_charges_that_are_not_declined_leave_it_undecided(decided_by: str) -> None:
    """Wrong test data fail nothing."""
    said = suite().run(suite().claiming({"S2C-REC-24", "CHK-RFD-20"}), profile=_profile(decided_by))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.named("inconclusive")


def test_payments_that_are_declined_by_their_amount_leave_nothing_undecided() -> None:
    files = ("messages/test_after_other_requests.py", "s2s_card/changes/test_changes.py")
    checks = [one for one in suite().items if one.nodeid.partition("::")[0].endswith(files) and "floats" in one.nodeid]
    checks += [one for one in suite().items if "a_cent_more" in one.nodeid and "s2s" in one.nodeid]

    said = suite().run(checks, variations=(BY_AMOUNT,))

    # Payouts are not declined by it.
    assert {check.verdict for check in said.checks} <= {"not_applicable", "pass"}, said.details(
        "fail", "error", "inconclusive"
    )
    assert len(said.named("not_applicable")) > len(said.named("pass"))
