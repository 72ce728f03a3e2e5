"""The date of the first charge in callbacks: a mapping adds it, and of a SALE that is captured no line says it."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import LATEST, suite
from tests.kill_matrix.main_accounts import with_main_account

CLAIMED = frozenset({"CBK-S2C-29"})


@pytest.mark.parametrize(
    ("carries", "verdict"), [(None, "inconclusive"), (False, "not_applicable"), (True, "fail")], ids=str
)
def test_mapping_without_the_date_fails_only_where_the_profile_says_that_it_adds_it(
    carries: bool | None, verdict: str
) -> None:
    profile = suite().profile
    profile = profile.model_copy(update={"dialect": profile.dialect.model_copy(update={"platform_members": carries})})

    said = suite().run(
        suite().claiming(CLAIMED),
        variations=("card-callbacks-without-first-date",),
        release=LATEST,
        profile=profile,
    )

    assert said.requirements(verdict) == CLAIMED, said.details("pass", "fail", "inconclusive", "error")


@pytest.mark.parametrize(
    ("variations", "faults", "verdict"),
    [
        ((), (), "pass"),
        (("card-callbacks-without-first-date",), (), "inconclusive"),
        ((), ("m-card-callback-with-another-first-date",), "fail"),
    ],
    ids=["as-it-is", "without", "another"],
)
def test_account_that_only_holds_shows_the_date_in_any_callback(
    variations: tuple[str, ...], faults: tuple[str, ...], verdict: str
) -> None:
    alone = with_main_account("dms", says=True).model_copy(update={"accounts": {}})

    said = suite().run(suite().claiming(CLAIMED), variations=variations, faults=faults, release=LATEST, profile=alone)

    assert said.requirements(verdict) == CLAIMED, said.details("pass", "fail", "inconclusive", "error")
