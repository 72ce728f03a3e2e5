"""Forms that are written oddly: fields twice, brackets where a text belongs, broken escapes, very many fields."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import strategies as st

from fixtures.generated.campaign import Campaign
from fixtures.generated.case import Case, Do, Expected, change
from fixtures.generated.operations import CARD_SALE
from fixtures.generated.oracles import INSIDE, SERVER_ERROR, Problem
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

pytestmark = pytest.mark.fuzz

FIELDS = (
    "action",
    "order_id",
    "order_amount",
    "order_currency",
    "order_description",
    "payer_email",
    "card_number",
    "hash",
)


@requirement(SERVER_ERROR["s2s_card"], INSIDE)
def test_field_that_is_sent_twice_breaks_nothing(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    values = st.sampled_from(["", "x", "SALE", "[]", "\x00", "other@example.com", "99.99", "a" * 2_000])

    def case(name: str, do: Do, value: str) -> Case:
        return Case(CARD_SALE, (change(do, (name,), value),))

    cases = st.builds(case, st.sampled_from(FIELDS), st.sampled_from([Do.BEFORE, Do.BEHIND]), values)
    campaign.hunt(cases, examples=40)


@requirement("S2C-SIG-44")
def test_email_that_is_sent_twice_is_signed_once(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    """A gateway may refuse it, or take either of the two, but not a signature over whichever fits."""
    sales("sale")

    def case(do: Do, name: str) -> Case:
        return Case(CARD_SALE, (change(do, ("payer_email",), f"{name}@example.com"),))

    def examine(unsigned: Case) -> Iterator[Problem]:
        (other,) = unsigned.changes
        first = campaign.send(unsigned)
        yield from campaign.judge(unsigned, first)
        second = campaign.send(Case(CARD_SALE, (change(Do.SIGN, other.at, other.value), other)))
        if answer_of(first) is Answer.ACCEPTED and answer_of(second) is Answer.ACCEPTED:
            expected = "one signature at most for a request with payer_email twice"
            explanation = "It was accepted signed over the one address, and signed over the other as well."
            yield Problem("signed over either", "S2C-SIG-44", Finding(expected, second.summary, explanation))

    cases = st.builds(case, st.sampled_from([Do.BEFORE, Do.BEHIND]), st.sampled_from(["other", "another"]))
    campaign.hunt(cases, examples=4, examine=examine)


@requirement(SERVER_ERROR["s2s_card"], INSIDE)
def test_brackets_in_place_of_a_text_break_nothing(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    below = st.sampled_from(
        ["", "0", "a", "a][b", "__proto__", "constructor", "9999999999", "-1", " ", "%5B", "[", "]]"]
    )
    values = st.sampled_from(["", "x", "1"])

    def case(name: str, key: str, value: str, keeps: bool) -> Case:
        removed = () if keeps else (change(Do.LATER_REMOVE, (name,)),)
        return Case(CARD_SALE, (*removed, change(Do.BEHIND, (f"{name}[{key}]",), value)))

    names = st.sampled_from((*FIELDS, "custom_data", "parameters", "client_key"))
    campaign.hunt(st.builds(case, names, below, values, st.booleans()), examples=60)


@requirement(SERVER_ERROR["s2s_card"], INSIDE)
def test_odd_escape_in_a_form_breaks_nothing(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    escapes = st.sampled_from(
        [
            "%",
            "%4",
            "%zz",
            "%00",
            "%C3%28",
            "%C0%AF",
            "%ED%A0%80",
            "%F5%80%80%80",
            "%FF%FE",
            "%u0041",
            "%0D%0A",
            "%25%30%30",
            "=",
            "==",
            ";a=b",
        ]
    )
    texts = st.tuples(st.sampled_from(["", "a"]), escapes, st.sampled_from(["", "b"])).map("".join)

    def case(name: str, text: str) -> Case:
        return Case(CARD_SALE, (change(Do.RAW, (name,), text),))

    campaign.hunt(st.builds(case, st.sampled_from(FIELDS), texts), examples=60)


@requirement(SERVER_ERROR["s2s_card"], INSIDE)
def test_odd_frame_of_a_form_breaks_nothing(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    frames = st.sampled_from(
        [
            "&",
            "&&&",
            "=",
            "&=",
            "&=x",
            "&a",
            "?",
            "\xef\xbb\xbf",
            "\x00",
            "\r\n",
            "&\xe9=\xe9",
            "&a[=1",
            "&]=1",
            "&" + "x=1&" * 700,
            "&custom_data" + "[a]" * 300 + "=1",
            "&" + "k" * 9_000 + "=1",
            "&parameters[]=1&parameters[a]=2&parameters=3",
        ]
    )
    kinds = st.sampled_from([Do.PREFIX, Do.SUFFIX])

    def case(kind: Do, frame: str) -> Case:
        return Case(CARD_SALE, (change(kind, (), frame),), Expected.ANSWERED)

    campaign.hunt(st.builds(case, kinds, frames), examples=30)


@requirement("S2C-SIG-01")
def test_blanks_and_plus_signs_are_read_as_forms_write_them(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    written = st.sampled_from(
        ["a%2Bb%40example.com", "a%2bb%40example.com", "%61%2Bb%40example%2Ecom", "a%2Bb@example.com"]
    )

    def case(text: str) -> Case:
        changes = (change(Do.SET, ("payer_email",), "a+b@example.com"), change(Do.RAW, ("payer_email",), text))
        return Case(CARD_SALE, changes, Expected.ACCEPTED, "S2C-SIG-01")

    campaign.hunt(written.map(case), examples=4)
