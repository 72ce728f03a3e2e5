"""Nothing that is posted to S2S CARD breaks it; generated requests look for more of this in suites/fuzzing."""

from __future__ import annotations

import pytest

from fixtures.cases.malformed_forms import MALFORMED_FORMS, with_a_text_that_is_not_utf_8, with_many_more_fields
from fixtures.generated.case import Case
from fixtures.generated.operations import CARD_SALE
from fixtures.generated.oracles import INSIDE, Known, problems_of
from fixtures.judging.baselines import Baselines
from fixtures.judging.claims import speaks_of
from fixtures.judging.must import must, must_be_object, must_not_break
from fixtures.protocols.form import FORM
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

FIRST_OF_OTHERS = 300
"""Statuses below are those of a request that is taken."""


@requirement("GEN-ERR-11", INSIDE)
@pytest.mark.parametrize("name", MALFORMED_FORMS)
def test_malformed_form_breaks_nothing(name: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    sales("sale")  # a target which refuses everything proves nothing here

    reply = s2s_card.send_raw(MALFORMED_FORMS[name], FORM)

    claimed = ("GEN-ERR-11", INSIDE)
    broken = [problem for problem in problems_of(Case(CARD_SALE), reply, Known("")) if problem.requirement in claimed]
    with speaks_of(*(problem.requirement for problem in broken)):
        for problem in broken:
            must(problem.finding, reply)


@requirement("GEN-ERR-11")
@pytest.mark.parametrize("name", ["order_id", "order_description", "payer_first_name"])
def test_text_that_is_not_utf_8_breaks_nothing(
    name: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    signed = s2s_card.sign(sales("sale"))

    must_not_break(s2s_card.send_raw(with_a_text_that_is_not_utf_8(signed.fields, name)))


@requirement("S2C-REQ-10")
def test_payment_whose_order_is_not_utf_8_is_answered_if_it_is_taken(
    s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    signed = s2s_card.sign(sales("sale"))

    reply = s2s_card.send_raw(with_a_text_that_is_not_utf_8(signed.fields, "order_id"))

    # Servers in front of a gateway may refuse such bytes in words of their own.
    if reply.status is not None and reply.status < FIRST_OF_OTHERS:
        must_be_object(reply)


@requirement("GEN-ERR-11")
def test_sale_with_very_many_fields_breaks_nothing(s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    signed = s2s_card.sign(sales("sale"))

    must_not_break(s2s_card.send_raw(with_many_more_fields(signed.fields)))
