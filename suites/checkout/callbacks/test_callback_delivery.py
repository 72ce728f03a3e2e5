"""The delivery of callbacks of Checkout: again when the merchant did not take one, not again when it did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pytest

from fixtures.callbacks import Answer, Callback
from fixtures.callbacks.delivery import (
    A_MINUTE_AND_MORE,
    first_and_repeated,
    must_come_again,
    must_not_come_again,
    must_repeat,
)
from fixtures.callbacks.inbox import Wanted
from fixtures.callbacks.judging import fail
from fixtures.callbacks.refusals import must_come_after_refusals, refuse_many_times
from fixtures.deferred import deferred
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.callbacks import verifies
from fixtures.protocols.checkout.callbacks import about_order, must_verify, of_change
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

NEEDS = ("capability:checkout", "capability:callbacks")
OF_THE_PAYMENT = "the callback of the payment"


def payment_answered(run: Run, answer: Answer) -> Wanted:
    """Pay, let the first callback be answered so, and return what picks the callbacks of that order."""
    must_offer(run.profile, NEEDS)
    payments = run.checkout_payments_of(holds=False)
    session = payments.requests.baseline("purchase")
    wanted = about_order(str(session.get("order.number")))
    run.callbacks.answer(wanted, answer)
    payments.pay(session, payments.card("success"))
    return wanted


def answered(status: int | None) -> pytest.MarkDecorator:
    return deferred(after=A_MINUTE_AND_MORE, start=partial(payment_answered, answer=Answer(status)))


def taken(run: Run, *, status: int, body: str) -> tuple[Wanted, Wanted]:
    """Return what picks the callbacks of a payment that were refused once, and of one that were taken so."""
    return payment_answered(run, Answer(500)), payment_answered(run, Answer(status, body))


def again(wanted: Wanted, run: Run) -> list[Callback]:
    return must_come_again(run.callbacks, run.clock, wanted, OF_THE_PAYMENT)


@requirement("CBK-DEL-06")
@pytest.mark.parametrize("status", [pytest.param(status, marks=answered(status)) for status in (500, 404, 302)])
def test_refused_callback_is_delivered_again(status: int, run: Run, ready: Wanted) -> None:
    del status
    again(ready, run)


PAID: Mapping[str, tuple[str, str]] = {"a declined purchase": ("purchase", "decline"), "a debit": ("debit", "success")}
"""What is paid, whose callback is refused once: the baseline of its session, and the outcome."""
DEEDS: Mapping[str, tuple[str, Callable[[CheckoutPayment], OperationRequest], str]] = {
    "a capture": ("authorized", CheckoutPayment.capture, "capture"),
    "a void": ("settled", CheckoutPayment.void, "void"),
    "a refund": ("settled", CheckoutPayment.refund, "refund"),
}
"""What is done to a payment, whose callback is refused once: the state before, the request, and its name."""
OFFERED: Mapping[str, str] = {"a void": "capability:void_endpoint", "a refund": "capability:refund_endpoint"}


def refused_once(run: Run, what: str) -> Wanted:
    """Bring about what is to be notified, let the first callback of it be refused, and return what picks them."""
    must_offer(run.profile, NEEDS)
    payments = run.checkout_payments_of(holds=what == "a capture")
    with where_it_comes_about(what):
        if what in PAID:
            baseline, outcome = PAID[what]
            session, card = payments.requests.baseline(baseline), payments.card(outcome)
            wanted: Wanted = about_order(str(session.get("order.number")))
            run.callbacks.answer(wanted, Answer(503))
            payments.enter(session, card)
        else:
            state, request_for, change = DEEDS[what]
            must_offer(run.profile, (OFFERED[what],) if what in OFFERED else (), "checkout")
            payment = payments.fresh(state)
            wanted = of_change(payment, change)
            run.callbacks.answer(wanted, Answer(503))
            payments.carry_out(request_for(payment))
    return wanted


@requirement("CBK-DEL-06")
@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=deferred(after=A_MINUTE_AND_MORE, start=partial(refused_once, what=what)))
        for what in (*PAID, *DEEDS)
    ],
)
def test_refused_callback_is_delivered_again_whatever_it_reports(what: str, run: Run, ready: Wanted) -> None:
    if not run.callbacks.any_of(ready, seconds=run.callbacks.seconds):
        not_applicable(f"no callback of {what} has come, which other checks judge")

    must_come_again(run.callbacks, run.clock, ready, f"the callback of {what}")


@requirement("CBK-DEL-07")
@answered(None)
def test_callback_that_the_merchant_hung_up_on_is_delivered_again(run: Run, ready: Wanted) -> None:
    again(ready, run)


def refused_many_times(run: Run) -> Wanted:
    """Pay, let the callback be refused several times, and return what picks the callbacks of that order."""
    must_offer(run.profile, NEEDS)
    payments = run.checkout_payments_of(holds=False)
    session = payments.requests.baseline("purchase")
    wanted = about_order(str(session.get("order.number")))
    refuse_many_times(run.callbacks, wanted)
    payments.pay(session, payments.card("success"))
    return wanted


@requirement("CBK-DEL-13")
@deferred(after=A_MINUTE_AND_MORE, start=refused_many_times)
def test_callback_that_was_refused_several_times_is_tried_again(run: Run, ready: Wanted) -> None:
    must_come_after_refusals(run.callbacks, run.clock, ready, OF_THE_PAYMENT, another=partial(refused_many_times, run))


@requirement("CBK-DEL-08")
@answered(503)
def test_callback_that_comes_again_is_about_the_same_payment(run: Run, ready: Wanted) -> None:
    first, second = first_and_repeated(again(ready, run))

    must_repeat(first, second)
    # By what a callback is signed other checks say: this one is about what comes again.
    if verifies(lambda: must_verify(first, run.checkout.identity)):
        must_verify(second, run.checkout.identity)


def refused_and_refunded(run: Run) -> Wanted:
    """Refuse the callback of a sale, refund it once it is settled, and return what picks the callbacks of the sale."""
    return refunded(run)[0]


def both_refused(run: Run) -> tuple[Wanted, Wanted]:
    """Refuse the callbacks of a sale and of its refund once each, and return what picks the callbacks of each."""
    return refunded(run, Answer(500))


def refunded(run: Run, answer: Answer | None = None) -> tuple[Wanted, Wanted]:
    """Refuse the callback of a sale, refund it once it is settled, and return what picks the callbacks of both.

    Args:
        run: pays.
        answer: to the callback of the refund, where it is another than usual.
    """
    must_offer(run.profile, (*NEEDS, "capability:refund_endpoint"))
    payments = run.checkout_payments_of(holds=False)
    session = payments.requests.baseline("purchase")
    of_sale = about_order(str(session.get("order.number"))).but(
        lambda callback: (callback.get("type") or "").casefold() != "refund"
    )
    run.callbacks.answer(of_sale, Answer(500))
    payment = payments.confirmed(payments.pay(session, payments.card("success")), "SETTLED")
    of_refund = of_change(payment, "refund")
    if answer is not None:
        run.callbacks.answer(of_refund, answer)
    payments.carry_out(payment.refund())
    return of_sale, of_refund


@requirement("CBK-DEL-06")
@deferred(after=A_MINUTE_AND_MORE, start=refused_and_refunded)
def test_refused_callback_is_delivered_again_though_more_was_done_meanwhile(run: Run, ready: Wanted) -> None:
    again(ready, run)


@requirement("CBK-DEL-06")
@deferred(after=A_MINUTE_AND_MORE, start=both_refused)
def test_each_of_two_refused_callbacks_of_a_payment_is_delivered_again(run: Run, ready: tuple[Wanted, Wanted]) -> None:
    of_sale, of_refund = ready
    if not run.callbacks.any_of(of_refund, seconds=run.callbacks.seconds):
        not_applicable("no callback of the refund has come, which other checks judge")

    again(of_sale, run)
    must_come_again(run.callbacks, run.clock, of_refund, "the callback of the refund")


def answered_with_arn(run: Run) -> Wanted:
    """Refuse the callback of a sale of an account whose callbacks have ARN."""
    must_offer(run.profile, (*NEEDS, "account:arn"))
    payments = run.checkout_payments.of(run.checkout_merchant("arn"))
    session = payments.requests.baseline("purchase")
    wanted = about_order(str(session.get("order.number")))
    run.callbacks.answer(wanted, Answer(500))
    payments.pay(session, payments.card("success"))
    return wanted


@requirement("CBK-ATT-32")
@deferred(after=A_MINUTE_AND_MORE, start=answered_with_arn)
def test_callback_that_comes_again_has_an_empty_arn_as_well(run: Run, ready: Wanted) -> None:
    first, second = first_and_repeated(again(ready, run))

    if has_arn(first) and not has_arn(second):
        fail("ARN, empty while none is available", second, "It is missing when the callback comes again.")


def has_arn(callback: Callback) -> bool:
    return any(name.casefold() == "arn" for name in callback.fields)


@requirement("CBK-DEL-09")
@pytest.mark.parametrize(
    ("status", "body"),
    [
        pytest.param(
            status, body, marks=deferred(after=A_MINUTE_AND_MORE, start=partial(taken, status=status, body=body))
        )
        for status, body in ((200, ""), (202, "taken"), (204, ""))
    ],
)
def test_any_success_takes_a_callback(status: int, body: str, run: Run, ready: tuple[Wanted, Wanted]) -> None:
    refused_once, taken_at_once = ready
    if run.clock.waits:
        again(refused_once, run)
    else:
        taken_at_once = payment_answered(run, Answer(status, body))

    must_not_come_again(run.callbacks, run.clock, taken_at_once, OF_THE_PAYMENT)
