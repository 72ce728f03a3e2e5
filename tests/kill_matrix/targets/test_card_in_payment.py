"""Targets whose payments with hosted fields have token or card in their body: decided by the profile's lines alone."""

from __future__ import annotations

from functools import cache
from itertools import chain

import pytest

from fixtures.payer.chromium.installed import program
from fixtures.profile import Profile
from fixtures.profile.dialect import Dialect
from tests.kill_matrix.apart import IN_THE_PAYMENT
from tests.kill_matrix.collected import checks_of, suite
from tests.support.suite_in_process import Outcomes

TOKEN = "hosted-token-in-the-payment"
COMPANIES = [(name,) for name in IN_THE_PAYMENT] + [(TOKEN, name) for name in IN_THE_PAYMENT if name != TOKEN]
"""The variations alone, and each way to send the card together with that to name the session."""


def profile_with(lines: dict[str, object]) -> Profile:
    """Return a profile with lines in its dialect."""
    profile = suite().profile
    return profile.model_copy(update={"dialect": Dialect.model_validate({**profile.dialect.model_dump(), **lines})})


def lines_of(variations: tuple[str, ...]) -> dict[str, object]:
    """Return the lines that describe variations."""
    return dict(chain.from_iterable(IN_THE_PAYMENT[name].items() for name in variations))


@cache
def said_as_usual() -> Outcomes:
    """Return what the checks say of the emulator without a variation."""
    return suite().run(checks_of("hosted_fields"))


@pytest.mark.parametrize("variations", COMPANIES, ids="+".join)
def test_nothing_fails_and_nothing_more_is_undecided_by_the_lines_of_the_profile(variations: tuple[str, ...]) -> None:
    usual = said_as_usual()

    said = suite().run(checks_of("hosted_fields"), variations=variations, profile=profile_with(lines_of(variations)))

    assert all(said.sanity.values())
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("inconclusive") <= usual.requirements("inconclusive"), said.details("inconclusive")
    # Which payments are refused for their form is the target's: HPF-PAY-23 begins with one that is.
    may_be = {"CHK-RSP-04", "HPF-PAY-08", "HPF-PAY-23"}
    assert said.requirements("not_applicable") - usual.requirements("not_applicable") <= may_be


@pytest.mark.parametrize("variations", COMPANIES, ids="+".join)
@pytest.mark.parametrize("card_path", ["/sdk/hosted-fields/card", None], ids=["posted", "typed"])
def test_without_them_nothing_fails(card_path: str | None, variations: tuple[str, ...]) -> None:
    unsaid = profile_with({"platform_members": None, "hosted_fields_card_path": card_path})

    said = suite().run(checks_of("hosted_fields"), variations=variations, profile=unsaid)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("inconclusive") >= {"HPF-PAY-01", "HPF-PAY-07"}


@pytest.mark.skipif(program() is None, reason="no Chromium: install it or set CHROMIUM to its path")
@pytest.mark.parametrize("variations", [(), ("hosted-fields-sent-when-left",)], ids=["called", "left"])
def test_browser_hands_the_card_over_as_the_fields_want_it(variations: tuple[str, ...]) -> None:
    checks = [check for check in checks_of("hosted_fields") if check.path.name == "test_payment.py"][:4]

    said = suite().run(checks, variations=variations, profile=profile_with({"hosted_fields_card_path": None}))

    assert said.requirements("pass") >= {"HPF-PAY-01"}, said.details("fail", "error", "inconclusive")


@pytest.mark.parametrize("fault", ["hosted-debit-as-purchase", "hosted-purchase-as-debit", "hosted-paid-twice"])
def test_faults_are_noticed_in_payments_that_the_profile_describes(fault: str) -> None:
    variations = (TOKEN, "hosted-card-in-members-of-the-payment")

    said = suite().run(
        checks_of("hosted_fields"), faults=(fault,), variations=variations, profile=profile_with(lines_of(variations))
    )

    assert said.requirements("fail"), said.details("inconclusive")
