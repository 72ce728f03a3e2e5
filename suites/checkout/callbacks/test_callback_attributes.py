"""What callbacks of Checkout carry of cards, tokens, chains and schedules."""

from __future__ import annotations

import ipaddress
import re

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import fail, must_be, must_have
from fixtures.callbacks.watch import is_on_this_machine
from fixtures.deferred import waits
from fixtures.judging.must import must_accept, must_not_be
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.protocols.callbacks import before_the_outcome
from fixtures.protocols.checkout.callbacks import about, carrying, of_change, outcome_of, which_came
from fixtures.protocols.checkout.operations import Chain
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.schedules import SCHEDULED_CHARGES, Schedules
from fixtures.protocols.checkout.states import WITH_AUTH
from fixtures.protocols.words import is_mask_of, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.hostile import day_in

DEBITS = {
    "settled_debit": (),
    "declined_debit": ("test_data:cards.decline",),
    "challenged_debit": ("capability:three_ds", "test_data:cards.three_ds_success"),
}
MONTH_AND_YEAR = re.compile(r"(0[1-9]|1[0-2])/\d{4}")


def number_of(payment: CheckoutPayment) -> str:
    return payment.card.number.reveal() if payment.card else ""


def must_mask(callback: Callback, payment: CheckoutPayment) -> None:
    if not is_mask_of(callback.get("card"), number_of(payment)):
        fail("card, masked", callback, "It is missing, shows more, or is a different card.")


def must_have_month_and_year(callback: Callback) -> None:
    received = callback.get("card_expiration_date") or ""
    if not MONTH_AND_YEAR.fullmatch(received):
        fail("card_expiration_date as MM/YYYY", callback, f"It is {received!r}.")


@requirement("CBK-ATT-17")
@pytest.mark.parametrize("state", ["settled", "declined", "authorized", "tokenized"])
def test_card_is_masked(state: str, paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    needs = {
        "declined": "test_data:cards.decline",
        "authorized": "capability:dms",
        "tokenized": "capability:tokens",
    }
    must_offer(paid.profile, [needs[state]] if state in needs else [])
    payment = paid.shared(state)

    callback = outcome_of(payment, callbacks, state=state)

    if callback.get("card"):
        must_mask(callback, payment)
    if number_of(payment) in callback.text:
        fail("no whole card number", callback, "The callback contains it.")


@requirement("CBK-ATT-18")
def test_expiry_is_month_and_year(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    callback = outcome_of(paid.shared("settled"), callbacks)

    if callback.get("card_expiration_date"):
        must_have_month_and_year(callback)


@requirement("CBK-ATT-19")
def test_callback_of_a_card_payment_carries_the_card(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    must_have(outcome_of(paid.shared("settled"), callbacks, having=("card",)), ("card",))


@requirement("CBK-ATT-20")
def test_customer_ip_is_the_address_of_the_payer(paid: CheckoutPayments, callbacks: CallbackWatch, run: Run) -> None:
    callback = outcome_of(paid.shared("settled"), callbacks)

    must_have(callback, ("customer_ip",))
    received = callback.get("customer_ip") or ""
    try:
        address = ipaddress.ip_address(received)
    except ValueError:
        return fail("customer_ip, an address", callback, f"It is {received!r}.")
    if is_on_this_machine(run.address("checkout")) and not address.is_loopback:
        fail("customer_ip of this machine, where the payer is", callback, f"It is {received}.")
    return None


@requirement("CBK-ATT-21")
@pytest.mark.parametrize("state", DEBITS)
def test_every_callback_of_a_debit_carries_a_token(
    state: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, DEBITS[state])
    payment = paid.shared(state)
    if state == "challenged_debit":
        before_the_outcome(about(payment), callbacks)
    else:
        outcome_of(payment, callbacks, state=state)

    for callback in callbacks.arrived(about(payment)):
        must_have(callback, ("card_token",))


@requirement("CBK-ATT-21")
@pytest.mark.parametrize("state", ["secondary_debit"])
def test_debit_that_starts_a_chain_is_notified_with_a_token(
    state: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, ("capability:recurring",))
    charge = paid.shared(state)

    must_have(outcome_of(paid.shared("initial_debit"), callbacks), ("card_token",))

    # Whether a charge is notified at all is not shown (line 427).
    came = callbacks.any_of(about(charge), seconds=callbacks.seconds)
    carried = [bool(callback.get("card_token")) for callback in came]
    if carried:
        note_reading("CBK-ATT-21", "charges-are-debits" if all(carried) else "charges-are-sales")


@requirement("CBK-ATT-21")
def test_callback_of_a_debit_by_a_card_of_another_brand_carries_a_token(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    with where_it_comes_about("a debit that is declined for the brand of its card"):
        payment = paid.shared("debit_of_another_brand")
    came = callbacks.any_of(about(payment), seconds=callbacks.seconds)
    if not came:
        not_applicable("nothing is notified of a debit that is declined for the brand of its card")

    for callback in came:
        must_have(callback, ("card_token",))


@requirement("CBK-ATT-22")
@pytest.mark.parametrize("flag", [None, True], ids=["without-req_token", "with-req_token"])
def test_callback_of_a_settled_debit_carries_a_token(
    flag: bool | None, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    if flag is None:
        payment = paid.shared("settled_debit")
    else:
        session = paid.requests.baseline("debit").with_("req_token", flag)
        payment = paid.pay(session, paid.card("success"))

    must_have(outcome_of(payment, callbacks), ("card_token",))


@requirement("CBK-ATT-23")
def test_callbacks_of_a_debit_by_token_carry_the_card(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    payment = paid.shared("debited_by_token")
    outcome_of(payment, callbacks)

    for callback in callbacks.arrived(about(payment)):
        must_mask(callback, payment)
        must_have_month_and_year(callback)


@requirement("CBK-ATT-23")
def test_callbacks_of_a_challenged_debit_by_token_carry_the_card(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, ("capability:three_ds", "test_data:cards.three_ds_success"))
    card = paid.card("three_ds_success")
    session = paid.requests.baseline("purchase").with_("req_token", value=True)
    stored = paid.after_challenge(
        paid.named(session, paid.enter(session, card, until_challenged=True), card), passes=True
    )
    token = paid.card_token(paid.confirmed(stored, "SETTLED"))
    debit = paid.requests.baseline("debit").with_("card_token", [token])
    payment = paid.named(debit, paid.enter(debit, card, until_challenged=True), card)

    before_the_outcome(about(payment), callbacks)
    for callback in callbacks.arrived(about(payment)):
        must_have_month_and_year(callback)


@pytest.mark.parametrize(
    ("state", "name"),
    [
        pytest.param("initial", "recurring_token", marks=requirement("CBK-ATT-24")),
        pytest.param("initial", "recurring_init_trans_id", marks=requirement("CBK-ATT-25")),
        pytest.param("initial_debit", "recurring_token", marks=requirement("CBK-ATT-26")),
    ],
)
def test_callback_of_a_first_payment_carries_what_charges_again(
    state: str, name: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_have(outcome_of(paid.shared(state), callbacks, having=(name,)), (name,))


@pytest.mark.holds
@pytest.mark.parametrize(
    ("asked", "member", "needs"),
    [
        pytest.param("recurring_init", "recurring_token", (), marks=requirement("CBK-ATT-24")),
        pytest.param("req_token", "card_token", ("capability:tokens",), marks=requirement("CHK-TOK-01")),
    ],
)
def test_callbacks_of_an_authorization_that_is_captured_carry_what_was_asked_for(
    asked: str, member: str, needs: tuple[str, ...], paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    must_offer(paid.profile, ("capability:dms", *needs))
    if paid.release < WITH_AUTH:
        not_applicable(f"sessions can ask for an authorization since {WITH_AUTH}")
    session = paid.requests.baseline("purchase").with_("auth", value=True).with_(asked, value=True)
    payment = paid.confirmed(paid.pay(session, paid.card("success")), "PENDING")
    paid.moved(payment, "PENDING", payment.capture())
    paid.confirmed(payment, "SETTLED")

    which_came(of_change(payment, "capture"), f"the callback of the capture of {payment}", callbacks)
    callbacks.expect(carrying(payment, member), f"a callback of {payment} with {member}")


@requirement("CBK-ATT-27")
def test_pair_of_a_callback_charges_again(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    payment = paid.shared("initial")
    names = ("recurring_init_trans_id", "recurring_token")
    callback = callbacks.expect(carrying(payment, *names), f"a callback of {payment} with {' and '.join(names)}")
    chain = Chain(*(str(callback.get(name)) for name in names))

    reply = paid.merchant.post(paid.operations.charge(chain))

    must_accept(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@requirement("CBK-ATT-28")
@pytest.mark.parametrize("state", ["with_schedule", "debit_with_schedule"])
def test_callback_of_a_payment_that_started_a_schedule_names_it(
    state: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    if state == "debit_with_schedule":
        must_offer(paid.profile, ("capability:debit",), "checkout")
    callback = outcome_of(paid.shared(state), callbacks, having=("schedule_id",))

    must_be(callback, "schedule_id", paid.requests.schedule_id())


@requirement("CBK-ATT-29")
def test_callback_of_a_payment_that_started_a_schedule_has_the_first_date(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    callback = outcome_of(paid.shared("with_schedule"), callbacks, having=("first_recurring_date",))

    must_have(callback, ("first_recurring_date",))
    if day_in(callback.get("first_recurring_date")) is None:
        fail("first_recurring_date, a date", callback, f"It is {callback.get('first_recurring_date')!r}.")


@requirement("CBK-ATT-57")
@waits(1, looks_at=SCHEDULED_CHARGES)
def test_first_date_is_that_of_the_first_charge(run: Run, callbacks: CallbackWatch) -> None:
    schedules: Schedules = run.checkout_schedules
    scheduled = schedules.of("plain")
    days = [charge.day for charge in scheduled.charges if charge.day]
    if not days:
        inconclusive("no charge came about, or nobody knows when", decides="a schedule that charges within two months")

    callback = outcome_of(scheduled.payment, callbacks, having=("first_recurring_date",))

    value = callback.get("first_recurring_date") or ""
    if not value:
        inconclusive(
            "no callback of the payment carries first_recurring_date",
            decides="a protocol mapping whose callbacks carry first_recurring_date",
        )
    schedules.must_be_sure_of_the_day(days[0], day_in(value))
    if day_in(value) != days[0]:
        expected = f"first_recurring_date {days[0]}, when the first charge was made"
        fail(expected, callback, f"first_recurring_date is {value!r}.")


@requirement("CBK-ATT-57")
@waits(1, looks_at=SCHEDULED_CHARGES)
def test_first_date_is_that_of_the_first_charge_where_the_first_payment_is_captured_days_later(
    run: Run, callbacks: CallbackWatch
) -> None:
    schedules: Schedules = run.checkout_schedules
    with where_it_comes_about("a schedule whose first payment is held for days"):
        scheduled = schedules.of("captured later")
        dated = of_change(scheduled.payment, "capture").but(lambda one: bool(one.get("first_recurring_date")))
        announced = callbacks.any_of(dated, seconds=callbacks.seconds)
        day = day_in(announced[-1].get("first_recurring_date")) if announced else None
        # Where the capture is a payment of its own, its callback looks like that of a charge.
        days = [charge.day for charge in scheduled.charges if charge.day]
        if day is None or not days:
            not_applicable("no callback of the capture carries a first_recurring_date, or no charge came about")
        schedules.must_be_sure_of_the_day(days[0], day)

    is_one = any(abs((charged - day).days) <= 1 for charged in days)
    if not is_one and day < days[-1]:
        expected = f"first_recurring_date of the first charge; charges were made on {', '.join(map(str, days))}"
        fail(expected, announced[-1], f"first_recurring_date is {day}.")
