"""What a look-up shows besides the payment itself, as the protocol mapping of the account says."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from fixtures.callbacks import Callback
from fixtures.deferred import waits
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_carry, must_hold, must_show_what_is_mapped
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import note_reading
from fixtures.protocols.checkout.attributes import COF_DISCRIMINATORS, PAYER_ATTRIBUTES, present_in
from fixtures.protocols.checkout.callbacks import about, of_change
from fixtures.protocols.checkout.cards_on_file import must_be_one_of_a_card_on_file
from fixtures.protocols.checkout.look_ups import BY, BY_EITHER, Ask, each_listed, looked_up
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.must import must_show_masked_card
from fixtures.protocols.reference_numbers import SECONDS_TO_CLEARING, must_show_arn
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

PaymentsOf = Callable[[str], CheckoutPayments]

STATES_WITH_ARN = {
    "settled": (),
    "captured": ("capability:dms",),
    "secondary": ("capability:recurring",),
    "refunded": ("capability:refund_endpoint",),
}


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(BY["payment_id"], id="payment_id", marks=requirement("CHK-STA-33")),
        pytest.param(BY["order_id"], id="order_id", marks=requirement("CHK-STA-34")),
    ],
)
def test_card_and_expiry_are_shown_when_enabled(ask: Ask, paid_by: PaymentsOf) -> None:
    paid = paid_by("status_card_data")

    reply = looked_up(paid, paid.shared("settled"), ask)

    missing = [name for name in ("card", "card_expiration_date") if not reply.object.get(name)]
    must_hold(not missing, "card and card_expiration_date", reply, f"{' and '.join(missing)} is missing.")


@requirement("CHK-STA-34")
@pytest.mark.parametrize("size", [1, 2])
def test_card_and_expiry_are_shown_in_an_array_as_well(size: int, paid_by: PaymentsOf) -> None:
    paid = paid_by("status_card_data")

    reply = looked_up(paid, paid.shared("settled"), lambda payment: payment.look_up_order(size))

    for one in each_listed(reply):
        missing = [name for name in ("card", "card_expiration_date") if not one.get(name)]
        must_hold(not missing, "card and card_expiration_date", reply, f"{' and '.join(missing)} is missing.")


@requirement("CHK-STA-33")
@pytest.mark.parametrize(
    ("state", "needs"),
    [
        ("paid_by_token", ("capability:tokens",)),
        ("settled_debit", ("capability:debit",)),
        ("secondary", ("capability:recurring",)),
        ("passed_challenge", ("capability:three_ds",)),
        ("declined", ()),
        ("voided", ("capability:void_endpoint",)),
        ("refunded", ("capability:refund_endpoint",)),
    ],
)
def test_card_and_expiry_of_every_payment_by_card_are_shown(
    state: str, needs: tuple[str, ...], paid_by: PaymentsOf
) -> None:
    paid = paid_by("status_card_data")
    must_offer(paid.profile, needs)
    with where_it_comes_about(f"a payment by card that is {state}, on an account whose look-ups show cards"):
        payment = paid.shared(state)

    reply = looked_up(paid, payment, BY["payment_id"])

    missing = [name for name in ("card", "card_expiration_date") if not reply.object.get(name)]
    must_hold(not missing, "card and card_expiration_date", reply, f"{' and '.join(missing)} is missing.")


@requirement("CHK-STA-35")
@BY_EITHER
def test_card_and_expiry_are_not_shown_unless_enabled(ask: Ask, paid_by: PaymentsOf) -> None:
    paid = paid_by("no_status_card_data")

    reply = looked_up(paid, paid.shared("settled"), ask)

    received = present_in(reply.object, ("card", "card_expiration_date"))
    must_hold(not received, "neither card nor card_expiration_date", reply, f"It has {' and '.join(received)}.")


@requirement("CHK-STA-36")
@BY_EITHER
def test_shown_card_is_masked(ask: Ask, paid_by: PaymentsOf) -> None:
    paid = paid_by("status_card_data")
    payment = paid.shared("settled")

    reply = looked_up(paid, payment, ask)

    number = payment.card.number.reveal() if payment.card else ""
    must_show_masked_card(reply, number)
    must_hold(not number or number not in reply.text, "no whole card number", reply, "It is shown beside the card.")


@requirement("CHK-STA-37")
@BY_EITHER
def test_shown_expiry_is_month_and_year(ask: Ask, paid_by: PaymentsOf) -> None:
    paid = paid_by("status_card_data")
    payment = paid.shared("settled")

    reply = looked_up(paid, payment, ask)

    value, wanted = reply.object.get("card_expiration_date"), payment.card.expiry if payment.card else ""
    must_hold(
        isinstance(value, str) and re.fullmatch(r"(0[1-9]|1[0-2])/\d{4}", value) and value == wanted,
        f"card_expiration_date {wanted}",
        reply,
        f"It is {value!r}.",
    )


@requirement("CHK-STA-38")
@BY_EITHER
@pytest.mark.parametrize("state", ["settled", "authorized"])
@pytest.mark.parametrize("shows", [False, True], ids=["any-account", "account-that-shows-it"])
def test_arn_is_left_out_while_there_is_none(
    ask: Ask, shows: bool, state: str, paid: CheckoutPayments, paid_by: PaymentsOf
) -> None:
    must_offer(paid.profile, ("capability:dms",) if state == "authorized" else ())
    paid = paid_by("status_arn") if shows else paid

    reply = looked_up(paid, paid.fresh(state), ask)

    is_empty = any(name.casefold() == "arn" and not value for name, value in reply.object.items())
    must_hold(not is_empty, "no ARN, or one", reply, "It is present and empty.")


@requirement("CHK-STA-38")
@pytest.mark.parametrize("size", [1, 2])
def test_arn_is_left_out_of_an_array_as_well_while_there_is_none(size: int, paid: CheckoutPayments) -> None:
    reply = looked_up(paid, paid.fresh("settled"), lambda payment: payment.look_up_order(size))

    for one in each_listed(reply):
        is_empty = any(name.casefold() == "arn" and not value for name, value in one.items())
        must_hold(not is_empty, "no ARN, or one", reply, "It is present and empty.")


@requirement("CHK-STA-39")
@waits(SECONDS_TO_CLEARING)
@pytest.mark.parametrize("state", STATES_WITH_ARN)
def test_arn_is_shown_once_there_is_one(state: str, paid_by: PaymentsOf, run: Run) -> None:
    paid = paid_by("status_arn")
    must_offer(paid.profile, STATES_WITH_ARN[state])
    payment = paid.shared(state)
    paid.clock.elapse(0 if paid.clock.waits else SECONDS_TO_CLEARING)

    for ask in BY.values():
        reply = looked_up(paid, payment, ask)
        must_show_arn(reply, paid.merchant.identity, paid.clock, lambda: days_later(paid, payment, run))


def days_later(paid: CheckoutPayments, payment: CheckoutPayment, run: Run) -> list[Callback]:
    """Return what has come of a payment, and the callback of another that is refunded when it is days old."""
    if run.receiver is None:
        return []
    other = paid.fresh("settled")
    paid.clock.elapse(SECONDS_TO_CLEARING)
    is_back = answer_of(paid.merchant.post(other.refund())) is Answer.ACCEPTED
    refunded = of_change(other, "refund")
    came = run.callbacks.any_of(refunded, seconds=run.callbacks.seconds) if is_back else []
    return [*came, *run.callbacks.arrived(about(payment))]


@requirement("CHK-STA-40")
@BY_EITHER
def test_payer_attributes_are_not_shown_unless_turned_on(ask: Ask, paid_by: PaymentsOf) -> None:
    paid = paid_by("no_status_payer_fields")

    reply = looked_up(paid, paid.shared("settled"), ask)

    received = present_in(reply.object, PAYER_ATTRIBUTES)
    must_hold(not received, "none of the payer attributes", reply, f"{', '.join(received)} came.")


@requirement("CHK-STA-41")
@BY_EITHER
def test_recurring_token_of_a_chain_is_shown(ask: Ask, paid: CheckoutPayments) -> None:
    reply = looked_up(paid, paid.shared("initial"), ask)

    must_carry(reply, "recurring_token")


@requirement("CHK-STA-42")
@BY_EITHER
def test_schedule_of_a_payment_is_shown(ask: Ask, paid: CheckoutPayments) -> None:
    reply = looked_up(paid, paid.shared("with_schedule"), ask)

    wanted = paid.requests.schedule_id()
    if not reply.object.get("shedule_id"):
        must_carry(reply, "schedule_id")
    found = [name for name in ("schedule_id", "shedule_id") if reply.object.get(name) == wanted]
    value = reply.object.get("schedule_id") or reply.object.get("shedule_id")
    must_hold(found, f"schedule_id {wanted}", reply, f"schedule_id is {value!r}.")
    note_reading("CHK-STA-42", found[0].replace("_", "-"))


@requirement("CHK-STA-43")
def test_wallet_of_a_payment_is_shown(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("test_data:wallet_token",))
    payment = paid.shared("paid_by_wallet")

    reply = looked_up(paid, payment, CheckoutPayment.look_up)

    customer = reply.object.get("customer")
    within = customer if isinstance(customer, dict) and customer.get("digital_wallet") else reply.object
    must_carry(reply, "digital_wallet", within=within)
    value = within["digital_wallet"]
    # How the wallet is written is not stated: googlepay, GOOGLE_PAY and Google Pay are the same.
    letters = re.sub(r"[^a-z]", "", str(value).casefold())
    expected = f"digital_wallet {payment.wallet}"
    must_hold(payment.wallet.removesuffix("pay") in letters, expected, reply, f"digital_wallet is {value!r}.")


@requirement("CHK-COF-02")
@pytest.mark.parametrize("state", ["paid_by_token", "secondary"])
def test_discriminators_of_a_stored_card_are_shown_when_turned_on(state: str, paid_by: PaymentsOf) -> None:
    paid = paid_by("status_cof_fields")
    must_offer(paid.profile, ("capability:tokens",) if state == "paid_by_token" else ("capability:recurring",))

    reply = looked_up(paid, paid.shared(state), CheckoutPayment.look_up)

    must_be_one_of_a_card_on_file(paid, state, reply.object, lambda payment: paid.look_up(payment).object)
    must_show_what_is_mapped(reply, COF_DISCRIMINATORS, "status_cof_fields")


@requirement("CHK-COF-03")
@BY_EITHER
@pytest.mark.parametrize("state", ["settled", "paid_by_token", "secondary"])
def test_discriminators_are_not_shown_unless_turned_on(ask: Ask, state: str, paid_by: PaymentsOf) -> None:
    paid = paid_by("no_status_cof_fields")
    needs = {"paid_by_token": ("capability:tokens",), "secondary": ("capability:recurring",)}
    must_offer(paid.profile, needs.get(state, ()))

    reply = paid.merchant.post(ask(paid.shared(state)))

    must_accept(reply)
    received = present_in(reply.object, COF_DISCRIMINATORS)
    must_hold(not received, "no initiator, source or sequence", reply, f"{', '.join(received)} came.")
