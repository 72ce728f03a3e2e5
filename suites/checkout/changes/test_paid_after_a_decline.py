"""A payer who is declined and then pays: what follows is about the payment, whatever became of the attempt before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.deferred import deferred
from fixtures.judging.must import must_accept, must_hold
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.checkout.must import must_leave
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import answered, refund_by_credit
from fixtures.protocols.checkout.states import WITH_AUTH
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.protocols.hosted_page.attempts import after_declines, next_attempt, settings_of, with_several_tries
from fixtures.protocols.hosted_page.page import HostedPages, is_at
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import JsonRequest


def after_a_decline(pages: HostedPages, session: JsonRequest, word: str) -> CheckoutPayment:
    """Return the payment of a payer whose first attempt at its order was declined; look-ups show its status."""
    must_offer(pages.profile, ("test_data:cards.decline", "capability:status_lookup"))
    entered = next_attempt(pages, after_declines(pages, session), pages.entry())
    if entered.end is None or not is_at(entered.end, str(session.get("success_url"))):
        inconclusive(
            f"the payer does not get to success_url after a decline: {entered.story}",
            decides="a target that lets a payer try another card, which a check of its own asks for",
        )
    return pages.payments.confirmed(pages.payments.named(session, entered.last), word)


def settled(pages: HostedPages) -> CheckoutPayment:
    """Return a settled payment after a decline."""
    session = pages.session()
    if session.get("auth"):
        not_applicable("an account that serves authorizations only has no payment that is settled at once")
    return after_a_decline(pages, session, "SETTLED")


def payment_to_refund(run: Run) -> CheckoutPayment:
    must_offer(run.profile, ("capability:card_credit", "test_data:refund_reference"))
    pages = with_several_tries(run.hosted_pages)
    must_be_allowed_refunds(pages)
    return settled(pages)


def must_be_allowed_refunds(pages: HostedPages) -> None:
    """End the check where the profile says that the account of these pages may not refund, or in a portal only."""
    if (settings := settings_of(pages)).refunds is False or settings.connector_refunds_only is True:
        not_applicable("the account on which a payer tries again has refunds = false or connector_refunds_only = true")


@requirement("CHK-RFD-01")
@deferred(after=OUTSIDE, start=payment_to_refund)
def test_payment_after_a_decline_is_refunded_by_card_credit(ready: CheckoutPayment, paid: CheckoutPayments) -> None:
    must_accept(answered(refund_by_credit(ready, paid), ready, paid))


@pytest.mark.parametrize(
    ("request_of", "needed"),
    [
        pytest.param(CheckoutPayment.refund, "refund_endpoint", id="refund", marks=requirement("CHK-RFD-05")),
        pytest.param(CheckoutPayment.void, "void_endpoint", id="void", marks=requirement("CHK-RFD-13")),
    ],
)
def test_payment_after_a_decline_is_given_back(
    request_of: Callable[[CheckoutPayment], OperationRequest], needed: str, pages: HostedPages
) -> None:
    must_offer(pages.profile, (f"capability:{needed}",))
    pages = with_several_tries(pages)
    if request_of is CheckoutPayment.refund:
        must_be_allowed_refunds(pages)
    payment = settled(pages)

    must_accept(payment.merchant.post(request_of(payment)))


@requirement("CHK-CAP-01")
def test_authorization_after_a_decline_is_captured(pages: HostedPages) -> None:
    must_offer(pages.profile, ("capability:dms",))
    if pages.payments.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")
    pages = with_several_tries(pages, holds=True)
    payment = after_a_decline(pages, pages.session(auth=True), "PENDING")

    must_accept(payment.merchant.post(payment.capture()))

    must_leave(pages.payments, payment, "PENDING")


@requirement("CHK-STA-04")
def test_look_up_of_an_order_shows_the_payment_after_a_decline(pages: HostedPages) -> None:
    pages = with_several_tries(pages)
    payment = settled(pages)

    reply = pages.payments.newest(payment.number, payment.payment_id)

    must_accept(reply)
    status = status_in(reply)
    must_hold(status == "SETTLED", "the payment that was made last, SETTLED", reply, f"It shows one that is {status}.")
