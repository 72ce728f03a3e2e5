"""What belongs to one request is not mixed up with that of the one before, and a refused request changes nothing."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from contract.catalogue import load_catalogue
from contract.errors import CAPTURE_NOT_PENDING
from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import fail, must_return_custom_data
from fixtures.cases.currencies import cut_above
from fixtures.judging.claims import speaks_of
from fixtures.judging.must import must_accept, must_be_amount, must_equal, must_hold, must_refuse, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.callbacks import is_declined
from fixtures.protocols.checkout.amounts import must_refuse_too_much
from fixtures.protocols.checkout.callbacks import (
    about_order,
    about_outcome,
    of_payout,
    outcome_of,
    payee_named_in,
    which_came,
)
from fixtures.protocols.checkout.must import order_in
from fixtures.protocols.checkout.operations import status_of_order
from fixtures.protocols.checkout.orders import listed_ids, where_a_number_may_be_used_again
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import must_be_about
from fixtures.protocols.checkout.states import NEEDS_OF_STATE, charged
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.protocols.words import status_in
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run

PaymentsOf = Callable[[str], CheckoutPayments]

WHOLE = "10.235"
MANY, FEW = 12, 5
"""Payments of an order, and how many of them are asked for."""
MOST_OF_A_LIST = 100
"""The largest size of a look-up (line 344)."""


@requirement("CBK-ATT-16")
def test_each_charge_of_a_chain_returns_its_own_custom_data(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    session = paid.requests.baseline("purchase").with_("recurring_init", value=True)
    first = paid.pay(session.with_("custom_data", {"of the first": "yes"}), paid.card("success"))
    chain = paid.chain_of(paid.confirmed(first, "SETTLED"))

    for number in ("1", "2"):
        sent = {"charge": number, f"of charge {number}": "alone"}
        payment = charged(paid, paid.operations.charge(chain).with_("custom_data", sent))
        callback = outcome_of(payment, callbacks)

        must_return_custom_data(callback, sent)
        if number == "2" and "of charge 1" in str(callback.fields.get("custom_data", "")):
            fail(f"custom_data {sent}", callback, "Those of the charge before are among them.")


@requirement("CHK-REC-02")
def test_each_charge_of_a_chain_names_the_payment_that_started_it(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    chain = paid.chain_of(paid.fresh("initial"))
    charges: list[CheckoutPayment] = []

    for _ in range(2):
        payment = charged(paid, paid.operations.charge(chain))
        callback = outcome_of(payment, callbacks)
        if callback.get("recurring_init_trans_id") in {one.payment_id for one in charges}:
            fail(f"recurring_init_trans_id {chain.init_trans_id}", callback, "It is that of the charge before.")
        charges.append(payment)


@requirement("CBK-ATT-16")
def test_declined_charge_of_a_chain_returns_its_custom_data(paid_by: PaymentsOf, callbacks: CallbackWatch) -> None:
    sent = {"charge": "declined"}
    with where_it_comes_about("a charge that is declined"):
        paid = paid_by("declining_recurring")
        charge = paid.operations.charge(paid.chain("initial")).with_("custom_data", sent)
        reply = paid.carry_out(charge)
    if status_in(reply) != "DECLINED":
        not_applicable(f"the charge is not declined: {reply.summary}")
    declined = about_order(str(charge.get("order.number"))).but(is_declined)

    for callback in which_came(declined, "the callback of a declined charge", callbacks):
        must_return_custom_data(callback, sent)


@requirement("CBK-ATT-16")
def test_charge_that_settles_when_it_is_retried_returns_its_own_custom_data(
    paid_by: PaymentsOf, callbacks: CallbackWatch
) -> None:
    sent = {"charge": "tried again"}
    with where_it_comes_about("a charge that settles when it is retried"):
        paid = paid_by("declining_recurring")
        must_offer(paid.profile, NEEDS_OF_STATE["retried"], "checkout")
        session = paid.requests.baseline("purchase").with_("recurring_init", value=True)
        first = paid.pay(session.with_("custom_data", {"of the first": "yes"}), paid.card("success"))
        chain = paid.chain_of(paid.confirmed(first, "SETTLED"))
        charge = charged(paid, paid.operations.charge(chain).with_("custom_data", sent))
        paid.carry_out(paid.confirmed(charge, "DECLINED").retry())
        paid.confirmed(charge, "SETTLED")

    settled = about_outcome(charge, "SETTLED")
    for callback in which_came(settled, "the callback of a charge that settled when it was retried", callbacks):
        must_return_custom_data(callback, sent)


@requirement("CHK-REC-15")
def test_charge_keeps_all_decimals_of_its_currency(paid: CheckoutPayments) -> None:
    session = paid.requests.baseline("purchase").with_("recurring_init", value=True)
    with where_it_comes_about("a chain in a currency of three decimals"):
        session = session.with_("order.currency", paid.requests.currency("exponent_3")).with_("order.amount", WHOLE)
        first = paid.confirmed(paid.pay(session, paid.card("success")), "SETTLED")
        charge = paid.operations.charge(paid.chain_of(first)).with_("order.amount", WHOLE)

    reply = paid.merchant.post(charge)

    must_accept(reply)
    for shown in (reply, paid.merchant.post(status_of_order(str(charge.get("order.number"))))):
        if order_in(shown.object).get("amount") is not None:
            must_be_amount(shown, "amount", WHOLE, within=order_in(shown.object))


@requirement("CHK-REC-15")
def test_charge_of_an_amount_that_floats_cut_keeps_its_cents(paid: CheckoutPayments) -> None:
    chain, amount = paid.chain("initial"), paid.operations.amount(cut_above(paid.profile.test_data.amounts.usual))
    charge = paid.operations.charge(chain).with_("order.amount", amount)
    with where_it_comes_about(f"a charge of {amount}"):
        reply = paid.carry_out(charge)

    for shown in (reply, paid.merchant.post(status_of_order(str(charge.get("order.number"))))):
        if order_in(shown.object).get("amount") is not None:
            must_be_amount(shown, "amount", amount, within=order_in(shown.object))


@requirement("CBK-ATT-13")
def test_custom_data_are_not_those_of_the_payment_before(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    session = paid.requests.baseline("purchase")
    for sent in (session.with_("custom_data", {"of": "the first"}), paid.requests.baseline("purchase")):
        payment = paid.pay(sent, paid.card("success"))
        callback = outcome_of(payment, callbacks)

    if "the first" in str(callback.fields.get("custom_data", "")):
        fail("no custom_data, since none were sent", callback, "They are those of the payment before.")


@requirement("CHK-REC-01")
def test_chain_is_charged_after_a_charge_with_a_wrong_token(paid: CheckoutPayments) -> None:
    chain = paid.chain_of(paid.fresh("initial"))
    must_refuse(paid.merchant.post(paid.operations.charge(chain).with_("recurring_token", str(uuid.uuid4()))))

    reply = paid.merchant.post(paid.operations.charge(chain))

    must_accept(reply)
    must_hold(status_in(reply) != "DECLINED", "a charge that is not declined", reply, "The chain does not pay.")


@requirement("CHK-CAP-01")
def test_authorization_is_captured_after_a_capture_of_too_much_was_refused(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:dms",))
    payment = paid.fresh("authorized")
    must_refuse_too_much(
        paid, payment, payment.merchant.post(payment.capture(paid.operations.too_much)), paid.operations.too_much
    )

    must_accept(payment.merchant.post(payment.capture()))


@requirement("CHK-CAP-05")
def test_second_capture_is_refused_so_after_a_refund_as_well(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:refund_endpoint",))
    payment = paid.fresh("captured")
    paid.moved(payment, "SETTLED", payment.refund())

    must_reject(payment.merchant.post(payment.capture()), CAPTURE_NOT_PENDING)


@requirement("CHK-CAP-06")
def test_capture_is_refused_so_after_a_void_as_well(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:void_endpoint", "capability:dms"))
    payment = paid.shared("voided")

    must_reject(paid.merchant.post(payment.capture()), CAPTURE_NOT_PENDING)


@requirement("CHK-CRD-15")
def test_names_of_one_credit_are_not_those_of_the_next(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    first = paid.operations.card_credit().with_("payee_first_name", "Grace").with_("payee_last_name", "Hopper")
    must_accept(paid.merchant.post(first))
    second = paid.operations.card_credit()
    reply = paid.merchant.post(second)
    must_accept(reply)
    must_be_about(reply, second)

    callback = of_payout(str(second.get("order_id")), callbacks)

    if payee_named_in(callback).casefold() == "grace hopper":
        fail("the payee of the token", callback, "It is that of the card credit before, which named another.")


@requirement("CHK-STA-04")
def test_newest_payment_of_an_order_is_answered_though_it_is_declined(paid: CheckoutPayments, run: Run) -> None:
    must_offer(paid.profile, ("test_data:cards.decline",))
    # Only size shows what payments an order has.
    must_concern([load_catalogue()["CHK-STA-06"]], run.profile, run.release)
    session = paid.requests.baseline("purchase")
    first = paid.confirmed(paid.pay(session, paid.card("success")), "SETTLED")
    paid.clock.elapse(OUTSIDE)
    with where_a_number_may_be_used_again():
        visit = paid.enter(session, paid.card("decline"))
    ask = status_of_order(first.number, 2)
    found = paid.polling.until(lambda: listed_ids(paid.merchant.post(ask)), lambda ids: len(ids) > 1)
    if len(found) < 2 and visit.page is None and visit.landing is None:
        inconclusive(
            "no second payment of the order came about, so that none is the newest",
            decides="a target on which an order number can be used again after the duplicate window",
        )
    others = set(found) - {first.payment_id}
    if not others:
        inconclusive(
            "look-ups list one payment of the order, so that none is the newest",
            decides="a target that lists every payment of an order",
        )

    reply = paid.polling.until(
        lambda: paid.merchant.post(status_of_order(first.number)),
        lambda reply: str(reply.object.get("payment_id")) in others,
    )

    must_accept(reply)
    is_another = str(reply.object.get("payment_id")) in others
    must_hold(is_another, "the newest payment", reply, "It is the one that was paid before.")


@requirement("CHK-STA-04")
def test_newest_payment_of_an_order_is_answered_though_the_older_one_was_given_back(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:refund_endpoint",))
    session = paid.requests.baseline("purchase")
    first = paid.confirmed(paid.pay(session, paid.card("success")), "SETTLED")
    paid.clock.elapse(OUTSIDE)
    with where_a_number_may_be_used_again():
        second = paid.pay(session, paid.card("success"))
    if second.payment_id == first.payment_id:
        not_applicable("the target names one payment of the order, whichever was made")

    paid.carry_out(first.refund(paid.operations.part))

    reply = paid.newest(first.number, second.payment_id)
    must_accept(reply)
    must_equal(reply, "payment_id", second.payment_id)


@requirement("CHK-STA-06", "CHK-STA-07")
def test_newest_of_more_than_ten_payments_are_answered(paid: CheckoutPayments) -> None:
    if paid.clock.waits:
        inconclusive(
            "an order number can be used again after the duplicate window only, and this takes a dozen of them",
            decides="clock in [run] of the profile",
        )
    session, made = paid.requests.baseline("purchase"), list[str]()
    with where_a_number_may_be_used_again():
        for _ in range(MANY):
            made.append(paid.pay(session, paid.card("success")).payment_id)
            paid.clock.elapse(OUTSIDE)
    if len(set(made)) < MANY:
        inconclusive("one order did not get a dozen payments", decides="a target on which a number can be used again")

    number = str(session.get("order.number"))
    paid.newest(number, made[-1])
    reply = paid.merchant.post(status_of_order(number, FEW))

    found = set(listed_ids(reply))
    with speaks_of("CHK-STA-06"):
        must_accept(reply)
        must_hold(len(found) == FEW, f"{FEW} payments", reply, f"There are {len(found)}.")
    with speaks_of("CHK-STA-07"):
        must_hold(found == set(made[-FEW:]), f"the {FEW} newest of {MANY} payments", reply, "Others came.")
    with speaks_of("CHK-STA-06"):
        reply = paid.merchant.post(status_of_order(number, MOST_OF_A_LIST))

        must_accept(reply)
        must_hold(set(listed_ids(reply)) >= set(made), f"all of {MANY} payments", reply, "Some are left out.")
