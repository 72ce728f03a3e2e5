"""A page on which a payer chooses a card on file, and is asked for nothing else: what is chosen pays."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import checks_of, suite

ASKED_FOR_NOTHING = "page-stored-cards-ask-for-nothing"


def checks_of_tokens() -> list[pytest.Item]:
    return [check for check in checks_of("hosted_page") if check.path.name == "test_stored_cards.py"]


def test_choice_without_a_field_decides_what_pays() -> None:
    said = suite().run(checks_of_tokens(), variations=(ASKED_FOR_NOTHING,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not said.requirements("inconclusive"), said.details("inconclusive")
    assert {"HPP-TOK-04", "CBK-ATT-23"} <= said.requirements("pass")


@pytest.mark.parametrize("fault", ["page-first-token-only", "page-pays-with-first-card-on-file"])
def test_faults_are_noticed_there_too(fault: str) -> None:
    said = suite().run(checks_of_tokens(), faults=(fault,), variations=(ASKED_FOR_NOTHING,))

    assert "HPP-TOK-04" in said.requirements("fail"), said.details("inconclusive")
