"""Captures: what the request needs, whose payments it captures, and what the mode of the MID makes of a purchase."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from contract.errors import REQUEST_DATA_INVALID
from fixtures.cases.currencies import CUT_BY_FLOATS
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_hold, must_refuse, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.profile.accounts import MidMode
from fixtures.protocols.accounts import must_be_two_merchants
from fixtures.protocols.checkout.amounts import must_refuse_too_much
from fixtures.protocols.checkout.must import must_become, must_have_been_paid, must_have_status, must_leave
from fixtures.protocols.checkout.operations import capture
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.states import WITH_AUTH
from fixtures.protocols.modes import must_not_be_explained_by_mode
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import JsonRequest

PaymentsOf = Callable[[str], CheckoutPayments]

NO_PAYMENT = "f3e1a0de-0000-11ef-8a36-0242ac120013"


@requirement("CHK-CAP-02")
def test_capture_is_unknown_before_6_6_3(paid: CheckoutPayments) -> None:
    paid.open(paid.requests.baseline("purchase"))

    reply = paid.merchant.post(capture(NO_PAYMENT, paid.operations.usual))

    must_hold(answer_of(reply) is Answer.REFUSED, "a refusal: there is no such endpoint yet", reply, "It is there.")


@requirement("CHK-CAP-11")
def test_capture_without_payment_id_is_refused(paid: CheckoutPayments) -> None:
    paid.shared("captured")
    payment = paid.spare("authorized")

    reply = payment.merchant.post(payment.capture().without("payment_id"))

    must_reject(reply, REQUEST_DATA_INVALID, field=paid.merchant.capture_member)


@requirement("CHK-CAP-12")
def test_capture_of_a_cent_more_is_refused_however_amounts_are_compared(paid: CheckoutPayments) -> None:
    paid.shared("captured")
    with where_it_comes_about(f"a hold of {CUT_BY_FLOATS[0]}"):
        payment = paid.fresh("authorized_by_floats")

    reply = payment.merchant.post(payment.capture(CUT_BY_FLOATS[1]))

    must_refuse_too_much(paid, payment, reply, CUT_BY_FLOATS[1])


@requirement("CHK-CAP-13")
def test_capture_by_another_merchant_is_refused(paid: CheckoutPayments, paid_by: PaymentsOf) -> None:
    paid.shared("captured")
    payment = paid.spare("authorized")

    other = paid_by("second_merchant").merchant
    must_be_two_merchants(payment.merchant.identity, other.identity)

    reply = other.post(payment.capture())

    paid.states.drop_unless_refused(reply, lambda kept: kept is payment)
    must_refuse(reply)
    must_have_status(paid, payment, "PENDING")


@requirement("CHK-MID-01")
def test_sms_account_settles_a_purchase(paid_by: PaymentsOf) -> None:
    paid = paid_by("mid_sms")
    payment = paid.pay(paid.requests.baseline("purchase"), paid.card("success"))
    must_have_been_paid(payment)

    must_become(paid, payment, "SETTLED")


def must_be_refused_or_have_status(
    paid: CheckoutPayments, session: JsonRequest, claimed: str, readings: dict[str, str]
) -> None:
    """The session or its payment is refused, or the payment gets a status; record which reading that is."""
    # What is asked for is what the mode is tried with: no account adds to it.
    reply = replace(paid.merchant, asks_to_hold=False).create_session(session)
    if answer_of(reply) is Answer.REFUSED:
        must_refuse(reply)
        note_reading(claimed, "refused")
        return
    must_accept(reply)
    visit = paid.paying().pay(str(reply.object.get("redirect_url")), paid.card("success"))
    payment = paid.with_evidence(paid.named(session, visit))
    wanted = {word: reading for reading, word in readings.items()} | {"DECLINED": "refused"}
    note_reading(claimed, wanted[must_become(paid, payment, *wanted)])


@requirement("CHK-MID-02")
def test_sms_account_refuses_an_authorization_or_settles_it(paid_by: PaymentsOf) -> None:
    paid = paid_by("mid_sms")
    paid.open(paid.requests.baseline("purchase"))

    must_be_refused_or_have_status(paid, paid.requests(auth=True), "CHK-MID-02", {"settled": "SETTLED"})


@requirement("CHK-MID-03")
def test_dms_account_refuses_a_plain_purchase_or_waits_for_its_capture(paid_by: PaymentsOf) -> None:
    paid = paid_by("mid_dms")

    must_be_refused_or_have_status(paid, paid.requests.baseline("purchase"), "CHK-MID-03", {"authorized": "PENDING"})


@requirement("CHK-MID-04")
def test_dms_account_captures_an_authorization_later(paid_by: PaymentsOf) -> None:
    paid = paid_by("mid_dms")
    payment = paid.fresh("authorized")

    must_accept(paid.merchant.post(payment.capture()))

    if not paid.profile.lacks("capability:status_lookup"):
        must_leave(paid, payment, "PENDING")


@requirement("CHK-CAP-01")
@pytest.mark.parametrize("flag", ["recurring_init", "req_token"])
def test_authorization_is_held_whatever_else_is_asked_for(flag: str, paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:recurring",) if flag == "recurring_init" else ("capability:tokens",))
    if paid.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")
    session = paid.requests.baseline("purchase").with_("auth", value=True)
    payment = paid.pay(session.with_(flag, value=True), paid.card("success"))

    must_become(paid, payment, "PENDING")


@requirement("CHK-CAP-15")
def test_authorization_by_card_is_held(paid: CheckoutPayments) -> None:
    if paid.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")
    payment = authorized_by_card(paid)

    status = paid.becomes(payment, "PENDING")
    must_not_be_explained_by_mode(payment.merchant.identity, wanted="PENDING", status=status)
    must_become(paid, payment, "PENDING")


@requirement("CHK-CAP-15")
@pytest.mark.parametrize("pays", ["card_token", "wallet"])
def test_authorization_is_held_whatever_the_payer_pays_with(pays: str, paid: CheckoutPayments) -> None:
    if paid.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")
    with where_it_comes_about(f"an authorization by {pays}"):
        payment = AUTHORIZED[pays](paid)
        status = paid.becomes(payment, "PENDING")
    must_not_be_explained_by_mode(payment.merchant.identity, wanted="PENDING", status=status)
    if status not in {"PENDING", "SETTLED"}:
        not_applicable(f"an authorization by {pays} is {status} here, and that every instrument has one no line says")

    must_become(paid, payment, "PENDING")


def authorized_by_card(paid: CheckoutPayments) -> CheckoutPayment:
    return paid.with_evidence(paid.pay(paid.requests(auth=True), paid.card("success")))


def authorized_by_token(paid: CheckoutPayments) -> CheckoutPayment:
    must_offer(paid.profile, ("capability:tokens",))
    token = paid.card_token(paid.shared("tokenized"))
    return paid.with_evidence(paid.pay(paid.requests(auth=True, card_token=[token]), paid.card("success")))


AUTHORIZED: Mapping[str, Callable[[CheckoutPayments], CheckoutPayment]] = {
    "card_token": authorized_by_token,
    "wallet": lambda paid: paid.fresh("held_by_wallet"),
}


@requirement("CHK-MID-05")
@pytest.mark.parametrize(("auth", "word"), [(False, "SETTLED"), (True, "PENDING")], ids=["plain", "auth"])
def test_account_of_either_mode_does_what_the_session_asks(
    auth: bool, word: str, paid: CheckoutPayments, paid_by: PaymentsOf
) -> None:
    either = paid if paid.merchant.identity.mid_mode is MidMode.EITHER else paid_by("mid_either")
    session = either.requests(auth=True) if auth else either.requests.baseline("purchase")
    payment = either.pay(session, either.card("success"))
    must_have_been_paid(payment)

    must_become(either, payment, word)
