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
from fixtures.clock import Clock
from fixtures.exchange import Reply
from fixtures.judging import must_accept_as_signed, must_answer_properly, must_hold, must_refuse, must_reject_with_any
from fixtures.matchers import Answer, answer_of
from fixtures.requests import FormRequest
from fixtures.requirement import must_offer, requirement
from fixtures.ripening import waits
from fixtures.s2s_card_payment import Payment
from fixtures.s2s_card_payments import Payments
from fixtures.s2s_card_words import told_result, told_status
from fixtures.verdicts import inconclusive

PaymentsOf = Callable[[str], Payments]

TABLE = load_transitions()
ROWS = tuple(row for row in TABLE.of(Protocol.S2S_CARD) if TABLE.triggers[row.trigger].requests)

CHECKED_BELOW = {"S2C-CAP-02", "S2C-CAP-03", "S2C-VOI-02", "S2C-VOI-03"}
"""What follows from an accepted request; by the contract or by the platform, so that each has a check of its own."""
ELSEWHERE = ("the acquirer refuses it",)
"""Conditions of rows that have a check of their own."""
MAY_FAIL_OTHERWISE = {
    "S2C-CVD-05": ("ACCEPTED", "DECLINED"),
    "S2C-CVD-07": ("ACCEPTED", "DECLINED"),
    "S2C-VOI-10": ("DECLINED",),
}
"""Results with which a request may fail that is not refused: it is declined, or accepted first and has no effect."""
LATER_DAY = "on a later financial day"
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
    owner = payments_of(ACCOUNTS[condition]) if condition in ACCOUNTS else payments
    payment = owner.fresh(STATES.get(condition, row.state))
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
    late = [waits(SECONDS_TO_ANOTHER_DAY)] if row.condition == LATER_DAY else []
    return [requirement(*claimed), *late]


@each(Outcome.ACCEPTED)
def test_request_is_carried_out(row: Transition, payments: Payments, payments_of: PaymentsOf) -> None:
    owner, payment = brought_about(row, payments, payments_of)
    owner.status(payment)

    reply = owner.merchant.post(requested(row, owner, payment))

    must_accept_as_signed(reply)
    must_hold(told_result(reply) != "DECLINED", "a request that is carried out", reply, "It is declined.")
    if row.basis is Basis.PLATFORM and row.next:
        must_be_told_as(owner, payment, TABLE.states[row.next].status or "")


def must_be_told_as(payments: Payments, payment: Payment, word: str) -> None:
    """Look-ups tell the payment with the status."""
    told = payments.becomes(payment, word)
    must_hold(told == word, f"a payment that is {word}", payments.look_up(payment), f"It is told as {told}.")


@each(Outcome.REFUSED)
def test_request_is_refused_and_changes_nothing(
    row: Transition, payments: Payments, payments_of: PaymentsOf, clock: Clock
) -> None:
    if row.condition == LATER_DAY and clock.waits:
        inconclusive("days would have to pass", decides="a target whose clock can be moved: clock in [run]")
    owner, payment = brought_about(row, payments, payments_of)
    before = owner.status(payment)
    if row.condition == LATER_DAY:
        clock.elapse(SECONDS_TO_ANOTHER_DAY)

    reply = owner.merchant.post(requested(row, owner, payment))

    if told_result(reply) in MAY_FAIL_OTHERWISE.get(row.requirements[0], ()):
        after = owner.leaves(payment, before)
    else:
        must_be_refused(row, reply)
        after = owner.status(payment)
    must_hold(after == before, f"a payment that is still {before}", owner.look_up(payment), f"It is told as {after}.")


def must_be_refused(row: Transition, reply: Reply) -> None:
    if row.errors:
        must_reject_with_any(reply, tuple(load_errors()[name] for name in row.errors), naming="trans_id")
    else:
        must_refuse(reply)


@requirement("S2C-VOI-06")
def test_authorization_is_voided_or_not(payments: Payments) -> None:
    payment = payments.fresh("authorized")

    reply = payments.merchant.post(payment.void())

    must_answer_properly(reply, "S2C-VOI-06", accepted="voided", refused="refused")
    told = payments.status(payment) if answer_of(reply) is Answer.REFUSED else payments.leaves(payment, "PENDING")
    still = told == "PENDING"
    must_hold(
        still == (answer_of(reply) is Answer.REFUSED or told_result(reply) == "DECLINED"),
        "an authorization that is given up when its void is accepted, and held when it is refused",
        payments.look_up(payment),
        f"It is told as {told}.",
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
def test_changed_payment_is_no_longer_told_as_it_was(name: str, payments: Payments) -> None:
    state, before, request, _ = CHANGES[name]
    payment = payments.fresh(state)
    told = payments.status(payment)
    must_hold(told == before, f"a payment that is {before}", payments.look_up(payment), f"It is told as {told}.")
    payments.carry_out(request(payment))

    told = payments.leaves(payment, before)

    must_hold(told != before, f"a payment that is no longer {before}", payments.look_up(payment), "It still is.")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("capture", marks=requirement("S2C-CAP-03")),
        pytest.param("void", marks=requirement("S2C-VOI-03")),
    ],
)
def test_changed_payment_is_told_with_the_word_of_its_state(name: str, payments: Payments) -> None:
    state, _, request, after = CHANGES[name]
    payment = payments.fresh(state)

    reply = payments.carry_out(request(payment))

    must_hold(
        (told_result(reply), told_status(reply)) == ("SUCCESS", after),
        f"result SUCCESS and status {after}",
        reply,
        "They are others.",
    )
    must_be_told_as(payments, payment, after)
