"""The query of the merchant's address for payers who do not pay survives, beside what is appended to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qsl

from fixtures.judging.expectations import Finding
from fixtures.judging.must import must
from fixtures.judging.verdicts import Nonconformance, inconclusive
from fixtures.payer import Landing
from fixtures.payer.addresses import parts_of
from fixtures.protocols.hosted_page.leaving import left, left_after
from fixtures.protocols.hosted_page.must import must_end_at
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import JsonRequest

QUERY = "shop=7&back=a%20b%26c"


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


def with_a_query(pages: HostedPages) -> JsonRequest:
    """Return a session whose cancel_url has a query of the merchant's own."""
    usual = str(pages.profile.test_data.return_urls.cancel_url)
    return pages.session(cancel_url=f"{usual.partition('?')[0]}?{QUERY}")


def must_keep_the_query(landing: Landing, address: str) -> None:
    """Each parameter of the merchant's address is there with its value."""
    wanted = parse_qsl(parts_of(address).query, keep_blank_values=True)
    lost = [pair for pair in wanted if pair not in landing.pairs]
    if lost:
        expected = f"the parameters {', '.join(f'{name}={value!r}' for name, value in wanted)}"
        must(Finding(expected, landing.url, f"{', '.join(name for name, _ in lost)} came with another value, or not."))
