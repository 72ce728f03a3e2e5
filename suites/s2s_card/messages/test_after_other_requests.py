"""What happened before has no effect but its own: further charges, amounts with odd cents, long order ids, refusals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.cases.currencies import CUT_BY_FLOATS, PARTS_BY_FLOATS, cut_above
from fixtures.cases.order_numbers import LONGEST, RARE_SIGNS
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_be_amount, must_carry, must_equal, must_hold, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.duplicates import must_be_no_duplicates
from fixtures.protocols.kinds import must_be_given_back
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import looked_up, must_have_status, must_leave, must_stay
from fixtures.protocols.s2s_card.parts import captured_in_part, held_of
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest


def cut(requests: SaleRequests) -> str:
    """Return an amount near the usual one of which who reckons with binary fractions has a cent less."""
    return requests.amount(cut_above(requests.profile.test_data.amounts.usual))


def charge(payments: Payments, amount: str | None = None) -> FormRequest:
    """Return a further charge of the shared chain, of the usual amount or of another one."""
    requests = payments.requests
    initial = payments.shared("initial_sale")
    return initial.again("RECURRING_SALE", requests.numbers.next(), amount or requests.usual)


def odd_cents(payments: Payments) -> str:
    """Return a part of the usual amount that is no whole number of units."""
    part = payments.requests.profile.test_data.amounts.part
    if part < 2:
        inconclusive("the part of an amount is one minor unit", decides="amounts.part of at least 2 in [test_data]")
    return payments.requests.amount(part - 1)


@requirement("S2C-REC-18")
def test_every_charge_of_a_chain_is_a_payment_of_its_own(payments: Payments) -> None:
    initial = payments.shared("initial_sale")
    replies = [payments.carry_out(charge(payments)) for _ in range(2)]

    known = [initial.trans_id]
    for reply in replies:
        must_carry(reply, "trans_id")
        trans_id = reply.object["trans_id"]
        must_hold(trans_id not in known, "a trans_id of its own for every charge", reply, f"{trans_id} comes twice.")
        known.append(trans_id)


@requirement("S2C-ANS-08")
def test_answer_to_a_charge_shows_the_amount_that_was_asked_for(payments: Payments) -> None:
    part = payments.requests.part

    reply = payments.carry_out(charge(payments, part))

    must_be_amount(reply, "amount", part)


@requirement("S2C-ANS-08")
@pytest.mark.parametrize("name", ["sale", "debit", "recurring_sale", "card2card", "credit2card"])
def test_answer_shows_an_amount_that_floats_cut_to_the_cent(name: str, payments: Payments) -> None:
    requests, amount = payments.requests, cut(payments.requests)
    with where_it_comes_about(f"a {name.upper()} of {amount}"):
        plain = charge(payments) if name == "recurring_sale" else requests.baseline(name)
        reply = payments.carry_out(plain.with_("order_amount", amount))
    if reply.object.get("amount") is None:
        not_applicable(f"the answer names no amount, and other checks ask whether it has to: {reply.summary}")

    must_be_amount(reply, "amount", amount)


@requirement("S2C-DUP-08")
def test_second_charge_of_a_chain_is_no_duplicate(payments: Payments) -> None:
    payments.carry_out(charge(payments))

    must_accept(payments.merchant.post(charge(payments)))


@pytest.mark.parametrize("change", [Payment.void, Payment.creditvoid], ids=["VOID", "CREDITVOID"])
@requirement("S2C-REC-05")
def test_chain_goes_on_after_a_charge_was_taken_back(
    change: Callable[[Payment], FormRequest], payments: Payments
) -> None:
    requests = payments.requests
    must_offer(requests.profile, REFUNDS if change is Payment.creditvoid else (), "s2s_card")
    initial = payments.fresh("initial_sale")
    first = initial.again("RECURRING_SALE", requests.numbers.next(), requests.usual)
    payments.carry_out(change(payments.confirmed(payments.open(first), "SETTLED")))

    must_accept(
        payments.merchant.post(initial.again("RECURRING_SALE", requests.numbers.next(), requests.usual)),
    )


@requirement("S2C-REC-30")
def test_chain_goes_on_after_a_part_of_its_first_payment_was_given_back(payments: Payments) -> None:
    requests = payments.requests
    must_offer(requests.profile, REFUNDS, "s2s_card")
    must_read_amounts(payments, "creditvoid")
    initial = payments.fresh("initial_sale")
    payments.carry_out(initial.again("RECURRING_SALE", requests.numbers.next(), requests.usual))
    must_be_given_back(payments.carry_out(initial.creditvoid(requests.part)))
    if (status := status_in(payments.answered(initial))) != "SETTLED":
        not_applicable(f"a payment of which a part was given back is {status}, and other checks ask for that")

    must_accept(payments.merchant.post(initial.again("RECURRING_SALE", requests.numbers.next(), requests.usual)))


@requirement("S2C-DUP-08")
@pytest.mark.parametrize("length", [128, LONGEST])
def test_order_id_with_the_same_long_beginning_is_no_duplicate(
    length: int, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], payments: Payments
) -> None:
    card_actions.accepted("sale")

    def send(order_id: str) -> Reply:
        return s2s_card.post(card_actions.build("sale").with_("order_id", order_id))

    must_be_no_duplicates(send, lambda: payments.requests.numbers.alike(length))


def long_sale(requests: SaleRequests) -> FormRequest:
    return requests.baseline("sale").with_("order_id", requests.numbers.of_length(LONGEST))


@requirement("S2C-ANS-01")
def test_longest_order_id_comes_back_whole(payments: Payments) -> None:
    sale = long_sale(payments.requests)

    with where_it_comes_about(f"an order_id of {LONGEST} characters"):
        reply = payments.carry_out(sale)

    must_equal(reply, "order_id", sale.get("order_id") or "")


@requirement("S2C-STA-33")
def test_look_up_shows_the_longest_order_id_whole(payments: Payments) -> None:
    with where_it_comes_about(f"an order_id of {LONGEST} characters"):
        payment = payments.open(long_sale(payments.requests))

    reply = looked_up(payments, payment)

    must_equal(reply, "order_id", payment.order_id)


@requirement("GEN-AGR-01")
@pytest.mark.parametrize("rare", RARE_SIGNS.values(), ids=RARE_SIGNS)
def test_order_id_with_rare_signs_comes_back_as_it_was_sent(rare: str, payments: Payments) -> None:
    sale = payments.requests.baseline("sale")
    sale = sale.with_("order_id", f"{sale.get('order_id')}{rare}")
    reply = payments.merchant.post(sale)
    if answer_of(reply) is not Answer.ACCEPTED:
        not_applicable(f"the target takes no order_id with such signs, and the contract promises none: {reply.summary}")

    for shown in (reply, looked_up(payments, payments.opened_by(sale, reply))):
        if "order_id" in shown.object:
            must_equal(shown, "order_id", sale.get("order_id") or "")


@requirement("S2C-VOI-01")
def test_settled_debit_can_be_voided(payments: Payments) -> None:
    payments.requests.baseline("debit")
    payment = payments.fresh("settled_debit")

    must_accept(payments.merchant.post(payment.void()))


@requirement("S2C-CAP-05")
def test_captured_part_with_odd_cents_is_given_back_to_the_cent(payments: Payments) -> None:
    must_read_amounts(payments, "capture", "creditvoid")
    must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    part = odd_cents(payments)
    payment = captured_in_part(payments, part)

    must_accept(payments.merchant.post(payment.creditvoid(part)))

    must_leave(payments, payment, "SETTLED")


@requirement("S2C-CAP-05")
def test_captured_part_that_floats_cut_is_given_back_to_the_cent(payments: Payments) -> None:
    must_read_amounts(payments, "capture", "creditvoid")
    must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    part = PARTS_BY_FLOATS[0]
    payment = captured_in_part(payments, part, held_of(payments, CUT_BY_FLOATS[1]))

    must_accept(payments.merchant.post(payment.creditvoid(part)))

    must_leave(payments, payment, "SETTLED")


@requirement("S2C-CVD-05")
@pytest.mark.holds
@pytest.mark.parametrize("is_captured_again", [False, True], ids=["captured", "capture-of-the-rest-refused"])
def test_no_more_is_given_back_than_was_captured(is_captured_again: bool, payments: Payments) -> None:
    must_read_amounts(payments, "capture", "creditvoid")
    must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    part = odd_cents(payments)
    payment = captured_in_part(payments, part)
    if is_captured_again and answer_of(payments.merchant.post(payment.capture())) is not Answer.REFUSED:
        not_applicable("a second CAPTURE of the payment is not refused, so that it may have captured the rest")

    reply = payments.merchant.post(payment.creditvoid(payments.requests.part))

    if result_in(reply) not in ("ACCEPTED", "DECLINED"):
        must_refuse(reply)
    must_have_status(payments, payment, "SETTLED")
    must_accept(payments.merchant.post(payment.creditvoid(part)))
    # Where more than that could be given back, the payment would not be done with it.
    must_leave(payments, payment, "SETTLED")


@requirement("S2C-CVD-03")
def test_part_with_odd_cents_is_given_back_to_the_cent(payments: Payments) -> None:
    must_read_amounts(payments, "creditvoid")
    requests, part = payments.requests, odd_cents(payments)
    payment = payments.fresh("settled")
    payments.carry_out(payment.creditvoid(part))
    amounts = requests.profile.test_data.amounts
    rest = requests.amount(amounts.usual - amounts.part + 1)

    must_accept(payments.merchant.post(payment.creditvoid(rest)))

    must_leave(payments, payment, "SETTLED")


def settled_of(payments: Payments, amount: str) -> Payment:
    """Open a payment of an amount, and confirm that it is settled; what an issuer pays, its amount may decide."""
    sale = payments.requests.baseline("sale").with_("order_amount", amount)
    with where_it_comes_about(f"a paid SALE of {amount}"):
        return payments.confirmed(payments.open(sale), "SETTLED")


@requirement("S2C-CVD-02")
@pytest.mark.parametrize("parts", [CUT_BY_FLOATS[1:], PARTS_BY_FLOATS], ids=["whole", "in two parts"])
def test_amount_that_floats_cut_is_given_back_to_the_cent(parts: tuple[str, ...], payments: Payments) -> None:
    must_read_amounts(payments, "creditvoid")
    payment = settled_of(payments, CUT_BY_FLOATS[1])

    for part in parts:
        must_accept(payments.merchant.post(payment.creditvoid(part)))

    must_leave(payments, payment, "SETTLED")


@requirement("S2C-VOI-02")
def test_amount_that_floats_cut_is_voided_to_the_cent(payments: Payments) -> None:
    amount = CUT_BY_FLOATS[1]
    payment = settled_of(payments, amount)

    with where_it_comes_about(f"a VOID of {amount}"):
        reply = payments.carry_out(payment.void())

    must_leave(payments, payment, "SETTLED", asked=reply)


@requirement("S2C-CVD-05")
def test_a_cent_more_is_not_given_back_however_amounts_are_compared(payments: Payments) -> None:
    must_read_amounts(payments, "creditvoid")
    less, more = CUT_BY_FLOATS
    payment = settled_of(payments, less)

    reply = payments.merchant.post(payment.creditvoid(more))

    if result_in(reply) not in ("ACCEPTED", "DECLINED"):
        must_refuse(reply)
    # A refund is answered before it is made.
    must_stay(payments, payment, "SETTLED")
