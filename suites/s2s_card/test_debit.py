"""DEBIT: a payment that needs no payer, and otherwise looks like a SALE."""

from __future__ import annotations

import pytest

from contract.errors import REQUEST_DATA_INVALID
from fixtures.baselines import Baselines
from fixtures.judging import must_accept, must_accept_as_signed, must_hold, must_refuse, must_reject
from fixtures.merchants.s2s_card import S2SCardMerchant
from fixtures.requests import FormRequest
from fixtures.requirement import requirement
from fixtures.s2s_card_judging import must_start_a_chain, must_tell
from fixtures.s2s_card_payments import Payments
from fixtures.s2s_card_requests import SaleRequests
from fixtures.s2s_card_words import told_result, told_status

OF_AN_ANSWER = ("order_id", "trans_id", "result", "status", "trans_date", "amount", "currency")


@requirement("S2C-DEB-01")
def test_debit_is_accepted(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    reply = s2s_card.post(unproven_sale.baseline("debit"))

    must_accept_as_signed(reply)
    must_hold(told_status(reply) != "DECLINED", "a payment that is not declined", reply, "The card does not pay.")


@requirement("S2C-DEB-04")
def test_debit_without_payer_is_accepted(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    must_accept(s2s_card.post(unproven_sale.baseline("debit_without_payer")))


@requirement("S2C-DEB-05")
def test_answer_to_a_debit_looks_like_that_to_a_sale(payments: Payments) -> None:
    reply = payments.shared("settled_debit").reply

    missing = [name for name in OF_AN_ANSWER if not reply.object.get(name)]
    must_hold(
        reply.object.get("action") == "DEBIT" and not missing,
        f"action DEBIT and {', '.join(OF_AN_ANSWER)}",
        reply,
        f"Missing: {', '.join(missing) or 'none'}; action: {reply.object.get('action')!r}.",
    )
    must_tell(reply, "SUCCESS", "SETTLED")


@requirement("S2C-DEB-06")
def test_initial_debit_answers_a_recurring_token(payments: Payments, unproven_sale: SaleRequests) -> None:
    must_start_a_chain(payments, unproven_sale.baseline("initial_debit"))


@requirement("S2C-DEB-07")
def test_debit_may_start_a_schedule(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    schedule_id = str(unproven_sale.profile.test_data.schedule_id)

    must_accept(s2s_card.post(unproven_sale.baseline("initial_debit").with_("schedule_id", schedule_id)))


@requirement("S2C-DEB-08")
def test_declined_debit_is_answered_as_declined(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    reply = s2s_card.post(unproven_sale.paid_with(card_actions("debit"), "decline"))

    must_accept(reply)
    must_hold(
        (told_result(reply), told_status(reply)) == ("DECLINED", "DECLINED"),
        "result and status DECLINED",
        reply,
        "They are others.",
    )
    must_hold(reply.object.get("decline_reason"), "a decline_reason", reply, "It is missing.")


@requirement("S2C-DEB-02")
@pytest.mark.parametrize(
    "field", ["order_id", "order_amount", "order_currency", "order_description", "payer_ip", "term_url_3ds"]
)
def test_empty_required_field_of_a_debit_is_refused(
    field: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_reject(s2s_card.post(card_actions("debit").with_(field, "")), REQUEST_DATA_INVALID, naming=field)


@requirement("S2C-DEB-09")
@pytest.mark.parametrize("amount", ["10", "10.0", "10.000", "-1.00"])
def test_amount_of_a_debit_is_written_like_that_of_a_sale(
    amount: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_refuse(s2s_card.post(card_actions("debit").with_("order_amount", amount)))
