"""JSON that is written oddly: members twice, odd numbers, deep nesting, byte order marks, half characters."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fixtures.generated.campaign import Campaign
from fixtures.generated.case import NUMBER, Case, Change, Do, Expected, change
from fixtures.generated.operations import SESSION
from fixtures.generated.oracles import INSIDE, SERVER_ERROR, Problem
from fixtures.generated.texts import ANY_CHARACTER
from fixtures.judging.expectations import Finding, acceptance
from fixtures.judging.matchers import Answer, answer_of
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply

pytestmark = pytest.mark.fuzz

ODD_NUMBERS = (
    "1e2", "1E+400", "-1e-400", "1e999999999", "-0", "-0.0", "1.0", "10.000000000000000000001", "9007199254740993",
    "123456789012345678901234567890", "9" * 400, "9" * 5_000, "0." + "0" * 400 + "1", "1e-7",
)  # fmt: skip
BROKEN_NUMBERS = ("01", "+1", ".5", "5.", "0x10", "1_000", "NaN", "Infinity", "-Infinity", "1e", "--1", "٣")
PLACES = ("order.amount", "order.number", "session_expiry", "custom_data.value", "order.description", "auth", "hash")


def raw(place: str, text: str, expects: Expected = Expected.PROPER) -> Case:
    return Case(SESSION, (change(Do.RAW, place, text),), expects)


@requirement(SERVER_ERROR["checkout"], INSIDE)
def test_odd_number_breaks_nothing(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    numbers = st.sampled_from((*ODD_NUMBERS, *BROKEN_NUMBERS))

    campaign.hunt(st.builds(raw, st.sampled_from(PLACES), numbers), examples=90)


@requirement(SERVER_ERROR["checkout"], INSIDE)
def test_odd_escape_breaks_nothing(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    escapes = st.sampled_from(
        [
            r"\ud800",
            r"\udc00",
            r"\udfff\ud800",
            r"\u0000",
            r"\uffff",
            r"\ud83c\udf81",
            r"\/",
            r"\b\f",
            r"\u0041",
            r"\x41",
            r"\z",
        ]
    )
    texts = st.tuples(st.sampled_from(["", "gift "]), escapes, st.sampled_from(["", "s"])).map(
        lambda parts: f'"{"".join(parts)}"'
    )

    campaign.hunt(st.builds(raw, st.sampled_from(PLACES), texts), examples=60)


def nested(depth: int, kind: str) -> str:
    if kind == "arrays":
        return "[" * depth + "]" * depth
    return '{"a":' * depth + "1" + "}" * depth


@requirement(SERVER_ERROR["checkout"], INSIDE)
def test_deep_nesting_breaks_nothing(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    depths = st.sampled_from([10, 60, 130, 400, 1_100, 20_000])
    kinds = st.sampled_from(["arrays", "objects"])
    places = st.sampled_from(["custom_data.value", "order.description", "customer", "parameters.card", "methods"])

    def case(place: str, depth: int, kind: str) -> Case:
        return raw(place, nested(depth, kind), Expected.ANSWERED)

    campaign.hunt(st.builds(case, places, depths, kinds), examples=40)


@requirement("CHK-SES-02")
def test_session_that_is_cut_off_is_refused(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request

    def case(where: int) -> Case:
        return Case(SESSION, (change(Do.CUT, (), where),), Expected.REFUSED, "CHK-SES-02")

    campaign.hunt(st.integers(1, 990).map(case), examples=25)


@requirement(SERVER_ERROR["checkout"], INSIDE)
def test_odd_frame_of_a_body_breaks_nothing(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    marks = [
        "\xef\xbb\xbf",
        "\xff\xfe",
        "\xfe\xff",
        "\x00",
        " ",
        "\r\n",
        ")]}',\n",
        "/* */",
        "\x1e",
        "\xc0\xaf",
        "\x80",
        "{}",
        ",",
    ]
    frames: SearchStrategy[Change] = st.one_of(
        st.sampled_from(marks).map(lambda mark: change(Do.PREFIX, (), mark)),
        st.sampled_from(marks).map(lambda mark: change(Do.SUFFIX, (), mark)),
        st.sampled_from(["utf-16", "utf-16-le", "utf-32", "latin-1"]).map(lambda name: change(Do.CHARSET, (), name)),
    )

    campaign.hunt(frames.map(lambda frame: Case(SESSION, (frame,))), examples=40)


TWICE = ("order.number", "order.amount", "order.currency", "order.description")
OTHERS = {
    "order.number": (f"{NUMBER}-other",),
    "order.amount": ("77.77", "66.66"),
    "order.currency": ("EUR", "USD"),
    "order.description": ("Another gift",),
}
"""Other values of these members: the first that is not the baseline's own is sent."""


@requirement("CHK-SIG-12")
def test_member_that_is_sent_twice_is_signed_with_the_value_that_is_used(
    campaign: Campaign, session_request: SessionRequests
) -> None:
    """A gateway may refuse the member, or take either value, but the one that it takes must be the signed one."""
    usual = session_request()

    def case(place: str, do: Do) -> Case:
        other = next(value for value in OTHERS[place] if value != usual.get(place))
        return Case(SESSION, (change(do, place, other),), Expected.PROPER)

    def examine(unsigned: Case) -> Iterator[Problem]:
        (other,) = unsigned.changes
        first = campaign.send(unsigned)
        yield from campaign.judge(unsigned, first)
        number = campaign.sender.last_number
        signing_other = Case(SESSION, (change(Do.SIGN, other.at, other.value), other), Expected.PROPER)
        second = campaign.send(signing_other)
        if answer_of(first) is Answer.ACCEPTED and answer_of(second) is Answer.ACCEPTED:
            yield both_signatures(other, second)
        if answer_of(first) is Answer.ACCEPTED and other.at == ("order", "number"):
            yield from stored_unsigned(campaign, number)

    cases = st.builds(case, st.sampled_from(TWICE), st.sampled_from([Do.BEFORE, Do.BEHIND]))
    campaign.hunt(cases, examples=16, examine=examine)


def both_signatures(other: Change, reply: Reply) -> Problem:
    expected = f"one signature at most for a request with {'.'.join(map(str, other.at))} twice"
    explanation = "It was accepted signed over the one value, and signed over the other as well."
    return Problem("signed over either value", "CHK-SIG-12", Finding(expected, reply.summary, explanation))


def stored_unsigned(campaign: Campaign, number: str) -> Iterator[Problem]:
    """The number that was not signed must still be free."""
    plain = Case(SESSION, (change(Do.SET, "order.number", f"{number}-other"),), Expected.ACCEPTED, "CHK-SIG-12")
    reply = campaign.send(plain, f"{number}-unused")
    if finding := acceptance(reply):
        explanation = "The number that was sent beside the signed one, and not signed, was taken."
        yield Problem("unsigned number taken", "CHK-SIG-12", Finding(finding.expected, finding.received, explanation))


@requirement(SERVER_ERROR["checkout"], INSIDE)
def test_value_of_another_kind_breaks_nothing(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    scalars = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(ANY_CHARACTER, max_size=10),
    )
    values = st.recursive(
        scalars,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.text(ANY_CHARACTER, max_size=5), inner, max_size=3)
        ),
        max_leaves=5,
    )
    places = st.sampled_from(
        [
            "order",
            "customer",
            "billing_address",
            "parameters",
            "parameters.card",
            "custom_data",
            "methods",
            "card_token",
            "operation",
            "order.number",
            "order.amount",
            "order.currency",
            "order.description",
            "success_url",
            "payee",
            "crypto",
            "session_expiry",
            "auth",
            "checkout_language",
            "schedule_id",
            "parameters.card.cart",
            "channel_id",
        ]
    )

    def case(place: str, value: object) -> Case:
        return Case(SESSION, (change(Do.SET, place, value),))

    campaign.hunt(st.builds(case, places, values), examples=90)
