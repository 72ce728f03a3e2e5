"""CAPTURE, VOID and CREDITVOID: what no row of the transitions says."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from contract.errors import CAPTURE_NOT_PENDING
from fixtures.cases.currencies import CUT_BY_FLOATS, PARTS_BY_FLOATS
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import must_accept, must_be_amount, must_be_one_of, must_hold, must_refuse, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.profile import Profile
from fixtures.protocols.accounts import must_be_two_merchants
from fixtures.protocols.barred import must_not_be_barred
from fixtures.protocols.kinds import must_be_given_back
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.protocols.s2s_card.details import captures_listed
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import must_leave, must_stay, must_still_have
from fixtures.protocols.s2s_card.parts import captured_in_part, held_of
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.protocols.simultaneous import must_happen_once
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.hostile import is_amount
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]

TO_BE_REFUSED: Mapping[str, Callable[[Payments, Payment], FormRequest]] = {
    "CAPTURE": lambda _, payment: payment.capture(),
    "VOID": lambda _, payment: payment.void(),
    "RETRY": lambda _, payment: payment.retry(),
    "CREDITVOID of a part": lambda payments, payment: payment.creditvoid(payments.requests.part),
}


@requirement("S2C-CAP-04")
def test_capture_without_amount_captures_the_whole(payments: Payments) -> None:
    payment = payments.fresh("authorized")

    reply = payments.merchant.post(payment.capture())

    must_accept(reply)
    if reply.object.get("amount") is not None:
        must_be_amount(reply, "amount", payment.amount)


@requirement("S2C-CAP-05")
@pytest.mark.parametrize("is_cut", [False, True], ids=["usual", "cut by floats"])
def test_answer_to_a_capture_of_a_part_names_the_part(is_cut: bool, payments: Payments) -> None:
    must_read_amounts(payments, "capture")
    # After a capture of the whole: an answer that is kept for later captures shows now.
    payments.shared("captured")
    payment = held_of(payments, CUT_BY_FLOATS[1]) if is_cut else payments.fresh("authorized")
    part = PARTS_BY_FLOATS[0] if is_cut else payments.requests.part

    reply = payments.merchant.post(payment.capture(part))

    must_accept(reply)
    if reply.object.get("amount") and any(is_amount(each, part) for each in reply.object.values()):
        # That of the payment may stand in amount, and that of the part in a member of its own.
        return
    must_be_amount(reply, "amount", part)


@pytest.mark.parametrize(
    ("state", "request_for", "before"),
    [
        pytest.param("authorized", Payment.capture, "PENDING", marks=requirement("S2C-CAP-03"), id="CAPTURE"),
        pytest.param("settled", Payment.creditvoid, "SETTLED", marks=requirement("S2C-CVD-02"), id="CREDITVOID"),
    ],
)
def test_whole_amount_may_be_named(
    state: str, request_for: Callable[[Payment, str], FormRequest], before: str, payments: Payments
) -> None:
    payment = payments.fresh(state)

    reply = payments.merchant.post(request_for(payment, payment.amount))

    must_accept(reply)
    # Every CREDITVOID is answered as ACCEPTED: there it leaves nothing open.
    must_leave(payments, payment, before, asked=reply if request_for is Payment.capture else None)


@requirement("S2C-CAP-06")
def test_capture_of_too_much_leaves_the_rest_to_be_captured(payments: Payments) -> None:
    must_read_amounts(payments, "capture")
    payments.shared("captured")
    payment = payments.fresh("authorized")
    too_much = payments.requests.amount(payments.requests.profile.test_data.amounts.usual * 2)

    reply = payments.merchant.post(payment.capture(too_much))

    # The contract shows no error for it: what cannot be done may be declined.
    if result_in(reply) != "DECLINED":
        must_refuse(reply)
    must_accept(payments.merchant.post(payment.capture()))


@requirement("S2C-CAP-06")
def test_capture_of_a_cent_more_is_refused_however_amounts_are_compared(payments: Payments) -> None:
    must_read_amounts(payments, "capture")
    payments.shared("captured")
    held, more = CUT_BY_FLOATS
    payment = held_of(payments, held)

    reply = payments.merchant.post(payment.capture(more))

    if result_in(reply) != "DECLINED":
        must_refuse(reply)


@requirement("S2C-CAP-08")
def test_rest_of_a_partly_captured_payment_cannot_be_captured(payments: Payments) -> None:
    must_read_amounts(payments, "capture")
    payment = captured_in_part(payments, payments.requests.part)

    must_refuse(payments.merchant.post(payment.capture(payments.requests.part)))


@requirement("S2C-CAP-08")
@pytest.mark.parametrize(
    ("takes_back", "needs"),
    [
        pytest.param(Payment.creditvoid, REFUNDS, id="CREDITVOID"),
        pytest.param(Payment.void, (), id="VOID"),
    ],
)
def test_captured_payment_that_was_taken_back_is_not_captured_again(
    takes_back: Callable[[Payment], FormRequest], needs: tuple[str, ...], payments: Payments
) -> None:
    must_offer(payments.requests.profile, needs, "s2s_card")
    with where_it_comes_about("an authorization that is captured, and taken back after that"):
        payment = payments.fresh("captured")
        payments.moved(payment, "SETTLED", takes_back(payment))

    reply = payments.merchant.post(payment.capture())

    if result_in(reply) != "DECLINED":
        must_reject(reply, CAPTURE_NOT_PENDING)


@requirement("S2C-VOI-01")
@pytest.mark.holds
def test_payment_of_which_a_part_was_captured_is_voided(payments: Payments) -> None:
    must_read_amounts(payments, "capture")
    with where_it_comes_about("a payment of which a part was captured"):
        payment = captured_in_part(payments, payments.requests.part)
    if (status := status_in(payments.answered(payment))) != "SETTLED":
        not_applicable(f"a partly captured payment is {status}, and line 318 is of settled ones")

    reply = payments.merchant.post(payment.void())

    must_accept(reply)
    must_leave(payments, payment, "SETTLED", asked=reply)


@requirement("S2C-CAP-19")
def test_capture_that_the_acquirer_refuses_leaves_the_payment_pending(payments: Payments) -> None:
    payment = payments.fresh("capture_declining")

    reply = payments.merchant.post(payment.capture())

    must_accept(reply)
    if result_in(reply) == "DECLINED":
        must_be_one_of(reply, "status", status_in(reply), ("", "PENDING"))
        must_still_have(payments, payment, "PENDING")
        again = payments.merchant.post(payment.capture())
        is_contradicted = carries_message(again, CAPTURE_NOT_PENDING.message or "")
        expected = "no answer that calls a payment not pending which look-ups show as PENDING"
        must_hold(not is_contradicted, expected, again, "It is called so.")
    else:
        # The acquirer is asked later: line 315 has a capture that is accepted, and not when it is carried out.
        must_be_one_of(reply, "status", status_in(reply), ("PENDING",))
        must_stay(payments, payment, "PENDING")


@requirement("S2C-CAP-20")
def test_captures_asked_for_at_once_capture_once(payments: Payments, profile: Profile) -> None:
    payment = payments.fresh("authorized")
    signed = payments.merchant.sign(payment.capture())

    must_happen_once(
        lambda: payments.merchant.send(signed),
        profile,
        "the CAPTURE",
        changes="PENDING",
        carried_out=lambda _: captures_listed(payments, payment),
    )


@pytest.mark.parametrize(
    ("state", "refused", "request_for"),
    [
        pytest.param("authorized", "VOID", Payment.capture, id="VOID-CAPTURE", marks=requirement("S2C-CAP-01")),
        pytest.param(
            "authorized",
            "CREDITVOID of a part",
            Payment.capture,
            id="CREDITVOID-CAPTURE",
            marks=requirement("S2C-CAP-01"),
        ),
        pytest.param("settled", "CAPTURE", Payment.void, id="CAPTURE-VOID", marks=requirement("S2C-VOI-01")),
        pytest.param("settled", "RETRY", Payment.void, id="RETRY-VOID", marks=requirement("S2C-VOI-01")),
        pytest.param(
            "settled", "CAPTURE", Payment.creditvoid, id="CAPTURE-CREDITVOID", marks=requirement("S2C-CVD-02")
        ),
    ],
)
def test_payment_can_be_changed_though_something_else_was_refused(
    state: str, refused: str, request_for: Callable[[Payment], FormRequest], payments: Payments
) -> None:
    if request_for is Payment.creditvoid:
        must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    payment = payments.fresh(state)
    reply = payments.merchant.post(TO_BE_REFUSED[refused](payments, payment))
    if answer_of(reply) is not Answer.REFUSED:
        not_applicable(f"{refused} is not refused of a payment that is {state}, and may have changed it")

    must_accept(payments.merchant.post(request_for(payment)))


@requirement("S2C-VOI-11")
def test_void_takes_back_the_whole_amount(payments: Payments) -> None:
    payment = payments.fresh("settled")

    reply = payments.merchant.post(payment.void().with_("amount", payments.requests.part))

    if answer_of(reply) is Answer.REFUSED:
        # An amount that VOID does not know may be refused as well: then nothing is taken back.
        must_still_have(payments, payment, "SETTLED")
        return
    must_accept(reply)
    must_leave(payments, payment, "SETTLED", asked=reply)


@requirement("S2C-CVD-04")
def test_parts_may_be_given_back_until_nothing_is_left(payments: Payments) -> None:
    must_read_amounts(payments, "creditvoid")
    payment = payments.fresh("settled")
    amounts = payments.requests.profile.test_data.amounts
    rest = amounts.usual - amounts.part
    payments.carry_out(payment.creditvoid(payments.requests.part))
    if rest > 1:
        payments.carry_out(payment.creditvoid(payments.requests.amount(rest - 1)))
        rest = 1

    must_accept(payments.merchant.post(payment.creditvoid(payments.requests.amount(rest))))

    must_leave(payments, payment, "SETTLED")


@requirement("S2C-CVD-05")
def test_no_more_is_given_back_than_is_left(payments: Payments) -> None:
    must_read_amounts(payments, "creditvoid")
    payment = payments.fresh("settled")
    amounts = payments.requests.profile.test_data.amounts
    must_be_given_back(payments.carry_out(payment.creditvoid(payments.requests.part)))

    reply = payments.merchant.post(payment.creditvoid(payments.requests.amount(amounts.usual - amounts.part + 1)))

    # What is accepted first may be carried out in any order: then one of both succeeds, and it is open which.
    is_open = result_in(reply) in ("ACCEPTED", "DECLINED")
    if not is_open:
        must_refuse(reply)
    must_stay(payments, payment, "SETTLED")
    if is_open:
        return
    must_accept(payments.merchant.post(payment.creditvoid(payments.requests.amount(amounts.usual - amounts.part))))


@pytest.mark.parametrize(
    "account",
    [
        pytest.param("no_refunds", marks=requirement("S2C-CVD-12")),
        pytest.param("connector_refunds_only", marks=requirement("S2C-CVD-13")),
    ],
)
def test_part_is_given_back_no_more_than_the_whole(account: str, payments_of: PaymentsOf) -> None:
    payments = payments_of(account)
    payment = payments.fresh("settled")

    must_refuse(payments.merchant.post(payment.creditvoid(payments.requests.part)))


@pytest.mark.parametrize(
    ("state", "request_for", "word"),
    [
        pytest.param("authorized", Payment.capture, "PENDING", marks=requirement("S2C-CAP-18"), id="CAPTURE"),
        pytest.param("settled", Payment.void, "SETTLED", marks=requirement("S2C-VOI-14"), id="VOID"),
        pytest.param("settled", Payment.creditvoid, "SETTLED", marks=requirement("S2C-CVD-17"), id="CREDITVOID"),
    ],
)
def test_payment_of_another_merchant_is_not_changed(
    state: str,
    request_for: Callable[[Payment], FormRequest],
    word: str,
    payments_of: PaymentsOf,
    s2s_card: S2SCardMerchant,
) -> None:
    theirs = payments_of("second_merchant")
    payment = theirs.fresh(state)

    must_refuse(s2s_card.post(request_for(payment)))

    must_still_have(theirs, payment, word)


@pytest.mark.parametrize(
    ("state", "request_for"),
    [
        pytest.param("authorized", Payment.capture, marks=requirement("S2C-CAP-18"), id="CAPTURE"),
        pytest.param("settled", Payment.void, marks=requirement("S2C-VOI-14"), id="VOID"),
        pytest.param("settled", Payment.creditvoid, marks=requirement("S2C-CVD-17"), id="CREDITVOID"),
    ],
)
def test_merchant_changes_its_payment_after_another_tried_to(
    state: str, request_for: Callable[[Payment], FormRequest], payments: Payments, payments_of: PaymentsOf
) -> None:
    if request_for is Payment.creditvoid:
        must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    other = payments_of("second_merchant").merchant
    payment = payments.fresh(state)
    must_be_two_merchants(payments.merchant.identity, other.identity)
    refused = other.post(request_for(payment))
    must_refuse(refused)

    reply = payments.merchant.post(request_for(payment))

    must_not_be_barred(reply, refused, lambda: payments.merchant.post(request_for(payments.fresh(state))))


def more_than_the_whole(payments: Payments) -> str:
    return payments.requests.amount(payments.requests.profile.test_data.amounts.usual + 1)


@pytest.mark.parametrize(
    "right",
    [
        pytest.param(Payment.creditvoid, marks=requirement("S2C-CVD-02"), id="CREDITVOID"),
        pytest.param(Payment.void, marks=requirement("S2C-VOI-01"), id="VOID"),
    ],
)
def test_whole_is_taken_back_though_more_than_that_was_refused(
    right: Callable[[Payment], FormRequest], payments: Payments
) -> None:
    must_offer(payments.requests.profile, REFUNDS, "s2s_card")
    must_read_amounts(payments, "creditvoid")
    payment = payments.fresh("settled")
    refused = payments.merchant.post(payment.creditvoid(more_than_the_whole(payments)))
    if result_in(refused) not in ("ACCEPTED", "DECLINED"):
        must_refuse(refused)
    # A refund is answered before it is made.
    must_stay(payments, payment, "SETTLED")

    reply = payments.merchant.post(right(payment))

    must_not_be_barred(reply, refused, lambda: payments.merchant.post(right(payments.fresh("settled"))))
    if answer_of(reply) is Answer.ACCEPTED:
        must_leave(payments, payment, "SETTLED", asked=reply if right is Payment.void else None)


@requirement("S2C-CVD-06")
def test_hold_is_released_though_a_capture_of_more_was_refused(payments: Payments) -> None:
    must_read_amounts(payments, "capture")
    payment = payments.fresh("authorized")
    refused = payments.merchant.post(payment.capture(more_than_the_whole(payments)))
    if result_in(refused) != "DECLINED":
        must_refuse(refused)

    reply = payments.merchant.post(payment.creditvoid())

    must_not_be_barred(reply, refused, lambda: payments.merchant.post(payments.fresh("authorized").creditvoid()))
    if answer_of(reply) is Answer.ACCEPTED:
        must_leave(payments, payment, "PENDING")
