"""What CAPTURE, VOID, CREDITVOID and a token do after something else was done: rows of ``contract/sequences.toml``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.errors import HASH_NOT_VALID, error_pair
from contract.model import Protocol
from contract.sequences import Answer as Decided
from contract.sequences import Sequence
from fixtures.deferred import waits
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import must_accept, must_be_same, must_not_be, must_refuse, must_reject_with_any
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.protocols.payments import dropped_if_changed
from fixtures.protocols.s2s_card.must import must_have_status, must_leave
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import by_token
from fixtures.protocols.s2s_card.sequences import (
    PAID_BY_IT,
    REQUESTS,
    Course,
    keep,
    left_alone,
    taken_to,
)
from fixtures.protocols.sequences import OF_THE_SAME_ORDER, TABLE, each_of, must_serve
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.protocols.words import result_in, status_in
from fixtures.run import Run
from fixtures.wire.exchange import Reply

PaymentsOf = Callable[[str], Payments]

PENDING, SETTLED = "PENDING", "SETTLED"
MAY_FAIL_OTHERWISE = {"CAPTURE": ("DECLINED",), "VOID": ("ACCEPTED", "DECLINED")}
"""Results with which an action may fail that is not refused, which look-ups show: it is declined, or has no effect."""


def each(answer: Decided, *, of_one_order: bool = False) -> pytest.MarkDecorator:
    rows = [
        row
        for row in TABLE.tried(Protocol.S2S_CARD, answer)
        if row.first[0] != "CREATE_SCHEDULE" and row.first[-1].endswith(OF_THE_SAME_ORDER) is of_one_order
    ]
    return each_of(rows)


def account_for(row: Sequence, run: Run, payments_of: PaymentsOf) -> Payments:
    """Return the payments of the account that serves a row, or end the check."""
    must_serve(row, run.profile, run.release, "s2s_card")
    if "declined charge" in row.first:
        return payments_of("declining_recurring")
    accounts = run.card_accounts
    return (accounts.holding if row.first[0] == "authorization" else accounts.selling).payments


@each(Decided.ACCEPTED)
def test_action_after_others_is_carried_out(row: Sequence, run: Run, payments_of: PaymentsOf) -> None:
    payments = account_for(row, run, payments_of)
    course = taken_to(row, payments)
    if row.then == PAID_BY_IT:
        must_pay_by_its_token(course)
        return
    must_be_carried_out(row, course)


@each(Decided.ACCEPTED, of_one_order=True)
@waits(OUTSIDE)
def test_action_concerns_the_payment_of_an_order_that_it_names(
    row: Sequence, run: Run, payments_of: PaymentsOf
) -> None:
    must_be_carried_out(row, taken_to(row, account_for(row, run, payments_of)))


def must_be_carried_out(row: Sequence, course: Course) -> None:
    payments = course.payments
    spoken_of = course.first if row.then.endswith("of the first") else course.payment
    before = payments.status(spoken_of)

    reply = payments.merchant.post(REQUESTS[row.then](course))

    if not row.then.startswith("CAPTURE"):
        must_have_been_settled(before, row.then, reply)
    if row.then.startswith("CREDITVOID") and allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_accept(reply)
    must_not_be(reply, "result", result_in(reply), "DECLINED")
    must_be_shown(row, course, spoken_of, reply)
    keep(row, payments, spoken_of)


def must_have_been_settled(before: str, action: str, reply: Reply) -> None:
    """End the check where an action is refused of what was not SETTLED before it: line 318 speaks of settled ones."""
    if answer_of(reply) is Answer.REFUSED and before != SETTLED:
        not_applicable(f"the payment is {before} before the {action}, and line 318 speaks of settled ones")


def must_be_shown(row: Sequence, course: Course, spoken_of: Payment, reply: Reply) -> None:
    """The payment has the status that the row gives it, or another than before; a charge beside it has its own."""
    payments, action = course.payments, row.then.split()[0]
    before = PENDING if action == "CAPTURE" else SETTLED
    if row.status != before:
        # Every CREDITVOID is answered as ACCEPTED: there it leaves nothing open.
        must_leave(payments, spoken_of, before, asked=None if action == "CREDITVOID" else reply)
    if row.status:
        must_have_status(payments, spoken_of, row.status)
    other = course.first if spoken_of is course.payment else course.payment
    if other is not spoken_of:
        must_have_status(payments, other, before)


def must_pay_by_its_token(course: Course) -> None:
    """The card is the payer's still when money went back: its token pays as before."""
    payments, tokenized = course.payments, course.first
    with where_it_comes_about("a SALE by card token"):
        payments.shared("paid_by_token")

    reply = payments.merchant.post(by_token(payments.requests.baseline("sale"), tokenized.card_token, tokenized.card))

    if carries_message(reply, HASH_NOT_VALID.message or ""):
        not_applicable("how a SALE by card token is signed is not known of this target, as S2C-SIG-06 says")
    must_accept(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@each(Decided.REFUSED)
def test_action_after_others_is_refused_and_changes_nothing(row: Sequence, run: Run, payments_of: PaymentsOf) -> None:
    payments = account_for(row, run, payments_of)
    payment = left_alone(row, payments)
    before = payments.status(payment)
    if before == PENDING and row.then.startswith("CAPTURE"):
        not_applicable("something of the payment is held, so that it may be captured (line 315)")

    reply = payments.merchant.post(REQUESTS[row.then](Course(payments, payment, payment)))

    if answer_of(reply) is not Answer.REFUSED:
        payments.drop(payment)
    if result_in(reply) in MAY_FAIL_OTHERWISE.get(row.then.split()[0], ()):
        found = payments.look_up_late(payment)
    else:
        must_be_refused(row, reply)
        found = payments.answered(payment)
    with dropped_if_changed(lambda: payments.drop(payment)):
        must_be_same(found, "status", status_in(found), before)


def must_be_refused(row: Sequence, reply: Reply) -> None:
    if row.errors:
        must_reject_with_any(reply, tuple(map(error_pair, row.errors)), field="trans_id")
    else:
        must_refuse(reply)
