"""What CAPTURE, VOID and CREDITVOID do after something else was done: rows of ``contract/sequences.toml``."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from contract.errors import error_pair
from contract.model import Protocol
from contract.sequences import Answer as Decided
from contract.sequences import Sequence
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_refuse, must_reject_with_any
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.payments import dropped_if_changed
from fixtures.protocols.s2s_apm.callbacks import must_not_have_succeeded
from fixtures.protocols.s2s_apm.must import must_be_carried_out, must_have_status
from fixtures.protocols.s2s_apm.parts import where_amounts_are_taken
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.sequences import left_alone, names_amounts, request_of, taken_to
from fixtures.protocols.sequences import TABLE, each_of, must_serve
from fixtures.protocols.words import TAKEN_ON, result_in
from fixtures.run import Run
from fixtures.wire.exchange import Reply


def each(answer: Decided) -> pytest.MarkDecorator:
    rows = TABLE.tried(Protocol.S2S_APM, answer)
    return each_of(rows)


def account_for(row: Sequence, run: Run) -> ApmPayments:
    """Return the payments of the account that serves a row, or end the check."""
    must_serve(row, run.profile, run.release, "s2s_apm")
    run.apm_accounts.holds = row.first[0] == "authorization"
    return run.apm.payments


@each(Decided.ACCEPTED)
def test_action_after_others_is_carried_out(row: Sequence, run: Run) -> None:
    payments = account_for(row, run)
    payment = taken_to(row, payments)

    reply = payments.merchant.post(request_of(row.then, payment, payments))

    with where_amounts_are_taken(payments, *names_amounts(row)):
        must_be_carried_out(reply)
        must_have_status(payments, payment, row.status, asked=reply)


@each(Decided.REFUSED)
def test_action_after_others_is_refused_and_changes_nothing(row: Sequence, run: Run) -> None:
    payments = account_for(row, run)
    payment = left_alone(row, payments)
    if payment.status == "PENDING" and row.then.startswith("CAPTURE"):
        not_applicable("something of the payment is held, so that it may be captured (line 316)")

    reply = payments.merchant.post(request_of(row.then, payment, payments))

    payments.drop_unless_refused(payment, reply)
    amounts = names_amounts(row)
    with where_amounts_are_taken(payments, *amounts) if amounts else nullcontext():
        must_fail(row, payment, reply, run)
        with dropped_if_changed(lambda: payments.drop(payment)):
            must_have_status(payments, payment, payment.status)


def must_fail(row: Sequence, payment: ApmPayment, reply: Reply, run: Run) -> None:
    """Refused with an error, declined, or taken on and declined later."""
    action, result = row.then.split()[0], result_in(reply)
    if answer_of(reply) is not Answer.ACCEPTED:
        if row.errors:
            must_reject_with_any(reply, tuple(map(error_pair, row.errors)), field="")
        must_refuse(reply)
    elif result in TAKEN_ON:
        must_not_have_succeeded(payment, action, reply, run)
    elif result != "DECLINED":
        must(Finding("the request is refused or declined", reply.summary, "It was carried out."), reply)
