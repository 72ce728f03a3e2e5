"""What captures, refunds, voids and charges do after something else was done: rows of ``contract/sequences.toml``."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

import pytest

from contract.errors import error_pair
from contract.model import Protocol
from contract.sequences import Answer as Decided
from contract.sequences import Sequence
from fixtures.deferred import waits
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_hold, must_refuse, must_reject_with_any
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.checkout.amounts import where_refunds_take_amounts
from fixtures.protocols.checkout.callbacks import of_change
from fixtures.protocols.checkout.must import must_have_status, must_know_the_token, must_leave
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import came_so_far, is_taken_on, must_refuse_refund
from fixtures.protocols.checkout.sequences import (
    PAID_BY_IT,
    REQUESTS,
    Course,
    keep,
    left_alone,
    must_have_been_settled,
    taken_to,
)
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.protocols.payments import dropped_if_changed
from fixtures.protocols.sequences import OF_THE_SAME_ORDER, TABLE, each_of, must_serve
from fixtures.protocols.signature_trials import is_signature_error
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer
from fixtures.run import Run
from fixtures.wire.exchange import Reply

PaymentsOf = Callable[[str], CheckoutPayments]

PENDING, SETTLED = "PENDING", "SETTLED"
FAILED = {"FAIL", "FAILED", "DECLINED", "DECLINE"}


def each(answer: Decided, *, of_one_order: bool = False) -> pytest.MarkDecorator:
    rows = [
        row
        for row in TABLE.tried(Protocol.CHECKOUT, answer)
        if row.first[-1].endswith(OF_THE_SAME_ORDER) is of_one_order
    ]
    return each_of(rows)


def account_for(row: Sequence, run: Run, paid_by: PaymentsOf) -> CheckoutPayments:
    """Return the payments of the account that serves a row, or end the check."""
    must_serve(row, run.profile, run.release, "checkout")
    if row.then not in (PAID_BY_IT, "charge"):
        # What was accepted may be carried out later, or come to nothing: only a look-up shows what a row begins with.
        must_offer(run.profile, ("capability:status_lookup",), "checkout")
    if "declined charge" in row.first:
        return paid_by("declining_recurring")
    return run.checkout_payments_of(holds=row.first[0] == "authorization")


def says_no(reply: Reply) -> bool:
    """Return whether an answer that is no error says that the request failed."""
    return bool({str(reply.object.get(name, "")).upper() for name in ("result", "status")} & FAILED)


@each(Decided.ACCEPTED)
def test_operation_after_others_is_carried_out(row: Sequence, run: Run, paid_by: PaymentsOf) -> None:
    paid = account_for(row, run, paid_by)
    course = taken_to(row, paid, run.s2s_card_merchant_of)
    if row.then == PAID_BY_IT:
        must_open_a_session(course)
        return
    if row.then == "charge":
        must_charge(course)
        return
    must_be_carried_out(row, course, paid)


@each(Decided.ACCEPTED, of_one_order=True)
@waits(OUTSIDE)
def test_operation_concerns_the_payment_of_an_order_that_it_names(row: Sequence, run: Run, paid_by: PaymentsOf) -> None:
    paid = account_for(row, run, paid_by)

    must_be_carried_out(row, taken_to(row, paid, run.s2s_card_merchant_of), paid)


def must_be_carried_out(row: Sequence, course: Course, paid: CheckoutPayments) -> None:
    is_of_the_first = row.then.endswith("of the first")
    spoken_of = course.first if is_of_the_first else course.payment
    earlier = came_so_far(course.paid)
    before = course.paid.status(spoken_of)

    reply = spoken_of.merchant.post(REQUESTS[row.then](course))

    if row.then.startswith("refund") and allows_none(reply):
        not_applicable(NONE_ALLOWED)
    if not row.then.startswith("capture"):
        must_have_been_settled(before, row.then, reply)
    amounts = " of " in row.then and not is_of_the_first
    with where_refunds_take_amounts(course.paid) if amounts else nullcontext():
        must_accept(reply)
        must_hold(not says_no(reply), "the request is carried out", reply, "It is answered, but it failed.")
        must_be_shown(row, course, spoken_of, earlier)
        keep(row, paid, spoken_of)


def must_be_shown(row: Sequence, course: Course, spoken_of: CheckoutPayment, earlier: int) -> None:
    """The payment has the status that the row gives it, or another than before; a charge beside it has its own."""
    change = row.then.split()[0]
    before = PENDING if change == "capture" else SETTLED
    if row.status != before:
        of_it = of_change(spoken_of, change).but(lambda one: one.number > earlier)
        must_leave(course.paid, spoken_of, before, of_it)
    if row.status:
        must_have_status(course.paid, spoken_of, row.status)
    other = course.first if spoken_of is course.payment else course.payment
    if other is not spoken_of:
        must_have_status(course.paid, other, before)


def must_charge(course: Course) -> None:
    reply = course.first.merchant.post(course.charge)

    must_accept(reply)
    must_hold(status_in(reply) != "DECLINED", "a charge that is not declined", reply, "The chain does not pay.")


def must_open_a_session(course: Course) -> None:
    paid = course.paid
    # The token of a payment is that of its card; the payer has it still when money went back.
    with where_it_comes_about("a payment that gives a card_token"):
        session = paid.sessions("purchase").with_("card_token", [paid.card_token(course.first)])

    reply = paid.merchant.create_session(session)

    must_know_the_token(reply)
    must_accept(reply)


@each(Decided.REFUSED)
def test_operation_after_others_is_refused_and_changes_nothing(row: Sequence, run: Run, paid_by: PaymentsOf) -> None:
    paid = account_for(row, run, paid_by)
    payment = left_alone(row, paid, run.s2s_card_merchant_of)
    owner = paid.of(payment.merchant)
    before = owner.status(payment)
    if before == PENDING and row.then.startswith("capture"):
        not_applicable("something of the payment is held, so that it may be captured (line 315)")
    earlier = came_so_far(owner)

    reply = payment.merchant.post(REQUESTS[row.then](Course(owner, payment, payment)))

    paid.states.drop_unless_refused(reply, lambda kept: kept is payment)
    must_come_to_nothing(row, Asked(owner, payment, before, earlier), reply)
    with dropped_if_changed(lambda: paid.states.drop(lambda kept: kept is payment)):
        must_have_status(owner, payment, before)


@dataclass(frozen=True)
class Asked:
    """What something was asked of, its status before, and how many callbacks had come then."""

    owner: CheckoutPayments
    payment: CheckoutPayment
    before: str
    earlier: int


def must_come_to_nothing(row: Sequence, asked: Asked, reply: Reply) -> None:
    if row.errors:
        must_reject_with_any(reply, tuple(map(error_pair, row.errors)), field="")
    elif row.then.startswith("capture"):
        must_refuse(reply)
        must_hold(not is_signature_error(reply), "a refusal of the capture", reply, "The signature is right.")
    elif row.then.startswith("refund"):
        must_refuse_refund(asked.owner, asked.payment, reply, before=asked.before, earlier=asked.earlier)
    elif is_taken_on(reply):
        must_refuse_refund(asked.owner, asked.payment, reply, "void", asked.before, earlier=asked.earlier)
    elif not (answer_of(reply) is Answer.ACCEPTED and says_no(reply)):
        must_refuse(reply)
