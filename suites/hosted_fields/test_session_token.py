"""The request for a session token, which opens a payment with hosted fields."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest

from contract.catalogue import load_catalogue
from contract.errors import HASH_NOT_VALID, IP_NOT_ALLOWED, REQUEST_DATA_INVALID
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must_accept,
    must_answer_properly,
    must_be_same,
    must_hold,
    must_refuse,
    must_reject,
    must_reject_hash,
    must_reject_with_one_of,
)
from fixtures.judging.verdicts import Inconclusive, inconclusive, note_reading
from fixtures.protocols.checkout.merchant import NO_HASH, CheckoutMerchant
from fixtures.protocols.hosted_fields import HostedFields, must_not_succeed
from fixtures.protocols.processing import token_in, token_member
from fixtures.requirement import must_concern, requirement
from fixtures.run import Run
from fixtures.signing.deviations import (
    INNER_AS_BYTES,
    INNER_LEFT_OUT,
    NO_OUTER_DIGEST,
    NOT_UPPER_CASED,
    OUTER_MD5,
    PASSWORD_LEFT_OUT,
    WRONG_ORDER,
    Deviation,
    with_value,
    wrong_signature,
)
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest


@requirement("HPF-TKN-01")
def test_request_with_a_right_signature_is_answered(fields: HostedFields) -> None:
    must_accept(fields.ask(fields.request()))


@requirement("HPF-TKN-02")
def test_token_is_in_the_member_token(fields: HostedFields) -> None:
    reply = fields.ask(fields.request())
    if answer_of(reply) is not Answer.ACCEPTED:
        inconclusive(f"no session token is given: {reply.summary}", decides="a target that gives session tokens")

    member = fields.dialect.session_token_member or "token"
    elsewhere = token_member(reply)
    if not token_in(reply, member) and elsewhere and not fields.dialect.platform_members:
        inconclusive(
            f"the contract does not show the member of the session token, and the target has it in {elsewhere}",
            decides=f'session_token_member = "{elsewhere}" in [dialect] of the profile',
        )
    must_be_same(reply, f"the type of {member}", type(JsonRequest(reply.object).get(member)).__name__, "str")


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param("purchase", marks=requirement("HPF-TKN-03")),
        pytest.param("debit", marks=requirement("HPF-TKN-04")),
    ],
)
def test_token_is_given_for_the_operation(fields: HostedFields, operation: str) -> None:
    must_accept(fields.ask(fields.request(operation)))


@requirement("HPF-TKN-05")
@pytest.mark.parametrize("operation", ["credit", "transfer"])
def test_no_payment_is_made_for_the_operation(fields: HostedFields, operation: str) -> None:
    fields.token(fields.request())
    person = fields.profile.test_data.payer
    payee = {"name": f"{person.first_name} {person.last_name}", "email": person.email}

    reply = fields.ask(fields.request(operation, payee=payee))
    if answer_of(reply) is Answer.REFUSED:
        must_refuse(reply)
        note_reading("HPF-TKN-05", "at-token")
        return
    # A token may be given for any session; the address of a payment has to match the operation of its session.
    fields.proven()
    token = fields.token_in(reply)
    with suppress(Inconclusive):
        fields.send_card(token, fields.payments.card("success"))
    for other in ("purchase", "debit"):
        must_not_succeed(fields, fields.pay(other, token))
    note_reading("HPF-TKN-05", "at-payment")


@requirement("HPF-TKN-06")
def test_request_without_merchant_key_is_refused(fields: HostedFields) -> None:
    signed = fields.merchant.sign(fields.request())
    fields.token(fields.request())

    must_reject(
        fields.merchant.send_session(signed.without("merchant_key")), REQUEST_DATA_INVALID, field="merchant_key"
    )


@requirement("HPF-TKN-07")
def test_request_without_hash_is_refused(fields: HostedFields) -> None:
    signed = fields.merchant.sign(fields.request())
    fields.token(fields.request())
    reply = fields.merchant.send_session(signed.without("hash"))

    readings = {"invalid-data": REQUEST_DATA_INVALID, "hash-not-valid": HASH_NOT_VALID}
    must_reject_with_one_of(reply, "HPF-TKN-07", readings, field="hash")


@requirement("HPF-TKN-08")
@pytest.mark.parametrize("signature", [NO_HASH, "f" * 40], ids=["zeros", "fs"])
def test_request_with_a_wrong_signature_is_refused(
    fields: HostedFields, checkout: CheckoutMerchant, signature: str
) -> None:
    fields.token(fields.request())
    signed = fields.merchant.sign(fields.request()).with_("hash", signature)
    reply = fields.merchant.send_session(signed)

    # What sessions get wrong in the same way is reported there.
    must_reject(replace(reply, usual_refusal=checkout.usual_refusal), HASH_NOT_VALID, field="hash")


@requirement("HPF-TKN-08")
def test_request_for_a_debit_with_a_wrong_signature_is_refused(fields: HostedFields, run: Run) -> None:
    must_concern([load_catalogue()["HPF-TKN-04"]], run.profile, run.release)
    fields.token(fields.request("debit"))
    request = fields.request("debit")
    signature = wrong_signature(fields.merchant.session_recipe(request), with_value("order.number", "another"))

    must_refuse(fields.merchant.send_session(fields.merchant.sign(request).with_("hash", signature)))


@requirement("HPF-TKN-09")
def test_request_is_signed_as_a_session_request_is(fields: HostedFields) -> None:
    must_accept(fields.ask(fields.request()))


@requirement("HPF-TKN-09")
@pytest.mark.parametrize(
    "deviation",
    [
        # The body stays valid and the signature belongs to another value, so that nothing else can be found wrong.
        with_value("order.number", "another"),
        with_value("order.amount", "987654.32"),
        with_value("order.currency", "XTS"),
        with_value("order.description", "Another gift"),
        WRONG_ORDER,
        NOT_UPPER_CASED,
        INNER_AS_BYTES,
        PASSWORD_LEFT_OUT,
        NO_OUTER_DIGEST,
        INNER_LEFT_OUT,
        OUTER_MD5,
    ],
    ids=lambda deviation: deviation.name,
)
def test_wrongly_made_signature_is_refused(fields: HostedFields, deviation: Deviation) -> None:
    fields.token(fields.request())
    request = fields.request()
    signature = wrong_signature(fields.merchant.session_recipe(request), deviation)

    signed = fields.merchant.sign(request)

    must_reject_hash(fields.merchant.send_session(signed.with_("hash", signature)), signature, signed.get("hash"))


@requirement("HPF-TKN-10")
def test_address_of_return_is_required(fields: HostedFields) -> None:
    fields.token(fields.request())
    must_reject(
        fields.ask(fields.request().without("return_url").without("success_url")),
        REQUEST_DATA_INVALID,
        field=("return_url", "success_url"),
    )

    reply = fields.ask(fields.request().without("return_url"))

    must_answer_properly(reply, "HPF-TKN-10", accepted="success-url", refused="return-url")
    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, REQUEST_DATA_INVALID, field="return_url")


@requirement("HPF-TKN-11")
@pytest.mark.parametrize("name", ["cancel_url", "error_url"])
def test_other_address_may_be_left_out(fields: HostedFields, name: str) -> None:
    must_accept(fields.ask(fields.request().without(name)))


@requirement("HPF-TKN-12")
def test_customer_ip_is_accepted(fields: HostedFields) -> None:
    fields.token(fields.request())

    must_accept(fields.ask(fields.request().with_("customer.ip", fields.profile.test_data.payer.ip)))


@requirement("HPF-TKN-13")
def test_two_requests_get_different_tokens(fields: HostedFields) -> None:
    first = fields.token(fields.request())
    reply = fields.ask(fields.request())
    must_accept(reply)

    must_hold(fields.token_in(reply) != first, "another token", reply, "It is the token of another session.")


@requirement("HPF-TKN-14")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("order.amount", "ten"),
        ("order.currency", "DOLLARS"),
        ("order.description", "x" * 1025),
        ("order.number", "n" * 256),
    ],
)
def test_request_whose_order_breaks_a_rule_is_refused(fields: HostedFields, path: str, value: str) -> None:
    fields.token(fields.request())

    must_reject(fields.ask(fields.request().with_(path, value)), REQUEST_DATA_INVALID, field=path)


@requirement("HPF-TKN-15")
def test_address_that_is_not_on_the_allowlist_is_refused_a_token(fields: HostedFields, run: Run) -> None:
    fields.token(fields.request())

    must_reject(asked_as_one_with_an_allowlist(run, fields.request()), IP_NOT_ALLOWED)


@requirement("HPF-TKN-15")
def test_caller_does_not_get_past_the_allowlist_by_naming_a_payer_who_is_on_it(fields: HostedFields, run: Run) -> None:
    account = run.profile.account("ip_allowlist", "checkout")
    if account is None or account.allowed_ip is None:
        inconclusive("no address on an allowlist is known", decides="allowed_ip of the account with ip_allowlist")
    fields.token(fields.request().with_("customer.ip", account.allowed_ip))

    request = fields.request().with_("customer.ip", account.allowed_ip)
    must_reject(asked_as_one_with_an_allowlist(run, request), IP_NOT_ALLOWED)


def asked_as_one_with_an_allowlist(run: Run, request: JsonRequest) -> Reply:
    """Ask for a session token as the account that has an allowlist on which this machine is not."""
    identity = run.checkout_merchant("ip_allowlist").identity
    return replace(run.hosted_fields.merchant, identity=identity).create_session(request)
