"""The SHA256 option of an account: whether it is one of its S2S APM mapping, the profile says (line 406)."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import suite

NO_SHA256 = "apm-without-sha256"


@pytest.mark.parametrize(("said_of_it", "verdict"), [("literal", "fail"), ("off", "not_applicable")])
def test_callbacks_by_md5_are_judged_by_what_the_profile_says(said_of_it: str, verdict: str) -> None:
    profile = suite().profile
    dialect = profile.dialect.model_copy(update={"apm_sha256": said_of_it})
    checks = suite().claiming({"CBK-SIG-17"})

    said = suite().run(checks, variations=(NO_SHA256,), profile=profile.model_copy(update={"dialect": dialect}))

    assert verdict in {one.verdict for one in said.checks}, said.details("pass", "inconclusive", "error")
    assert not said.requirements("pass") | said.requirements("inconclusive"), said.details("pass", "inconclusive")
