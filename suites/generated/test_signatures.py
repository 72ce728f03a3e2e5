"""Signatures over generated values: every signed value matters to its last character, the others do not matter."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fixtures.cases.cards import with_check_digit
from fixtures.cases.strategies import descriptions, emails, order_numbers, session_expiries, urls
from fixtures.generated.campaign import Campaign
from fixtures.generated.case import NUMBER, Case, Do, Expected, change
from fixtures.generated.operations import CARD_SALE, SESSION
from fixtures.generated.texts import ANY_CHARACTER, LATIN_CAPITALS
from fixtures.judging.baselines import Baselines
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

pytestmark = pytest.mark.fuzz


def nearly(text: SearchStrategy[str]) -> SearchStrategy[tuple[str, str]]:
    """Give a text and another one that differs a little, and not in case alone."""
    changes = st.sampled_from([_one_more, _one_less, _another_end, _another_start, _another_middle, _twice_a_blank])
    pairs = st.tuples(text, changes).map(lambda pair: (pair[0], pair[1](pair[0])))
    return pairs.filter(lambda pair: pair[0].upper() != pair[1].upper() and bool(pair[1]))


def _one_more(text: str) -> str:
    return f"{text}1"


def _one_less(text: str) -> str:
    return text[:-1]


def _another_end(text: str) -> str:
    return text[:-1] + ("y" if text[-1] in "xX" else "x")


def _another_start(text: str) -> str:
    return ("y" if text[0] in "xX" else "x") + text[1:]


def _another_middle(text: str) -> str:
    at = len(text) // 2
    return text[:at] + ("y" if text[at] in "xX" else "x") + text[at + 1 :]


def _twice_a_blank(text: str) -> str:
    return text.replace(" ", "  ", 1)


def long_descriptions() -> SearchStrategy[str]:
    """Descriptions of which most are long: a check of the first bytes alone would miss what follows."""
    return st.one_of(descriptions(60), st.integers(250, 1024).flatmap(_of_length))


def _of_length(length: int) -> SearchStrategy[str]:
    return st.sampled_from("abcXYZ").map(lambda letter: (f"{letter} gift " * length)[: length - 1] + "s")


def long_numbers() -> SearchStrategy[str]:
    """Order numbers, short and long."""
    lengths = st.sampled_from([1, 5, 40, 90, 200])
    return st.tuples(order_numbers(40), lengths).map(lambda pair: f"{NUMBER}-{'n' * pair[1]}{pair[0]}"[:230])


SIGNED = {
    "order.number": ("CHK-SIG-02", long_numbers()),
    "order.description": ("CHK-SIG-05", long_descriptions()),
}


@pytest.mark.parametrize(
    "field", [pytest.param(field, marks=requirement(claimed)) for field, (claimed, _) in SIGNED.items()]
)
def test_session_whose_signature_is_of_nearly_the_same_value_is_refused(
    field: str, campaign: Campaign, session_request: SessionRequests
) -> None:
    del session_request  # asked for so that a target which refuses everything proves nothing here
    claimed, values = SIGNED[field]

    def case(pair: tuple[str, str]) -> Case:
        changes = (change(Do.SET, field, pair[0]), change(Do.SIGN, field, pair[1]))
        return Case(SESSION, changes, Expected.WRONG_SIGNATURE, claimed)

    campaign.hunt(nearly(values).map(case), examples=40)


@requirement("CHK-SIG-03")
def test_session_whose_signature_is_of_another_amount_is_refused(
    campaign: Campaign, session_request: SessionRequests
) -> None:
    usual = session_request().get("order.amount")
    others = st.one_of(
        st.integers(1, 10**9).map(lambda cents: f"{cents // 100}.{cents % 100:02d}"),
        st.sampled_from([f"0{usual}", f"{usual}0", usual.removesuffix("0"), usual.split(".")[0], f"+{usual}", ""]),
    )

    def case(signed: str) -> Case:
        return Case(SESSION, (change(Do.SIGN, "order.amount", signed),), Expected.WRONG_SIGNATURE, "CHK-SIG-03")

    campaign.hunt(others.filter(lambda text: text != usual).map(case), examples=30)


@requirement("CHK-SIG-04")
def test_session_whose_signature_is_of_another_currency_is_refused(
    campaign: Campaign, session_request: SessionRequests
) -> None:
    usual = session_request().get("order.currency")
    others = st.text(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), max_size=6).filter(lambda text: text != usual)

    def case(signed: str) -> Case:
        return Case(SESSION, (change(Do.SIGN, "order.currency", signed),), Expected.WRONG_SIGNATURE, "CHK-SIG-04")

    campaign.hunt(others.map(case), examples=25)


@requirement("CHK-SIG-12")
def test_session_is_signed_over_its_raw_values(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    signs = st.text(st.sampled_from("abcXYZ019 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"), max_size=80)
    values = st.one_of(signs.map(lambda text: f"a{text}z"), long_descriptions())

    def case(description: str) -> Case:
        changes = (change(Do.SET, "order.description", description),)
        return Case(SESSION, changes, Expected.ACCEPTED, "CHK-SIG-12")

    # Signs that a guard in front of a gateway takes for an attack are judged in test_text.py.
    harmless = values.filter(lambda text: not set("<>{}`|\\'\"$%;") & set(text))
    campaign.hunt(harmless.map(case), examples=50)


@requirement("CHK-SIG-21")
def test_session_with_capitals_of_two_bytes_is_signed_over_its_raw_values(
    campaign: Campaign, session_request: SessionRequests
) -> None:
    del session_request
    values = st.text(st.sampled_from(LATIN_CAPITALS), min_size=2, max_size=200)

    def case(description: str) -> Case:
        changes = (change(Do.SET, "order.description", description),)
        return Case(SESSION, changes, Expected.ACCEPTED, "CHK-SIG-21")

    campaign.hunt(values.map(case), examples=20)


@requirement("CHK-SIG-13")
def test_field_outside_the_signature_may_become_another_after_signing(
    campaign: Campaign, session_request: SessionRequests
) -> None:
    del session_request
    changes = st.one_of(
        urls().map(lambda value: change(Do.LATER, "success_url", value)),
        urls().map(lambda value: change(Do.LATER, "cancel_url", value)),
        urls().map(lambda value: change(Do.LATER, "error_url", value)),
        session_expiries().map(lambda value: change(Do.LATER, "session_expiry", value)),
        emails().map(lambda value: change(Do.LATER, "customer.email", value)),
    )

    campaign.hunt(changes.map(lambda each: Case(SESSION, (each,), Expected.ACCEPTED, "CHK-SIG-13")), examples=30)


def hashes(length: int) -> SearchStrategy[str]:
    """Give texts that belong to no signature: right and wrong lengths, hexadecimal digits and others."""
    digits = st.text(st.sampled_from("0123456789abcdef"), min_size=length, max_size=length)
    others = st.text(ANY_CHARACTER, min_size=1, max_size=2 * length)
    numbers = st.sampled_from(["0", "0e0", "0e123456789", "1", "true", "null", "%", "' OR '1'='1", "[]", "*", ".*"])
    # Digits that begin with 0e are the number nothing to a program that compares texts as numbers.
    return st.one_of(digits, others, numbers, digits.map(lambda text: f"0e{text[2:].translate(_DECIMAL)}"))


_DECIMAL = str.maketrans("abcdef", "012345")


@requirement("CHK-SIG-20")
def test_session_with_a_made_up_hash_is_refused(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request

    def case(text: str) -> Case:
        return Case(SESSION, (change(Do.LATER, "hash", text),), Expected.REFUSED, "CHK-SIG-20")

    campaign.hunt(hashes(40).map(case), examples=40)


@requirement("S2C-SIG-52")
def test_sale_with_a_made_up_hash_is_refused(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")

    def case(text: str) -> Case:
        return Case(CARD_SALE, (change(Do.LATER, "hash", text),), Expected.REFUSED, "S2C-SIG-52")

    campaign.hunt(hashes(32).map(case), examples=40)


@requirement("S2C-SIG-44")
def test_sale_whose_signature_is_of_nearly_the_same_email_is_refused(
    campaign: Campaign, sales: Baselines[FormRequest]
) -> None:
    sales("sale")
    local = st.text(st.sampled_from("abcdefgh0123456789"), min_size=2, max_size=60)

    def case(pair: tuple[str, str]) -> Case:
        changes = (
            change(Do.SET, ("payer_email",), f"{pair[0]}@example.com"),
            change(Do.SIGN, ("payer_email",), f"{pair[1]}@example.com"),
        )
        return Case(CARD_SALE, changes, Expected.WRONG_SIGNATURE, "S2C-SIG-44")

    campaign.hunt(nearly(local).map(case), examples=30)


@requirement("S2C-SIG-45")
def test_sale_whose_signature_is_of_another_card_is_refused(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    card = sales("sale").get("card_number") or ""
    starts = st.text(st.sampled_from("0123456789"), min_size=12, max_size=17).map(lambda text: f"4{text}")
    others = starts.map(with_check_digit).filter(lambda text: (text[:6], text[-4:]) != (card[:6], card[-4:]))

    def case(signed: str) -> Case:
        changes = (change(Do.SIGN, ("card_number",), signed),)
        return Case(CARD_SALE, changes, Expected.WRONG_SIGNATURE, "S2C-SIG-45")

    campaign.hunt(others.map(case), examples=20)


@requirement("S2C-SIG-01")
def test_sale_is_signed_over_the_raw_email(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    local = st.text(st.sampled_from("abcXYZ019+_-"), min_size=1, max_size=60).map(lambda text: f"a{text}z")

    def case(name: str) -> Case:
        changes = (change(Do.SET, ("payer_email",), f"{name}@example.com"),)
        return Case(CARD_SALE, changes, Expected.ACCEPTED, "S2C-SIG-01")

    campaign.hunt(local.map(case), examples=30)
