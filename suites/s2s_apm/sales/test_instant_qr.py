"""Instant QR: the picture that the payer scans, and what becomes of the payment once the bank reports."""

from __future__ import annotations

import base64
from contextlib import suppress
from dataclasses import replace

import pytest

from fixtures.callbacks.judging import must_return_custom_data
from fixtures.deferred import deferred, waits
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must, must_accept, must_be_same
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.payer.answering import answered
from fixtures.payer.challenges import DECIDED_BY
from fixtures.protocols.bank_page import PAGE, decide_on_page
from fixtures.protocols.callbacks import which_came
from fixtures.protocols.s2s_apm.bank import page_of, play_bank
from fixtures.protocols.s2s_apm.callbacks import about_outcome, must_not_contradict, must_notify_outcome
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import must_have_status
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import LIFE_SECONDS, ApmPayments
from fixtures.protocols.s2s_apm.requests import NO_IDENTIFIER, ApmRequests, operation, with_value
from fixtures.protocols.words import status_in
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

AFTER_THE_VALIDITY = 65
"""A code is valid for 60 seconds unless the operator sets another time."""
WITHIN_THE_VALIDITY = 20
SECONDS_OF_A_MINUTE = 60
IDENTIFIER = "identifier"
"""The member of a SALE by which the bank of tests goes, unless the profile names another."""
CUSTOM_DATA = {"note": "by QR", "ticket": "9"}
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
    reply = s2s_apm.post(unproven.sale_by_qr("pending"))
    must_accept(reply)
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
            payment = unscanned(run)
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
        must_not_be_executed_unasked(payments.look_up(beside), run)

    must_have_status(payments, payment, "PENDING")


@requirement("APM-QRC-04")
@waits(WITHIN_THE_VALIDITY)
def test_code_stays_open_whatever_the_second_it_was_made_in(payments: ApmPayments, run: Run) -> None:
    must_be_valid_for_a_minute(run)
    times = 1 if payments.clock.waits else SECONDS_OF_A_MINUTE // WITHIN_THE_VALIDITY
    replies = []
    for _ in range(times):
        sale = sale_that_nobody_scans(run)
        with where_it_comes_about("an instant QR payment of which the bank reports nothing"):
            payment = payments.open(sale, "an instant QR payment")
        payments.clock.elapse(WITHIN_THE_VALIDITY)
        replies.append(payments.look_up(payment))

    declined = [reply for reply in replies if status_in(reply) == "DECLINED"]
    if len(declined) == times:
        not_applicable(
            f"the bank declines by itself, or the codes of this operator are valid for less: {declined[0].summary}"
        )
    if declined:
        explanation = "Others were still open after as many seconds: it depends on when the code was made."
        must(Finding("another status than DECLINED", declined[0].summary, explanation), declined[0])


def sale_that_nobody_scans(run: Run) -> FormRequest:
    """Return a SALE by instant QR of which the bank has nothing to report.

    A target that goes by another member, such as the amount, takes each value of it for one of its reports: there the
    one for pending is the only one that leaves the code unpaid. Others have nothing of the payer, and wait.
    """
    sale = run.apm_requests.sale_by_qr("pending")
    if run.profile.test_data.instant_qr.sale_member != IDENTIFIER:
        return sale
    return run.apm_requests.sale(str(sale.get("brand")), NO_IDENTIFIER)


def unscanned(run: Run) -> ApmPayment:
    sale = sale_that_nobody_scans(run)
    with where_it_comes_about("an instant QR payment of which the bank reports nothing"):
        return run.apm.payments.open(sale, "an instant QR payment")


@requirement("APM-QRC-09")
@deferred(after=AFTER_THE_VALIDITY, start=unscanned)
def test_code_cannot_be_paid_once_its_minute_is_over(payments: ApmPayments, run: Run, ready: ApmPayment) -> None:
    must_not_be_paid_late(ready, payments, run)


@requirement("APM-QRC-09")
@waits(AFTER_THE_VALIDITY)
def test_look_ups_do_not_prolong_the_minute_of_a_code(payments: ApmPayments, run: Run) -> None:
    payment = unscanned(run)
    for seconds in (AFTER_THE_VALIDITY - WITHIN_THE_VALIDITY, WITHIN_THE_VALIDITY):
        payments.clock.elapse(seconds)
        payments.look_up(payment)

    must_not_be_paid_late(payment, payments, run)


@requirement("APM-QRC-09")
@waits(AFTER_THE_VALIDITY)
def test_another_code_does_not_prolong_the_minute_of_a_code(payments: ApmPayments, run: Run) -> None:
    payment = unscanned(run)
    payments.clock.elapse(AFTER_THE_VALIDITY - WITHIN_THE_VALIDITY)
    unscanned(run)
    payments.clock.elapse(WITHIN_THE_VALIDITY)

    must_not_be_paid_late(payment, payments, run)


@requirement("APM-QRC-09")
@waits(AFTER_THE_VALIDITY)
def test_code_that_was_declined_is_not_paid_by_a_page_that_was_opened_before(payments: ApmPayments, run: Run) -> None:
    must_be_valid_for_a_minute(run)
    data, payer = run.profile.test_data.instant_qr, run.payers.usual
    if data.bank_page is None:
        not_applicable("the payer of a code has no page that is known: bank_page of the profile")
    payment = unscanned(run)
    visit = payer.open(page_of(payment, data))
    payments.clock.elapse(AFTER_THE_VALIDITY)
    if status_in(found := payments.look_up(payment)) != "DECLINED":
        # Line 235 ends the code, and nothing the time of a payer who scanned it.
        not_applicable(f"the payer has scanned the code in time, and it is not declined: {found.summary}")
    try:
        answered(payer, visit)
    except LookupError as problem:
        not_applicable(f"nothing on the page of the bank approves: {problem}")

    must_not_have_been_paid(payments.look_up_late(payment))


@requirement("APM-QRC-04")
@waits(AFTER_THE_VALIDITY)
def test_code_stays_open_when_that_of_another_payment_ends(payments: ApmPayments, run: Run) -> None:
    must_be_valid_for_a_minute(run)
    earlier = unscanned(run)
    payments.clock.elapse(WITHIN_THE_VALIDITY)
    if status_in(first := payments.look_up(earlier)) == "DECLINED":
        not_applicable(f"the codes of this operator are valid for less, or its bank declines: {first.summary}")
    payments.clock.elapse(AFTER_THE_VALIDITY - 2 * WITHIN_THE_VALIDITY)
    later = unscanned(run)
    payments.clock.elapse(WITHIN_THE_VALIDITY)

    reply = payments.look_up(later)

    must_accept(reply)
    if status_in(reply) == "DECLINED":
        must_not_be_declined_alone_either(payments, run)
        explanation = "Codes beside which no other ended were still open after as many seconds."
        must(Finding("another status than DECLINED", reply.summary, explanation), reply)


def must_not_be_declined_alone_either(payments: ApmPayments, run: Run) -> None:
    """End the check where a code is declined though no other ends: a bank may reject what nobody scans in batches."""
    # What is done every minute, or every few, is then due as soon as it was for the code that was declined.
    minutes = 2 if payments.clock.waits else 10
    payments.clock.elapse(minutes * SECONDS_OF_A_MINUTE - WITHIN_THE_VALIDITY)
    alone = unscanned(run)
    payments.clock.elapse(WITHIN_THE_VALIDITY)
    if status_in(reply := payments.look_up(alone)) == "DECLINED":
        not_applicable(f"the bank declines at times of its own, whatever becomes of other codes: {reply.summary}")


def must_not_be_executed_unasked(reply: Reply, run: Run) -> None:
    """End the check where a payment of which the bank has no report is executed: a bank of tests may do so itself."""
    if run.profile.test_data.instant_qr.bank_url and status_in(reply) == "SETTLED":
        inconclusive(
            f"the bank of the target executes a payment of which nothing was posted to bank_url: {reply.summary}",
            decides="a value of a SALE with which the bank reports pending: sale_member and pending in "
            "[test_data.instant_qr] of the profile, without bank_url",
        )


def must_be_valid_for_a_minute(run: Run) -> None:
    """End the check where the operator has set another time, after which a code may end right (line 485)."""
    if (valid := run.profile.test_data.instant_qr.valid_seconds) != SECONDS_OF_A_MINUTE:
        not_applicable(f"the operator has set another time: valid_seconds = {valid}")


def must_not_be_paid_late(late: ApmPayment, payments: ApmPayments, run: Run) -> None:
    """Approving a code at the bank pays nothing once its minute is over, be it declined by then or not."""
    data, payer = run.profile.test_data.instant_qr, run.payers.usual
    must_be_valid_for_a_minute(run)
    reply = payments.look_up(late)
    must_accept(reply)
    is_declined = status_in(reply) == "DECLINED"
    if is_declined and data.bank_page is None:
        return
    if data.bank_page is None or status_in(reply) == "SETTLED":
        inconclusive(f"nothing shows whether the code could still be paid: {reply.summary}", decides=PAGE)
    if not is_declined:
        must_be_payable_in_time(payments, run)

    with suppress(LookupError):
        answered(payer, payer.open(page_of(late, data)))

    later = payments.look_up_late(late) if is_declined else payments.look_up_until(late, "SETTLED", "DECLINED")
    must_not_have_been_paid(later)


def must_not_have_been_paid(reply: Reply) -> None:
    must_accept(reply)
    if status_in(reply) == "SETTLED":
        explanation = "Its payer approved it at the bank after its minute was over."
        must(Finding("another status than SETTLED", reply.summary, explanation), reply)


def must_be_payable_in_time(payments: ApmPayments, run: Run) -> None:
    """End the check where approving pays nothing though the minute is not over: then it shows nothing of a late one."""
    in_time = unscanned(run)
    decide_on_page(run.payers.usual, page_of(in_time, run.profile.test_data.instant_qr), in_time.trans_id, passes=True)
    shown = payments.look_up_until(in_time, "SETTLED", "DECLINED")
    if status_in(shown) != "SETTLED":
        inconclusive(f"a code that is approved in time is not paid: {shown.summary}", decides=f"{PAGE}; {DECIDED_BY}")


@requirement("APM-QRC-08")
@deferred(after=AFTER_THE_VALIDITY, start=unreported)
def test_code_that_nobody_scans_settles_nothing(payments: ApmPayments, run: Run, ready: ApmPayment) -> None:
    reply = payments.look_up(ready)

    must_accept(reply)
    must_not_be_executed_unasked(reply, run)
    if status_in(reply) == "SETTLED":
        must(Finding("another status than SETTLED", reply.summary, "The code has expired unused."), reply)
