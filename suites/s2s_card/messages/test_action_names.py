"""Action names: upper-case, case-sensitive, and a closed list."""

from __future__ import annotations

import pytest

from contract.errors import ACTION_NOT_SUPPORTED_ROUTE
from contract.fields import actions_of, load_document
from fixtures.judging.baselines import Baselines
from fixtures.judging.must import must_refuse, must_reject
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

RETIRED = {
    "REFUND": "S2C-ACT-04",
    "CREDIT": "S2C-ACT-05",
    "REVERSAL": "S2C-ACT-06",
    "REVERSE": "S2C-ACT-07",
    "CHARGEBACK": "S2C-ACT-08",
    "CANCEL_SCHEDULE": "S2C-ACT-09",
    "STOP_SCHEDULE": "S2C-ACT-10",
    "SCHEDULE_CANCEL": "S2C-ACT-11",
    "CANCEL_RECURRING": "S2C-ACT-12",
    "GET_SCHEDULE": "S2C-ACT-13",
    "GET_SCHEDULE_STATUS": "S2C-ACT-14",
    "RECURRING_PAYMENT": "S2C-ACT-15",
    "REC_SALE": "S2C-ACT-16",
    "REC_PAYMENT": "S2C-ACT-17",
    "RECURRING_SALE_INIT": "S2C-ACT-18",
}
ALL = tuple(actions_of(load_document("s2s_card")))
"""Those of later releases as well: no spelling of them but this one was ever an action."""


def camel(name: str) -> str:
    first, *others = name.lower().split("_")
    return first + "".join(word.capitalize() for word in others)


def mixed(name: str) -> str:
    return name[0] + name[1:].lower()


MIXED = sorted({*map(mixed, ALL), *map(camel, ALL), *map(str.title, ALL)} - {name.lower() for name in ALL})


def must_be_unknown(name: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    sale = s2s_card.sign(sales("sale"))

    must_reject(s2s_card.send(sale.with_("action", name)), ACTION_NOT_SUPPORTED_ROUTE)


@requirement("S2C-ACT-01")
@pytest.mark.parametrize("name", ["NO_SUCH_ACTION", "SALES", "SALE;VOID", "SALE VOID"])
def test_unknown_action_is_refused(name: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    must_be_unknown(name, s2s_card, sales)


@requirement("S2C-ACT-02")
@pytest.mark.parametrize("name", [name.lower() for name in ALL])
def test_existing_action_in_lower_case_is_refused(
    name: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    must_be_unknown(name, s2s_card, sales)


@requirement("S2C-ACT-03")
@pytest.mark.parametrize("name", MIXED)
def test_existing_action_in_mixed_case_is_refused(
    name: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    must_be_unknown(name, s2s_card, sales)


@pytest.mark.parametrize("name", [pytest.param(name, marks=requirement(claimed)) for name, claimed in RETIRED.items()])
def test_refused_name_is_refused(name: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    must_be_unknown(name, s2s_card, sales)


@requirement("S2C-ACT-19")
@pytest.mark.parametrize("name", [name.lower() for name in RETIRED])
def test_refused_name_in_lower_case_is_refused(
    name: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    must_be_unknown(name, s2s_card, sales)


@requirement("S2C-ACT-20")
@pytest.mark.parametrize("name", [mixed(name) for name in RETIRED])
def test_refused_name_in_mixed_case_is_refused(
    name: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    must_be_unknown(name, s2s_card, sales)


@requirement("S2C-ACT-21")
def test_post_without_action_is_refused(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    must_refuse(s2s_card.send(s2s_card.sign(sales("sale")).without("action")))


@requirement("S2C-ACT-21")
def test_post_with_an_empty_action_is_refused(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    must_refuse(s2s_card.send(s2s_card.sign(sales("sale")).with_("action", "")))


@requirement("S2C-ACT-22")
def test_recurring_debit_is_unknown_before_it_exists(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    must_be_unknown("RECURRING_DEBIT", s2s_card, sales)
