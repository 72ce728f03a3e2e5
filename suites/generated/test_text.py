"""Odd and hostile text in every free field: nothing breaks, nothing is carried out, nothing of the inside is shown."""

from __future__ import annotations

from types import MappingProxyType

import pytest
from hypothesis import strategies as st

from fixtures.generated.campaign import Campaign
from fixtures.generated.case import NUMBER, Case, Do, Expected, change
from fixtures.generated.operations import CARD_SALE, SESSION
from fixtures.generated.oracles import CARRIED_OUT, INSIDE, SERVER_ERROR
from fixtures.generated.texts import INJECTED, ODD, injections, odd_texts
from fixtures.judging.baselines import Baselines
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest, Path

pytestmark = pytest.mark.fuzz

SESSION_FIELDS: MappingProxyType[str, Path] = MappingProxyType(
    {
        "order.number": "order.number",
        "order.description": "order.description",
        "order.currency": "order.currency",
        "order.amount": "order.amount",
        "operation": "operation",
        "customer.name": "customer.name",
        "customer.email": "customer.email",
        "billing_address": "billing_address.address",
        "channel_id": "channel_id",
        "checkout_language": "checkout_language",
        "methods": ("methods", 0),
        "success_url": "success_url",
        "custom_data": "custom_data.reference",
        "parameters": "parameters.card.descriptor",
        "schedule_id": "schedule_id",
    }
)
SALE_FIELDS = (
    "order_id",
    "order_description",
    "order_amount",
    "order_currency",
    "payer_first_name",
    "payer_address",
    "payer_email",
    "payer_ip",
    "payer_phone",
    "card_number",
    "channel_id",
    "term_url_3ds",
)
EACH_OF_SESSION = pytest.mark.parametrize("field", SESSION_FIELDS)
EACH_OF_SALE = pytest.mark.parametrize("field", SALE_FIELDS)


def in_session(field: str, text: str, expects: Expected) -> Case:
    start = "https://merchant.example/?" if field == "success_url" else NUMBER if field == "order.number" else ""
    return Case(SESSION, (change(Do.SET, SESSION_FIELDS[field], f"{start}{text}"),), expects)


def in_sale(field: str, text: str, expects: Expected) -> Case:
    return Case(CARD_SALE, (change(Do.SET, (field,), f"{NUMBER if field == 'order_id' else ''}{text}"),), expects)


@requirement(SERVER_ERROR["checkout"], INSIDE)
@EACH_OF_SESSION
def test_odd_text_in_a_session_breaks_nothing(field: str, campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request

    campaign.hunt([in_session(field, text, Expected.PROPER) for text in ODD.values()], examples=len(ODD))


@requirement(SERVER_ERROR["checkout"], INSIDE, CARRIED_OUT)
@EACH_OF_SESSION
def test_hostile_text_in_a_session_stays_text(field: str, campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request

    # A guard in front of a gateway may refuse it in its own way.
    campaign.hunt([in_session(field, text, Expected.ANSWERED) for text in INJECTED.values()], examples=len(INJECTED))


@requirement(SERVER_ERROR["s2s_card"], INSIDE)
@EACH_OF_SALE
def test_odd_text_in_a_sale_breaks_nothing(field: str, campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")

    campaign.hunt([in_sale(field, text, Expected.PROPER) for text in ODD.values()], examples=len(ODD))


@requirement(SERVER_ERROR["s2s_card"], INSIDE, CARRIED_OUT)
@EACH_OF_SALE
def test_hostile_text_in_a_sale_stays_text(field: str, campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")

    campaign.hunt([in_sale(field, text, Expected.ANSWERED) for text in INJECTED.values()], examples=len(INJECTED))


ANY = st.one_of(odd_texts(), injections())


@requirement(SERVER_ERROR["checkout"], INSIDE, CARRIED_OUT)
def test_any_text_in_a_session_breaks_nothing(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    fields = st.sampled_from(list(SESSION_FIELDS))

    campaign.hunt(st.builds(in_session, fields, ANY, st.just(Expected.ANSWERED)), examples=60)


@requirement(SERVER_ERROR["s2s_card"], INSIDE, CARRIED_OUT)
def test_any_text_in_a_sale_breaks_nothing(campaign: Campaign, sales: Baselines[FormRequest]) -> None:
    sales("sale")

    campaign.hunt(st.builds(in_sale, st.sampled_from(SALE_FIELDS), ANY, st.just(Expected.ANSWERED)), examples=60)


@requirement(SERVER_ERROR["checkout"], INSIDE)
def test_very_long_text_in_a_session_breaks_nothing(campaign: Campaign, session_request: SessionRequests) -> None:
    del session_request
    letters = ("a", "é", "\U0001f381", "%", "\\", "(")
    texts = [letter * count for letter in letters for count in (300, 5_000, 40_000)]
    fields = ("order.description", "customer.email", "success_url", "custom_data")

    campaign.hunt(
        [in_session(field, text, Expected.ANSWERED) for text in texts for field in fields][::5], examples=len(texts)
    )
