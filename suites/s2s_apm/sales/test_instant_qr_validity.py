"""How long a code of instant QR can be paid (lines 235 and 485)."""

from __future__ import annotations

from contextlib import suppress

from fixtures.deferred import deferred, waits
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must, must_accept
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer.answering import answered
from fixtures.payer.challenges import DECIDED_BY
from fixtures.protocols.bank_page import PAGE, decide_on_page
from fixtures.protocols.s2s_apm.bank import page_of
from fixtures.protocols.s2s_apm.instant_qr import must_not_be_executed_unasked, sale_that_nobody_scans, unscanned
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.words import status_in
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply

AFTER_THE_VALIDITY = 65
"""A code is valid for 60 seconds unless the operator sets another time."""
WITHIN_THE_VALIDITY = 20
SECONDS_OF_A_MINUTE = 60


def never_scanned(run: Run) -> ApmPayment:
    return unscanned(run.apm.payments, run.apm_requests)


def reported_as_pending(run: Run) -> ApmPayment:
    return run.apm.payments.open(run.apm_requests.sale_by_qr("pending"), "an instant QR payment (pending)")


@requirement("APM-QRC-04")
@waits(WITHIN_THE_VALIDITY)
def test_code_stays_open_whatever_the_second_it_was_made_in(payments: ApmPayments, run: Run) -> None:
    must_be_valid_for_a_minute(run)
    times = 1 if payments.clock.waits else SECONDS_OF_A_MINUTE // WITHIN_THE_VALIDITY
    replies = []
    for _ in range(times):
        sale = sale_that_nobody_scans(run.apm_requests)
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


@requirement("APM-QRC-09")
@deferred(after=AFTER_THE_VALIDITY, start=never_scanned)
def test_code_cannot_be_paid_once_its_minute_is_over(payments: ApmPayments, run: Run, ready: ApmPayment) -> None:
    must_not_be_paid_late(ready, payments, run)


@requirement("APM-QRC-09")
@waits(AFTER_THE_VALIDITY)
def test_look_ups_do_not_prolong_the_minute_of_a_code(payments: ApmPayments, run: Run) -> None:
    payment = unscanned(run.apm.payments, run.apm_requests)
    for seconds in (AFTER_THE_VALIDITY - WITHIN_THE_VALIDITY, WITHIN_THE_VALIDITY):
        payments.clock.elapse(seconds)
        payments.look_up(payment)

    must_not_be_paid_late(payment, payments, run)


@requirement("APM-QRC-09")
@waits(AFTER_THE_VALIDITY)
def test_another_code_does_not_prolong_the_minute_of_a_code(payments: ApmPayments, run: Run) -> None:
    payment = unscanned(run.apm.payments, run.apm_requests)
    payments.clock.elapse(AFTER_THE_VALIDITY - WITHIN_THE_VALIDITY)
    unscanned(run.apm.payments, run.apm_requests)
    payments.clock.elapse(WITHIN_THE_VALIDITY)

    must_not_be_paid_late(payment, payments, run)


@requirement("APM-QRC-11")
@waits(AFTER_THE_VALIDITY)
def test_opening_a_code_does_not_prolong_its_minute_for_others(payments: ApmPayments, run: Run) -> None:
    must_be_valid_for_a_minute(run)
    data = run.profile.test_data.instant_qr
    if data.bank_page is None:
        not_applicable("the payer of a code has no page that is known: bank_page of the profile")
    payment = unscanned(run.apm.payments, run.apm_requests)
    payments.clock.elapse(AFTER_THE_VALIDITY - WITHIN_THE_VALIDITY)
    run.payers.another().open(page_of(payment, data))
    if status_in(found := payments.look_up(payment)) in ("SETTLED", "DECLINED"):
        not_applicable(f"it is decided once its code was opened: {found.summary}")
    payments.clock.elapse(WITHIN_THE_VALIDITY)

    must_not_be_paid_late(payment, payments, run)


@requirement("APM-QRC-09")
@waits(AFTER_THE_VALIDITY)
def test_code_that_was_declined_is_not_paid_by_a_page_that_was_opened_before(payments: ApmPayments, run: Run) -> None:
    must_be_valid_for_a_minute(run)
    data, payer = run.profile.test_data.instant_qr, run.payers.usual
    if data.bank_page is None:
        not_applicable("the payer of a code has no page that is known: bank_page of the profile")
    payment = unscanned(run.apm.payments, run.apm_requests)
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
    earlier = unscanned(run.apm.payments, run.apm_requests)
    payments.clock.elapse(WITHIN_THE_VALIDITY)
    if status_in(first := payments.look_up(earlier)) == "DECLINED":
        not_applicable(f"the codes of this operator are valid for less, or its bank declines: {first.summary}")
    payments.clock.elapse(AFTER_THE_VALIDITY - 2 * WITHIN_THE_VALIDITY)
    later = unscanned(run.apm.payments, run.apm_requests)
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
    alone = unscanned(run.apm.payments, run.apm_requests)
    payments.clock.elapse(WITHIN_THE_VALIDITY)
    if status_in(reply := payments.look_up(alone)) == "DECLINED":
        not_applicable(f"the bank declines at times of its own, whatever becomes of other codes: {reply.summary}")


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
    in_time = unscanned(run.apm.payments, run.apm_requests)
    decide_on_page(run.payers.usual, page_of(in_time, run.profile.test_data.instant_qr), in_time.trans_id, passes=True)
    shown = payments.look_up_until(in_time, "SETTLED", "DECLINED")
    if status_in(shown) != "SETTLED":
        inconclusive(f"a code that is approved in time is not paid: {shown.summary}", decides=f"{PAGE}; {DECIDED_BY}")


@requirement("APM-QRC-08")
@deferred(after=AFTER_THE_VALIDITY, start=reported_as_pending)
def test_code_that_nobody_scans_settles_nothing(payments: ApmPayments, run: Run, ready: ApmPayment) -> None:
    reply = payments.look_up(ready)

    must_accept(reply)
    must_not_be_executed_unasked(reply, run.profile)
    if status_in(reply) == "SETTLED":
        must(Finding("another status than SETTLED", reply.summary, "The code has expired unused."), reply)
