"""A payment that is refused for its form bars nothing: the session is paid by the right request afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

import pytest

from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.verdicts import Inconclusive, not_applicable
from fixtures.protocols.barred import must_not_be_barred
from fixtures.protocols.hosted_fields import HostedFields
from fixtures.protocols.hosted_fields_payments import must_serve
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply

WRONG: Mapping[str, Callable[[HostedFields, str], Reply]] = {
    "at the address of debits": lambda fields, token: fields.pay("debit", token),
    "at the address of purchases": lambda fields, token: fields.pay("purchase", token),
    "with a list for a name": lambda fields, token: fields.pay("purchase", token, fields.body(name=["x"])),
}
"""Payments of a session that are refused for one thing."""


@requirement("HPF-PAY-23")
@pytest.mark.parametrize(
    ("operation", "wrong"),
    [
        ("purchase", "at the address of debits"),
        ("purchase", "with a list for a name"),
        ("debit", "at the address of purchases"),
    ],
)
def test_session_is_paid_after_a_payment_that_was_refused_for_its_form(
    operation: str, wrong: str, fields: HostedFields
) -> None:
    must_serve(fields, operation)
    card = fields.payments.card("success")
    fields.proven()
    token = fields.token(fields.request(operation))
    fields.send_card(token, card)
    refused = WRONG[wrong](fields, token)
    if answer_of(refused) is not Answer.REFUSED:
        not_applicable(f"the target does not refuse it; whether it may is for other checks to say: {refused.summary}")

    reply = fields.pay(operation, token)

    if answer_of(reply) is Answer.REFUSED:
        # No line says that a card which was typed is kept when a payment is refused.
        with suppress(Inconclusive):
            fields.send_card(token, card)
        reply = fields.pay(operation, token)
    must_not_be_barred(reply, refused, lambda: fields.paid("success", operation).reply)
