"""Pages that know their payers by a cookie: what such a page refuses to somebody else says nothing of the session."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import suite

BY_COOKIE = "page-knows-payers-by-a-cookie"


@pytest.mark.parametrize(
    ("fault", "requirement"), [("session-pays-when-expired", "CHK-LIF-03"), ("session-pays-twice", "CHK-LIF-04")]
)
def test_session_that_pays_too_late_or_again_is_seen(fault: str, requirement: str) -> None:
    said = suite().run(suite().claiming({requirement}), faults=(fault,), variations=(BY_COOKIE,))

    assert requirement in said.requirements("fail"), said.details("pass", "inconclusive")


def test_payer_keeps_the_cookie_of_a_page_that_is_looked_at_later() -> None:
    checks = suite().claiming({f"CHK-LIF-0{number}" for number in range(1, 5)})

    said = suite().run(checks, variations=(BY_COOKIE,))

    assert said.requirements("pass") == {f"CHK-LIF-0{number}" for number in range(1, 5)}
    assert len(said.named("pass")) == len(checks), said.details("fail", "error", "inconclusive")
