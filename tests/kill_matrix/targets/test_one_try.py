"""A main account that allows one try: what several attempts show is looked at on the account that allows more."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from tests.kill_matrix.collected import LATEST, suite

FAULT = "return-names-first-attempt"


def with_one_try(profile: Profile) -> Profile:
    """Return the profile whose main account is said to allow one decline."""
    main = profile.credentials.checkout
    assert main is not None
    credentials = profile.credentials.model_copy(update={"checkout": main.model_copy(update={"max_declines": 1})})
    return profile.model_copy(update={"credentials": credentials})


def test_payment_of_an_earlier_attempt_in_the_return_is_noticed_there() -> None:
    checks = [check for check in suite().claiming({"CHK-URL-03"}) if "test_several_attempts" in check.nodeid]

    said = suite().run(checks, faults=(FAULT,), release=LATEST, profile=with_one_try(suite().profile))

    assert said.requirements("fail") == {"CHK-URL-03"}, said.details("pass", "inconclusive", "error")


@pytest.mark.parametrize("fault", ["", "return-declines-one-more", "return-declines-one-less"])
def test_declines_are_counted_where_several_are_allowed_though_another_account_allows_one(fault: str) -> None:
    usual = suite().profile
    single = usual.accounts["declines"].model_copy(update={"max_declines": 1})
    profile = usual.model_copy(update={"accounts": {**usual.accounts, "declines": single}})
    checks = list(suite().claiming({"CHK-URL-12"}))

    said = suite().run(checks, faults=(fault,) if fault else (), release=LATEST, profile=profile)

    assert said.requirements("fail" if fault else "pass") == {"CHK-URL-12"}, said.details("fail", "inconclusive")
