"""Answers: their members, their words, and how ids, dates and amounts are written."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest

from contract.catalogue import load_catalogue
from contract.model import Protocol
from contract.transitions import load_transitions
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_accept, must_be_amount, must_be_one_of, must_carry, must_hold
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.payer import HttpPayer
from fixtures.payer.answering import answered
from fixtures.payer.challenges import DECIDED_BY
from fixtures.protocols.at_once import must_not_end_later
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_apm.callbacks import must_notify_outcome
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import must_not_wait_for_a_payer
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests
from fixtures.protocols.words import ANSWER_RESULTS, ANSWER_STATUSES, result_in, status_in
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

RESULTS = ANSWER_RESULTS["s2s_apm"]
WORDS = ANSWER_STATUSES["s2s_apm"]
WRITTEN_DATE = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

STATES = {
    "settled": (),
    "declined": ("test_data:apm.decline",),
    "redirected": ("test_data:apm.redirect",),
}
OUTCOMES = {"success": (), "decline": ("test_data:apm.decline",), "redirect": ("test_data:apm.redirect",)}
EACH_STATE = pytest.mark.parametrize("state", STATES)


def answer_to_sale(state: str, run: Run) -> Reply:
    must_offer(run.profile, STATES[state], "s2s_apm")
    return run.apm.payments.shared(state).answer


@requirement("APM-ANS-01")
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_answer_to_a_sale_names_action_order_and_transaction(
    outcome: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], run: Run
) -> None:
    must_offer(run.profile, OUTCOMES[outcome], "s2s_apm")
    apm("sale")
    sale = run.apm_requests.payment(outcome)

    reply = s2s_apm.post(sale)

    must_state(reply, action="SALE", order_id=sale.get("order_id") or "")
    must_carry(reply, "trans_id")


def must_have_status_at_once(payment: ApmPayment, word: str, payments: ApmPayments) -> None:
    reply = payment.answer
    must_not_wait_for_a_payer(payment.request, reply)
    if status_in(reply) != word and result_in(reply) == "UNDEFINED":
        inconclusive(
            f"the payment becomes {word}, but not at once: {reply.summary}",
            decides="a method that is carried out at once, under success in [test_data.apm] of the profile",
        )
    must_not_end_later(reply, word, lambda: payments.look_up(payment), payments.polling)
    must_state(reply, result="SUCCESS", status=word)


@requirement("APM-ANS-02")
def test_paid_sale_is_answered_with_success_and_settled(payments: ApmPayments) -> None:
    # Not one that others looked at: it may have been settled meanwhile.
    payment = payments.open(payments.requests.baseline("sale"), "a sale")

    must_have_status_at_once(payment, "SETTLED", payments)


@requirement("APM-ANS-03")
def test_authorization_is_answered_with_success_and_pending(payments: ApmPayments) -> None:
    payment = payments.shared("authorized")
    if result_in(payment.answer) == "ACCEPTED":
        inconclusive(
            f"the authorization is accepted, and held once its payer has confirmed it: {payment.answer.summary}",
            decides="a method that is carried out at once, under success in [test_data.apm] of the profile",
        )
    if (result_in(payment.answer), status_in(payment.answer)) == ("UNDEFINED", "PENDING"):
        must_be_decided_at_once(payments)

    must_have_status_at_once(payment, "PENDING", payments)


def must_be_decided_at_once(payments: ApmPayments) -> None:
    """End the check as inconclusive where the method decides later: PENDING is the word of what is open (line 309)."""
    sale = payments.open(payments.requests.baseline("sale"), "a sale")
    if result_in(sale.answer) == "UNDEFINED":
        inconclusive(
            f"the method decides later, a sale as well as an authorization: {sale.answer.summary}",
            decides="a method that is carried out at once, under success in [test_data.apm] of the profile",
        )


@requirement("APM-ANS-04")
def test_declined_sale_is_answered_with_declined_and_a_reason(
    payments: ApmPayments, apm: Baselines[FormRequest], unproven: ApmRequests
) -> None:
    apm("sale")
    request = unproven.payment("decline")

    reply = payments.merchant.post(request)

    if reply.status != 200:
        must(Finding("HTTP 200", reply.summary, "A declined payment is an answer, not an error."), reply)
    payment = ApmPayment(str(reply.object.get("trans_id") or ""), request, reply)
    must_not_wait_for_a_payer(request, reply)
    must_not_end_later(reply, "DECLINED", lambda: payments.look_up(payment), payments.polling)
    must_state(reply, result="DECLINED", status="DECLINED")
    must_carry(reply, "decline_reason")


@requirement("APM-ANS-05")
def test_redirect_is_answered_with_where_to_go(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], unproven: ApmRequests
) -> None:
    apm("sale")

    reply = s2s_apm.post(unproven.payment("redirect"))

    must_accept(reply)
    if status_in(reply) == "PENDING":
        # Line 309 names no other word for a payment that is still open.
        note_reading("APM-ANS-05", "pending")
    else:
        must_state(reply, result="REDIRECT", status="REDIRECT")
        note_reading("APM-ANS-05", "redirect")
    must_carry(reply, "redirect_url", "redirect_method")


@requirement("APM-ANS-06")
def test_redirect_says_method_and_parameters(payments: ApmPayments) -> None:
    reply = payments.shared("redirected").answer
    params = reply.object.get("redirect_params", {})

    must_be_one_of(reply, "redirect_method", reply.object.get("redirect_method"), ("GET", "POST"))
    is_either = isinstance(params, dict) or params == []
    must_hold(is_either, "redirect_params as an object, or []", reply, f"redirect_params is {params!r}.")


@requirement("APM-ANS-07")
def test_redirected_payer_comes_back_to_return_url(payments: ApmPayments, payer: HttpPayer) -> None:
    payment = payments.fresh("redirected")

    must_come_back(payer, payment, payments, payment.request.get("return_url") or "")


@requirement("APM-ANS-07")
def test_payer_comes_back_to_return_url_with_its_query(
    payments: ApmPayments, unproven: ApmRequests, payer: HttpPayer
) -> None:
    sale = unproven.payment("redirect")
    wanted = f"{sale.get('return_url')}?basket=7"
    payment = payments.redirected(sale.with_("return_url", wanted), "a SALE whose return_url has a query")

    must_come_back(payer, payment, payments, wanted)


def must_come_back(payer: HttpPayer, payment: ApmPayment, payments: ApmPayments, wanted: str) -> None:
    visit = payer.follow(payment.answer.object)
    with suppress(LookupError):
        visit = visit if visit.end else answered(payer, visit)

    if visit.end is None and status_in(payments.look_up(payment)) not in ("SETTLED", "DECLINED"):
        inconclusive(
            f"the payer did not get past the page of the method: {visit.summary}",
            decides=f"what approves the payment on that page: {DECIDED_BY}",
        )
    if visit.end is None or not visit.end.url.startswith(wanted):
        must(Finding(f"the payer comes back to {wanted}", visit.summary, "The payer is at another address."))


@requirement("CBK-APM-09")
def test_payment_that_settles_after_the_payer_came_back_is_notified(
    payments: ApmPayments, payer: HttpPayer, run: Run
) -> None:
    payment = payments.fresh("redirected")

    visit = payer.follow(payment.answer.object)
    with suppress(LookupError):
        visit = visit if visit.end else answered(payer, visit)

    must_notify_outcome(payment, "SETTLED", run)


@requirement("APM-ANS-08")
def test_answer_carries_amount_and_currency_as_sent(payments: ApmPayments) -> None:
    payment = payments.shared("settled")

    must_carry(payment.answer, "amount", "currency")
    must_state(payment.answer, currency=payment.request.get("order_currency") or "")
    must_be_amount(payment.answer, "amount", payment.request.get("order_amount") or "")


@requirement("APM-ANS-09")
def test_trans_id_is_a_uuid(payments: ApmPayments) -> None:
    reply = payments.shared("settled").answer
    if not UUID.fullmatch(str(reply.object.get("trans_id"))):
        must(Finding("trans_id as a UUID", reply.summary, "It is none."), reply)


@requirement("APM-ANS-09")
def test_trans_id_of_a_payout_is_a_uuid(run: Run) -> None:
    must_offer(run.profile, ("capability:mobile_money", "test_data:mobile_money"), "s2s_apm")
    reply = run.apm.payments.shared("paid_out").answer

    if not UUID.fullmatch(str(reply.object.get("trans_id"))):
        must(Finding("trans_id as a UUID", reply.summary, "It is none."), reply)


@requirement("APM-ANS-09")
def test_trans_id_differs_from_payment_to_payment(
    s2s_apm: S2SApmMerchant, payments: ApmPayments, unproven: ApmRequests
) -> None:
    first = payments.shared("settled").trans_id

    reply = s2s_apm.post(unproven.baseline("sale"))

    must_carry(reply, "trans_id")
    if reply.object.get("trans_id") == first:
        must(Finding("a trans_id of its own", reply.summary, "Another payment has the same."), reply)


@requirement("APM-ANS-10")
@EACH_STATE
def test_trans_date_is_written_as_date_and_time(state: str, run: Run) -> None:
    reply = answer_to_sale(state, run)
    must_carry(reply, "trans_date")
    written = reply.object["trans_date"]
    if not isinstance(written, str) or not WRITTEN_DATE.fullmatch(written):
        must(Finding("trans_date as YYYY-MM-DD hh:mm:ss", reply.summary, f"It is {written!r}."), reply)


@requirement("APM-ANS-10")
@pytest.mark.parametrize(
    "claimed",
    [
        pytest.param("APM-CAP-03", marks=pytest.mark.holds, id="CAPTURE"),
        pytest.param("APM-VOI-03", id="VOID"),
        pytest.param("APM-C2V-34", id="payout"),
    ],
)
def test_trans_date_of_other_answers_is_written_so_as_well(claimed: str, run: Run) -> None:
    must_concern([load_catalogue()[claimed]], run.profile, run.release)
    rows = [row for row in load_transitions().of(Protocol.S2S_APM) if claimed in row.requirements]
    reply = run.apm.payments.after(rows[0]).reply if rows else run.apm.payments.shared("paid_out").answer

    if answer_of(reply) is not Answer.ACCEPTED:
        inconclusive(f"it is refused: {reply.summary}", decides="a target that carries the operation out")
    written = reply.object.get("trans_date")
    if written and not (isinstance(written, str) and WRITTEN_DATE.fullmatch(written)):
        must(Finding("trans_date as YYYY-MM-DD hh:mm:ss", reply.summary, f"It is {written!r}."), reply)


@requirement("APM-ANS-11")
@EACH_STATE
def test_result_is_a_known_word(state: str, run: Run) -> None:
    reply = answer_to_sale(state, run)

    must_be_one_of(reply, "result", reply.object.get("result"), RESULTS)


@requirement("APM-ANS-11")
@EACH_STATE
def test_result_of_a_look_up_is_a_known_word(state: str, run: Run) -> None:
    must_offer(run.profile, STATES[state], "s2s_apm")

    reply = run.apm.payments.look_up(run.apm.payments.shared(state))

    must_be_one_of(reply, "result", reply.object.get("result"), RESULTS)


@requirement("APM-ANS-12")
@EACH_STATE
def test_status_is_a_known_word(state: str, run: Run) -> None:
    reply = answer_to_sale(state, run)

    must_be_one_of(reply, "status", status_in(reply), WORDS)


@requirement("APM-ANS-12")
@EACH_STATE
def test_status_of_a_look_up_is_a_known_word(state: str, run: Run) -> None:
    must_offer(run.profile, STATES[state], "s2s_apm")

    reply = run.apm.payments.look_up(run.apm.payments.shared(state))

    must_be_one_of(reply, "status", status_in(reply), WORDS)


@requirement("APM-ANS-13")
def test_crypto_sale_waits_with_an_address(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    reply = s2s_apm.post(apm("sale_in_crypto"))

    must_accept(reply)
    if reply.object.get("redirect_url") and not reply.object.get("crypto_address"):
        inconclusive(
            f"the payer of a crypto SALE is sent elsewhere, so nothing waits here: {reply.summary}",
            decides="a crypto method that answers with an address, under crypto_wallet in [test_data.apm.methods]",
        )
    must_state(reply, status="PENDING")
    must_carry(reply, "crypto_address", "crypto_network")
