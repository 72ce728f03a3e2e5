"""Odd headers and content types: whatever a proxy or a careless client makes of them, nothing breaks."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fixtures.generated.campaign import Campaign
from fixtures.generated.case import Case, Change, Do, Expected, change
from fixtures.generated.operations import CARD_SALE, SESSION
from fixtures.generated.oracles import INSIDE, SERVER_ERROR
from fixtures.judging.baselines import Baselines
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

pytestmark = pytest.mark.fuzz

CONTENT_TYPES = (
    None,
    *("", "json", "*/*", "/", ";", "text/plain", "text/html", "text/xml", "application/xml", "APPLICATION/JSON"),
    *("application/json", "application/x-www-form-urlencoded", "application/octet-stream", "multipart/form-data"),
    *("application/json;;", "application/json; charset='", "application/json, text/plain", "application/vnd.api+json"),
    *("application/json; charset=utf-16", "application/json; charset=no-such-charset"),
    "multipart/form-data; boundary=x",
    *("application/x-www-form-urlencoded; charset=latin-1", "application/problem+json", "application/yaml"),
    *("application/x-php-serialized", "application/msgpack", "a" * 4_000),
)
HEADERS: dict[str, tuple[str | None, ...]] = {
    "Accept": (None, "", "text/html", "application/xml", "*/*;q=0", "application/json;version=99", "," * 200),
    "Accept-Language": ("", "xx-YY", "de;q=1e5", "*" * 2_000, "../../etc/hostname"),
    "Accept-Encoding": ("", "identity;q=0", "br", "nonsense"),
    "User-Agent": ("", "sqlmap/1.0", "() { :; }; echo", "${jndi:ldap://127.0.0.1:9/a}", "a" * 4_000),
    "Cookie": ("", "=", "session=", "a=b;" * 300, "PHPSESSID=../../x", "a=%00"),
    "Authorization": ("", "Basic", "Basic !!!", "Bearer a.b.c", "Digest x"),
    "X-Forwarded-For": ("127.0.0.1", "not an address", "::1, ::1", "," * 100),
    "X-Forwarded-Proto": ("gopher", ""),
    "X-HTTP-Method-Override": ("DELETE", "GET", "NONSENSE"),
    "Origin": ("null", "https://merchant.example", "https://%00"),
    "Referer": ("", "https://merchant.example/?a='", "javascript:1"),
    "If-Match": ("*", '"x"'),
    "Range": ("bytes=0-0", "bytes=-1", "lines=1"),
    "Expect": ("nonsense",),
    "Content-Language": ("xx",),
    "Date": ("yesterday",),
    "Via": ("1.1," * 100,),
}  # fmt: skip


def odd_headers() -> SearchStrategy[tuple[Change, ...]]:
    """Give one or two odd headers."""
    names = [(name, value) for name, values in HEADERS.items() for value in values]
    one = st.sampled_from(names).map(lambda pair: change(Do.HEADER, (pair[0],), pair[1]))
    return st.lists(one, min_size=1, max_size=2).map(tuple)


def content_types() -> SearchStrategy[tuple[Change, ...]]:
    """Give an odd content type, or none."""
    return st.sampled_from(CONTENT_TYPES).map(lambda value: (change(Do.HEADER, ("Content-Type",), value),))


@requirement(SERVER_ERROR["checkout"], INSIDE)
@pytest.mark.parametrize("what", ["content-type", "other"])
def test_odd_header_on_a_session_breaks_nothing(
    what: str, campaign: Campaign, session_request: SessionRequests
) -> None:
    del session_request
    headers = content_types() if what == "content-type" else odd_headers()

    campaign.hunt(headers.map(lambda changes: Case(SESSION, changes, Expected.ANSWERED)), examples=60)


@requirement(SERVER_ERROR["s2s_card"], INSIDE)
@pytest.mark.parametrize("what", ["content-type", "other"])
def test_odd_header_on_a_sale_breaks_nothing(what: str, campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    headers = content_types() if what == "content-type" else odd_headers()

    campaign.hunt(headers.map(lambda changes: Case(CARD_SALE, changes, Expected.ANSWERED)), examples=60)


@requirement("CHK-SES-01")
def test_parameters_of_the_content_type_do_not_matter(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    written = st.sampled_from(
        [
            "application/json; charset=utf-8",
            "application/json;charset=UTF-8",
            "Application/JSON",
            'application/json; charset="utf-8"',
        ]
    )

    def case(value: str) -> Case:
        return Case(SESSION, (change(Do.HEADER, ("Content-Type",), value),), Expected.ACCEPTED, "CHK-SES-01")

    campaign.hunt(written.map(case), examples=4)
