"""The duplicate window: 15 seconds for the same merchant and order id."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from contract.catalogue import load_catalogue
from contract.errors import ORDER_DUPLICATE
from fixtures.cases.order_numbers import LONGEST
from fixtures.deferred import deferred, waits
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_accept, must_answer_properly, must_have_accepted, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.duplicates import (
    INSIDE,
    KINDS_OF_UNLIKE,
    OUTSIDE,
    must_be_a_duplicate,
    must_be_no_duplicates,
    must_be_within_the_window,
    must_come_first,
    reply_to_repetition,
    unlike_numbers,
)
from fixtures.protocols.s2s_apm.callbacks import about_order
from fixtures.protocols.s2s_apm.merchant import MerchantOf, S2SApmMerchant
from fixtures.protocols.s2s_apm.mobile_money import payout_amount
from fixtures.protocols.s2s_apm.requests import usual_units
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.clock import Clock
from fixtures.wire.exchange import Reply
from fixtures.wire.polling import BRIEFLY
from fixtures.wire.requests import FormRequest

BRANDS_TO_TRY = 3


@requirement("APM-REQ-11")
def test_repeated_sale_is_refused(s2s_apm: S2SApmMerchant, clock: Clock, apm: Baselines[FormRequest]) -> None:
    sale = apm("sale")

    must_be_a_duplicate(reply_to_repetition(s2s_apm.post, clock, sale, sale), "APM-REQ-11")


@requirement("APM-REQ-11")
def test_repeated_order_id_is_refused_whatever_else_changed(
    s2s_apm: S2SApmMerchant, clock: Clock, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")
    changed = sale.with_("order_amount", "11.00").with_("order_description", "Another gift")

    must_be_a_duplicate(reply_to_repetition(s2s_apm.post, clock, sale, changed), "APM-REQ-11")


@requirement("APM-REQ-11")
@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("authorization", ("capability:dms",)),
        ("decline", ("test_data:apm.decline",)),
        ("redirect", ("test_data:apm.redirect",)),
    ],
    ids=["authorization", "declined", "redirected"],
)
def test_repeated_order_id_is_refused_whatever_became_of_the_first(name: str, needs: tuple[str, ...], run: Run) -> None:
    must_offer(run.profile, needs, "s2s_apm")
    requests = run.apm_requests
    sale = requests.baseline(name) if name == "authorization" else requests.payment(name)

    must_be_a_duplicate(reply_to_repetition(run.apm.merchant.post, run.clock, sale, sale), "APM-REQ-11")


@requirement("APM-REQ-11")
@pytest.mark.parametrize(("state", "claimed"), [("voided", ""), ("captured", "APM-CAP-01"), ("released", "APM-CVD-01")])
def test_repeated_order_id_is_refused_whatever_was_done_with_the_first(state: str, claimed: str, run: Run) -> None:
    must_offer(run.profile, ("capability:dms",) if claimed else (), "s2s_apm")
    must_concern([load_catalogue()[claimed]] if claimed else [], run.profile, run.release)
    started = run.clock.now()
    payment = run.apm.payments.fresh(state)

    reply = run.apm.merchant.post(run.apm.baselines("sale").with_("order_id", payment.order_id))

    must_be_within_the_window(run.clock, started)
    must_be_a_duplicate(reply, "APM-REQ-11")


@requirement("APM-REQ-11")
def test_order_id_of_a_sale_by_another_brand_is_refused(run: Run) -> None:
    sale = run.apm.baselines("sale")
    other = sale_by_another_brand(run, sale.get("brand"))

    again = sale.with_("order_id", other.get("order_id") or "")

    must_be_a_duplicate(reply_to_repetition(run.apm.merchant.post, run.clock, other, again), "APM-REQ-11")


def sale_by_another_brand(run: Run, brand: str | None) -> FormRequest:
    """Return a SALE of its own order by another brand than this, once the target took one like it.

    Brands of which the profile says how they are paid by come first, then those of families that S2S APM offers.
    """
    requests = run.apm_requests
    builds: dict[str, Callable[[], FormRequest]] = {}
    of_families = (partial(requests.sale_of, family) for family in requests.offered_families)
    every: tuple[Callable[[], FormRequest], ...] = (*requests.builds_by_brand(), *of_families)
    for build in every:
        builds.setdefault(build().get("brand") or "", build)
    builds.pop(brand or "", None)
    first = [*builds.values()][:BRANDS_TO_TRY]
    found = next((build for build in first if answer_of(run.apm.merchant.post(build())) is Answer.ACCEPTED), None)
    if found is None:
        lack = "takes no SALE by a second brand of the profile" if first else "has no second brand of the profile"
        inconclusive(
            f"the target {lack}",
            decides="a brand in [test_data.apm.methods], or another one in [test_data.apm.redirect]",
        )
    return found()


@requirement("APM-REQ-11")
def test_repeated_sale_comes_to_nothing(run: Run, apm: Baselines[FormRequest]) -> None:
    must_offer(run.profile, ("capability:callbacks",), "s2s_apm")
    sale = apm("sale")

    must_be_a_duplicate(reply_to_repetition(run.apm.merchant.post, run.clock, sale, sale), "APM-REQ-11")

    about_it = about_order(sale.get("order_id") or "")
    first = run.callbacks.expect(about_it, "the callback of the first SALE")
    others = run.callbacks.any_of(
        lambda callback: about_it(callback) and callback.get("trans_id") != first.get("trans_id"), seconds=BRIEFLY
    )
    if others:
        must(Finding("callbacks of one payment", others[0].summary, "The repetition was refused and carried out."))


@requirement("APM-REQ-11")
@waits(INSIDE)
def test_window_is_still_closed_shortly_before_its_end(
    s2s_apm: S2SApmMerchant, clock: Clock, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")

    must_be_a_duplicate(reply_to_repetition(s2s_apm.post, clock, sale, sale, at=INSIDE), "APM-REQ-11")


@requirement("APM-REQ-12")
def test_repeated_payout_is_refused(s2s_apm: S2SApmMerchant, clock: Clock, apm: Baselines[FormRequest]) -> None:
    payout = apm("credit2virtual")

    must_be_a_duplicate(reply_to_repetition(s2s_apm.post, clock, payout, payout), "APM-REQ-12")


@requirement("APM-REQ-12")
@pytest.mark.parametrize("outcome", ["open", "decline"])
def test_repeated_payout_is_refused_whatever_became_of_the_first(outcome: str, run: Run) -> None:
    if getattr(run.profile.test_data.payout_emails, outcome) is None:
        not_applicable(f"the profile names no payout that ends so: {outcome} in [test_data.payout_emails]")
    run.apm.baselines("credit2virtual")
    payout, started = run.apm_requests.payout_that_ends(outcome), run.clock.now()
    first = run.apm.merchant.post(payout)
    if answer_of(first) is not Answer.ACCEPTED:
        not_applicable(f"a payout that ends so is refused outright here: {first.summary}")

    reply = run.apm.merchant.post(payout)

    must_be_within_the_window(run.clock, started)
    must_be_a_duplicate(reply, "APM-REQ-12")


@requirement("APM-REQ-12")
def test_order_id_of_a_sale_is_refused_to_a_payout(
    s2s_apm: S2SApmMerchant, clock: Clock, apm: Baselines[FormRequest]
) -> None:
    payout, sale = apm("credit2virtual"), apm("sale")
    second = payout.with_("order_id", sale.get("order_id") or "")
    with where_it_comes_about("an account that sends both"):
        s2s_apm.must_send_as_one(sale, second)

    must_be_a_duplicate(reply_to_repetition(s2s_apm.post, clock, sale, second), "APM-REQ-12")


@requirement("APM-REQ-11")
def test_order_id_of_a_payout_is_refused_to_a_sale(run: Run) -> None:
    with where_it_comes_about("a payout"):
        must_offer(run.profile, ("capability:mobile_money", "test_data:mobile_money"), "s2s_apm")
        payout = run.apm.baselines("credit2virtual")
    sale = run.apm.baselines("sale").with_("order_id", payout.get("order_id") or "")
    with where_it_comes_about("an account that sends both"):
        run.apm.merchant.must_send_as_one(payout, sale)

    must_be_a_duplicate(reply_to_repetition(run.apm.merchant.post, run.clock, payout, sale), "APM-REQ-11")


@requirement("APM-REQ-12")
def test_repeated_payout_of_another_amount_is_refused(run: Run) -> None:
    payout = run.apm.baselines("credit2virtual")
    operator = run.profile.test_data.mobile_money[0]
    other = payout_amount(operator.currency, min(usual_units(operator) + 1, operator.maximum))

    reply = reply_to_repetition(run.apm.merchant.post, run.clock, payout, payout.with_("order_amount", other))

    must_be_a_duplicate(reply, "APM-REQ-12")


def a_sale(run: Run) -> FormRequest:
    sale = run.apm.baselines("sale")
    must_come_first(run.apm.merchant.post(sale))
    return sale


@requirement("APM-REQ-13")
@deferred(after=OUTSIDE, start=a_sale)
def test_order_id_may_be_used_again_or_never_after_the_window(s2s_apm: S2SApmMerchant, ready: FormRequest) -> None:
    reply = s2s_apm.post(ready)

    must_answer_properly(reply, "APM-REQ-13", accepted="window", refused="for-good")
    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, ORDER_DUPLICATE)


@requirement("APM-REQ-16")
@pytest.mark.parametrize("kind", KINDS_OF_UNLIKE)
def test_order_id_that_is_nearly_the_same_is_no_duplicate(
    kind: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], run: Run
) -> None:
    def send(order_id: str) -> Reply:
        return s2s_apm.post(apm("sale").with_("order_id", order_id))

    must_be_no_duplicates(send, lambda: unlike_numbers(kind, run.apm_requests.numbers))


@requirement("APM-REQ-16")
def test_order_id_with_the_same_long_beginning_is_no_duplicate(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], run: Run
) -> None:
    def send(order_id: str) -> Reply:
        return s2s_apm.post(apm("sale").with_("order_id", order_id))

    must_be_no_duplicates(send, lambda: run.apm_requests.numbers.alike(LONGEST))


@requirement("APM-REQ-14")
def test_order_id_of_another_merchant_is_no_duplicate(
    s2s_apm: S2SApmMerchant, merchant_of: MerchantOf, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")
    must_come_first(s2s_apm.post(sale))

    other = merchant_of("second_merchant")
    reply = other.post(sale)
    if answer_of(reply) is Answer.REFUSED:
        taken = "an account of another merchant that takes a SALE that the main account takes"
        must_have_accepted(other.post(apm("sale")), decides=taken)
    must_accept(reply)
