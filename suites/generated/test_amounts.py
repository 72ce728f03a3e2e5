"""Amounts of every exponent: those that the contract writes are accepted, whatever else looks like one is refused."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from fixtures.cases.currencies import decimals_of, format_amount
from fixtures.generated.campaign import Campaign
from fixtures.generated.case import Case, Do, Expected, change
from fixtures.generated.operations import CARD_SALE, SESSION
from fixtures.judging.baselines import Baselines
from fixtures.judging.must import must_be_served
from fixtures.judging.verdicts import not_applicable
from fixtures.profile import Profile
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

pytestmark = pytest.mark.fuzz


@dataclass(frozen=True)
class Kind:
    """Currencies that are written alike: which of the profile's, who says how, and who says what is refused."""

    currency: str
    exponent: int
    allowed: str
    refused: str


KINDS = (
    Kind("exponent_2", 2, "CHK-AMT-01", "CHK-AMT-01"),
    Kind("exponent_0", 0, "CHK-AMT-02", "CHK-AMT-03"),
    Kind("exponent_3", 3, "CHK-AMT-05", "CHK-AMT-05"),
    Kind("exponent_4", 4, "CHK-AMT-06", "CHK-AMT-06"),
)
ALLOWED = pytest.mark.parametrize(
    "kind", [pytest.param(each, id=each.currency, marks=requirement(each.allowed)) for each in KINDS]
)
REFUSED = pytest.mark.parametrize(
    "kind", [pytest.param(each, id=each.currency, marks=requirement(each.refused)) for each in KINDS]
)


def session(kind: Kind, currency: str, amount: str, expects: Expected, claimed: str) -> Case:
    changes = [change(Do.SET, "order.amount", amount)]
    if kind.currency != "exponent_2":
        changes.append(change(Do.SET, "order.currency", currency))
    return Case(SESSION, tuple(changes), expects, claimed)


def must_be_one_of_the_main_account(kind: Kind, checkout: CheckoutMerchant, requests: SessionRequests) -> None:
    """End the check where the main account, which sends what is generated, need not take the currency."""
    currency, usual = requests.currency(kind.currency), requests.profile.test_data.amounts.usual
    in_it = requests().with_("order.currency", currency)
    if checkout.paying_for(in_it) is not checkout:
        not_applicable(f"another account than the main one, which sends what is generated, takes {currency}")
    must_be_served(checkout.create_session(in_it.with_("order.amount", format_amount(usual, kind.exponent))))


@ALLOWED
def test_session_with_an_amount_as_the_contract_writes_it_is_accepted(
    kind: Kind, campaign: Campaign, checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    currency = session_request.currency(kind.currency)
    must_be_one_of_the_main_account(kind, checkout, session_request)
    # A target may bound amounts, so they stay near the one that its profile calls usual.
    usual = profile.test_data.amounts.usual
    minor = st.integers(max(1, usual // 2), usual * 2)

    campaign.hunt(
        minor.map(
            lambda units: session(kind, currency, format_amount(units, kind.exponent), Expected.ACCEPTED, kind.allowed)
        ),
        examples=20,
    )


@REFUSED
def test_session_with_other_decimals_is_refused(
    kind: Kind, campaign: Campaign, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    currency = session_request.currency(kind.currency)
    must_be_one_of_the_main_account(kind, checkout, session_request)
    right = decimals_of(kind.exponent)
    counts = st.sampled_from([count for count in range(12) if count != right])
    texts = st.tuples(st.integers(1, 9_999), counts).map(lambda pair: f"{pair[0]}.{'5' * pair[1]}".removesuffix("."))

    campaign.hunt(texts.map(lambda text: session(kind, currency, text, Expected.REFUSED, kind.refused)), examples=20)


def written_otherwise() -> SearchStrategy[str]:
    """Give texts that a lenient program reads as an amount and the contract does not write."""
    usual = st.tuples(st.integers(1, 999), st.integers(0, 99)).map(lambda pair: f"{pair[0]}.{pair[1]:02d}")
    return st.one_of(
        usual.map(lambda text: text.replace(".", ",")),
        usual.map(lambda text: f"+{text}"),
        usual.map(lambda text: f"1,{text}"),
        usual.map(lambda text: f"1'{text}"),
        usual.map(lambda text: f"1_{text}"),
        st.tuples(st.integers(1, 99), st.integers(0, 5), st.sampled_from("eE")).map(
            lambda parts: f"{parts[0]}{parts[2]}{parts[1]}"
        ),
        st.tuples(st.integers(1, 9), st.sampled_from(["e+1", "E-1", ".50e1", ".00E0"])).map(
            lambda parts: f"{parts[0]}{parts[1]}"
        ),
    )


def no_numbers() -> SearchStrategy[str]:
    """Give texts that are no number at all, or one in another script or base."""
    words = st.text(st.sampled_from("abcdefxyz"), min_size=1, max_size=8)
    named = st.sampled_from(
        ["NaN", "Infinity", "-Infinity", "0x10.00", "1.2.3", "--1.00", "10.00USD", "10.00\x00", "."]
    )
    digits = st.integers(1, 999).map(lambda number: str(number).translate(_ARABIC) + ".00")
    return st.one_of(words, named, digits)


_ARABIC = {ord(digit): chr(0x0660 + int(digit)) for digit in "0123456789"}


@requirement("CHK-AMT-08")
def test_session_with_an_amount_in_another_notation_is_refused(
    campaign: Campaign, session_request: SessionRequests
) -> None:
    del session_request

    campaign.hunt(
        written_otherwise().map(lambda text: session(KINDS[0], "", text, Expected.REFUSED, "CHK-AMT-08")), examples=50
    )


@requirement("CHK-ORD-08")
def test_session_with_an_amount_that_is_no_number_is_refused(
    campaign: Campaign, session_request: SessionRequests
) -> None:
    del session_request

    campaign.hunt(no_numbers().map(lambda text: session(KINDS[0], "", text, Expected.REFUSED, "CHK-ORD-08")))


@requirement("CHK-ORD-09")
def test_session_with_a_negative_amount_is_refused(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    texts = st.integers(1, 10**12).map(lambda cents: f"-{cents // 100}.{cents % 100:02d}")

    campaign.hunt(texts.map(lambda text: session(KINDS[0], "", text, Expected.REFUSED, "CHK-ORD-09")), examples=15)


@requirement("S2C-SAL-11")
def test_sale_with_an_amount_that_is_no_number_is_refused(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")

    def case(text: str) -> Case:
        return Case(CARD_SALE, (change(Do.SET, ("order_amount",), text),), Expected.REFUSED, "S2C-SAL-11")

    campaign.hunt(no_numbers().map(case), examples=30)


@requirement("S2C-SAL-12")
def test_sale_with_other_decimals_is_refused(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")
    texts = st.tuples(st.integers(1, 9_999), st.sampled_from([1, 3, 4, 5, 6, 7, 8])).map(
        lambda pair: f"{pair[0]}.{'5' * pair[1]}"
    )

    def case(text: str) -> Case:
        return Case(CARD_SALE, (change(Do.SET, ("order_amount",), text),), Expected.REFUSED, "S2C-SAL-12")

    campaign.hunt(texts.map(case), examples=20)
