"""The form of another card, which a style sheet keeps back beside a stored one, is not asked of the payer."""

from __future__ import annotations

import pytest

from fixtures.payer.chromium.installed import program
from tests.kill_matrix.apart import KEPT_BACK
from tests.kill_matrix.collected import suite

BY_TOKEN = {"HPP-TOK-01", "HPP-TOK-02", "HPP-TOK-03"}


@pytest.mark.skipif(program() is None, reason="no Chromium: install it or set CHROMIUM to its path")
@pytest.mark.parametrize("fault", ["", "f-code-on-credit-with-two-tokens"])
def test_form_that_is_kept_back_is_not_asked_of_the_payer(fault: str) -> None:
    said = suite().run(suite().claiming(BY_TOKEN), variations=(KEPT_BACK,), faults=(fault,) if fault else ())

    assert said.requirements("fail") == ({"HPP-TOK-02"} if fault else set()), said.details("fail", "error")
    assert not said.requirements("error"), said.details("error")
