"""The delivery of callbacks: again when the merchant did not take one, not again when it did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pytest

from contract.catalogue import load_catalogue
from fixtures.callbacks import Answer, Callback
from fixtures.callbacks.delivery import (
    A_MINUTE_AND_MORE,
    came_by_now,
    first_and_repeated,
    must_come_again,
    must_not_come_again,
    must_repeat,
)
from fixtures.callbacks.inbox import Wanted
from fixtures.callbacks.refusals import must_come_after_refusals, refuse_many_times
from fixtures.deferred import deferred, waits
from fixtures.judging.must import must_accept, must_be_served
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.callbacks import verifies
from fixtures.protocols.in_turn import in_turn
from fixtures.protocols.s2s_apm.callbacks import NEEDS_NO_PAYER, about_order, must_have_the_option, must_verify, of_deed
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant, of_a_brand_it_has
from fixtures.protocols.s2s_apm.requests import ApmRequests, operation
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import FormRequest

OF_THE_SALE = "the callback of the SALE"
NEEDS = ("capability:s2s_apm", "capability:callbacks")


def sale_answered(run: Run, answer: Answer) -> Wanted:
    """Pay, let the first callback be answered so, and return what picks the callbacks of that sale."""
    must_offer(run.profile, NEEDS, "s2s_apm")
    sale = run.apm.baselines("sale")
    wanted = about_order(sale.get("order_id") or "")
    run.callbacks.answer(wanted, answer)
    must_accept(run.apm.merchant.post(sale))
    return wanted


def answered(status: int | None) -> pytest.MarkDecorator:
    return deferred(after=A_MINUTE_AND_MORE, start=partial(sale_answered, answer=Answer(status)))


def taken(run: Run, *, status: int, body: str) -> tuple[Wanted, Wanted]:
    """Return what picks the callbacks of a sale that was refused once, and of one that was taken so."""
    return sale_answered(run, Answer(500)), sale_answered(run, Answer(status, body))


def again(wanted: Wanted, run: Run) -> list[Callback]:
    return must_come_again(run.callbacks, run.clock, wanted, OF_THE_SALE)


@requirement("CBK-DEL-06")
@pytest.mark.parametrize("status", [pytest.param(status, marks=answered(status)) for status in (500, 404, 302)])
def test_refused_callback_is_delivered_again(status: int, run: Run, ready: Wanted) -> None:
    del status
    again(ready, run)


SALES: Mapping[str, Callable[[ApmRequests], FormRequest]] = {
    "a declined SALE": lambda requests: requests.payment("decline"),
    "a SALE that sends the payer away": lambda requests: requests.payment("redirect"),
    "a payout": lambda requests: requests.any_payout(),
}
"""What opens a payment, whose callback is refused once."""
DEEDS: Mapping[str, tuple[str, str, str]] = {
    "a CAPTURE": ("authorized", "CAPTURE", "APM-CAP-01"),
    "a VOID": ("settled", "VOID", "APM-VOI-01"),
    "a CREDITVOID": ("settled", "CREDITVOID", "APM-CVD-01"),
}
"""What is done to a payment, whose callback is refused once: the state before, the action, and that it must be done."""
OF_A_HOLD = frozenset(what for what, (state, *_) in DEEDS.items() if state == "authorized")
"""What only an account that holds amounts brings about."""


def refused_once(run: Run, what: str) -> Wanted:
    """Bring about what is to be notified, let the first callback of it be refused, and return what picks them."""
    must_offer(run.profile, NEEDS, "s2s_apm")
    payments = (run.apm_accounts.holding if what in OF_A_HOLD else run.apm).payments
    with where_it_comes_about(what):
        if what in SALES:
            request = SALES[what](payments.requests)
            wanted: Wanted = about_order(request.get("order_id") or "")
            run.callbacks.answer(wanted, Answer(503))
            payments.open(request, what)
        else:
            state, action, claimed = DEEDS[what]
            must_concern([load_catalogue()[claimed]], run.profile, run.release)
            payment = payments.fresh(state)
            wanted = of_deed(payment, action)
            run.callbacks.answer(wanted, Answer(503))
            # Whether it is done other checks judge: what is not done is not notified.
            payments.merchant.post(operation(action, payment.trans_id))
    return wanted


@requirement("CBK-DEL-06")
@pytest.mark.parametrize(
    "what",
    [
        pytest.param(what, marks=deferred(after=A_MINUTE_AND_MORE, start=partial(refused_once, what=what)))
        for what in (*SALES, *DEEDS)
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
    must_offer(run.profile, NEEDS, "s2s_apm")
    sale = run.apm.baselines("sale")
    wanted = about_order(sale.get("order_id") or "")
    refuse_many_times(run.callbacks, wanted)
    must_accept(run.apm.merchant.post(sale))
    return wanted


@requirement("CBK-DEL-13")
@deferred(after=A_MINUTE_AND_MORE, start=refused_many_times)
def test_callback_that_was_refused_several_times_is_tried_again(run: Run, ready: Wanted) -> None:
    must_come_after_refusals(run.callbacks, run.clock, ready, OF_THE_SALE, another=partial(refused_many_times, run))


@requirement("CBK-DEL-08")
@answered(503)
def test_callback_that_comes_again_is_about_the_same_payment(run: Run, ready: Wanted) -> None:
    first, second = first_and_repeated(again(ready, run))

    must_repeat(first, second)
    # By what a callback is signed other checks say: this one is about what comes again.
    if verifies(lambda: must_verify(first, run.apm.merchant, run.profile)):
        must_verify(second, run.apm.merchant, run.profile)


def held_and_captured(run: Run) -> Wanted:
    """Refuse the first callback of an authorization, capture it at once, and return what picks its callbacks."""
    must_offer(run.profile, (*NEEDS, "capability:dms"), "s2s_apm")
    must_concern([load_catalogue()["APM-CAP-01"]], run.profile, run.release)
    holding = run.apm_accounts.holding
    sale = holding.baselines("authorization")
    wanted = about_order(sale.get("order_id") or "")
    run.callbacks.answer(wanted, Answer(503))
    what = "an authorization"
    payment = holding.payments.confirmed(holding.payments.open(sale, what), what, "PENDING")
    # Whether it is captured other checks judge.
    holding.merchant.post(operation("CAPTURE", payment.trans_id))
    return wanted


@requirement("CBK-DEL-08")
@deferred(after=A_MINUTE_AND_MORE, start=held_and_captured)
@waits(0)
def test_callback_that_comes_again_verifies_though_its_payment_was_captured_meanwhile(run: Run, ready: Wanted) -> None:
    merchant = run.apm_accounts.holding.merchant
    came = came_by_now(run.callbacks, run.clock, ready, "the callback of an authorization")

    must_verify_again(merchant, run, came)


def paid_and_voided(run: Run) -> Wanted:
    """Refuse the first callback of a SALE, void it at once, and return what picks its callbacks."""
    must_offer(run.profile, NEEDS, "s2s_apm")
    must_concern([load_catalogue()["APM-VOI-01"]], run.profile, run.release)
    payments, what = run.apm.payments, "a SALE that is voided"
    with where_it_comes_about(what):
        sale = run.apm.baselines("sale")
        wanted = about_order(sale.get("order_id") or "")
        run.callbacks.answer(wanted, Answer(503))
        payment = payments.confirmed(payments.open(sale, what), what, "SETTLED")
    # Whether it is voided other checks judge.
    payments.merchant.post(operation("VOID", payment.trans_id))
    return wanted


@requirement("CBK-DEL-08")
@deferred(after=A_MINUTE_AND_MORE, start=paid_and_voided)
@waits(0)
def test_callback_that_comes_again_verifies_though_its_payment_was_voided_meanwhile(run: Run, ready: Wanted) -> None:
    must_verify_again(run.apm.merchant, run, came_by_now(run.callbacks, run.clock, ready, OF_THE_SALE))


def must_verify_again(merchant: S2SApmMerchant, run: Run, came: list[Callback]) -> None:
    """Every callback after the first verifies, where the first does."""
    first, *later = came
    if not verifies(lambda: must_verify(first, merchant, run.profile)):
        not_applicable("the first delivery does not verify, which checks of its own judge")

    for callback in later:
        must_verify(callback, merchant, run.profile)


@requirement("CBK-DEL-06")
@pytest.mark.parametrize(
    "what",
    [
        pytest.param("a CAPTURE", marks=deferred(after=A_MINUTE_AND_MORE, start=held_and_captured)),
        pytest.param("a VOID", marks=deferred(after=A_MINUTE_AND_MORE, start=paid_and_voided)),
    ],
)
def test_refused_callback_is_delivered_again_though_more_was_done_meanwhile(what: str, run: Run, ready: Wanted) -> None:
    if not run.callbacks.any_of(ready, seconds=run.callbacks.seconds):
        not_applicable(f"no callback of the SALE before {what} has come, which other checks judge")

    with where_it_comes_about(f"a callback that comes again as it was after {what}"):
        must_come_again(run.callbacks, run.clock, ready, OF_THE_SALE, is_changed=True)


def sale_of_sha256(run: Run) -> tuple[S2SApmMerchant, Wanted]:
    """Pay by an account whose digest is SHA256, and let the first callback be refused."""
    must_offer(run.profile, (*NEEDS, "account:sha256"), "s2s_apm")

    def sold(merchant: S2SApmMerchant) -> tuple[S2SApmMerchant, Wanted]:
        sale = of_a_brand_it_has(merchant, run.apm_requests.sales_by_brand)
        wanted = about_order(sale.get("order_id") or "")
        run.callbacks.answer(wanted, Answer(503))
        reply = merchant.post(sale)
        must_be_served(reply)
        must_accept(reply)
        if reply.object.get("redirect_url") and not sale.decided:
            inconclusive("the payer was sent away, and no payer decides there", decides=NEEDS_NO_PAYER)
        return merchant, wanted

    return in_turn(run.s2s_apm_merchant.every("sha256"), sold)


@requirement("CBK-SIG-17")
@deferred(after=A_MINUTE_AND_MORE, start=sale_of_sha256)
def test_callback_that_comes_again_is_signed_with_the_digest_of_its_account(
    run: Run, ready: tuple[S2SApmMerchant, Wanted]
) -> None:
    merchant, wanted = ready
    first, second = first_and_repeated(again(wanted, run))

    must_have_the_option(first, merchant, run.profile)
    if not verifies(lambda: must_verify(first, merchant, run.profile)):
        not_applicable("the first delivery is not signed with that digest, which a check of its own judges")
    must_verify(second, merchant, run.profile)


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
        taken_at_once = sale_answered(run, Answer(status, body))

    must_not_come_again(run.callbacks, run.clock, taken_at_once, OF_THE_SALE)
