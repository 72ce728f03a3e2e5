"""DEBIT: a payment that needs no payer, and otherwise looks like a SALE."""

from __future__ import annotations

import pytest

from contract.errors import REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.must import (
    must_accept,
    must_accept_as_signed,
    must_carry,
    must_equal,
    must_not_be,
    must_refuse,
    must_reject,
)
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import (
    leave_to_the_challenge,
    leave_to_the_issuer,
    must_answer,
    must_start_a_chain,
)
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.protocols.words import status_in
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest

OF_AN_ANSWER = ("order_id", "trans_id", "result", "status", "trans_date", "amount", "currency")


@requirement("S2C-DEB-01")
def test_debit_is_accepted(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    debit = unproven_sale.baseline("debit")

    reply = s2s_card.post(debit)

    must_accept_as_signed(reply)
    leave_to_the_issuer(debit, reply, unproven_sale.profile)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@requirement("S2C-DEB-04")
def test_debit_without_payer_is_accepted(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    must_accept(s2s_card.post(unproven_sale.baseline("debit_without_payer")))


@requirement("S2C-DEB-05")
def test_answer_to_a_debit_looks_like_that_to_a_sale(payments: Payments) -> None:
    debit = payments.requests.baseline("debit")

    reply = payments.merchant.post(debit)

    must_accept(reply)
    must_equal(reply, "action", "DEBIT")
    must_carry(reply, *OF_AN_ANSWER)
    leave_to_the_issuer(debit, reply, payments.requests.profile)
    must_answer(debit, reply, "SUCCESS", "SETTLED", payments)


@requirement("S2C-DEB-06")
def test_initial_debit_answers_a_recurring_token(payments: Payments, unproven_sale: SaleRequests) -> None:
    must_start_a_chain(payments, unproven_sale.baseline("initial_debit"))


@requirement("S2C-DEB-07")
def test_debit_may_start_a_schedule(payments: Payments, unproven_sale: SaleRequests) -> None:
    debit = unproven_sale.baseline("initial_debit")

    must_accept(payments.merchant.post(debit.with_("schedule_id", payments.schedules.shared().id)))


@requirement("S2C-DEB-08")
def test_declined_debit_is_answered_as_declined(
    payments: Payments, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    request = unproven_sale.paid_with(card_actions("debit"), "decline")

    reply = payments.merchant.post(request)

    leave_to_the_challenge(reply, payments)
    must_answer(request, reply, "DECLINED", "DECLINED", payments)
    must_carry(reply, "decline_reason")


@requirement("S2C-DEB-02")
@pytest.mark.parametrize(
    "field", ["order_id", "order_amount", "order_currency", "order_description", "payer_ip", "term_url_3ds"]
)
def test_empty_required_field_of_a_debit_is_refused(
    field: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_reject(s2s_card.post(card_actions("debit").with_(field, "")), REQUEST_DATA_INVALID, field=field)


@requirement("S2C-DEB-09")
@pytest.mark.parametrize("amount", ["10", "10.0", "10.000", "-1.00"])
def test_amount_of_a_debit_is_written_like_that_of_a_sale(
    amount: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_refuse(s2s_card.post(card_actions("debit").with_("order_amount", amount)))
