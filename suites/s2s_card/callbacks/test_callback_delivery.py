"""The delivery of S2S CARD callbacks: again when the merchant did not take one, not again when it did."""

from __future__ import annotations

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
from fixtures.deferred import deferred
from fixtures.protocols.callbacks import verifies
from fixtures.protocols.s2s_card.callbacks import about_order, must_verify
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

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


@requirement("CBK-DEL-07")
@answered(None)
def test_callback_that_the_merchant_hung_up_on_is_delivered_again(run: Run, ready: Payment) -> None:
    again(ready, run)


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
