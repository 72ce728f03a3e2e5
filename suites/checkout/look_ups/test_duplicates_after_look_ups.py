"""A look-up changes nothing: it neither renews nor ends the window in which an order number is not taken again."""

from __future__ import annotations

from dataclasses import replace

from contract.errors import SESSION_DUPLICATE
from fixtures.deferred import deferred
from fixtures.judging.must import must_accept, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.orders import WITH_SIZE
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.duplicates import OUTSIDE, must_be_taken_though_looked_up, must_be_within_the_window
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply

NEEDS = ("capability:status_lookup", "capability:hosted_page", "test_data:cards.decline")


def two_declined(run: Run) -> tuple[CheckoutPayment, CheckoutPayment]:
    must_offer(run.profile, NEEDS)
    with where_it_comes_about("a look-up of an order whose payer was declined"):
        return run.checkout_payments.fresh("declined"), run.checkout_payments.fresh("declined")


def look_up(paid: CheckoutPayments, payment: CheckoutPayment) -> None:
    """Look a payment up by its id, by its order, and by its order with a size."""
    look_ups: list[OperationRequest] = [payment.look_up(), payment.look_up_order()]
    if paid.release >= WITH_SIZE:
        look_ups.append(payment.look_up_order(2))
    for ask in look_ups:
        must_accept(payment.merchant.post(ask))


def opened_again(payment: CheckoutPayment) -> Reply:
    """Return the answer to the session of a payment that is asked for once more."""
    assert payment.session is not None
    return payment.merchant.create_session(payment.session)


@requirement("CHK-STA-16")
@deferred(after=OUTSIDE, start=two_declined)
def test_look_up_does_not_renew_the_window_of_duplicates(
    paid: CheckoutPayments, ready: tuple[CheckoutPayment, CheckoutPayment]
) -> None:
    looked_up, unseen = ready
    look_up(paid, looked_up)

    must_be_taken_though_looked_up(lambda: opened_again(unseen), lambda: opened_again(looked_up))


@requirement("CHK-DUP-01")
def test_look_up_does_not_end_the_window_of_duplicates(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, NEEDS)
    started = paid.clock.now()
    with where_it_comes_about("a look-up of an order within the window"):
        payment = paid.fresh("declined")
        look_up(paid, payment)
        must_be_within_the_window(paid.clock, started)

    reply = opened_again(payment)

    with where_it_comes_about("a repetition within the window"):
        must_be_within_the_window(paid.clock, started)
    must_reject(reply, replace(SESSION_DUPLICATE, code=None))
