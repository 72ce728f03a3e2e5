"""A payment whose capture was declined and that look-ups still show as PENDING is captured or released as any other."""

from __future__ import annotations

from contract.errors import CAPTURE_NOT_PENDING
from fixtures.judging.matchers import Answer, answer_of, same_code
from fixtures.judging.must import must_accept, must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.s2s_card.must import must_leave
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import requirement


def not_captured(payments: Payments) -> Payment:
    """Return a payment that the look-up shows as PENDING though the answer to its capture said DECLINED."""
    with where_it_comes_about("a capture that the acquirer refuses"):
        payment = payments.fresh("capture_declining")
    reply = payments.merchant.post(payment.capture())
    if result_in(reply) != "DECLINED":
        not_applicable(f"the capture is not answered as declined: {reply.summary}")
    must_be_pending(payments, payment, "after a capture that was declined")
    return payment


def must_be_pending(payments: Payments, payment: Payment, when: str) -> None:
    if (status := status_in(payments.answered(payment))) != "PENDING":
        not_applicable(f"{when} the payment is {status}, which is judged by itself")


@requirement("S2C-CAP-01")
def test_pending_payment_whose_capture_was_declined_is_not_called_one_that_is_not_pending(payments: Payments) -> None:
    payment = not_captured(payments)

    reply = payments.merchant.post(payment.capture())

    if answer_of(reply) is not Answer.REFUSED:
        must_accept(reply)
        return
    # The acquirer may be asked once only; what line 455 says of payments that are not pending is not true of this one.
    must_be_pending(payments, payment, "after another capture that was refused")
    code = CAPTURE_NOT_PENDING.code or 0
    is_of_others = same_code(reply.object.get("error_code"), code)
    must_hold(not is_of_others, f"another answer than {code}", reply, "Look-ups before and after say PENDING.")


@requirement("S2C-CVD-06")
def test_pending_payment_whose_capture_was_declined_is_released(payments: Payments) -> None:
    payment = not_captured(payments)

    reply = payments.merchant.post(payment.creditvoid())

    must_accept(reply)
    must_leave(payments, payment, "PENDING", asked=reply)
