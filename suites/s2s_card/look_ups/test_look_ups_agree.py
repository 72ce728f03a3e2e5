"""Look-ups show the payment that is asked for, after whatever happened to it, and agree with each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from contract.errors import HASH_NOT_VALID
from fixtures.judging.claims import speaks_of
from fixtures.judging.matchers import same_message
from fixtures.judging.must import must_be_amount, must_carry, must_hold
from fixtures.judging.verdicts import inconclusive
from fixtures.protocols.must import must_show_masked_card, must_state
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.protocols.s2s_card.details import CAPTURE, lists_nothing, steps_in
from fixtures.protocols.s2s_card.must import looked_up, looked_up_until, must_show_status, shows_no_status
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

Json = Any
Ask = Callable[[Payment], FormRequest]

OTHER_LOOK_UPS = pytest.mark.parametrize(
    "ask", [Payment.status_by_order, Payment.details], ids=["GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS"]
)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("voided", marks=requirement("S2C-VOI-02")),
        pytest.param("captured", marks=requirement("S2C-CAP-02")),
        pytest.param("refunded", marks=requirement("S2C-CVD-02")),
        pytest.param("released", marks=requirement("S2C-CVD-06")),
    ],
)
@OTHER_LOOK_UPS
def test_changed_payment_has_the_same_status_in_every_look_up(ask: Ask, state: str, payments: Payments) -> None:
    payment = payments.shared(state)
    status = payments.status(payment)

    reply = looked_up_until(
        payments, payment, lambda reply: status_in(reply) == status or shows_no_status(ask, reply), ask
    )

    must_show_status(ask, reply)
    must_state(reply, status=status)


@requirement("S2C-SIG-12")
@pytest.mark.parametrize(
    ("state", "change", "needs"),
    [
        ("settled", Payment.void, ()),
        ("settled", Payment.creditvoid, REFUNDS),
        ("authorized", Payment.capture, ("capability:dms",)),
    ],
    ids=["void", "refund", "capture"],
)
def test_look_up_is_signed_as_before_once_the_payment_was_changed(
    state: str, change: Ask, needs: tuple[str, ...], payments: Payments
) -> None:
    must_offer(payments.requests.profile, needs, "s2s_card")
    payment = payments.fresh(state)
    payments.carry_out(payment.status())
    payments.carry_out(change(payment))

    reply = payments.look_up(payment)

    is_wrong = same_message(reply.object.get("error_message"), HASH_NOT_VALID.message or "")
    must_hold(not is_wrong, "the signature that was right before is right", reply, "It is complained of.")


@requirement("S2C-STA-02")
def test_status_is_that_of_the_payment_and_not_of_the_last_one(payments: Payments) -> None:
    payment = payments.fresh("settled")
    payments.fresh("voided")

    reply = looked_up(payments, payment)

    must_state(reply, status="SETTLED")


@pytest.mark.parametrize(
    "state",
    [
        pytest.param("declined_debit", marks=requirement("S2C-DEB-08")),
        pytest.param("declined_payout", marks=requirement("S2C-PAY-12")),
    ],
)
def test_declined_payment_has_status_declined(state: str, payments: Payments) -> None:
    payment = payments.shared(state)

    reply = looked_up(payments, payment)

    must_state(reply, status="DECLINED")


@requirement("S2C-STA-26")
@pytest.mark.parametrize(
    ("state", "needs"),
    [
        ("authorized", ("capability:dms",)),
        ("settled_debit", ("capability:debit",)),
        ("payout", ("capability:credit2card",)),
        ("card2card", ("capability:card2card",)),
    ],
)
def test_details_show_the_amount(state: str, needs: tuple[str, ...], payments: Payments) -> None:
    must_offer(payments.requests.profile, needs)
    payment = payments.shared(state)

    reply = looked_up(payments, payment, Payment.details)

    must_be_amount(reply, "amount", payment.amount)


@requirement("S2C-STA-26")
def test_details_of_a_recurring_payment_show_the_amount_of_its_request(payments: Payments) -> None:
    must_offer(payments.requests.profile, ("capability:recurring",))
    requests = payments.requests
    again = payments.shared("initial_sale").again("RECURRING_SALE", requests.numbers.next(), requests.part)
    payment = payments.open(again)

    reply = looked_up(payments, payment, Payment.details)

    must_be_amount(reply, "amount", payment.amount)


@requirement("S2C-STA-27")
def test_details_of_a_payment_by_token_show_the_card_behind_it(payments: Payments) -> None:
    must_offer(payments.requests.profile, ("capability:tokens",))
    payment = payments.shared("paid_by_token")

    reply = looked_up(payments, payment, Payment.details)

    must_show_masked_card(reply, payment.card)


@requirement("S2C-STA-28")
@pytest.mark.parametrize("state", ["voided", "refunded"])
def test_details_list_what_was_done_afterwards(state: str, payments: Payments) -> None:
    before = len(steps_in(looked_up(payments, payments.shared("settled"), Payment.details)))
    payment = payments.shared(state)

    reply = looked_up_until(
        payments, payment, lambda reply: len(steps_in(reply)) > before or lists_nothing(reply), Payment.details
    )

    must_carry(reply, "transactions")
    after = len(steps_in(reply))
    must_hold(
        after > before,
        f"more transactions than the {before} of a payment to which nothing was done",
        reply,
        f"There are {after}.",
    )


@requirement("S2C-STA-29", "S2C-CAP-05")
def test_details_show_which_part_was_captured(payments: Payments) -> None:
    must_read_amounts(payments, "capture")
    payment = payments.fresh("authorized")
    part = payments.requests.part
    payments.carry_out(payment.capture(part))
    payments.leaves(payment, "PENDING")

    reply = looked_up_until(
        payments, payment, lambda reply: captures_in(reply) or lists_nothing(reply), Payment.details
    )

    with speaks_of("S2C-STA-29"):
        must_carry(reply, "transactions")
    captures = captures_in(reply)
    if not captures:
        inconclusive("no entry of transactions is of type CAPTURE", decides="details that list the capture")
    with speaks_of("S2C-CAP-05"):
        for entry in captures:
            must_be_amount(reply, "amount", part, within=entry)


def captures_in(details: Reply) -> list[Json]:
    return [entry for entry in steps_in(details) if str(entry.get("type", "")).upper() == CAPTURE]
