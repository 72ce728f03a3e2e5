"""The SHA256 option of an account: whether it is one of its Checkout mapping, the profile says (line 406)."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from tests.kill_matrix.collected import suite

AS_WRITTEN = "sha256-as-written"
FOR_ALL = "session-hash-sha256-for-all"


def described(*, main: str = "md5", has_account: bool = True) -> Profile:
    """Return the profile of a gateway whose mapping of Checkout has no such option, whatever others have."""
    profile = suite().profile
    assert profile.credentials.checkout is not None
    account = profile.credentials.checkout.model_copy(update={"hash": main})
    return profile.model_copy(
        update={
            "credentials": profile.credentials.model_copy(update={"checkout": account}),
            "accounts": {name: each for name, each in profile.accounts.items() if has_account or name != "sha256"},
            "dialect": profile.dialect.model_copy(update={"checkout_sha256": "off"}),
        }
    )


@pytest.mark.parametrize("has_account", [True, False])
def test_option_that_the_mapping_has_not_is_not_asked_for(has_account: bool) -> None:
    found = suite().run(
        suite().claiming({"CHK-SIG-15", "CBK-SIG-04"}),
        variations=(AS_WRITTEN,),
        profile=described(has_account=has_account),
    )

    assert {one.verdict for one in found.checks} == {"not_applicable"}, found.details("pass", "fail", "inconclusive")


def test_an_option_that_another_protocol_has_is_not_asked_of_the_main_account() -> None:
    asked = {"CHK-SIG-16", "CHK-SIG-01", "CBK-SIG-03"}

    found = suite().run(suite().claiming(asked), variations=(AS_WRITTEN,), profile=described(main="sha256"))

    assert asked <= found.requirements("pass"), found.details("inconclusive", "not_applicable")
    assert not found.requirements("fail") | found.requirements("error"), found.details("fail", "error")


def test_digest_that_no_account_has_is_refused_all_the_same() -> None:
    found = suite().run(suite().claiming({"CHK-SIG-16"}), faults=(FOR_ALL,), profile=described(main="sha256"))

    assert "CHK-SIG-16" in found.requirements("fail"), found.details("pass", "inconclusive")
