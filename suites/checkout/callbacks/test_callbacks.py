"""Callbacks of Checkout: that each outcome is notified, by which words, and about which payment."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

import pytest

from contract.model import Release
from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.inbox import Naming
from fixtures.callbacks.judging import fail, must_be, must_have, must_return_custom_data
from fixtures.judging.must import must_accept
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.protocols.callbacks import (
    has_outcome,
    must_notify_before_the_outcome,
    payment_in,
    reports_failure,
    statuses_in,
)
from fixtures.protocols.checkout.callbacks import (
    about,
    about_order,
    about_outcome,
    is_on_the_way,
    of_change,
    outcome_of,
    which_came,
)
from fixtures.protocols.checkout.must import must_be_of_order, must_have_been_paid
from fixtures.protocols.checkout.operations import OperationRequest, status_of_payment
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.states import NEEDS_OF_STATE, charged
from fixtures.protocols.checkout.unusual import CUSTOM_DATA as UNUSUAL_DATA
from fixtures.requirement import must_offer, requirement
from fixtures.wire.hostile import is_amount

WITH_CREDIT = Release("6.6.4")
CUSTOM_DATA: Mapping[str, object] = {"reference": {"ticket": "7"}, "note": "a gift"}
OTHER_DATA: Mapping[str, object] = {"reference": {"ticket": "8", "clerk": "of the first"}, "note": "first"}


@pytest.fixture
def of_sale(paid: CheckoutPayments, callbacks: CallbackWatch) -> Callback:
    """The callback of a paid purchase."""
    return outcome_of(paid.shared("settled"), callbacks)


@requirement("CBK-DEL-01")
def test_payment_that_settles_is_notified(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    payment = paid.pay(paid.requests.baseline("purchase"), paid.card("success"))
    must_have_been_paid(payment)

    callbacks.expect(about(payment), f"a callback of {payment}")


@requirement("CBK-DEL-01")
def test_payment_that_settles_after_a_challenge_is_notified(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    must_offer(paid.profile, ("capability:three_ds", "test_data:cards.three_ds_success"))

    outcome_of(paid.shared("passed_challenge"), callbacks)


@requirement("CBK-ATT-10")
def test_charge_that_settles_when_it_is_retried_is_notified(
    paid_by: Callable[[str], CheckoutPayments], callbacks: CallbackWatch
) -> None:
    with where_it_comes_about("a charge that settles when it is retried"):
        paid = paid_by("declining_recurring")
        must_offer(paid.profile, NEEDS_OF_STATE["retried"], "checkout")
        payment = paid.confirmed(paid.shared("retried"), "SETTLED")

    callbacks.expect(of_success(payment), f"the callback that reports {payment} as settled by its RETRY")


@requirement("CBK-DEL-04")
def test_payment_that_is_declined_after_a_challenge_is_notified(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, ("capability:three_ds", "test_data:cards.three_ds_decline"))
    payment = paid.shared("failed_challenge")

    callbacks.expect(about_outcome(payment, "DECLINED"), f"the callback that reports {payment} as declined")


@requirement("CBK-DEL-04")
def test_declined_payment_is_notified(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    must_offer(paid.profile, ("capability:checkout", "test_data:cards.decline"))
    payment = paid.shared("declined")

    callbacks.expect(about_outcome(payment, "DECLINED"), f"the callback that reports {payment} as declined")


@requirement("CBK-DEL-05")
def test_callback_is_a_post_of_form_fields_or_json(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    must_offer(paid.profile, ("capability:checkout",))
    callback = outcome_of(paid.shared("settled"), callbacks)

    kind = callback.headers.get("content-type", "")
    is_declared = any(word in kind.casefold() for word in ("form", "json"))
    if callback.method != "POST" or not callback.fields or not is_declared:
        explanation = f"It came by {callback.method}, declared as {kind or 'nothing'}."
        fail("a POST that is declared as a form or as JSON, and is one", callback, explanation)
    note_reading("CBK-DEL-05", "json" if callback.body.lstrip()[:1] == b"{" else "form")


@requirement("CBK-ATT-01")
def test_callback_names_the_payment_that_a_look_up_finds(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    session = paid.requests.baseline("purchase")
    paid.pay(session, paid.card("success"))
    number = str(session.get("order.number"))

    callback = callbacks.expect(about_order(number), f"a callback of order {number}")

    if not payment_in(callback):
        must_have(callback, ("id",))
    reply = paid.merchant.post(status_of_payment(payment_in(callback)))
    must_accept(reply)
    must_be_of_order(reply, number)


@requirement("CBK-ATT-02")
@pytest.mark.parametrize("state", ["settled", "declined", "unusual"])
def test_callback_repeats_the_order(state: str, paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    if state == "declined":
        must_offer(paid.profile, ("test_data:cards.decline",))
    payment = paid.shared(state)

    must_repeat_order(outcome_of(payment, callbacks, state=state), payment)


@requirement("CBK-ATT-02")
@pytest.mark.parametrize(
    ("state", "needs", "members"),
    [
        ("captured", ("capability:dms",), {"type": "capture"}),
        ("refunded", ("capability:refund_endpoint",), {"type": "refund"}),
        # A charge is a payment of its own: whatever names its callback's type, the contract does not.
        ("secondary", ("capability:recurring",), {}),
        ("voided", ("capability:void_endpoint",), {"type": "void"}),
        # The callback that sends the payer to the bank is a success as well: only the outcome has this status.
        ("passed_challenge", ("capability:three_ds", "test_data:cards.three_ds_success"), {"order_status": "settled"}),
    ],
)
def test_callback_of_what_follows_repeats_the_order(
    state: str, needs: tuple[str, ...], members: dict[str, str], paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, needs)
    payment = paid.shared(state)
    found = callbacks.any_of(about(payment, **members), seconds=callbacks.seconds)
    if not found:
        having = f" with {', '.join(map(' '.join, members.items()))}" if members else ""
        inconclusive(f"no callback about {payment} came{having}", decides="one, which checks of their own ask for")

    for callback in found:
        must_repeat_order(callback, payment)


def must_repeat_order(callback: Callback, payment: CheckoutPayment) -> None:
    # The contract calls the number order_id, public documents order_number; both may be there.
    if callback.get("order_number") is not None or callback.get("order_id") != payment.number:
        must_be(callback, "order_number", payment.number)
    for name in ("currency", "description"):
        # A charge has the currency of its chain, and none of its own.
        if payment.order.get(name) is not None:
            must_be(callback, f"order_{name}", str(payment.order.get(name)))
    must_have(callback, ("order_amount",))
    if not is_amount(callback.get("order_amount"), payment.amount):
        fail(f"order_amount {payment.amount}", callback, f"It is {callback.get('order_amount')!r}.")


@requirement("CBK-ATT-03")
def test_callback_of_a_paid_purchase_is_a_sale_that_succeeded(of_sale: Callback) -> None:
    must_have(of_sale, ("type", "status"))
    if not of_sale.has(type="sale", status="success"):
        value = f"type {of_sale.get('type')!r} and status {of_sale.get('status')!r}"
        fail("type sale and status success", of_sale, f"It has {value}.")


@requirement("CBK-ATT-04")
def test_callback_that_failed_says_why(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    payment = paid.shared("declined")

    callbacks.expect(
        about(payment).but(reports_failure, reads=has_outcome), f"the callback that reports {payment} as declined"
    )
    found = callbacks.arrived(about(payment, status="fail"))
    if not found:
        not_applicable("this target reports a decline by other words than status fail, which line 288 does not show")

    for callback in found:
        must_have(callback, ("reason",))


@requirement("CBK-ATT-05")
@pytest.mark.parametrize(
    ("state", "needs"), [("settled", ()), ("captured", ("capability:dms",)), ("settled_debit", ("capability:debit",))]
)
def test_settled_payment_has_status_settled(
    state: str, needs: tuple[str, ...], paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, needs)
    payment = paid.shared(state)
    is_captured = state == "captured" or (state == "settled" and payment.merchant.must_hold(payment.amount))
    wanted = of_change(payment, "capture") if is_captured else of_success(payment)

    what = f"the callback that reports {payment} as settled"
    first = which_came(wanted, what, callbacks)[0] if is_captured else callbacks.expect(wanted, what)

    must_be(as_settled(first, wanted, callbacks), "order_status", "settled")
    for other in callbacks.arrived(about_outcome(payment, "DECLINED")):
        fail(f"no callback that reports {payment} as declined", other, "It is settled, as another callback says.")


def as_settled(first: Callback, wanted: Naming, callbacks: CallbackWatch) -> Callback:
    """Return the callback that says settled; a success may be reported before that in another word (line 309)."""
    if "SETTLED" in statuses_in(first):
        return first
    settled = callbacks.any_of(wanted.but(lambda one: "SETTLED" in statuses_in(one)), seconds=callbacks.seconds)
    return next(iter(settled), first)


def of_success(payment: CheckoutPayment) -> Naming:
    """Pick the callbacks that report a success or a settled payment, by whichever member, and no step on the way."""
    return about(payment).but(
        lambda callback: (
            "SETTLED" in statuses_in(callback) or (callback.has(status="success") and not is_on_the_way(callback))
        ),
        reads=has_outcome,
    )


@requirement("CBK-ATT-06")
@pytest.mark.parametrize("state", ["challenged", "challenged_to_decline"])
def test_challenge_is_notified_before_the_outcome(state: str, paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    if state == "challenged_to_decline":
        must_offer(paid.profile, ("test_data:cards.three_ds_decline",))
    payment = paid.shared(state)

    must_notify_before_the_outcome(about(payment), callbacks, "CBK-ATT-06")
    callback = callbacks.expect(about(payment, order_status="3ds"), f"the callback of the challenge of {payment}")

    must_be(callback, "order_status", "3ds")
    for other in callbacks.arrived(about_outcome(payment, "SETTLED")):
        fail("no callback of an outcome before the challenge is over", other, "It reports the payment as settled.")


@pytest.mark.parametrize(
    ("state", "members"),
    [
        pytest.param("credited", {"type": "credit"}, marks=requirement("CBK-ATT-07")),
        pytest.param("captured", {"type": "capture"}, marks=requirement("CBK-ATT-08")),
        pytest.param("authorized", {"order_status": "pending"}, marks=requirement("CBK-ATT-09")),
        pytest.param("secondary", {"type": "recurring"}, marks=requirement("CBK-ATT-10")),
        pytest.param("refunded", {"type": "refund"}, marks=requirement("CBK-ATT-11")),
        pytest.param("voided", {"type": "void"}, marks=requirement("CBK-ATT-12")),
    ],
)
def test_what_happens_is_notified_by_its_word(
    state: str, members: dict[str, str], paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    payment = paid.shared(state)
    words = ", ".join(f"{name}={value}" for name, value in members.items())

    callbacks.expect(about(payment, **members), f"the callback of {payment} with {words}")


@pytest.mark.parametrize(
    ("request_of", "kind"),
    [
        pytest.param(CheckoutPayment.refund, "refund", id="refund", marks=requirement("CBK-ATT-11")),
        pytest.param(CheckoutPayment.void, "void", id="void", marks=requirement("CBK-ATT-12")),
    ],
)
def test_what_takes_a_debit_back_is_notified_by_its_word(
    request_of: Callable[[CheckoutPayment], OperationRequest],
    kind: str,
    paid: CheckoutPayments,
    callbacks: CallbackWatch,
) -> None:
    with where_it_comes_about(f"a {kind} of a debit"):
        must_offer(paid.profile, ("capability:debit",), "checkout")
        payment = paid.fresh("settled_debit")
        paid.carry_out(request_of(payment))

    callbacks.expect(about(payment, type=kind), f"the callback of the {kind} of {payment}, a debit")


@requirement("CBK-ATT-07")
def test_payout_of_a_session_is_notified_as_a_credit(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    must_offer(paid.profile, ("capability:credit",))
    if paid.release < WITH_CREDIT:
        not_applicable(f"sessions can ask for a credit since {WITH_CREDIT}")
    session = paid.requests.baseline("credit")
    known = paid.profile.test_data.cards.get("payout_success")
    paid.pay_if_asked(session, known or paid.card("success"))
    number = str(session.get("order.number"))

    callbacks.expect(about_order(number, type="credit"), f"the callback of the credit of order {number}, type=credit")


@pytest.mark.parametrize(
    ("baseline", "outcome"),
    [
        pytest.param("purchase", "success", marks=requirement("CBK-ATT-13")),
        pytest.param("debit", "success", marks=requirement("CBK-ATT-14")),
        pytest.param("credit", "payout_success", marks=requirement("CBK-ATT-15")),
    ],
)
def test_custom_data_come_back(baseline: str, outcome: str, paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    session = paid.requests.baseline(baseline).with_("custom_data", CUSTOM_DATA)
    known = paid.profile.test_data.cards.get(outcome)
    payment = paid.pay_if_asked(session, known or paid.card("success"))

    must_return_in_callbacks(CUSTOM_DATA, payment, about_order(payment.number), callbacks)


def must_return_in_callbacks(
    sent: Mapping[str, object], payment: CheckoutPayment, found: Naming, callbacks: CallbackWatch
) -> None:
    """The outcome carries custom_data; a callback before it need not, and carries no other (line 427)."""
    must_return_custom_data(outcome_of(payment, callbacks, found, having=("custom_data",)), sent)
    for callback in callbacks.arrived(found):
        if callback.fields.get("custom_data"):
            must_return_custom_data(callback, sent)


@requirement("CBK-ATT-13")
def test_unusual_custom_data_come_back(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    callback = outcome_of(paid.shared("unusual"), callbacks, having=("custom_data",))

    must_return_custom_data(callback, UNUSUAL_DATA)


@requirement("CBK-ATT-16")
def test_charge_returns_its_own_custom_data(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    session = paid.requests(recurring_init=True, custom_data=OTHER_DATA)
    chain = paid.chain_of(paid.confirmed(paid.pay(session, paid.card("success")), "SETTLED"))
    payment = charged(paid, paid.operations.charge(chain).with_("custom_data", CUSTOM_DATA))

    must_return_in_callbacks(CUSTOM_DATA, payment, about(payment), callbacks)


@requirement("CBK-ATT-16")
def test_charge_without_custom_data_returns_none_of_the_first_payment(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    session = paid.requests(recurring_init=True, custom_data=OTHER_DATA)
    chain = paid.chain_of(paid.confirmed(paid.pay(session, paid.card("success")), "SETTLED"))
    payment = charged(paid, paid.operations.charge(chain))

    outcome_of(payment, callbacks)

    for callback in callbacks.arrived(about(payment)):
        if callback.fields.get("custom_data") and "first" in json.dumps(callback.fields["custom_data"]):
            fail("no custom_data of the first payment", callback, "They are those of the first payment.")
