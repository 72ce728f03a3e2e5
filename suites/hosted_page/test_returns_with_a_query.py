"""What the merchant's addresses carry already stands beside what is appended to them, whatever it is called."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qsl

import pytest

from fixtures.deferred import deferred
from fixtures.judging.claims import speaks_of
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must, must_apply
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Nonconformance, inconclusive
from fixtures.payer import Landing
from fixtures.payer.addresses import parts_of
from fixtures.protocols.fragments import must_keep_the_fragment
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.leaving import left, left_after
from fixtures.protocols.hosted_page.must import must_end_at
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.hosted_page.returning import ALWAYS, challenged, landed, must_carry, paid
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import JsonRequest

QUERY = "shop=7&back=a%20b%26c&item=1&item=2"
OWN = "of-the-shop"
OWN_OF_EACH = "&".join(f"{name}={OWN}" for name in ALWAYS)
"""Parameters of the merchant's own that are called like those which are appended."""
FRAGMENT = "#/thanks"
EXPIRY_MINUTES = 2
LONGEST = 1024
"""So many characters an address of the merchant may have (lines 42 and 474), before anything is appended to it."""


@requirement("CHK-URL-02")
def test_query_of_cancel_url_survives_where_a_payer_leaves_at_once(pages: HostedPages) -> None:
    session = with_a_query(pages)
    with at_cancel_url():
        landing = must_end_at(left(pages, session), session.get("cancel_url"), "cancel_url")

    must_keep_the_query(landing, session.get("cancel_url"))


@requirement("CHK-URL-02")
def test_query_of_cancel_url_survives_where_a_payer_leaves_after_a_decline(pages: HostedPages) -> None:
    must_offer(pages.profile, ("test_data:cards.decline",))
    pages.proven("card")
    session = with_a_query(pages)
    with at_cancel_url():
        landing = left_after(pages, pages.enter(session, pages.entry("decline")))

    must_keep_the_query(landing, session.get("cancel_url"))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("order_id", marks=requirement("CHK-URL-03", "CHK-URL-04")),
        *(pytest.param(name, marks=requirement("CHK-URL-03")) for name in ALWAYS if name != "order_id"),
    ],
)
def test_success_carries_the_return_parameter_beside_one_of_the_merchant_that_is_called_so(
    pages: HostedPages, name: str
) -> None:
    session = with_a_query(pages, f"{name}={OWN}", "success_url")
    landing = landed(paid(pages, session), "success_url")

    came = {value for called, value in landing.pairs if called == name}
    broken = ["CHK-URL-04"] if came - {"", OWN} else [] if OWN in came else ["CHK-URL-03"]
    with speaks_of(*broken):
        must_carry_more_than_its_own(landing, name, session)


@requirement("CHK-URL-03")
@pytest.mark.parametrize("query", [OWN_OF_EACH, "#/thanks", "?shop=7#/thanks"], ids=["all", "fragment", "both"])
def test_success_carries_the_return_parameters_whatever_the_address_carries(pages: HostedPages, query: str) -> None:
    session = with_a_query(pages, query, "success_url")
    landing = landed(paid(pages, session), "success_url")

    for name in ALWAYS:
        must_carry_more_than_its_own(landing, name, session)


@requirement("CHK-URL-03")
def test_success_carries_the_return_parameters_where_the_address_is_as_long_as_may_be(pages: HostedPages) -> None:
    session = with_a_query(pages, filling(pages, "success_url"), "success_url")
    landing = landed(paid(pages, session), "success_url")

    for name in ALWAYS:
        must_carry_more_than_its_own(landing, name, session)


@requirement("CHK-URL-05")
def test_cancel_after_a_decline_carries_the_return_parameters_where_the_address_is_as_long_as_may_be(
    pages: HostedPages,
) -> None:
    must_offer(pages.profile, ("test_data:cards.decline",))
    pages.proven("card")
    session = with_a_query(pages, filling(pages, "cancel_url"))
    with at_cancel_url():
        landing = left_after(pages, pages.enter(session, pages.entry("decline")))

    for name in ALWAYS:
        must_carry_more_than_its_own(landing, name, session)


@requirement("CHK-URL-06")
def test_return_parameters_are_added_after_3ds_beside_those_of_the_merchant(pages: HostedPages) -> None:
    must_offer(pages.profile, ("test_data:cards.three_ds_success",))
    entered = challenged(
        pages, "three_ds_success", passes=True, session=with_a_query(pages, OWN_OF_EACH, "success_url")
    )
    landing = landed(entered, "success_url")

    for name in ALWAYS:
        must_carry_more_than_its_own(landing, name, entered.session)


@requirement("CHK-URL-05")
def test_cancel_after_a_decline_carries_the_return_parameters_beside_those_of_the_merchant(pages: HostedPages) -> None:
    must_offer(pages.profile, ("test_data:cards.decline",))
    pages.proven("card")
    session = with_a_query(pages, OWN_OF_EACH)
    with at_cancel_url():
        landing = left_after(pages, pages.enter(session, pages.entry("decline")))

    for name in ALWAYS:
        must_carry_more_than_its_own(landing, name, session)


@requirement("CHK-URL-20")
@pytest.mark.parametrize("query", [FRAGMENT, f"?shop=7{FRAGMENT}"], ids=["alone", "behind a query"])
def test_fragment_of_success_url_comes_back(pages: HostedPages, query: str) -> None:
    entered = paid(pages, with_a_query(pages, query, "success_url"))

    must_keep_the_fragment(landed(entered, "success_url"), FRAGMENT, entered.payer)


@requirement("CHK-URL-20")
def test_fragment_of_success_url_comes_back_after_3ds(pages: HostedPages) -> None:
    with where_it_comes_about("a payment with 3DS"):
        must_offer(pages.profile, ("test_data:cards.three_ds_success",))
        session = with_a_query(pages, FRAGMENT, "success_url")
        entered = challenged(pages, "three_ds_success", passes=True, session=session)
        landing = landed(entered, "success_url")

    must_keep_the_fragment(landing, FRAGMENT, entered.payer)


@requirement("CHK-URL-20")
def test_fragment_of_cancel_url_comes_back(pages: HostedPages) -> None:
    session = with_a_query(pages, FRAGMENT)
    with where_it_comes_about("a payer who leaves the page"), at_cancel_url():
        entered = left(pages, session)
        landing = must_end_at(entered, session.get("cancel_url"), "cancel_url")

    must_keep_the_fragment(landing, FRAGMENT, entered.payer)


def open_expiring_with_a_fragment(run: Run) -> OpenedPage:
    """Open the page of a session that expires after two minutes, and whose expiry_url has a fragment."""
    usual = run.profile.test_data.return_urls.expiry_url
    with where_it_comes_about("an expiry_url with a fragment"):
        return opened(run, session_expiry=EXPIRY_MINUTES, expiry_url=f"{usual}{FRAGMENT}")


@requirement("CHK-URL-20")
@deferred(after=60 * (EXPIRY_MINUTES + 1), start=open_expiring_with_a_fragment)
def test_fragment_of_expiry_url_comes_back(ready: OpenedPage) -> None:
    entered = Entered(ready.session, (ready.again(),), ready.pages.payer)
    with where_it_comes_about("a payer of an expired session who is sent to expiry_url"):
        landing = landed(entered, "expiry_url")

    must_keep_the_fragment(landing, FRAGMENT, entered.payer)


def must_carry_more_than_its_own(landing: Landing, name: str, session: JsonRequest) -> None:
    """Line 418: always returned. Whether the merchant's own of that name stays or gives way no line says."""
    values = [value for called, value in landing.pairs if called == name and value not in ("", OWN)]
    if name == "order_id":
        number = session.get("order.number")
        must_carry(number in values, f"order_id={number}", landing)
    must_carry(values, f"the parameter {name} of the gateway", landing)


@contextmanager
def at_cancel_url() -> Iterator[None]:
    """End the check where the payer ends elsewhere, which other checks judge: then there is no query to look at."""
    try:
        yield
    except Nonconformance as elsewhere:
        inconclusive(
            f"the payer does not come back to cancel_url: {elsewhere.finding.received}",
            decides="a target that sends the payer to cancel_url, which CHK-URL-09 and CHK-URL-15 ask for",
        )


def with_a_query(pages: HostedPages, query: str = QUERY, name: str = "cancel_url") -> JsonRequest:
    """Return a session of which an address has a query of the merchant's own.

    Which names it may have no line says: a target may refuse those of the parameters that it appends itself.
    """
    usual = str(pages.session().get(name)).partition("?")[0]
    session = pages.session(**{name: f"{usual}{query if '#' in query else f'?{query}'}"})
    if query != QUERY:
        opened = pages.payments.merchant.create_session(pages.again(session))
        must_apply(opened, f"{name} with {query}")
    return session


def filling(pages: HostedPages, name: str) -> str:
    """Return a query with which an address is as long as it may be."""
    usual = str(pages.session().get(name)).partition("?")[0]
    return f"shop={'7' * (LONGEST - len(usual) - len('?shop='))}"


def must_keep_the_query(landing: Landing, address: str) -> None:
    """Each parameter of the merchant's address is there with its value."""
    wanted = parse_qsl(parts_of(address).query, keep_blank_values=True)
    lost = [pair for pair in wanted if pair not in landing.pairs]
    if lost:
        expected = f"the parameters {', '.join(f'{name}={value!r}' for name, value in wanted)}"
        must(Finding(expected, landing.url, f"{', '.join(name for name, _ in lost)} came with another value, or not."))
