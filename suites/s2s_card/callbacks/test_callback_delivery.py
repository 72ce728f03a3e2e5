"""The delivery of S2S CARD callbacks: again when the merchant did not take one, not again when it did."""

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
from fixtures.callbacks.refusals import must_come_after_refusals, refuse_many_times
from fixtures.deferred import deferred
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.callbacks import verifies
from fixtures.protocols.deeds import opens
from fixtures.protocols.s2s_card.actions import SINCE
from fixtures.protocols.s2s_card.callbacks import about_order, must_verify, of_deed
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.requirement import must_have_come, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import FormRequest

OF_THE_SALE = "the callback of the SALE"
NEEDS = ("capability:s2s_card", "capability:callbacks")


def sale_answered(run: Run, answer: Answer) -> Payment:
    """Pay, let the first callback be answered so, and return the payment."""
    must_offer(run.profile, NEEDS)
    sale = run.card_accounts.main.baselines("sale")
    run.callbacks.answer(about_order(sale.get("order_id") or ""), answer)
    return run.payments.open(sale)


def answered(status: int | None) -> pytest.MarkDecorator:
    return deferred(after=A_MINUTE_AND_MORE, start=partial(sale_answered, answer=Answer(status)))


def again(payment: Payment, run: Run) -> list[Callback]:
    return must_come_again(run.callbacks, run.clock, about_order(payment.order_id), OF_THE_SALE)


@requirement("CBK-DEL-06")
@pytest.mark.parametrize("status", [pytest.param(status, marks=answered(status)) for status in (500, 404, 302)])
def test_refused_callback_is_delivered_again(status: int, run: Run, ready: Payment) -> None:
    del status
    again(ready, run)


def opened(baseline: str, outcome: str = "") -> Callable[[Payments], FormRequest]:
    """Return what builds a request that opens a payment, with the test card of an outcome where one is named."""

    def build(payments: Payments) -> FormRequest:
        request = payments.requests.baseline(baseline)
        return payments.requests.paid_with(request, outcome) if outcome else request

    return build


def charged_again(action: str, first: str) -> Callable[[Payments], FormRequest]:
    def build(payments: Payments) -> FormRequest:
        requests = payments.requests
        must_have_come(action, SINCE.get(action), requests.release)
        return payments.shared(first).again(action, requests.numbers.next(), requests.usual)

    return build


def declined_payout(payments: Payments) -> FormRequest:
    requests = payments.requests
    return requests.baseline("credit2card").with_("card_number", requests.payee_card("payout_decline"))


REQUESTS: Mapping[str, Callable[[Payments], FormRequest]] = {
    "a declined SALE": opened("sale", "decline"),
    "a SALE that is challenged": opened("sale", "three_ds_success"),
    "a DEBIT": opened("debit"),
    "a payout": opened("credit2card"),
    "a declined payout": declined_payout,
    "a CARD2CARD": opened("card2card"),
    "a RECURRING_SALE": charged_again("RECURRING_SALE", "initial_sale"),
    "a RECURRING_DEBIT": charged_again("RECURRING_DEBIT", "initial_debit"),
}
"""What opens a payment, whose callback is refused once."""
DEEDS: Mapping[str, tuple[str, Callable[[Payment], FormRequest], tuple[str, ...]]] = {
    "a CAPTURE": ("authorized", Payment.capture, ()),
    "a VOID": ("settled", Payment.void, ()),
    "a CREDITVOID": ("settled", Payment.creditvoid, REFUNDS),
}
"""What is done to a payment, whose callback is refused once: the state before, the request, and what it needs."""
OF_A_HOLD = frozenset(what for what, (state, *_) in DEEDS.items() if state == "authorized")
"""What only an account that holds amounts brings about."""
CHANGES: Mapping[str, tuple[str, str, Callable[[Payment], FormRequest]]] = {
    "a CAPTURE": ("authorization", "PENDING", Payment.capture),
    "a VOID": ("sale", "SETTLED", Payment.void),
}
"""What is done to a payment while the callback of its SALE waits: the request that opens it, its status, and that."""


def refused_once(run: Run, what: str) -> Wanted:
    """Bring about what is to be notified, let the first callback of it be refused, and return what picks them."""
    must_offer(run.profile, NEEDS)
    account = run.card_accounts.holding if what in OF_A_HOLD else run.card_accounts.main
    payments = account.payments
    with where_it_comes_about(what):
        if what in REQUESTS:
            request = REQUESTS[what](payments)
            wanted = about_order(request.get("order_id") or "")
        else:
            state, request_for, needs = DEEDS[what]
            must_offer(run.profile, needs, "s2s_card")
            payment = payments.fresh(state)
            request = request_for(payment)
            wanted = of_deed(payment, request.get("action") or "")
        run.callbacks.answer(wanted, Answer(503))
        payments.carry_out(request)
    return wanted


@requirement("CBK-DEL-06")
@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=deferred(after=A_MINUTE_AND_MORE, start=partial(refused_once, what=what)))
        for what in (*REQUESTS, *DEEDS)
    ],
)
def test_refused_callback_is_delivered_again_whatever_it_reports(what: str, run: Run, ready: Wanted) -> None:
    if not run.callbacks.any_of(ready, seconds=run.callbacks.seconds):
        not_applicable(f"no callback of {what} has come, which other checks judge")

    must_come_again(run.callbacks, run.clock, ready, f"the callback of {what}")


def refused_and_changed(run: Run, what: str) -> Wanted:
    """Let the callback of a SALE be refused, do more to the payment, and return what picks that callback."""
    must_offer(run.profile, NEEDS)
    payments = (run.card_accounts.holding if what in OF_A_HOLD else run.card_accounts.main).payments
    baseline, status, request_for = CHANGES[what]
    with where_it_comes_about(f"{what} after a SALE"):
        must_offer(run.profile, ("capability:dms",) if what in OF_A_HOLD else (), "s2s_card")
        sale = payments.requests.baseline(baseline)
        of_sale = about_order(sale.get("order_id") or "").but(lambda callback: opens(callback, "SALE"))
        run.callbacks.answer(of_sale, Answer(500))
        payment = payments.confirmed(payments.open(sale), status)
        payments.carry_out(request_for(payment))
    return of_sale


@requirement("CBK-DEL-06")
@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=deferred(after=A_MINUTE_AND_MORE, start=partial(refused_and_changed, what=what)))
        for what in CHANGES
    ],
)
def test_refused_callback_is_delivered_again_though_more_was_done_meanwhile(what: str, run: Run, ready: Wanted) -> None:
    if not run.callbacks.any_of(ready, seconds=run.callbacks.seconds):
        not_applicable(f"no callback of the SALE before {what} has come, which other checks judge")

    with where_it_comes_about(f"a callback that comes again as it was after {what}"):
        must_come_again(run.callbacks, run.clock, ready, OF_THE_SALE, is_changed=True)


@requirement("CBK-DEL-07")
@answered(None)
def test_callback_that_the_merchant_hung_up_on_is_delivered_again(run: Run, ready: Payment) -> None:
    again(ready, run)


def refused_many_times(run: Run) -> Wanted:
    """Pay, let the callback be refused several times, and return what picks the callbacks of that order."""
    must_offer(run.profile, NEEDS)
    sale = run.card_accounts.main.baselines("sale")
    wanted = about_order(sale.get("order_id") or "")
    refuse_many_times(run.callbacks, wanted)
    run.payments.open(sale)
    return wanted


@requirement("CBK-DEL-13")
@deferred(after=A_MINUTE_AND_MORE, start=refused_many_times)
def test_callback_that_was_refused_several_times_is_tried_again(run: Run, ready: Wanted) -> None:
    must_come_after_refusals(run.callbacks, run.clock, ready, OF_THE_SALE, another=partial(refused_many_times, run))


@requirement("CBK-DEL-08")
@answered(503)
def test_callback_that_comes_again_is_about_the_same_payment(run: Run, ready: Payment) -> None:
    first, second = first_and_repeated(again(ready, run))

    must_repeat(first, second)
    # By what a callback is signed other checks say: this one is about what comes again.
    if verifies(lambda: must_verify(first, ready)):
        must_verify(second, ready)


def sale_of_sha256(run: Run) -> Payment:
    """Pay by an account whose digest is SHA256, and let the first callback be refused."""
    must_offer(run.profile, (*NEEDS, "account:sha256"))
    payments = run.payments.of(run.s2s_card_merchant("sha256"))
    sale = payments.requests.baseline("sale")
    run.callbacks.answer(about_order(sale.get("order_id") or ""), Answer(503))
    return payments.open(sale)


@requirement("CBK-SIG-12")
@deferred(after=A_MINUTE_AND_MORE, start=sale_of_sha256)
def test_callback_that_comes_again_is_signed_with_the_digest_of_its_account(run: Run, ready: Payment) -> None:
    first, second = first_and_repeated(again(ready, run))

    if verifies(lambda: must_verify(first, ready)):
        must_verify(second, ready)


@requirement("CBK-DEL-09")
@pytest.mark.parametrize(
    ("status", "body"),
    [
        pytest.param(
            status,
            body,
            marks=deferred(after=A_MINUTE_AND_MORE, start=partial(sale_answered, answer=Answer(status, body))),
        )
        for status, body in ((200, ""), (202, "taken"), (204, ""))
    ],
)
def test_any_success_takes_a_callback(status: int, body: str, run: Run, ready: Payment) -> None:
    # On a clock that can be moved no time has passed while others waited: the clock is moved for a new payment.
    payment = ready if run.clock.waits else sale_answered(run, Answer(status, body))

    must_not_come_again(run.callbacks, run.clock, about_order(payment.order_id), OF_THE_SALE)
