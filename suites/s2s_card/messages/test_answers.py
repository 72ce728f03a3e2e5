"""What answers carry: the members of each outcome, their words and their forms."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from contract.fields import component, load_document
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must_accept,
    must_be_amount,
    must_be_one_of,
    must_be_same,
    must_carry,
    must_equal,
    must_hold,
    must_lack,
    must_refuse,
)
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.must import must_name_payment, must_state
from fixtures.protocols.s2s_card.account import CardAccount
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import must_answer, must_end_at_once
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.protocols.words import ANSWER_RESULTS, ANSWER_STATUSES, status_in
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

Json = Any

SHAPES = ("PaidAnswer", "DeclinedAnswer", "RedirectAnswer", "CaptureAnswer", "StatusAnswer", "DetailsAnswer")
RESULTS = ANSWER_RESULTS["s2s_card"]
STATUSES = ANSWER_STATUSES["s2s_card"]
KNOWN = tuple(
    dict.fromkeys(name for answer in SHAPES for name in component(load_document("s2s_card"), answer)["properties"])
)
"""Members that contract or public documents name; others are the target's own business."""
STAMP = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}")

OF_STATES = (
    "settled",
    "authorized",
    "declined",
    "challenged",
    "settled_debit",
    "declined_debit",
    "initial_sale",
    "secondary",
    "card2card",
    "payout",
)
OF_ACTIONS = (
    "capture",
    "void",
    "creditvoid",
    "get_trans_status",
    "get_trans_status_by_order",
    "get_trans_details",
    "payout_status",
)
ANSWERS = (*OF_STATES, *OF_ACTIONS)
SALES = ("settled", "authorized", "declined")
WITHOUT_A_STATUS = ("creditvoid",)


@pytest.fixture
def answer(card_account: CardAccount) -> Callable[[str], Reply]:
    """Give the answer that opened a payment in a state, or that to a valid request about one."""

    def get(name: str) -> Reply:
        payments, actions = card_account.payments, card_account.baselines
        return payments.shared(name).reply if name in OF_STATES else actions.accepted(name)

    return get


Answers = Callable[[str], Reply]
each_answer = pytest.mark.parametrize("name", ANSWERS)


@requirement("S2C-ANS-01")
@pytest.mark.parametrize("state", SALES)
def test_answer_to_a_sale_names_it(state: str, payments: Payments) -> None:
    payment = payments.shared(state)

    must_carry(payment.reply, "trans_id")
    must_state(payment.reply, action="SALE", order_id=payment.order_id)


@requirement("S2C-ANS-01")
def test_order_id_comes_back_letter_by_letter(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    sale = card_actions("sale")
    order_id = f"Order-{sale.get('order_id')}-XyZ"

    reply = s2s_card.post(sale.with_("order_id", order_id))

    must_accept(reply)
    must_equal(reply, "order_id", order_id)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        pytest.param("sale", "SETTLED", marks=requirement("S2C-ANS-02")),
        pytest.param("authorization", "PENDING", marks=requirement("S2C-ANS-03")),
    ],
)
def test_successful_sale_is_answered_with_success_and_its_status(
    name: str, status: str, payments: Payments, unproven_sale: SaleRequests
) -> None:
    request = unproven_sale.baseline(name)

    must_answer(request, payments.merchant.post(request), "SUCCESS", status, payments)


@requirement("S2C-ANS-04")
def test_declined_sale_is_answered_with_declined_and_its_reason(
    payments: Payments, card_actions: Baselines[FormRequest], run: Run
) -> None:
    request = run.sale_requests.paid_with(card_actions("sale"), "decline")

    reply = payments.merchant.post(request)

    must_accept(reply)
    must_be_same(reply, "HTTP status", reply.status, 200)
    must_answer(request, reply, "DECLINED", "DECLINED", payments)


@requirement("S2C-ANS-05")
def test_declined_sale_carries_the_reason(payments: Payments) -> None:
    reply = payments.shared("declined").reply

    must_end_at_once(reply)
    must_carry(reply, "decline_reason")


@requirement("S2C-ANS-06")
@pytest.mark.parametrize("state", SALES)
def test_answer_to_a_sale_carries_date_and_amount(state: str, payments: Payments) -> None:
    reply = payments.shared(state).reply

    must_carry(reply, "trans_date", "amount", "currency")


@requirement("S2C-ANS-07")
def test_answer_to_a_sale_carries_the_descriptor(payments: Payments) -> None:
    reply = payments.shared("settled").reply

    must_carry(reply, "descriptor")


@requirement("S2C-ANS-08")
@pytest.mark.parametrize("state", [*SALES, "settled_debit", "card2card", "secondary"])
def test_amount_of_an_answer_is_that_of_the_request(state: str, payments: Payments) -> None:
    payment = payments.shared(state)
    currency = payments.currency_of(payment)

    must_be_amount(payment.reply, "amount", payment.amount)
    must_equal(payment.reply, "currency", currency)


@requirement("S2C-ANS-09")
def test_every_payment_has_a_trans_id_of_its_own(payments: Payments) -> None:
    replies = [payments.shared(state).reply for state in ("settled", "initial_sale")]
    replies += [payments.fresh("settled").reply for _ in range(3)]

    value = [str(reply.object.get("trans_id")) for reply in replies]
    for reply, trans_id in zip(replies, value, strict=True):
        must_carry(reply, "trans_id")
        must_hold(value.count(trans_id) == 1, "a trans_id for each payment", reply, f"{trans_id} comes twice.")


@requirement("S2C-ANS-10")
@pytest.mark.parametrize("name", [*OF_STATES, "capture", "void"])
def test_date_of_an_answer_is_written_like_that(name: str, answer: Answers) -> None:
    reply = answer(name)

    must_carry(reply, "trans_date")
    date = reply.object["trans_date"]
    is_stamp = isinstance(date, str) and STAMP.fullmatch(date)
    must_hold(is_stamp, "trans_date as YYYY-MM-DD hh:mm:ss", reply, f"trans_date is {date!r}.")


@requirement("S2C-ANS-11")
@each_answer
def test_result_of_an_answer_is_one_of_its_words(name: str, answer: Answers) -> None:
    reply = answer(name)

    must_be_one_of(reply, "result", reply.object.get("result"), RESULTS)


@requirement("S2C-ANS-12")
@pytest.mark.parametrize("name", [name for name in ANSWERS if name not in WITHOUT_A_STATUS])
def test_status_of_an_answer_is_one_of_its_words(name: str, answer: Answers) -> None:
    reply = answer(name)

    if name == "get_trans_details" and not status_in(reply):
        not_applicable("GET_TRANS_DETAILS shows no status, and the contract shows none of it")
    must_be_one_of(reply, "status", status_in(reply), STATUSES)


@requirement("S2C-ANS-13")
@each_answer
def test_values_of_an_answer_are_texts(name: str, answer: Answers) -> None:
    reply = answer(name)

    others = [member for member in KNOWN if isinstance(reply.object.get(member), (bool, int, float))]
    must_hold(not others, "values that are JSON strings", reply, f"Others: {', '.join(others)}.")


@requirement("S2C-ANS-14")
@each_answer
def test_member_without_value_is_left_out(name: str, answer: Answers) -> None:
    reply = answer(name)

    empty = [member for member in KNOWN if member in reply.object and reply.object[member] is None]
    must_hold(not empty, "no member that is null", reply, f"Null: {', '.join(empty)}.")


@requirement("GEN-KEY-02")
@pytest.mark.parametrize("name", ["settled", "get_trans_status", "get_trans_details"])
def test_answer_does_not_contain_the_password(name: str, answer: Answers, s2s_card: S2SCardMerchant) -> None:
    reply = answer(name)

    shows = s2s_card.identity.password.reveal() in str(reply.json)
    must_hold(not shows, "an answer without the password", reply, "It contains the password.")


@requirement("S2C-ANS-15")
@pytest.mark.parametrize("kind", ["invalid-data", "wrong-hash", "unknown-action", "unknown-payment"])
def test_code_of_a_refusal_is_a_number(
    kind: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")
    unknown = FormRequest({"action": "VOID", "trans_id": str(uuid.uuid4())}, sale.fields)
    refused: Mapping[str, Callable[[], Reply]] = {
        "invalid-data": lambda: s2s_card.post(sale.without("order_amount")),
        "wrong-hash": lambda: s2s_card.send(s2s_card.sign(sale).with_("hash", NO_HASH)),
        "unknown-action": lambda: s2s_card.send(s2s_card.sign(sale).with_("action", "NO_SUCH_ACTION")),
        "unknown-payment": lambda: s2s_card.post(unknown),
    }

    reply = refused[kind]()

    if kind == "invalid-data" and answer_of(reply) is Answer.ACCEPTED:
        inconclusive("a sale that lacks a field is accepted", decides="a sale that the target refuses for its data")
    must_refuse(reply)
    code = reply.object.get("error_code")
    must_hold(type(code) is int, "an error_code that is a JSON number", reply, f"error_code is {code!r}.")


@requirement("S2C-CVD-01")
@pytest.mark.holds("creditvoid")
def test_answer_to_creditvoid_is_accepted_without_a_status(payments: Payments) -> None:
    payment = payments.fresh(payments.creditvoid_state)

    reply = payments.merchant.post(payment.creditvoid())

    must_state(reply, result="ACCEPTED", action="CREDITVOID", order_id=payment.order_id)
    must_name_payment(reply, payment.trans_id, payment.reply, payments.look_up_by(payment))
    must_lack(reply, "status")
