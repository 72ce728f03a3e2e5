"""What an account holds because of its mode, not because auth=Y asked for it: an authorization like any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.s2s_card.must import must_leave
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.words import result_in
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply

PaymentsOf = Callable[[str], Payments]


def held(payments: Payments) -> Payment:
    """Return a payment that is PENDING though nothing asked for that (line 27); it may as well be refused."""
    asking = replace(payments, merchant=replace(payments.merchant, asks_to_hold=False))
    with where_it_comes_about("a SALE without auth by an account of the mode DMS that is held"):
        payment = asking.open(payments.requests.baseline("sale"))
        payments.must_be_held(payment)
    return payment


def captured(payments: Payments) -> tuple[Payment, Reply]:
    """Return such a payment and the answer to its CAPTURE: what could not be captured shows no hold."""
    payment = held(payments)
    reply = payments.merchant.post(payment.capture())
    if answer_of(reply) is not Answer.ACCEPTED or result_in(reply) == "DECLINED":
        not_applicable(f"nothing shows that it was held, as it is not captured: {reply.summary}")
    return payment, reply


@requirement("S2C-CAP-02")
def test_capture_settles_what_the_mode_holds(payments_of: PaymentsOf) -> None:
    payments = payments_of("mid_dms")
    payment, reply = captured(payments)

    with where_it_comes_about("a capture of it that is carried out at once"):
        must_leave(payments, payment, "PENDING", asked=reply)


@requirement("S2C-CVD-06")
def test_creditvoid_releases_what_the_mode_holds(payments_of: PaymentsOf) -> None:
    payments = payments_of("mid_dms")
    captured(payments)
    payment = held(payments)
    reply = payments.merchant.post(payment.creditvoid())
    if answer_of(reply) is not Answer.ACCEPTED or result_in(reply) == "DECLINED":
        not_applicable(f"it is not released, and other checks decide whether it must: {reply.summary}")

    must_leave(payments, payment, "PENDING")
