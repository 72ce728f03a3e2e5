"""The duplicate window: 15 seconds for the same merchant and order id."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.errors import ORDER_DUPLICATE
from fixtures.deferred import deferred, waits
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must_accept,
    must_answer_properly,
    must_have_accepted,
    must_refuse,
    must_reject_stating,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.profile import Profile
from fixtures.protocols.duplicates import (
    INSIDE,
    KINDS_OF_UNLIKE,
    OUTSIDE,
    must_be_no_duplicates,
    must_be_within_the_window,
    must_come_first,
    must_come_first_of_all,
    reply_to_repetition,
    unlike_numbers,
)
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.protocols.simultaneous import must_happen_once
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.clock import Clock
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

MerchantOf = Callable[[str], S2SCardMerchant]

OTHER_ACTIONS = {
    "debit": ("capability:debit",),
    "recurring_sale": ("capability:recurring",),
    "recurring_debit": ("capability:recurring", "capability:debit"),
    "credit2card": ("capability:credit2card",),
    "card2card": ("capability:card2card",),
}
"""Actions with an order_id, and what a target must offer for them."""
ONE_ACCOUNT = "an account that sends both requests"
BESIDES_SALES = {
    "debit": "S2C-DUP-02",
    "recurring_sale": "S2C-DUP-03",
    "recurring_debit": "S2C-DUP-03",
    "credit2card": "S2C-DUP-04",
    "card2card": "S2C-DUP-05",
}
"""Actions with an order_id, and the requirement that a repeated one is refused to each."""


def a_paid_sale(run: Run) -> FormRequest:
    sale = run.sale_requests.baseline("sale")
    must_come_first(run.s2s_card.post(sale))
    return sale


@pytest.mark.parametrize(
    ("name", "claimed"),
    [
        pytest.param(name, claimed, marks=requirement(claimed))
        for name, claimed in {"sale": "S2C-DUP-01", **BESIDES_SALES}.items()
    ],
)
def test_repeated_order_id_is_refused(
    name: str, claimed: str, s2s_card: S2SCardMerchant, clock: Clock, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions(name)

    reply = reply_to_repetition(s2s_card.post, clock, request, request)

    must_reject_stating(reply, claimed, ORDER_DUPLICATE, field="order_id")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=requirement(claimed)) for name, claimed in BESIDES_SALES.items()]
)
def test_order_id_of_a_sale_is_refused_to_another_action(
    name: str, s2s_card: S2SCardMerchant, clock: Clock, card_actions: Baselines[FormRequest]
) -> None:
    request, sale = card_actions(name), card_actions("sale")
    second = request.with_("order_id", sale.get("order_id") or "")
    with where_it_comes_about(ONE_ACCOUNT):
        s2s_card.must_send_as_one(sale, second)

    must_refuse(reply_to_repetition(s2s_card.post, clock, sale, second, asks_again=False))


@requirement("S2C-DUP-01")
@pytest.mark.parametrize("name", OTHER_ACTIONS)
def test_order_id_of_another_action_is_refused_to_a_sale(
    name: str,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    clock: Clock,
    profile: Profile,
) -> None:
    must_offer(profile, OTHER_ACTIONS[name], "s2s_card")
    request, sale = card_actions(name), card_actions("sale")
    second = sale.with_("order_id", request.get("order_id") or "")
    with where_it_comes_about(ONE_ACCOUNT):
        s2s_card.must_send_as_one(request, second)

    must_refuse(reply_to_repetition(s2s_card.post, clock, request, second, asks_again=False))


@pytest.mark.parametrize(
    ("before", "name"),
    [
        pytest.param(before, name, marks=requirement(claimed))
        for name, claimed in BESIDES_SALES.items()
        for before in BESIDES_SALES
        if before != name
    ],
)
def test_order_id_is_refused_to_a_second_action_that_is_no_sale(
    before: str, name: str, s2s_card: S2SCardMerchant, clock: Clock, card_actions: Baselines[FormRequest]
) -> None:
    with where_it_comes_about(f"a {before} before it"):
        first = card_actions(before)
    second = card_actions(name).with_("order_id", first.get("order_id") or "")
    with where_it_comes_about(ONE_ACCOUNT):
        s2s_card.must_send_as_one(first, second)

    must_refuse(reply_to_repetition(s2s_card.post, clock, first, second, asks_again=False))


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        pytest.param("sale", "redirect_success", marks=requirement("S2C-DUP-11")),
        pytest.param("debit", "decline", marks=requirement("S2C-DUP-02")),
        pytest.param("debit", "three_ds_success", marks=requirement("S2C-DUP-02")),
        pytest.param("debit", "redirect_success", marks=requirement("S2C-DUP-02")),
        pytest.param("credit2card", "payout_decline", marks=requirement("S2C-DUP-04")),
        pytest.param("credit2card", "payout_open", marks=requirement("S2C-DUP-04")),
        pytest.param("card2card", "decline", marks=requirement("S2C-DUP-05")),
    ],
)
def test_order_id_is_refused_whatever_became_of_the_first_payment(
    name: str, outcome: str, card_actions: Baselines[FormRequest], payments: Payments
) -> None:
    again = card_actions(name)
    with where_it_comes_about(f"a {name} with the card for {outcome}"):
        first = with_card_for(outcome, again, payments.requests)
    started = payments.clock.now()
    if answer_of(opened := payments.merchant.post(first)) is not Answer.ACCEPTED:
        not_applicable(f"a {name} with the card for {outcome} is refused outright: {opened.summary}")

    reply = payments.merchant.post(again)

    must_be_within_the_window(payments.clock, started)
    must_refuse(reply)


def with_card_for(outcome: str, request: FormRequest, requests: SaleRequests) -> FormRequest:
    """Return the request with the card of an outcome: the payee's of a payout, else the payer's."""
    if outcome.startswith("payout"):
        return request.with_("card_number", requests.payee_card(outcome))
    return requests.paid_with(request, outcome, prefix="payer_card" if request.get("action") == "CARD2CARD" else "card")


@requirement("S2C-DUP-03")
def test_order_id_of_a_declined_charge_is_refused(payments_of: Callable[[str], Payments], profile: Profile) -> None:
    with where_it_comes_about("a charge that is declined"):
        must_offer(profile, ("account:declining_recurring",), "s2s_card")
    payments = payments_of("declining_recurring")
    payments.shared("initial_sale")
    started = payments.clock.now()
    payment = payments.fresh("softly_declined")

    reply = payments.merchant.post(payment.opening)

    must_be_within_the_window(payments.clock, started)
    must_refuse(reply)


@requirement("S2C-DUP-01")
@pytest.mark.parametrize("state", ["voided", "refunded", "released"])
def test_order_id_is_refused_though_its_payment_was_taken_back(
    state: str, payments: Payments, card_actions: Baselines[FormRequest]
) -> None:
    started = payments.clock.now()
    with where_it_comes_about(f"a payment that is {state}"):
        payment = payments.fresh(state)

    reply = payments.merchant.post(card_actions("sale").with_("order_id", payment.order_id))

    must_be_within_the_window(payments.clock, started)
    must_refuse(reply)


@requirement("S2C-DUP-08")
@pytest.mark.parametrize("kind", KINDS_OF_UNLIKE)
def test_order_id_that_is_nearly_the_same_is_no_duplicate(
    kind: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    def send(order_id: str) -> Reply:
        return s2s_card.post(unproven_sale.baseline("sale").with_("order_id", order_id))

    must_be_no_duplicates(send, lambda: unlike_numbers(kind, unproven_sale.numbers))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=requirement(claimed))
        for name, claimed in BESIDES_SALES.items()
        if name != "recurring_debit"
    ],
)
def test_repeated_order_id_is_refused_though_the_amount_differs(
    name: str,
    s2s_card: S2SCardMerchant,
    clock: Clock,
    card_actions: Baselines[FormRequest],
    unproven_sale: SaleRequests,
) -> None:
    request = card_actions(name)

    must_refuse(reply_to_repetition(s2s_card.post, clock, request, request.with_("order_amount", unproven_sale.part)))


@requirement("S2C-DUP-11")
@pytest.mark.parametrize("outcome", ["decline", "three_ds_success"], ids=["declined", "challenged"])
def test_order_id_of_a_sale_that_did_not_settle_is_refused(
    outcome: str,
    s2s_card: S2SCardMerchant,
    clock: Clock,
    card_actions: Baselines[FormRequest],
    unproven_sale: SaleRequests,
) -> None:
    with where_it_comes_about(f"a sale with the card for {outcome}"):
        must_offer(unproven_sale.profile, (f"test_data:cards.{outcome}",), "s2s_card")
    sale = card_actions("sale")
    unsettled = unproven_sale.paid_with(sale, outcome)

    must_refuse(reply_to_repetition(s2s_card.post, clock, unsettled, sale))


@requirement("S2C-DUP-06")
@waits(INSIDE)
def test_window_is_still_closed_shortly_before_its_end(
    s2s_card: S2SCardMerchant, clock: Clock, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")

    must_refuse(reply_to_repetition(s2s_card.post, clock, sale, sale, at=INSIDE))


@requirement("S2C-DUP-07")
@deferred(after=OUTSIDE, start=a_paid_sale)
def test_order_id_may_be_used_again_or_never_after_the_window(s2s_card: S2SCardMerchant, ready: FormRequest) -> None:
    must_answer_properly(s2s_card.post(ready), "S2C-DUP-07", accepted="window", refused="for-good")


@requirement("S2C-DUP-08")
def test_another_order_id_is_no_duplicate(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    must_come_first_of_all(s2s_card.post(unproven_sale.baseline("sale")))

    must_accept(s2s_card.post(unproven_sale.baseline("sale")))


@requirement("S2C-DUP-09")
def test_same_order_id_of_another_merchant_is_no_duplicate(
    s2s_card: S2SCardMerchant, s2s_card_merchant: MerchantOf, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")
    must_come_first(s2s_card.post(sale))

    other = s2s_card_merchant("second_merchant")
    reply = other.post(sale)
    if answer_of(reply) is Answer.REFUSED:
        taken = "an account of another merchant that takes a SALE that the main account takes"
        must_have_accepted(other.post(card_actions("sale")), decides=taken)
    must_accept(reply)


@requirement("S2C-DUP-10")
def test_sale_asked_for_several_times_at_once_is_one_payment(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], profile: Profile
) -> None:
    signed = s2s_card.sign(card_actions("sale"))

    must_happen_once(lambda: s2s_card.send(signed), profile, "the SALE")


@requirement("S2C-DUP-11")
@pytest.mark.parametrize("changed", ["amount", "card"])
def test_repeated_order_id_is_refused_whatever_else_changed(
    changed: str,
    s2s_card: S2SCardMerchant,
    clock: Clock,
    card_actions: Baselines[FormRequest],
    unproven_sale: SaleRequests,
) -> None:
    first = card_actions("sale")
    second = (
        first.with_("order_amount", unproven_sale.part)
        if changed == "amount"
        else first.with_("card_number", unproven_sale.payee_card())
    )

    must_refuse(reply_to_repetition(s2s_card.post, clock, first, second))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("authorization", marks=requirement("S2C-DUP-01")),
        pytest.param("initial_sale", marks=requirement("S2C-DUP-01")),
        pytest.param("sale_by_token", marks=requirement("S2C-DUP-01")),
        pytest.param("sale_by_wallet", marks=requirement("S2C-DUP-01")),
        pytest.param("sale_with_schedule", marks=requirement("S2C-DUP-01")),
        pytest.param("initial_debit", marks=requirement("S2C-DUP-02")),
        pytest.param("debit_by_token", marks=requirement("S2C-DUP-02")),
        pytest.param("credit2card_by_token", marks=requirement("S2C-DUP-04")),
    ],
)
def test_repeated_order_id_is_refused_whatever_pays_and_what_for(
    name: str, s2s_card: S2SCardMerchant, clock: Clock, card_actions: Baselines[FormRequest]
) -> None:
    with where_it_comes_about(f"a valid request as {name}"):
        request = card_actions(name)

    must_refuse(reply_to_repetition(s2s_card.post, clock, request, request, asks_again=False))


@requirement("S2C-DUP-12")
def test_order_id_of_an_invalid_sale_is_free_or_taken(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")
    if answer_of(s2s_card.post(sale.without("order_amount"))) is not Answer.REFUSED:
        inconclusive("a sale that lacks a field is not refused", decides="a sale that the target refuses for its data")

    must_answer_properly(s2s_card.post(sale), "S2C-DUP-12", accepted="free", refused="taken")
