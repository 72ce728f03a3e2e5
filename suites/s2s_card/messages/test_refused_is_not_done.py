"""What is refused for its signature, its data or its order id has no effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from contract.model import Release
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_be_same, must_equal, must_hold, must_refuse
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import looked_up, must_have_made_no_payment
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.schedules import PARAMETERS, Schedule, must_show_what_changes
from fixtures.protocols.s2s_card.which_payment import must_show_which
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest


def sent_unsigned(merchant: S2SCardMerchant, request: FormRequest) -> Reply:
    """Send a request with a hash of nothing, which must be refused, and return the refusal."""
    reply = merchant.send(merchant.sign(request).with_("hash", NO_HASH))
    must_refuse(reply)
    return reply


def must_be_seen_refused(reply: Reply) -> Reply:
    """End the check unless the request was refused."""
    if answer_of(reply) is not Answer.REFUSED:
        inconclusive(f"the request is not refused: {reply.summary}", decides="a target that refuses it")
    return reply


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("sale", ()),
        ("debit", ("capability:debit",)),
        ("card2card", ("capability:card2card",)),
        ("credit2card", ("capability:credit2card",)),
        ("recurring_sale", ("capability:recurring",)),
    ],
)
@requirement("S2C-SIG-38")
def test_payment_with_a_wrong_signature_is_not_made(
    name: str,
    needs: tuple[str, ...],
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    payments: Payments,
) -> None:
    must_offer(payments.requests.profile, needs)
    card_actions.accepted("get_trans_status_by_order")
    request = card_actions(name)

    reply = sent_unsigned(s2s_card, request)

    must_have_made_no_payment(s2s_card, request, reply)


WITH_UPDATES = Release("6.7.0")
CHANGES: Mapping[str, tuple[Callable[[Payments], str], Callable[[Payment], FormRequest]]] = {
    "CAPTURE": (lambda _: "authorized", Payment.capture),
    "VOID": (lambda _: "settled", Payment.void),
    "CREDITVOID": (lambda payments: payments.creditvoid_state, Payment.creditvoid),
}
"""Changes, each with the state of a payment that it is made of and with its request."""


@pytest.mark.parametrize(
    ("action", "part"), [*((action, False) for action in CHANGES), ("CAPTURE", True), ("CREDITVOID", True)]
)
@requirement("S2C-SIG-38")
def test_change_with_a_wrong_signature_is_not_made(action: str, part: bool, payments: Payments) -> None:
    state_for, request = CHANGES[action]
    state = state_for(payments)
    must_offer(payments.requests.profile, ("capability:dms",) if state == "authorized" else ())
    must_accept(payments.after(f"{action} is carried out", state, request).reply)
    payment = payments.fresh(state)
    before = payments.status(payment)

    asked = request(payment)
    sent_unsigned(payments.merchant, asked.with_("amount", payments.requests.part) if part else asked)

    # A CREDITVOID is carried out later than it is answered: it is waited for.
    found = payments.look_up_late(payment) if action == "CREDITVOID" else payments.answered(payment)
    must_be_same(found, "status", status_in(found), before)
    # Line 407 refuses the request, and bars nothing: the merchant corrects the hash and sends it again.
    reply = payments.merchant.post(asked)
    expected = f"{action} is accepted as it was of another payment"
    must_hold(answer_of(reply) is Answer.ACCEPTED, expected, reply, "A wrong hash before bars it.")


CHANGES_OF_SCHEDULES: Mapping[str, Callable[[Schedule], FormRequest]] = {
    "UPDATE_SCHEDULE": lambda schedule: schedule.update(name="Another fee"),
    "DELETE_SCHEDULE": Schedule.delete,
    "PAUSE": Schedule.pause,
    "RUN": Schedule.run,
}


@pytest.mark.parametrize("action", CHANGES_OF_SCHEDULES)
@requirement("S2C-SIG-50")
def test_change_of_a_schedule_with_a_wrong_signature_is_not_made(action: str, payments: Payments) -> None:
    if action == "UPDATE_SCHEDULE" and payments.requests.release < WITH_UPDATES:
        not_applicable(f"{action} came with {WITH_UPDATES}")
    schedules = payments.schedules
    schedule = schedules.paused() if action == "RUN" else schedules.fresh()
    info = schedules.info_of(schedule)
    must_show_what_changes(info, action)
    before = shown(info)

    sent_unsigned(payments.merchant, CHANGES_OF_SCHEDULES[action](schedule))

    reply = payments.merchant.post(schedule.info())
    must_accept(reply)
    must_be_same(reply, "the schedule", shown(reply), before)
    must_accept(payments.merchant.post(CHANGES_OF_SCHEDULES[action](schedule)))


def shown(reply: Reply) -> tuple[object, ...]:
    return tuple(reply.object.get(name) for name in (*PARAMETERS, "paused"))


@requirement("S2C-SAL-02")
def test_sale_with_invalid_data_is_not_made(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    card_actions.accepted("get_trans_status_by_order")
    sale = card_actions("sale").without("order_description")

    reply = must_be_seen_refused(s2s_card.post(sale))

    must_have_made_no_payment(s2s_card, sale, reply)


@requirement("S2C-DUP-01")
def test_duplicate_is_not_made(payments: Payments) -> None:
    payment = payments.fresh("settled")

    must_be_seen_refused(payments.merchant.post(payment.opening))

    found = looked_up(payments, payment, Payment.status_by_order)
    must_show_which(found, payments.requests.profile)
    must_equal(found, "trans_id", payment.trans_id)
