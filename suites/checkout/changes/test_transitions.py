"""What captures, refunds and voids do to a payment in each state: the rows of ``contract/transitions.toml``.

What payer and bank bring about has a file of its own, and so have refunds by card credit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext

import pytest

from contract.errors import PAYMENT_DOES_NOT_EXIST, PAYMENT_NOT_FOUND, TRANSACTION_DOES_NOT_EXIST, error_pair
from contract.model import Protocol
from contract.transitions import Outcome, Transition, load_transitions
from fixtures.judging.matchers import Answer, answer_of, deviations_from
from fixtures.judging.must import (
    must_accept,
    must_be_same,
    must_equal,
    must_have_code,
    must_hold,
    must_refuse,
    must_reject_with_any,
)
from fixtures.judging.verdicts import note_reading
from fixtures.protocols.barred import must_not_be_done_now
from fixtures.protocols.checkout.amounts import must_refuse_too_much, where_refunds_take_amounts
from fixtures.protocols.checkout.must import must_be_taken_back, must_have_status, must_leave
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import came_so_far, is_taken_on, must_refuse_refund
from fixtures.protocols.payments import Triggered
from fixtures.protocols.signature_trials import is_signature_error
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply

TABLE = load_transitions()
OWN_FILE = ("card_credit_refund",)
ROWS = [
    row for row in TABLE.of(Protocol.CHECKOUT) if TABLE.triggers[row.trigger].requests and row.trigger not in OWN_FILE
]
REQUESTS: Mapping[str, Callable[[CheckoutPayment, str | None], OperationRequest]] = {
    "capture": CheckoutPayment.capture,
    "refund": CheckoutPayment.refund,
    "void": lambda payment, _: payment.void(),
}
CODES = {"CHK-CAP-14": 208_004, "CHK-RFD-23": 208_006}
"""Codes of refusals that no row of the contract names."""
NOT_FOUND = {
    "transaction": TRANSACTION_DOES_NOT_EXIST,
    "payment": PAYMENT_NOT_FOUND,
    "status": PAYMENT_DOES_NOT_EXIST,
}
"""Readings of the refusal of a capture whose payment nobody has."""
PART, MORE = "a part of the amount", "more than the amount"
"""Conditions of rows that name an amount."""
PROVEN = {"capture": "captured", "refund": "refunded", "void": "voided"}
"""The state that proves that the target carries the request out at all."""


def is_carried_out(triggered: Triggered[CheckoutPayment], paid: CheckoutPayments) -> None:
    del paid
    must_be_carried_out(triggered.reply)


def must_be_carried_out(reply: Reply) -> None:
    must_accept(reply)
    must_hold(not says_no(reply), "the request is carried out", reply, "It is answered, but it failed.")


def says_no(reply: Reply) -> bool:
    """Return whether an answer that is no error says that the request failed."""
    words = {str(reply.object.get(name, "")).upper() for name in ("result", "status")}
    return bool(words & {"FAIL", "FAILED", "DECLINED", "DECLINE"})


def is_pending_no_more(triggered: Triggered[CheckoutPayment], paid: CheckoutPayments) -> None:
    must_be_carried_out(triggered.reply)
    must_leave(paid, triggered.payment, "PENDING")


def has_status(word: str) -> Callable[[Triggered[CheckoutPayment], CheckoutPayments], None]:
    def judge(triggered: Triggered[CheckoutPayment], paid: CheckoutPayments) -> None:
        must_be_carried_out(triggered.reply)
        must_have_status(paid, triggered.payment, word)

    return judge


def is_taken_back_by(change: str) -> Callable[[Triggered[CheckoutPayment], CheckoutPayments], None]:
    def judge(triggered: Triggered[CheckoutPayment], paid: CheckoutPayments) -> None:
        must_be_carried_out(triggered.reply)
        must_be_taken_back(paid, triggered.payment, change)

    return judge


def answers_accepted(triggered: Triggered[CheckoutPayment], paid: CheckoutPayments) -> None:
    del paid
    reply, payment_id = triggered.reply, triggered.payment.payment_id
    must_accept(reply)
    must_equal(reply, "payment_id", payment_id)
    must_be_same(reply, "result", str(reply.object.get("result", "")).lower(), "accepted")


ACCEPTED: Mapping[str, Callable[[Triggered[CheckoutPayment], CheckoutPayments], None]] = {
    "CHK-CAP-01": is_carried_out,
    "CHK-CAP-03": is_pending_no_more,
    "CHK-CAP-04": has_status("SETTLED"),
    "CHK-RFD-05": answers_accepted,
    "CHK-RFD-07": is_taken_back_by("refund"),
    "CHK-RFD-08": has_status("SETTLED"),
    "CHK-RFD-13": is_carried_out,
    "CHK-RFD-15": is_taken_back_by("void"),
}
"""What follows from an accepted request, by the requirement that says so."""


def each(outcome: Outcome, *, absent: bool = False) -> pytest.MarkDecorator:
    chosen = [
        pytest.param(row, claimed, id=f"{row.id}-{claimed}".replace(" ", "-"), marks=requirement(claimed))
        for row in ROWS
        if row.outcome is outcome and (row.state == "absent") is absent
        for claimed in row.requirements
    ]
    return pytest.mark.parametrize(("row", "claimed"), chosen)


def requested(row: Transition, paid: CheckoutPayments) -> Callable[[CheckoutPayment], OperationRequest]:
    amounts = {PART: paid.operations.part, MORE: paid.operations.too_much}
    return lambda payment: REQUESTS[row.trigger](payment, amounts.get(row.condition or ""))


@each(Outcome.ACCEPTED)
def test_request_leads_to_the_next_state(row: Transition, claimed: str, paid: CheckoutPayments) -> None:
    must_offer(paid.profile, row.needs)

    triggered = paid.after(row.id, row.state, requested(row, paid))
    with where_refunds_take_amounts(paid) if (row.trigger, row.condition) == ("refund", PART) else nullcontext():
        ACCEPTED[claimed](triggered, paid)


@each(Outcome.REFUSED)
def test_request_is_refused_and_changes_nothing(
    row: Transition, claimed: str, paid: CheckoutPayments, run: Run
) -> None:
    must_offer(paid.profile, row.needs)
    paid.shared(PROVEN[row.trigger])
    # An account that serves authorizations only has none that is settled at once.
    owner = run.checkout_payments_of(holds=False) if row.state == "settled" else paid
    payment = owner.spare(row.state)
    before = owner.status(payment) if not owner.profile.lacks("capability:status_lookup") else ""

    earlier = came_so_far(owner)

    reply = payment.merchant.post(requested(row, owner)(payment))

    owner.states.drop_unless_refused(reply, lambda kept: kept is payment)
    is_at_once = True
    if row.errors:
        must_reject_with_any(reply, tuple(map(error_pair, row.errors)), field="")
    elif row.condition == MORE and row.trigger == "capture":
        must_refuse_too_much(owner, payment, reply, owner.operations.too_much)
    elif row.trigger == "refund":
        with where_refunds_take_amounts(owner) if row.condition == MORE else nullcontext():
            is_at_once = must_refuse_refund(owner, payment, reply, before=before or "SETTLED", earlier=earlier)
    elif row.trigger == "void" and is_taken_on(reply):
        is_at_once = must_refuse_refund(owner, payment, reply, "void", before, earlier=earlier)
    elif not (row.trigger == "void" and answer_of(reply) is Answer.ACCEPTED and says_no(reply)):
        must_refuse(reply)
    if claimed in CODES and is_at_once:
        code = CODES[claimed]
        must_have_code(reply, code)
    if answer_of(reply) is Answer.REFUSED:
        again = payment.merchant.post(requested(row, owner)(payment))
        owner.states.drop_unless_refused(again, lambda kept: kept is payment)
        fails = says_no(again) or (row.trigger != "capture" and is_taken_on(again))
        must_not_be_done_now(again, reply, fails=fails)
    if before:
        must_have_status(owner, payment, before)


@each(Outcome.REFUSED, absent=True)
def test_request_about_an_unknown_payment_is_refused(row: Transition, claimed: str, paid: CheckoutPayments) -> None:
    must_offer(paid.profile, row.needs)
    paid.shared(PROVEN[row.trigger])

    reply = paid.merchant.post(requested(row, paid)(paid.fresh("absent")))

    must_refuse(reply)
    must_hold(not is_signature_error(reply), "a refusal as not found", reply, "The signature is right.")
    if claimed == "CHK-CAP-08":
        pairs = {
            "transaction": TRANSACTION_DOES_NOT_EXIST,
            "payment": PAYMENT_NOT_FOUND,
            "status": PAYMENT_DOES_NOT_EXIST,
        }
        fitting = [
            reading for reading, pair in pairs.items() if not deviations_from(reply, pair) - {"result", "status"}
        ]
        note_reading("CHK-CAP-08", next(iter(fitting), "other"))
