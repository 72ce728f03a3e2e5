"""What a debit chain is notified of: its first debit has a token by any reading, its later charges by one of two."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import suite

TOKENS = {"CBK-ATT-21", "CBK-ATT-22"}
CLAIMED_WITH_THEM = {"CBK-ATT-23"}
"""By a check of a debit by token whose challenge is failed: of its token and of its card."""


@pytest.mark.parametrize("variations", [(), ("checkout-charges-of-debits-are-sales",)])
def test_charges_carry_a_token_or_do_not(variations: tuple[str, ...]) -> None:
    said = suite().run(suite().claiming(TOKENS), variations=variations)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("pass") == TOKENS | CLAIMED_WITH_THEM


def test_first_debit_of_a_chain_without_a_token_is_noticed() -> None:
    checks = [check for check in suite().by_requirement["CBK-ATT-21"] if "starts_a_chain" in check.name]

    said = suite().run(checks, faults=("e-secondary-debit-chain-starts-without-card-token",))

    assert said.requirements("fail") == {"CBK-ATT-21"}, said.details("pass", "inconclusive", "error")
