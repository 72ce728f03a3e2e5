"""What may happen to a payment: every row of ``contract/transitions.toml`` that a request of S2S APM brings about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace

import pytest

from contract.catalogue import load_catalogue
from contract.errors import CAPTURE_NOT_PENDING, PAYMENT_NOT_FOUND, TRANSACTION_DOES_NOT_EXIST, error_pair
from contract.model import Protocol
from contract.transitions import Outcome, Transition, load_transitions
from fixtures.cases.currencies import format_amount
from fixtures.deferred import waits
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of, deviations_from
from fixtures.judging.must import must, must_be_amount, must_refuse, must_reject, must_reject_with_any
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.protocols.at_once import ENDS, must_not_end_later
from fixtures.protocols.barred import must_not_be_done_now
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.must import must_name_payment, must_state
from fixtures.protocols.payments import STILL_PENDING, Triggered, dropped_if_changed
from fixtures.protocols.s2s_apm.callbacks import must_have_been_carried_out, must_not_have_succeeded
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import (
    FAILED,
    must_be_carried_out,
    must_have_status,
    must_not_have_status,
)
from fixtures.protocols.s2s_apm.parts import CAPTURE, must_take_amounts, where_amounts_are_taken, without_the_rest
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.protocols.words import TAKEN_ON, result_in, status_in
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.clock import Clock
from fixtures.wire.exchange import Reply
from fixtures.wire.hostile import amount_in

TABLE = load_transitions()
ROWS = [row for row in TABLE.of(Protocol.S2S_APM) if TABLE.triggers[row.trigger].requests]
DMS = ("capability:dms",)
LATER = "on a later financial day"
REACHED_BY = {"captured": ("APM-CAP-01",), "released": ("APM-CVD-01",), "refunded": ("APM-CVD-06",)}
"""What leads to a state that older releases do not have."""
A_DAY_AND_MORE = 25 * 3600.0


def is_done(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    del payments
    must_be_carried_out(triggered.reply)


def is_captured(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    must_be_carried_out(triggered.reply)
    must_not_have_status(payments, triggered.payment, "PENDING", asked=triggered.reply)


def is_settled_by_it(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    must_be_carried_out(triggered.reply)
    must_have_status(payments, triggered.payment, "SETTLED", asked=triggered.reply)


def is_released(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    must_be_carried_out(triggered.reply)
    must_not_have_status(payments, triggered.payment, "PENDING")


def has_status(word: str) -> Callable[[Triggered[ApmPayment], ApmPayments], None]:
    def judge(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
        must_be_carried_out(triggered.reply)
        must_have_status(payments, triggered.payment, word)

    return judge


def is_neither_pending_nor_settled(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    must_be_carried_out(triggered.reply)
    must_not_have_status(payments, triggered.payment, "PENDING", "SETTLED")


def is_not_settled_any_more(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    must_be_carried_out(triggered.reply)
    must_not_have_status(payments, triggered.payment, "SETTLED", asked=triggered.reply)


def says_captured(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    if status_in(triggered.reply) not in ENDS:
        # Whether a payment ends with the answer to its capture shows right after it only.
        payment = payments.fresh("authorized")
        reply = payments.merchant.post(operation("CAPTURE", payment.trans_id))
        must_not_end_later(reply, "SETTLED", lambda: payments.look_up(payment), payments.polling)
    must_state(triggered.reply, result="SUCCESS", status="SETTLED", order_id=triggered.payment.order_id)
    must_name_payment(triggered.reply, triggered.payment.trans_id, triggered.payment.answer, payments.look_up_by)


def says_voided(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    must_state(triggered.reply, result="SUCCESS", status="VOID")
    if "order_id" in triggered.reply.object:
        must_state(triggered.reply, order_id=triggered.payment.order_id)
    if "trans_id" in triggered.reply.object:
        must_name_payment(triggered.reply, triggered.payment.trans_id, triggered.payment.answer, payments.look_up_by)
    must_have_status(payments, triggered.payment, "VOID")


def captured_that_part(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    with where_amounts_are_taken(payments, "CAPTURE"):
        must_be_carried_out(triggered.reply)
        must_have_status(payments, triggered.payment, "SETTLED", asked=triggered.reply)
        if triggered.reply.object.get("amount") is not None:
            must_be_amount(triggered.reply, "amount", payments.amount_for("a part of the amount") or "")


def gave_that_part_back(triggered: Triggered[ApmPayment], payments: ApmPayments) -> None:
    with where_amounts_are_taken(payments, "CREDITVOID"):
        must_be_carried_out(triggered.reply)
        must_have_status(payments, triggered.payment, "SETTLED")


ACCEPTED: Mapping[str, Callable[[Triggered[ApmPayment], ApmPayments], None]] = {
    "APM-CAP-01": is_captured,
    "APM-CAP-02": is_settled_by_it,
    "APM-CAP-03": says_captured,
    "APM-CAP-11": captured_that_part,
    "APM-CVD-01": is_released,
    "APM-CVD-02": is_neither_pending_nor_settled,
    "APM-CVD-03": has_status("REVERSAL"),
    "APM-CVD-06": has_status("REFUND"),
    "APM-CVD-07": gave_that_part_back,
    "APM-VOI-01": is_done,
    "APM-VOI-02": is_not_settled_any_more,
    "APM-VOI-03": says_voided,
    "APM-VOI-06": is_done,
}
"""What follows from an accepted trigger, by the requirement that says so."""

CHECKED_ELSEWHERE = ("APM-VOI-05",)
"""What a refusal leaves possible: a check of its own below."""


def each(outcome: Outcome, *, absent: bool = False) -> pytest.MarkDecorator:
    chosen = [
        pytest.param(row, claimed, id=f"{row.id}-{claimed}".replace(" ", "-"), marks=requirement(claimed))
        for row in ROWS
        if row.outcome is outcome and (row.state == "absent") is absent
        for claimed in row.requirements
        if claimed not in CHECKED_ELSEWHERE
    ]
    return pytest.mark.parametrize(("row", "claimed"), chosen)


def must_be_reachable(row: Transition, run: Run) -> None:
    """End the check unless the target's release has the state that a row begins with, and all that the row needs."""
    must_offer(run.profile, row.needs, "s2s_apm")
    names = REACHED_BY.get(row.state, ())
    must_concern([load_catalogue()[name] for name in names], run.profile, run.release)


@each(Outcome.ACCEPTED)
def test_trigger_leads_to_the_next_state(row: Transition, claimed: str, run: Run) -> None:
    must_be_reachable(row, run)
    payments = run.apm.payments

    ACCEPTED[claimed](payments.after(row), payments)


@each(Outcome.REFUSED)
def test_trigger_is_refused_and_changes_nothing(row: Transition, claimed: str, run: Run) -> None:
    del claimed
    must_be_reachable(row, run)
    payments = run.apm.payments
    payment = payments.shared(row.state)

    reply = payments.trigger(row, payment)

    payments.drop_unless_refused(payment, reply)
    is_of_amounts = row.trigger == "credit_void" and payments.amount_for(row.condition) is not None
    with where_amounts_are_taken(payments, "CREDITVOID") if is_of_amounts else nullcontext():
        if row.errors:
            must_reject_with_any(reply, tuple(map(error_pair, row.errors)), field="")
        else:
            must_fail(reply, row, payment, run)
        with dropped_if_changed(lambda: payments.drop(payment)):
            # What may leave its state by itself may rightly be changed a moment later.
            if answer_of(reply) is Answer.REFUSED and payment.ends_at is None:
                must_not_be_done_now(payments.trigger(row, payment), reply)
            must_have_status(payments, payment, payment.status)


def must_fail(reply: Reply, row: Transition, payment: ApmPayment, run: Run) -> None:
    """Refused with an error, declined, or taken on and declined later."""
    result = result_in(reply)
    if answer_of(reply) is not Answer.ACCEPTED:
        must_refuse(reply)
    elif result in TAKEN_ON:
        action = TABLE.triggers[row.trigger].requests[row.protocol]
        must_not_have_succeeded(payment, action, reply, run)
    elif result != "DECLINED":
        authorized, stated = amount_in(payment.request.get("order_amount")), amount_in(reply.object.get("amount"))
        if row.trigger == "capture" and (stated is None or (authorized is not None and stated <= authorized)):
            must_take_amounts(run.apm.payments, "CAPTURE")
        must(Finding("the request is refused or declined", reply.summary, "It was carried out."), reply)


@each(Outcome.REFUSED, absent=True)
@pytest.mark.parametrize("signed", [True, False], ids=["signed", "unsigned"])
def test_trigger_on_an_unknown_payment_is_refused(row: Transition, claimed: str, signed: bool, run: Run) -> None:
    run.apm.baselines("sale")
    absent = run.apm.payments.fresh("absent")
    request = run.apm.merchant.sign(operation(TABLE.triggers[row.trigger].requests[row.protocol], absent.trans_id))

    reply = run.apm.merchant.send(request if signed else request.with_("hash", NO_HASH))

    must_refuse(reply)
    if signed:
        note_pair(claimed, reply)


def note_pair(claimed: str, reply: Reply) -> None:
    pairs = {"transaction": TRANSACTION_DOES_NOT_EXIST, "payment": PAYMENT_NOT_FOUND}
    found = [reading for reading, pair in pairs.items() if not deviations_from(reply, pair)]
    note_reading(claimed, found[0] if found else "other")


def part_taken(state: str, action: str, run: Run) -> ApmPayment:
    """Return a payment of which a part was captured or given back; its status must then be settled."""
    payments = run.apm.payments
    payment = payments.fresh(state)
    reply = payments.merchant.post(operation(action, payment.trans_id, payments.amount_for("a part of the amount")))
    if answer_of(reply) is not Answer.ACCEPTED or result_in(reply) in FAILED:
        must_take_amounts(payments, action)
        inconclusive(f"{action} of a part is refused: {reply.summary}", decides=f"a target that takes {action}")
    if action == "CREDITVOID" and result_in(reply) in TAKEN_ON:
        must_have_been_carried_out(payment, action, reply, run)
    # A replica that lags may show it settled for a while after all of it was given back.
    found = without_the_rest(payments, payment) if action == CAPTURE else payments.look_up_late(payment)
    if status_in(found) != "SETTLED":
        must_take_amounts(payments, action)
        decides = (
            STILL_PENDING if action == CAPTURE else "a target that settles a payment of which a part is given back"
        )
        inconclusive(f"{action} of a part leads to no settled payment: {found.summary}", decides=decides)
    return replace(payment, status="SETTLED")


@requirement("APM-CAP-04")
def test_capture_after_a_part_was_captured_is_refused(s2s_apm: S2SApmMerchant, run: Run) -> None:
    payments = run.apm.payments
    payment = part_taken("authorized", "CAPTURE", run)

    must_reject(s2s_apm.post(operation("CAPTURE", payment.trans_id)), CAPTURE_NOT_PENDING)
    must_have_status(payments, payment, "SETTLED")


@requirement("APM-CAP-04")
def test_rest_is_not_captured_after_a_part_was(s2s_apm: S2SApmMerchant, run: Run) -> None:
    payments, amounts = run.apm.payments, run.profile.test_data.amounts
    payment = part_taken("authorized", "CAPTURE", run)
    rest = format_amount(amounts.usual - amounts.part, 2)

    # Nothing is left of the amount either, and the contract does not say which of the two is named.
    must_refuse(s2s_apm.post(operation("CAPTURE", payment.trans_id, rest)))
    must_have_status(payments, payment, "SETTLED")


@requirement("APM-VOI-06")
def test_payment_of_which_a_part_was_captured_is_voided(s2s_apm: S2SApmMerchant, run: Run) -> None:
    must_offer(run.profile, DMS, "s2s_apm")
    payments = run.apm.payments
    payment = part_taken("authorized", "CAPTURE", run)

    must_be_carried_out(s2s_apm.post(operation("VOID", payment.trans_id)))

    must_not_have_status(payments, payment, "SETTLED")


@requirement("APM-CVD-06")
def test_payment_that_was_given_back_in_parts_is_given_back(s2s_apm: S2SApmMerchant, run: Run) -> None:
    payments = run.apm.payments
    payment = part_taken("settled", "CREDITVOID", run)
    amounts = payments.requests.profile.test_data.amounts

    rest = format_amount(amounts.usual - amounts.part, 2)
    must_be_carried_out(s2s_apm.post(operation("CREDITVOID", payment.trans_id, rest)))

    must_have_status(payments, payment, "REFUND")


@requirement("APM-CVD-08")
def test_no_more_can_be_given_back_than_is_left(run: Run) -> None:
    payment = part_taken("settled", "CREDITVOID", run)

    with where_amounts_are_taken(run.apm.payments, "CREDITVOID"):
        must_not_give_back_all(payment, run)


@requirement("APM-CVD-08")
@pytest.mark.holds
@pytest.mark.parametrize("is_captured_again", [False, True], ids=["captured", "capture-of-the-rest-refused"])
def test_no_more_can_be_given_back_than_was_captured(is_captured_again: bool, run: Run) -> None:
    must_offer(run.profile, DMS, "s2s_apm")
    payment = part_taken("authorized", "CAPTURE", run)
    again = operation("CAPTURE", payment.trans_id)
    if is_captured_again and answer_of(run.apm.merchant.post(again)) is not Answer.REFUSED:
        not_applicable("a second CAPTURE of the payment is not refused, so that it may have captured the rest")

    with where_amounts_are_taken(run.apm.payments, "CAPTURE", "CREDITVOID"):
        must_not_give_back_all(payment, run)


def must_not_give_back_all(payment: ApmPayment, run: Run) -> None:
    row = next(row for row in ROWS if "APM-CVD-08" in row.requirements)
    whole = payment.request.get("order_amount")

    must_fail(run.apm.merchant.post(operation("CREDITVOID", payment.trans_id, whole)), row, payment, run)
    must_have_status(run.apm.payments, payment, "SETTLED")


@requirement("APM-CVD-04")
def test_creditvoid_is_accepted_without_a_status(payments: ApmPayments) -> None:
    triggered = payments.after(next(row for row in ROWS if "APM-CVD-01" in row.requirements))
    reply = triggered.reply

    must_state(reply, action="CREDITVOID", result="ACCEPTED", order_id=triggered.payment.order_id)
    must_name_payment(reply, triggered.payment.trans_id, triggered.payment.answer, payments.look_up_by)
    if "status" in reply.object:
        must(Finding("no status in the answer", reply.summary, "The outcome comes by callback."), reply)


@requirement("APM-VOI-05")
def test_authorization_can_be_captured_after_void_was_refused(payments: ApmPayments, s2s_apm: S2SApmMerchant) -> None:
    payments.shared("captured")
    payment = payments.fresh("authorized")
    s2s_apm.post(operation("VOID", payment.trans_id))

    must_have_status(payments, payment, "PENDING")
    must_be_carried_out(s2s_apm.post(operation("CAPTURE", payment.trans_id)))


@requirement("APM-VOI-12")
@waits(A_DAY_AND_MORE)
def test_payment_of_an_earlier_day_is_voided_or_stays(payments: ApmPayments, clock: Clock, run: Run) -> None:
    if clock.waits:
        inconclusive(
            "the next financial day is too far away to wait for",
            decides="the address at which the target's clock is moved, as clock in [run] of the profile",
        )
    row = next(row for row in ROWS if row.condition == LATER)
    payment = payments.fresh(row.state)
    clock.elapse(A_DAY_AND_MORE)

    reply = payments.trigger(row, payment)

    is_taken_on = answer_of(reply) is Answer.ACCEPTED and result_in(reply) in TAKEN_ON
    is_over = is_taken_on and status_in(payments.look_up_until(payment, "SETTLED", other_than=True)) != "SETTLED"
    if is_over or (answer_of(reply) is Answer.ACCEPTED and result_in(reply) == "SUCCESS"):
        must_not_have_status(payments, payment, "SETTLED")
        note_reading("APM-VOI-12", "any-day")
    else:
        must_fail(reply, row, payment, run)
        must_have_status(payments, payment, "SETTLED")
        note_reading("APM-VOI-12", "same-day")
