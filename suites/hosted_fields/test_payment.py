"""Payments with hosted fields: what is sent, what is answered, what becomes of them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from contract.errors import REQUEST_DATA_INVALID
from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_be, must_have
from fixtures.cases.near import NEAR
from fixtures.judging.claims import speaks_of
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import (
    must_be_a_client_error,
    must_be_one_of,
    must_be_same,
    must_carry,
    must_hold,
    must_refuse,
)
from fixtures.judging.silent_contract import what_decides
from fixtures.judging.verdicts import Absence, Inconclusive, inconclusive, not_applicable, note_reading
from fixtures.payer import HttpPayer
from fixtures.payer.challenges import can_be_failed
from fixtures.protocols.callbacks import must_have_what_is_signed
from fixtures.protocols.checkout.callbacks import outcome_of
from fixtures.protocols.checkout.must import must_be_declined_after_a_challenge
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.hosted_fields import FieldsPayment, HostedFields, must_not_succeed
from fixtures.protocols.hosted_fields_payments import after_challenge, challenged, must_be_made, sent_on
from fixtures.protocols.modes import must_not_be_explained_by_mode, statuses_when_paid
from fixtures.protocols.processing import leaves_open, payment_id_in, result_in
from fixtures.protocols.signatories import signatory_as
from fixtures.requirement import must_offer, requirement
from fixtures.signing.messages import due_for
from fixtures.signing.signatory import Records
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest

RESULTS = ("success", "decline", "redirect", "waiting", "undefined")
PARAMETERS = ("payment_id", "trans_id", "order_id", "hash")
ORDER = ("number", "amount", "currency", "description")


@requirement("HPF-PAY-01")
def test_session_of_a_purchase_is_paid(fields: HostedFields) -> None:
    must_be_made(fields, fields.kept("success"))


@requirement("HPF-PAY-08")
def test_session_is_named_in_the_header_token(fields: HostedFields) -> None:
    if member := fields.dialect.processing_token_member:
        not_applicable(f'the profile says that a member names it: processing_token_member = "{member}" in [dialect]')
    must_be_made(fields, fields.kept("success"))


@requirement("HPF-PAY-02", "HPF-PAY-06")
def test_session_of_a_debit_is_paid_with_the_body_of_a_purchase(fields: HostedFields) -> None:
    fields.proven()

    must_be_made(fields, fields.paid("success", "debit"))


@requirement("HPF-PAY-03")
def test_debit_pays_nothing_through_hosted_fields(fields: HostedFields) -> None:
    fields.proven()
    reply = fields.ask(fields.request("debit"))
    if answer_of(reply) is Answer.REFUSED:
        return
    token = fields.token_in(reply)
    fields.send_card(token, fields.payments.card("success"))

    must_not_succeed(fields, fields.pay("debit", token))


@requirement("HPF-PAY-04")
def test_session_of_a_debit_is_refused_as_a_purchase(fields: HostedFields) -> None:
    fields.proven()
    must_refuse(paid_with_card_sent_for(fields, "debit", pay_as="purchase"))


@requirement("HPF-PAY-05")
def test_session_of_a_purchase_is_refused_as_a_debit(fields: HostedFields) -> None:
    fields.proven()
    must_refuse(paid_with_card_sent_for(fields, "purchase", pay_as="debit"))


@pytest.mark.parametrize(
    ("operation", "other"),
    [
        pytest.param("debit", "purchase", marks=requirement("HPF-PAY-04")),
        pytest.param("purchase", "debit", marks=requirement("HPF-PAY-05")),
    ],
)
def test_declined_session_is_not_paid_as_the_other_operation(operation: str, other: str, fields: HostedFields) -> None:
    must_offer(fields.profile, ("test_data:cards.decline",))
    fields.proven()
    token = fields.paid("decline", operation).token
    # A target may refuse the card once the session has failed, which is as good.
    with suppress(Inconclusive):
        fields.send_card(token, fields.payments.card("success"))

    must_not_succeed(fields, fields.pay(other, token))


@requirement("CBK-ATT-21")
def test_callback_of_a_debit_carries_a_card_token(fields: HostedFields, callbacks: CallbackWatch) -> None:
    must_offer(fields.profile, ("capability:hosted_fields", "capability:debit"), "checkout")
    fields.proven()
    payment = fields.as_payment(fields.paid("success", "debit"))

    must_have(outcome_of(payment, callbacks), ("card_token",))


@requirement("HPF-CIP-01")
def test_customer_ip_comes_back_after_a_challenge(
    fields: HostedFields, callbacks: CallbackWatch, payer: HttpPayer, paid: CheckoutPayments
) -> None:
    must_offer(fields.profile, ("capability:three_ds", "test_data:cards.three_ds_success"), "checkout")
    fields.proven()
    address = fields.profile.test_data.payer.ip
    customer = {**fields.request().get("customer"), "ip": address}
    opened = fields.paid("three_ds_success", customer=customer)
    if opened.result != "redirect":
        inconclusive(f"the payment needs no challenge: {opened.reply.summary}", decides="a card that needs one")
    after_challenge(fields, payer, sent_on(payer, opened), passes=True)
    payment = paid.confirmed(fields.as_payment(opened), "SETTLED")

    must_be(outcome_of(payment, callbacks, having=("customer_ip",)), "customer_ip", address)


@requirement("HPF-PAY-07")
def test_payment_needs_no_card_in_its_body(fields: HostedFields) -> None:
    must_be_made(fields, fields.kept("success"))
    note_reading("HPF-PAY-07", "with-the-payment" if fields.has_card_in_payment else "before-the-payment")


@requirement("HPF-PAY-07")
def test_card_in_the_body_does_not_replace_the_fields(fields: HostedFields) -> None:
    fields.proven()
    card = fields.payments.card("success")
    number, code = card.number.reveal(), card.security_code.reveal()
    places = fields.dialect.processing_card
    if places is not None and places.number == "card_number":
        body = fields.body(card={"number": number, "expiry": card.expiry, "security_code": code})
    else:
        body = fields.body(card_number=number, expiry=card.expiry, security_code=code)

    must_not_succeed(fields, fields.pay("purchase", fields.token(fields.request()), body))


@requirement("HPF-PAY-09")
def test_payment_without_token_is_refused(fields: HostedFields) -> None:
    fields.proven()

    must_be_a_client_error(fields.pay("purchase", None, card=fields.payments.card("success")))


@requirement("HPF-PAY-10")
def test_payment_with_a_token_that_was_never_issued_is_refused(fields: HostedFields) -> None:
    fields.proven()

    must_be_a_client_error(fields.pay("purchase", "bmV2ZXIgaXNzdWVk", card=fields.payments.card("success")))


@requirement("HPF-PAY-10")
@pytest.mark.parametrize("near", NEAR)
def test_payment_with_a_token_that_is_only_alike_is_refused(near: str, fields: HostedFields) -> None:
    fields.proven()
    token, card = fields.token(fields.request()), fields.payments.card("success")
    fields.send_card(token, card)

    must_not_succeed(fields, fields.pay("purchase", NEAR[near](token), card=card))


@requirement("HPF-PAY-12")
def test_payment_before_the_card_was_sent_does_not_succeed(fields: HostedFields) -> None:
    fields.proven()

    must_not_succeed(fields, fields.pay("purchase", fields.token(fields.request())))


@requirement("HPF-PAY-13")
@pytest.mark.parametrize("outcome", ["success", "decline"])
def test_result_is_one_of_the_words(fields: HostedFields, outcome: str) -> None:
    reply = answered(fields.kept(outcome))

    must_carry(reply, "result")
    must_be_one_of(reply, "result", result_in(reply), RESULTS)


@requirement("HPF-PAY-14")
def test_public_id_finds_the_payment(fields: HostedFields, paid: CheckoutPayments) -> None:
    payment = fields.kept("success")
    reply = answered(payment)
    must_carry(reply, "public_id")
    found = paid.look_up(fields.as_payment(payment))

    if formula := what_decides(found):
        inconclusive(f"the target finds the signature of a look-up wrong: {found.summary}", decides=formula)
    must_hold(
        answer_of(found) is Answer.ACCEPTED, "the payment, looked up by its public_id", found, "It finds no payment."
    )


@requirement("HPF-PAY-15")
def test_decline_is_answered_with_200_and_a_message(fields: HostedFields) -> None:
    fields.proven()
    reply = with_outcome(fields.kept("decline"))

    must_be_same(reply, "HTTP status", reply.status, 200)
    must_carry(reply, "result")
    must_be_same(reply, "result", result_in(reply), "decline")
    must_carry(reply, "decline_message")


@requirement("HPF-PAY-16")
def test_card_that_needs_3ds_is_answered_with_a_redirect(fields: HostedFields) -> None:
    fields.proven()
    reply = fields.kept("three_ds_success").reply

    must_carry(reply, "result")
    must_be_same(reply, "result", result_in(reply), "redirect")
    must_carry(reply, "redirect_url")


@requirement("HPF-PAY-17")
@pytest.mark.parametrize("name", PARAMETERS)
def test_success_carries_the_return_parameter(fields: HostedFields, name: str) -> None:
    reply = with_outcome(fields.proven())
    carried = reply.object.get("return_url_query_params")
    if not isinstance(carried, dict) or not carried.get(name):
        raise Absence(Finding(f"{name} in return_url_query_params", reply.summary, "It is not there."), reply)


def returned(payment: FieldsPayment) -> dict[str, Any]:
    """Return the return parameters of an answer, as far as it has them; whether each is there other checks say."""
    found = payment.reply.object.get("return_url_query_params")
    return {name: found[name] for name in PARAMETERS if found.get(name)} if isinstance(found, dict) else {}


RETURNED = {"payment_id": "CHK-STA-21", "order_id": "CHK-URL-04"}
"""What says whose a return parameter is."""


@requirement(*RETURNED.values())
def test_return_parameters_of_a_success_fit_the_payment(fields: HostedFields) -> None:
    must_offer(fields.profile, ("capability:hosted_fields",))
    payment = fields.proven()
    received = returned(payment)
    right = {"payment_id": payment_id_in(payment.reply), "order_id": payment.request.get("order.number")}

    wrong = [name for name, value in right.items() if value and name in received and received[name] != value]
    with speaks_of(*(RETURNED[name] for name in wrong)):
        must_hold(not wrong, "return parameters of this payment", payment.reply, f"{', '.join(wrong)} is not of it.")


@requirement("CHK-URL-07")
def test_hash_of_the_return_parameters_of_a_success_fits(fields: HostedFields) -> None:
    must_offer(fields.profile, ("capability:hosted_fields",))
    payment = fields.proven()
    received = returned(payment)
    identity = fields.payments.merchant.identity
    order = {name: str(payment.request.get(f"order.{name}")) for name in ORDER}
    records = Records(**{f"order_{name}": order[name] for name in ("amount", "currency", "description")})
    parameters = {name: str(value) for name, value in received.items()} | {"order_id": order["number"]}
    due = due_for("checkout", "return", parameters, signatory_as(identity, "checkout", sha256_is_read="inner"), records)
    if "hash" in received and not any(recipe.gives(received["hash"]) for recipe in due.readings.values()):
        must_have_what_is_signed(due, payment.reply.summary)
        must_hold([], "return parameters with the hash of this payment", payment.reply, "hash is not of it.")


@requirement("HPF-PAY-18")
def test_success_has_status_settled(fields: HostedFields, paid: CheckoutPayments) -> None:
    payment = fields.as_payment(fields.proven())

    must_be_paid(paid, payment)


def must_be_paid(paid: CheckoutPayments, payment: CheckoutPayment) -> None:
    """A payment that succeeded is SETTLED, or PENDING of an account that only holds."""
    identity = payment.merchant.identity
    made = statuses_when_paid(identity)
    status = paid.becomes(payment, *made)
    if status not in made:
        must_not_be_explained_by_mode(identity, wanted="SETTLED", status=status)
        must_be_same(paid.look_up(payment), "status", status, "SETTLED")


@pytest.mark.parametrize(
    "passes",
    [
        pytest.param(True, marks=requirement("HPF-PAY-21")),
        pytest.param(False, marks=requirement("HPF-PAY-22")),
    ],
    ids=["passed", "failed"],
)
def test_challenge_of_a_payment_decides_it(
    passes: bool, fields: HostedFields, paid: CheckoutPayments, payer: HttpPayer
) -> None:
    fields.proven()
    payment = challenged(fields, "three_ds_success")
    asked = sent_on(payer, payment)
    if not passes and not (asked.page and can_be_failed(asked.page, payer.selectors)):
        # Nothing is known to fail this challenge: the card decides.
        payment = challenged(fields, "three_ds_decline")
        asked = sent_on(payer, payment)
        fields.payments.paying().must_be_failable(asked)
    visit = after_challenge(fields, payer, asked, passes=passes)
    if passes:
        must_be_paid(paid, fields.as_payment(payment))
    else:
        must_be_declined_after_a_challenge(paid, fields.as_payment(payment))

    expected = "the payer back at the merchant"
    must_hold(not passes or visit.end is not None, expected, payment.reply, f"The payer ends at {visit.summary}.")


def paid_with_card_sent_for(fields: HostedFields, operation: str, *, pay_as: str) -> Reply:
    """Pay a session of an operation, with a card sent by the fields, at the endpoint of another one."""
    token = fields.token(fields.request(operation))
    fields.send_card(token, fields.payments.card("success"))
    return fields.pay(pay_as, token)


def answered(payment: FieldsPayment) -> Reply:
    """Return the answer to a payment that the target took, whatever became of it."""
    if answer_of(payment.reply) is not Answer.ACCEPTED:
        inconclusive(
            f"the target does not take the valid payment: {payment.reply.summary}",
            decides="a target that takes payments with hosted fields",
        )
    return payment.reply


def with_outcome(payment: FieldsPayment) -> Reply:
    """Return the answer to a payment that says what became of it; another decides nothing."""
    if leaves_open(payment.reply):
        inconclusive(
            f"the answer comes before the outcome of the payment: {payment.reply.summary}",
            decides="a target whose answer says what became of the payment",
        )
    return payment.reply


@requirement("CHK-RSP-04")
def test_payment_that_is_refused_as_invalid_data_is_refused_with_errors(fields: HostedFields) -> None:
    must_offer(fields.profile, ("capability:hosted_fields",))
    if fields.has_card_in_payment:
        not_applicable("the profile names the members of a payment in [dialect.processing_card], and no name")
    fields.proven()
    token = fields.token(fields.request())
    fields.send_card(token, fields.payments.card("success"))
    body, is_seen = fields.body(), False

    # Which members a payment must have is not shown (line 334): what is taken is taken, and says nothing.
    for odd in (body.without("name"), body.with_("name", ""), body.with_("name", ["x"]), JsonRequest({})):
        reply = fields.pay("purchase", token, odd)
        if answer_of(reply) is Answer.ACCEPTED:
            break
        if carries_message(reply, REQUEST_DATA_INVALID.message or ""):
            is_seen = True
            errors = reply.object.get("errors")
            must_hold(isinstance(errors, list) and errors, "errors, with what is invalid", reply, f"It is {errors!r}.")
    if not is_seen:
        not_applicable("no odd payment is refused as invalid data, and which members one must have is not shown")
