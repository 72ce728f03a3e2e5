"""What an account holds because of its mode, not because auth=Y asked for it: an authorization like any other."""

from __future__ import annotations

from contract.errors import VOID_NOT_ALLOWED
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.s2s_apm.must import FAILED, must_be_carried_out, must_have_status, must_not_have_status
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.polling import Polling

WHAT = "a SALE without auth by an account of the mode DMS"


def payments_of_the_mode(run: Run) -> ApmPayments:
    """Return the payments of the account that only holds."""
    with where_it_comes_about(WHAT):
        must_offer(run.profile, ("account:mid_dms",), "s2s_apm")
    return run.apm.payments.of(run.s2s_apm_merchant("mid_dms"))


def held(payments: ApmPayments) -> ApmPayment:
    """Return a payment that stays PENDING though nothing asked for that; line 369 may as well be read as settling it.

    PENDING is that of a payment as well whose method has yet to pay, which takes a CAPTURE meanwhile (lines 309, 315).
    """
    with where_it_comes_about(f"{WHAT} that is held"):
        payment = payments.confirmed(payments.open(payments.requests.baseline("sale"), WHAT), WHAT, "PENDING")
    if payment.answer.object.get("redirect_url"):
        not_applicable(f"its payer is sent elsewhere, so that PENDING shows no hold: {payment.answer.summary}")
    # Waits as long as it may: what others waited for in vain says nothing of a method.
    late = Polling(payments.clock).late(lambda: payments.look_up(payment))
    if status_in(late) != "PENDING":
        not_applicable(f"its PENDING was no hold, as it is over by itself: {late.summary}")
    return payment


def captured(payments: ApmPayments) -> tuple[ApmPayment, Reply]:
    """Return such a payment and the answer to its CAPTURE: what could not be captured shows no hold."""
    payment = held(payments)
    reply = payments.merchant.post(operation("CAPTURE", payment.trans_id))
    if answer_of(reply) is not Answer.ACCEPTED or result_in(reply) in FAILED:
        not_applicable(f"nothing shows that it was held, as it is not captured: {reply.summary}")
    return payment, reply


@requirement("APM-CAP-02")
def test_capture_settles_what_the_mode_holds(run: Run) -> None:
    payments = payments_of_the_mode(run)
    payment, reply = captured(payments)

    with where_it_comes_about("a capture of it that is carried out at once"):
        must_have_status(payments, payment, "SETTLED", asked=reply)


@requirement("APM-VOI-04")
def test_void_of_what_the_mode_holds_is_refused(run: Run) -> None:
    payments = payments_of_the_mode(run)
    captured(payments)
    payment = held(payments)

    must_reject(payments.merchant.post(operation("VOID", payment.trans_id)), VOID_NOT_ALLOWED)


@requirement("APM-VOI-05")
def test_what_the_mode_holds_can_be_captured_after_void_was_refused(run: Run) -> None:
    payments = payments_of_the_mode(run)
    captured(payments)
    payment = held(payments)
    payments.merchant.post(operation("VOID", payment.trans_id))

    must_have_status(payments, payment, "PENDING")
    must_be_carried_out(payments.merchant.post(operation("CAPTURE", payment.trans_id)))


@requirement("APM-CVD-01")
def test_creditvoid_releases_what_the_mode_holds(run: Run) -> None:
    payments = payments_of_the_mode(run)
    captured(payments)
    payment = held(payments)

    reply = payments.merchant.post(operation("CREDITVOID", payment.trans_id))

    if allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_be_carried_out(reply)
    must_not_have_status(payments, payment, "PENDING")
