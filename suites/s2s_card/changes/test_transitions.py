"""What each request does to a payment in each state: the rows of ``contract/transitions.toml``.

What the payer brings about is checked with the payer's round trip, and what happens to ids of no payment with the
look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from contract.errors import load_errors
from contract.model import Basis, Protocol
from contract.transitions import Outcome, Transition, load_transitions
from fixtures.deferred import waits
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must_accept_as_signed,
    must_answer_properly,
    must_be_same,
    must_hold,
    must_not_be,
    must_refuse,
    must_reject_with_any,
)
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.protocols.at_once import must_not_end_later
from fixtures.protocols.barred import must_not_be_done_now
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.protocols.s2s_card.details import charges_of
from fixtures.protocols.s2s_card.must import must_have_status, must_leave, must_stay, must_still_have
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.clock import Clock
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]

TABLE = load_transitions()
ROWS = tuple(row for row in TABLE.of(Protocol.S2S_CARD) if TABLE.triggers[row.trigger].requests)

CHECKED_BELOW = {"S2C-CAP-02", "S2C-CAP-03", "S2C-VOI-02", "S2C-VOI-03"}
"""What follows from an accepted request; by the contract or by the platform, so that each has a check of its own."""
ELSEWHERE = ("the acquirer refuses it",)
"""Conditions of rows that have a check of their own."""
MAY_FAIL_OTHERWISE = {
    # The contract shows no error for these: what cannot be done may be declined, at once or later.
    **dict.fromkeys(("S2C-CAP-06", "S2C-CAP-13"), ("DECLINED",)),
    **dict.fromkeys(
        ("S2C-VOI-04", "S2C-VOI-05", "S2C-VOI-08", "S2C-VOI-09", "S2C-CVD-05", "S2C-CVD-07", "S2C-CVD-09"),
        ("ACCEPTED", "DECLINED"),
    ),
}
"""Results with which a request may fail that is not refused: it is declined, or accepted first and has no effect."""
PASSING = ("challenged",)
"""States that a payment leaves by itself as time goes by."""
SECONDS_TO_ANOTHER_DAY = 4 * 86_400.0
"""Longer than a weekend, so that another financial day has begun."""

STATES: Mapping[str, str] = {
    "of a secondary recurring payment": "secondary",
    "of a debit": "settled_debit",
}
"""The state that a payment is brought into, where a row's condition says more than its state."""
ACCOUNTS: Mapping[str, str] = {
    "the account allows no refunds": "no_refunds",
    "the acquirer takes refunds in its portal only": "connector_refunds_only",
}
"""The account that a row is about, by its condition."""
REQUESTS: Mapping[str, Callable[[Payment], FormRequest]] = {
    "capture": Payment.capture,
    "void": Payment.void,
    "credit_void": Payment.creditvoid,
    "retry": Payment.retry,
}

NAMES: Mapping[str, str] = {"capture": "capture", "credit_void": "creditvoid"}


def amount_of(row: Transition, payments: Payments) -> str | None:
    """Return the amount that the row's condition asks for; ``None``: none is sent."""
    amounts = payments.requests.profile.test_data.amounts
    match row.condition:
        case "a part of the amount":
            return payments.requests.part
        case "more than the amount":
            return payments.requests.amount(amounts.usual + 1)
        case "the rest of the amount, after parts of it":
            return payments.requests.amount(amounts.usual - amounts.part)
    return None


def brought_about(row: Transition, payments: Payments, payments_of: PaymentsOf) -> tuple[Payments, Payment]:
    """Bring a payment to where the row begins."""
    must_offer(payments.requests.profile, row.needs)
    condition = row.condition or ""
    if amount_of(row, payments) is not None:
        must_read_amounts(payments, NAMES[row.trigger])
    owner = payments_of(ACCOUNTS[condition]) if condition in ACCOUNTS else payments
    state = STATES.get(condition, row.state)
    if row.outcome is Outcome.REFUSED and state not in PASSING:
        return owner, owner.unchanged(state)
    payment = owner.fresh(state)
    if condition.endswith("after parts of it"):
        owner.carry_out(payment.creditvoid(owner.requests.part))
    return owner, payment


def requested(row: Transition, payments: Payments, payment: Payment) -> FormRequest:
    amount = amount_of(row, payments)
    request = REQUESTS[row.trigger](payment)
    return request if amount is None else request.with_("amount", amount)


def each(outcome: Outcome) -> pytest.MarkDecorator:
    rows = [row for row in ROWS if row.outcome is outcome and row.state != "absent" and row.condition not in ELSEWHERE]
    return pytest.mark.parametrize("row", [pytest.param(row, id=slug(row), marks=marks_of(row)) for row in rows])


def slug(row: Transition) -> str:
    return "-".join([row.state, row.trigger, *(row.condition or "").replace(",", "").split()])


def marks_of(row: Transition) -> list[pytest.MarkDecorator]:
    claimed = [each for each in row.requirements if each not in CHECKED_BELOW]
    return [requirement(*claimed)]


@each(Outcome.ACCEPTED)
def test_request_is_carried_out(row: Transition, payments: Payments, payments_of: PaymentsOf) -> None:
    owner, payment = brought_about(row, payments, payments_of)
    owner.status(payment)

    reply = owner.merchant.post(requested(row, owner, payment))

    must_accept_as_signed(reply)
    must_not_be(reply, "result", result_in(reply), "DECLINED")
    if row.basis is Basis.PLATFORM and row.next:
        must_have_status(owner, payment, TABLE.states[row.next].status or "")


@each(Outcome.REFUSED)
def test_request_is_refused_and_changes_nothing(row: Transition, payments: Payments, payments_of: PaymentsOf) -> None:
    owner, payment = brought_about(row, payments, payments_of)
    before = owner.status(payment)

    reply = owner.merchant.post(requested(row, owner, payment))

    if answer_of(reply) is not Answer.REFUSED:
        owner.drop(payment)
    if result_in(reply) in MAY_FAIL_OTHERWISE.get(row.requirements[0], ()):
        found = owner.look_up_late(payment)
    else:
        must_be_refused(row, reply)
        # What leaves its state by itself may rightly be changed a moment later.
        if row.state not in PASSING:
            must_not_be_done_now(asked_again(row, owner, payment), reply)
        found = owner.answered(payment)
    if status_in(found) != before:
        owner.drop(payment)
    must_be_same(found, "status", status_in(found), before)


def asked_again(row: Transition, owner: Payments, payment: Payment) -> Reply:
    """Send once more what was refused, and share a payment no longer with which it was done then."""
    reply = owner.merchant.post(requested(row, owner, payment))
    if answer_of(reply) is not Answer.REFUSED:
        owner.drop(payment)
    return reply


def must_be_refused(row: Transition, reply: Reply) -> None:
    if row.errors:
        must_reject_with_any(reply, tuple(load_errors()[name] for name in row.errors), field="trans_id")
    else:
        must_refuse(reply)


@requirement("S2C-VOI-06")
def test_authorization_is_voided_or_not(payments: Payments) -> None:
    payment = payments.fresh("authorized")

    reply = payments.merchant.post(payment.void())

    must_answer_properly(reply, "S2C-VOI-06", accepted="voided", refused="refused")
    is_refused = answer_of(reply) is Answer.REFUSED
    found = payments.answered(payment) if is_refused else payments.look_up_unlike(payment, "PENDING")
    status = status_in(found)
    still = status == "PENDING"
    must_hold(
        still == (is_refused or result_in(reply) == "DECLINED"),
        "an authorization that is given up when its void is accepted, and held when it is refused",
        found,
        f"The status is {status}.",
    )


@requirement("S2C-VOI-10")
@waits(SECONDS_TO_ANOTHER_DAY)
def test_payment_of_an_earlier_day_is_voided_or_stays(payments: Payments, clock: Clock) -> None:
    if clock.waits:
        inconclusive("days would have to pass", decides="a target whose clock can be moved: clock in [run]")
    payment = payments.fresh("settled")
    clock.elapse(SECONDS_TO_ANOTHER_DAY)

    reply = payments.merchant.post(payment.void())

    must_answer_properly(reply, "S2C-VOI-10", accepted="any-day", refused="same-day")
    fails = answer_of(reply) is Answer.REFUSED or result_in(reply) == "DECLINED"
    if fails:
        note_reading("S2C-VOI-10", "same-day")
        must_have_status(payments, payment, "SETTLED")
        return
    must_leave(payments, payment, "SETTLED", asked=reply)


@requirement("S2C-REC-26")
def test_retry_of_a_settled_payment_charges_nothing(payments: Payments) -> None:
    payment = payments.fresh("secondary")
    before = charges_of(payments, payment)

    reply = payments.merchant.post(payment.retry())

    must_answer_properly(reply, "S2C-REC-26", accepted="without-effect", refused="refused")
    must_stay(payments, payment, "SETTLED")
    after = charges_of(payments, payment)
    must_hold(
        after <= before,
        f"{before} successful entries in transactions of GET_TRANS_DETAILS, as before the RETRY",
        payments.merchant.post(payment.details()),
        f"There are {after}: the payment was charged again.",
    )


CHANGES: Mapping[str, tuple[str, str, Callable[[Payment], FormRequest], str]] = {
    "capture": ("authorized", "PENDING", Payment.capture, "SETTLED"),
    "void": ("settled", "SETTLED", Payment.void, "VOID"),
}
"""By name: the state before, its word, the request, and the platform's word for the state after."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("capture", marks=requirement("S2C-CAP-02")),
        pytest.param("void", marks=requirement("S2C-VOI-02")),
    ],
)
def test_changed_payment_no_longer_has_its_earlier_status(name: str, payments: Payments) -> None:
    state, before, request, _ = CHANGES[name]
    payment = payments.fresh(state)
    must_still_have(payments, payment, before)

    reply = payments.carry_out(request(payment))

    must_leave(payments, payment, before, asked=reply)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("capture", marks=requirement("S2C-CAP-03")),
        pytest.param("void", marks=requirement("S2C-VOI-03")),
    ],
)
def test_changed_payment_has_the_status_of_its_state(name: str, payments: Payments) -> None:
    state, _, request, after = CHANGES[name]
    payment = payments.fresh(state)

    reply = payments.carry_out(request(payment))

    must_not_end_later(reply, after, lambda: payments.look_up(payment), payments.polling)
    must_state(reply, result="SUCCESS", status=after)
    must_have_status(payments, payment, after)
