"""Order numbers and limits: the alphabet to its last character, lengths in characters and not in bytes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import strategies as st

from fixtures.cases.strategies import ORDER_NUMBER_CHARACTERS, order_numbers
from fixtures.generated.campaign import Campaign
from fixtures.generated.case import NUMBER, Case, Do, Expected, change
from fixtures.generated.operations import CARD_SALE, SESSION
from fixtures.generated.oracles import Problem
from fixtures.generated.texts import LATIN_CAPITALS
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding, acceptance
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.verdicts import inconclusive
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

pytestmark = pytest.mark.fuzz


def numbered(number: str, expects: Expected, claimed: str) -> Case:
    return Case(SESSION, (change(Do.SET, "order.number", number),), expects, claimed)


@requirement("CHK-ORD-03")
def test_order_number_of_allowed_characters_is_accepted(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    around = st.tuples(order_numbers(60), order_numbers(60))

    campaign.hunt(
        around.map(lambda pair: numbered(f"{pair[0]}{NUMBER}{pair[1]}", Expected.ACCEPTED, "CHK-ORD-03")), examples=40
    )


# At the end, too: a pattern may overlook a line feed there.
PLACES = ((NUMBER, ""), ("", NUMBER), (f"{NUMBER}-", "-1"))
NEAR = "\n\r\t\x00 _<>{}[]|~^`?=\\"


def strange(place: tuple[str, str], sign: str) -> Case:
    return numbered(f"{place[0]}{sign}{place[1]}", Expected.REFUSED, "CHK-ORD-04")


@requirement("CHK-ORD-04")
def test_order_number_with_a_character_near_the_alphabet_is_refused(
    campaign: Campaign, session_request: SessionRequests
) -> None:
    del session_request

    campaign.hunt([strange(place, sign) for sign in NEAR for place in PLACES], examples=len(NEAR) * len(PLACES))


@requirement("CHK-ORD-04")
def test_order_number_with_any_other_character_is_refused(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    # Whether letters and digits of other alphabets are allowed is a reading.
    others = st.characters(exclude_categories=["Cs", "L", "N", "M"], exclude_characters=ORDER_NUMBER_CHARACTERS)

    campaign.hunt(st.builds(strange, st.sampled_from(PLACES), others), examples=30)


@requirement("CHK-DUP-06")
def test_order_numbers_that_look_alike_are_different_orders(
    campaign: Campaign, session_request: SessionRequests
) -> None:
    del session_request
    # Pairs of endings that become the same when a gateway decodes or reads what it should take as it is.
    pairs = [("%41", "A"), ("%2541", "%41"), ("+", "%20"), ("&amp;", "&"), ("1", "01"), ("1", "1.0"), (".", "")]
    long = "x" * 150

    def case(ends: tuple[str, str], filling: str) -> Case:
        return Case(
            SESSION,
            (
                change(Do.SET, "order.number", f"{NUMBER}-{filling}{ends[0]}"),
                change(Do.SET, "order.number", f"{NUMBER}-{filling}{ends[1]}"),
            ),
            Expected.ACCEPTED,
            "CHK-DUP-06",
        )

    def examine(both: Case) -> Iterator[Problem]:
        first, second = (Case(both.operation, (each,), both.expects, both.requirement) for each in both.changes)
        number = campaign.sender.numbers.next()
        if acceptance(campaign.send(first, number)) is not None:
            return
        reply = campaign.send(second, number)
        if finding := acceptance(reply):
            explanation = "Another order number was sent just before; these two are taken for one."
            yield Problem(
                "taken for a repetition", "CHK-DUP-06", Finding(finding.expected, finding.received, explanation)
            )

    cases = st.builds(case, st.sampled_from(pairs), st.sampled_from(["", long]))
    campaign.hunt(cases, examples=20, examine=examine)


def described(text: str, expects: Expected) -> Case:
    return Case(SESSION, (change(Do.SET, "order.description", text),), expects, "CHK-ORD-18")


def must_take(letters: str, checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    """End the check where a short description in these letters is refused: line 80 speaks of its length alone."""
    short = checkout.create_session(session_request().with_("order.description", letters))
    if answer_of(short) is not Answer.ACCEPTED:
        inconclusive(
            f"a short description in these letters is not accepted either: {short.summary}",
            decides="a target that takes letters outside ASCII, which the contract does not speak of",
        )


@requirement("CHK-ORD-18")
def test_description_of_two_byte_letters_may_have_all_its_characters(
    campaign: Campaign, session_request: SessionRequests, checkout: CheckoutMerchant
) -> None:
    must_take(LATIN_CAPITALS, checkout, session_request)
    texts = st.tuples(st.sampled_from(LATIN_CAPITALS), st.one_of(st.integers(500, 1024), st.just(1024)))

    campaign.hunt(texts.map(lambda pair: described(pair[0] * pair[1], Expected.ACCEPTED)), examples=10)


@requirement("CHK-ORD-18")
def test_description_of_one_two_byte_letter_is_too_short(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request

    campaign.hunt(st.sampled_from(LATIN_CAPITALS).map(lambda text: described(text, Expected.REFUSED)), examples=5)


@requirement("CHK-ORD-18")
def test_description_with_too_many_characters_is_refused(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    texts = st.tuples(st.sampled_from("aZ9" + LATIN_CAPITALS), st.integers(1025, 3000))

    campaign.hunt(texts.map(lambda pair: described(pair[0] * pair[1], Expected.REFUSED)), examples=10)


@requirement("S2C-SAL-10")
def test_description_of_a_sale_may_have_all_its_characters(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    texts = st.tuples(st.sampled_from(LATIN_CAPITALS), st.one_of(st.integers(500, 1024), st.just(1024)))

    def case(pair: tuple[str, int]) -> Case:
        changes = (change(Do.SET, ("order_description",), pair[0] * pair[1]),)
        return Case(CARD_SALE, changes, Expected.ACCEPTED, "S2C-SAL-10")

    campaign.hunt(texts.map(case), examples=8)


@requirement("S2C-ANS-01")
def test_order_id_of_a_sale_comes_back_as_it_was_sent(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    ends = st.one_of(
        st.sampled_from(["%41", "+", "&", "%2B", "'", '"', "<b>", "{{1}}", "\\n", "01", ".0"]), order_numbers(40)
    )

    def examine(case: Case) -> Iterator[Problem]:
        reply = campaign.send(case)
        yield from campaign.judge(case, reply)
        sent = f"{campaign.sender.last_number}-{case.changes[0].value.partition('-')[2]}"
        came = reply.object.get("order_id")
        if acceptance(reply) is None and came not in (sent, None):
            finding = Finding(f"order_id {sent!r}, as it was sent", repr(came), "It was decoded, folded or cut.")
            yield Problem("order_id changed", "S2C-ANS-01", finding)

    def case(end: str) -> Case:
        return Case(CARD_SALE, (change(Do.SET, ("order_id",), f"{NUMBER}-{end}"),), Expected.ANSWERED)

    campaign.hunt(ends.map(case), examples=30, examine=examine)
