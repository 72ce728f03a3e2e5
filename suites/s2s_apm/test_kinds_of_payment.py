"""CAPTURE, VOID and CREDITVOID of S2S APM payments of every kind: what holds of a plain SALE holds of each."""

from __future__ import annotations

import pytest

from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_refuse
from fixtures.protocols.s2s_apm.callbacks import must_not_have_succeeded
from fixtures.protocols.s2s_apm.kinds import (
    HELD,
    PAID,
    given_back_but_for_a_unit,
    in_its_currency,
    must_be_served,
    of_kind,
    part_given_back,
)
from fixtures.protocols.s2s_apm.must import (
    must_be_carried_out,
    must_have_status,
    must_not_have_status,
)
from fixtures.protocols.s2s_apm.parts import where_amounts_are_taken
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.protocols.words import TAKEN_ON, result_in
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply


def must_come_to_nothing(reply: Reply, action: str, payment: ApmPayment, run: Run) -> None:
    """Refused with an error, declined, or taken on and declined later."""
    if answer_of(reply) is not Answer.ACCEPTED:
        must_refuse(reply)
    elif result_in(reply) in TAKEN_ON:
        must_not_have_succeeded(payment, action, reply, run)
    elif result_in(reply) != "DECLINED":
        must(Finding("the request is refused or declined", reply.summary, "It was carried out."), reply)


@requirement("APM-CVD-07")
@pytest.mark.parametrize("kind", PAID)
def test_part_of_a_payment_of_any_kind_is_given_back(kind: str, run: Run) -> None:
    triggered = part_given_back(kind, run.apm.payments)

    with where_amounts_are_taken(run.apm.payments, "CREDITVOID"):
        must_be_carried_out(triggered.reply)


@requirement("APM-CVD-08")
@pytest.mark.parametrize("kind", ["settled", *PAID])
def test_third_part_of_a_payment_of_any_kind_is_no_more_than_is_left(kind: str, run: Run) -> None:
    payments = run.apm.payments
    payment = given_back_but_for_a_unit(kind, payments)

    with where_amounts_are_taken(payments, "CREDITVOID"):
        reply = payments.merchant.post(operation("CREDITVOID", payment.trans_id, in_its_currency(payment, 2)))

        must_come_to_nothing(reply, "CREDITVOID", payment, run)
        must_have_status(payments, payment, "SETTLED")


@requirement("APM-VOI-02")
@pytest.mark.parametrize("kind", PAID)
def test_payment_of_any_kind_is_voided(kind: str, run: Run) -> None:
    payments = run.apm.payments
    payment = of_kind(kind, payments)

    reply = payments.merchant.post(operation("VOID", payment.trans_id))

    must_be_served(reply)
    must_be_carried_out(reply)
    must_not_have_status(payments, payment, "SETTLED", asked=reply)


@requirement("APM-CAP-11")
@pytest.mark.parametrize("kind", HELD)
def test_part_of_an_authorization_of_any_kind_is_captured(kind: str, run: Run) -> None:
    payments = run.apm.payments
    payment = of_kind(kind, payments)
    part = in_its_currency(payment, run.profile.test_data.amounts.part)

    with where_amounts_are_taken(payments, "CAPTURE"):
        reply = payments.merchant.post(operation("CAPTURE", payment.trans_id, part))

        must_be_carried_out(reply)
        must_have_status(payments, payment, "SETTLED", asked=reply)


@requirement("APM-CAP-12")
@pytest.mark.parametrize("kind", HELD)
def test_no_more_than_is_held_is_captured_of_any_kind(kind: str, run: Run) -> None:
    payments = run.apm.payments
    payment = of_kind(kind, payments)
    too_much = in_its_currency(payment, run.profile.test_data.amounts.usual + 1)

    with where_amounts_are_taken(payments, "CAPTURE"):
        reply = payments.merchant.post(operation("CAPTURE", payment.trans_id, too_much))

        must_come_to_nothing(reply, "CAPTURE", payment, run)
        must_have_status(payments, payment, "PENDING")
