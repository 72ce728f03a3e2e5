"""What holds of every payment on the hosted page, asked of other kinds than the plain purchase."""

from __future__ import annotations

import pytest

from fixtures.judging.expectations import Finding
from fixtures.judging.verdicts import Nonconformance
from fixtures.protocols.hosted_page.leaving import left_after
from fixtures.protocols.hosted_page.other_kinds import OTHER_KINDS, is_success, paid_again_as, paid_as
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.hosted_page.returning import ALWAYS, landed, must_carry, paid
from fixtures.requirement import must_offer, requirement

EVERY_OTHER_KIND = pytest.mark.parametrize("kind", OTHER_KINDS)


@requirement("CHK-URL-03")
@EVERY_OTHER_KIND
def test_success_carries_the_return_parameters(pages: HostedPages, kind: str) -> None:
    landing = landed(paid_as(pages, kind), "success_url")

    missing = [name for name in ALWAYS if not landing.parameters.get(name)]
    must_carry(not missing, f"the parameters {', '.join(ALWAYS)}; {', '.join(missing)} is missing", landing)


@requirement("CHK-LIF-04")
@EVERY_OTHER_KIND
def test_paid_session_takes_no_second_payment(pages: HostedPages, kind: str) -> None:
    first, again = paid_as(pages, kind), paid_again_as(pages, kind)

    ids = {
        way.end.parameters.get("payment_id", "") for way in (first, again) if way.end is not None and is_success(way)
    }
    if len(ids - {""}) > 1:
        expected = "one payment, however often the link of its session is opened"
        raise Nonconformance(Finding(expected, again.last.summary, "Paying again made a payment of its own."))


@requirement("CHK-URL-08")
def test_return_parameters_name_the_payment_method_after_a_debit(pages: HostedPages) -> None:
    there = pages.of("return_additional_parameters")
    landing = landed(paid(there, there.session("debit")), "success_url")

    must_carry(landing.parameters.get("payment_method"), "the parameter payment_method", landing)


@requirement("CHK-URL-08")
def test_return_parameters_name_the_payment_method_after_a_decline(pages: HostedPages) -> None:
    must_offer(pages.profile, ("test_data:cards.decline",))
    there = pages.of("return_additional_parameters")
    there.proven("card")
    landing = left_after(there, there.enter(there.session(), there.entry("decline")))

    # Whether anything is returned then, checks of its own say.
    is_there = landing.parameters.get("payment_method") or not landing.parameters.get("payment_id")
    must_carry(is_there, "the parameter payment_method beside payment_id", landing)
