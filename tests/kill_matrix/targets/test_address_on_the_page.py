"""A page that always shows the payer's address, with what the request said: the payer leaves it as it is."""

from __future__ import annotations

import pytest

from tests.kill_matrix.apart import WITH_ITS_ADDRESS
from tests.kill_matrix.collected import suite

ASKED = tuple(f"HPP-ASK-{number:02}" for number in range(1, 12))


def test_address_that_the_page_shows_is_the_one_of_the_request() -> None:
    said = suite().run(suite().claiming(("CBK-ATT-42", *ASKED)), variations=(WITH_ITS_ADDRESS,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert "CBK-ATT-42" in said.requirements("pass")


@pytest.mark.parametrize(("fault", "verdict"), [("", "pass"), ("page-first-token-only", "fail")])
def test_step_with_a_list_of_countries_offers_no_cards(fault: str, verdict: str) -> None:
    checks = [check for check in suite().claiming({"HPP-TOK-04"}) if "chooses_among" in check.name]

    said = suite().run(checks, variations=("page-stored-cards-after-the-country",), faults=(fault,) if fault else ())

    assert said.requirements(verdict) == {"HPP-TOK-04"}, said.details("fail", "error", "inconclusive")
