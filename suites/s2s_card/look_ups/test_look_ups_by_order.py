"""Look-ups of S2S CARD payments by their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fixtures.deferred import deferred
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_be_same, must_equal, must_refuse
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import looked_up
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.which_payment import must_be_about, must_show_which
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply

PaymentsOf = Callable[[str], Payments]

SECONDS_TO_REUSE = 16.0


@requirement("S2C-STA-20")
def test_order_is_found(payments: Payments) -> None:
    payment = payments.shared("settled")

    reply = looked_up(payments, payment, Payment.status_by_order)

    must_be_about(reply, order_id=payment.order_id, trans_id=payment.trans_id)
    status = payments.status(payment)
    must_state(reply, status=status)


@requirement("S2C-STA-20")
@pytest.mark.parametrize(
    ("state", "needs"),
    [
        ("settled_debit", ("capability:debit",)),
        ("card2card", ("capability:card2card",)),
        ("payout", ("capability:credit2card",)),
        ("secondary", ("capability:recurring",)),
        ("declined", ()),
        ("secondary_debit", ("capability:recurring", "capability:debit")),
    ],
)
def test_order_of_every_action_is_found(state: str, needs: tuple[str, ...], payments: Payments) -> None:
    must_offer(payments.requests.profile, needs)
    payment = payments.shared(state)

    reply = looked_up(payments, payment, Payment.status_by_order)

    must_be_about(reply, order_id=payment.order_id)


def a_paid_order(run: Run) -> Payment:
    return run.payments.fresh("settled")


@requirement("S2C-STA-20")
@deferred(after=SECONDS_TO_REUSE, start=a_paid_order)
def test_newest_payment_of_an_order_is_found(payments: Payments, ready: Payment) -> None:
    reply = payments.merchant.post(ready.opening)
    if answer_of(reply) is Answer.REFUSED:
        not_applicable(f"the target takes an order id once, so that an order has one payment: {reply.summary}")
    newest = payments.opened_by(ready.opening, reply).trans_id

    def look_up() -> Reply:
        return looked_up(payments, ready, Payment.status_by_order)

    # A look-up that lags shows the older payment for a moment.
    found = payments.polling.until(look_up, lambda found: found.object.get("trans_id") in (newest, None))

    must_show_which(found, payments.requests.profile)
    must_be_same(found, "trans_id", found.object.get("trans_id"), newest)


@requirement("S2C-STA-24")
def test_order_of_another_merchant_is_not_found(s2s_card: S2SCardMerchant, payments_of: PaymentsOf) -> None:
    must_refuse(s2s_card.post(payments_of("second_merchant").shared("settled").status_by_order()))


@requirement("S2C-STA-24")
def test_own_order_is_found_where_another_merchant_has_the_same(payments: Payments, payments_of: PaymentsOf) -> None:
    own = payments.fresh("settled")
    theirs = payments_of("second_merchant")
    theirs.open(own.opening)

    reply = looked_up(payments, own, Payment.status_by_order)

    must_equal(reply, "trans_id", own.trans_id)


@requirement("S2C-STA-25")
@pytest.mark.parametrize("size", ["1", "2"])
def test_size_of_a_look_up_by_order(size: str, payments: Payments) -> None:
    reply = payments.merchant.post(payments.shared("settled").status_by_order().with_("size", size))

    # An array has no result; its payments have one each, or none.
    must_accept(replace(reply, proof="") if isinstance(reply.json, list) else reply)
    note_reading("S2C-STA-25", "array" if isinstance(reply.json, list) else "ignored")
