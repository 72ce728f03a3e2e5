"""Instant QR: the picture that the payer scans, and what becomes of the payment once the bank reports."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest

from fixtures.callbacks.judging import must_return_custom_data
from fixtures.cases.order_numbers import LONGEST
from fixtures.deferred import deferred, waits
from fixtures.judging.baselines import Baselines
from fixtures.judging.error_fields import names_exactly
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_accept, must_be_same
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.protocols.bank_page import decide_on_page
from fixtures.protocols.callbacks import which_came
from fixtures.protocols.s2s_apm.bank import page_of, play_bank
from fixtures.protocols.s2s_apm.callbacks import about_outcome, must_not_contradict, must_notify_outcome
from fixtures.protocols.s2s_apm.instant_qr import must_not_be_executed_unasked, unscanned
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import FAILED, must_have_status
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import LIFE_SECONDS, ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests, operation, with_value
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

AFTER_THE_VALIDITY = 65
"""A code is valid for 60 seconds unless the operator sets another time."""
WITHIN_THE_VALIDITY = 20
SECONDS_OF_A_MINUTE = 60
CUSTOM_DATA = {"note": "by QR", "ticket": "9"}
LONG_TEXT = "A gift that takes many words to describe, and then some more of them. " * 14
"""A description as long as those that many targets take: 980 characters."""
BEGINNINGS_OF_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"BM", b"RIFF", b"<svg", b"<?xml")


def a_payment(report: str, run: Run) -> ApmPayment:
    payment = run.apm.payments.open(run.apm_requests.sale_by_qr(report), f"an instant QR payment ({report})")
    play_bank(report, payment, run.profile.test_data.instant_qr, run.apm.payments, run.payers.usual)
    return payment


def executed(run: Run) -> ApmPayment:
    return a_payment("executed", run)


def rejected(run: Run) -> ApmPayment:
    return a_payment("rejected", run)


def unreported(run: Run) -> ApmPayment:
    return run.apm.payments.open(run.apm_requests.sale_by_qr("pending"), "an instant QR payment (pending)")


@pytest.fixture
def answer(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], unproven: ApmRequests) -> Reply:
    """The answer to a SALE by instant QR."""
    apm("sale")
    reply = first_served(unproven, s2s_apm)
    must_accept(reply)
    return reply


def first_served(requests: ApmRequests, s2s_apm: S2SApmMerchant) -> Reply:
    """Return the answer of the first account that has the method: of several, each in its currency, one may.

    The contract has no account with every method (line 376 begins with one that is offered).
    """
    sale = requests.sale_by_qr("pending")
    reply = s2s_apm.post(sale)
    for currency in s2s_apm.identity.currencies_of_others:
        if not names_exactly(reply, "brand"):
            break
        reply = s2s_apm.post(requests.sale_by_qr("pending").with_("order_currency", currency))
    if answer_of(reply) is Answer.REFUSED and names_exactly(reply, "brand"):
        inconclusive(
            f"no account that is asked has the brand {sale.get('brand')}: {reply.summary}",
            decides="brand in [test_data.instant_qr] of the profile, of a method that the main account has, or one "
            "beside it of the same merchant in another currency",
        )
    return reply


def qr_code_of(answer: Reply) -> str:
    params = answer.object.get("redirect_params")
    code = params.get("qr_code") if isinstance(params, dict) else None
    if not isinstance(code, str) or not code:
        raise_missing(answer)
    return str(code)


def raise_missing(answer: Reply) -> None:
    must(Finding("redirect_params.qr_code as a text", answer.summary, "There is nothing to scan."), answer)


def bytes_of(answer: Reply) -> bytes:
    code = qr_code_of(answer)
    _, is_data_url, after = code.partition(";base64,")
    try:
        # Base64 of MIME comes in lines, and line 235 does not say which one it is.
        return base64.b64decode("".join((after if is_data_url else code).split()), validate=True)
    except ValueError:
        must(Finding("qr_code in Base64", answer.summary, "It cannot be decoded."), answer)
        return b""


@requirement("APM-QRC-01")
def test_sale_by_instant_qr_answers_the_code(answer: Reply) -> None:
    qr_code_of(answer)


@requirement("APM-QRC-02")
def test_code_is_base64(answer: Reply) -> None:
    if not bytes_of(answer):
        must(Finding("qr_code in Base64", answer.summary, "It encodes nothing."), answer)


@requirement("APM-QRC-01")
@pytest.mark.parametrize("case", ["a long description", "a description outside ASCII", "a long order_id"])
def test_sale_by_instant_qr_answers_the_code_whatever_its_texts_are(case: str, run: Run) -> None:
    sale = run.apm_requests.sale_by_qr("pending")
    changed = {
        "a long description": lambda: sale.with_("order_description", LONG_TEXT.strip()),
        "a description outside ASCII": lambda: sale.with_("order_description", "Für Zoë: 漢字, \N{WRAPPED PRESENT}"),
        "a long order_id": lambda: sale.with_("order_id", run.apm_requests.numbers.of_length(LONGEST)),
    }

    reply = run.apm.merchant.post(changed[case]())

    if answer_of(reply) is not Answer.ACCEPTED or result_in(reply) in FAILED:
        not_applicable(f"a SALE by instant QR with {case} is not taken here, as other checks judge: {reply.summary}")
    if not bytes_of(reply):
        raise_missing(reply)


@requirement("APM-QRC-03")
def test_code_is_an_image_or_a_text(answer: Reply) -> None:
    code = bytes_of(answer)
    if code.lstrip().startswith(BEGINNINGS_OF_IMAGES):
        note_reading("APM-QRC-03", "image")
    elif is_text(code):
        note_reading("APM-QRC-03", "text")
    else:
        expected = "an image in qr_code, or a text to make one of"
        must(Finding(expected, answer.summary, "Its bytes begin like no image, and are no text."), answer)


def is_text(code: bytes) -> bool:
    try:
        text = code.decode()
    except UnicodeDecodeError:
        return False
    return all(sign.isprintable() or sign.isspace() for sign in text)


@requirement("APM-QRC-04")
def test_payment_is_pending_until_the_bank_reports(payments: ApmPayments, run: Run) -> None:
    payment = unreported(run)

    for reply in (payment.answer, payments.look_up(payment)):
        must_accept(reply)
        if status_in(reply) in ("SETTLED", "DECLINED"):
            must(Finding("neither SETTLED nor DECLINED", reply.summary, "Nobody has scanned the code yet."), reply)


@requirement("APM-QRC-04")
def test_capture_does_not_replace_the_report_of_the_bank(payments: ApmPayments, run: Run) -> None:
    payment = unreported(run)

    payments.merchant.post(operation("CAPTURE", payment.trans_id))

    reply = payments.look_up(payment)
    must_accept(reply)
    if status_in(reply) == "SETTLED":
        must(Finding("another status than SETTLED", reply.summary, "The bank has not reported anything."), reply)


@requirement("CBK-APM-08")
@deferred(after=AFTER_THE_VALIDITY, start=executed)
def test_executed_payment_is_notified(run: Run, ready: ApmPayment) -> None:
    must_notify_outcome(ready, "SETTLED", run)
    must_not_contradict(ready, "DECLINED", run)


def executed_with_custom_data(run: Run) -> ApmPayment:
    sale = with_value(run.apm_requests.sale_by_qr("executed"), "custom_data", CUSTOM_DATA)
    with where_it_comes_about("an instant QR payment with custom_data"):
        payment = run.apm.payments.open(sale, "an instant QR payment with custom_data")
        play_bank("executed", payment, run.profile.test_data.instant_qr, run.apm.payments, run.payers.usual)
    return payment


@requirement("CBK-APM-06")
@deferred(after=AFTER_THE_VALIDITY, start=executed_with_custom_data)
def test_custom_data_of_an_executed_payment_come_back(run: Run, ready: ApmPayment) -> None:
    reply = run.apm.payments.look_up_until(ready, "SETTLED")
    if status_in(reply) != "SETTLED":
        not_applicable(f"the payment is not paid, and other checks decide the requirement: {reply.summary}")

    came = run.callbacks.expect(about_outcome(ready, "SETTLED"), f"the callback that reports {ready} as SETTLED")

    must_return_custom_data(came, CUSTOM_DATA)


@requirement("CBK-APM-14")
@deferred(after=AFTER_THE_VALIDITY, start=rejected)
def test_rejected_payment_is_notified(run: Run, ready: ApmPayment) -> None:
    must_notify_outcome(ready, "DECLINED", run)
    must_not_contradict(ready, "SETTLED", run)


@requirement("APM-QRC-05")
@deferred(after=AFTER_THE_VALIDITY, start=executed)
def test_executed_payment_is_settled(payments: ApmPayments, ready: ApmPayment) -> None:
    must_have_status(payments, ready, "SETTLED")


@requirement("APM-QRC-05")
def test_executed_payment_is_settled_though_it_was_looked_up_before(payments: ApmPayments, run: Run) -> None:
    data, payer = run.profile.test_data.instant_qr, run.payers.usual
    with where_it_comes_about("an instant QR payment that is looked up before the bank reports"):
        if data.bank_page is None:
            payment = payments.open(run.apm_requests.sale_by_qr("executed"), "an instant QR payment (executed)")
            payments.look_up(payment)
            play_bank("executed", payment, data, payments, payer)
        else:
            payment = unscanned(run.apm.payments, run.apm_requests)
            payments.look_up(payment)
            decide_on_page(payer, page_of(payment, data), payment.trans_id, passes=True)
    reply = payments.look_up_until(payment, "SETTLED", "DECLINED")
    if status_in(reply) == "SETTLED":
        return
    which_came(about_outcome(payment, "SETTLED"), f"the callback that reports {payment} as SETTLED", run.callbacks)

    reply = payments.look_up_until(payment, "SETTLED", "DECLINED")
    must_accept(reply)
    must_be_same(reply, "status", status_in(reply), "SETTLED")


@requirement("APM-QRC-06")
@deferred(after=AFTER_THE_VALIDITY, start=rejected)
def test_rejected_payment_is_declined(payments: ApmPayments, ready: ApmPayment) -> None:
    must_have_status(payments, ready, "DECLINED")


@requirement("APM-QRC-07")
@waits(WITHIN_THE_VALIDITY)
def test_pending_payment_is_pending(payments: ApmPayments, run: Run) -> None:
    began = payments.clock.now()
    payment = replace(unreported(run), ends_at=began + LIFE_SECONDS["awaiting_bank"])
    data = run.profile.test_data.instant_qr
    beside = unreported(run) if data.bank_url else None
    play_bank("pending", payment, data, payments, run.payers.usual)
    payments.clock.elapse(WITHIN_THE_VALIDITY)
    if beside is not None:
        must_not_be_executed_unasked(payments.look_up(beside), run.profile)

    must_have_status(payments, payment, "PENDING")
