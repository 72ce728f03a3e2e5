"""Recurring chains: the first payment, the secondary ones, and retries of those that were softly declined."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from contract.errors import (
    ACTION_NOT_SUPPORTED_ROUTE,
    HASH_NOT_VALID,
    PAYMENT_ACTION_NOT_SUPPORTED,
    REQUEST_DATA_INVALID,
    TRANSACTION_INCORRECT,
)
from fixtures.cases.near import NEAR
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, same_code
from fixtures.judging.must import (
    must_accept,
    must_accept_as_signed,
    must_answer_properly,
    must_be_one_of,
    must_carry,
    must_equal,
    must_lack,
    must_not_be,
    must_refuse,
    must_reject,
    must_reject_with_any,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import must_have_status, must_start_a_chain
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests, by_token
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, offers, requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]

INITIAL = {"recurring_sale": "initial_sale", "recurring_debit": "initial_debit"}
OF_AN_ANSWER = ("order_id", "trans_id", "result", "status")


@requirement("S2C-REC-01")
def test_initial_sale_answers_a_recurring_token(payments: Payments, unproven_sale: SaleRequests) -> None:
    must_start_a_chain(payments, unproven_sale.baseline("initial_sale"))


@requirement("S2C-REC-01")
def test_initial_sale_by_token_answers_a_recurring_token(payments: Payments) -> None:
    with where_it_comes_about("a SALE by card token"):
        stored = payments.shared("tokenized")
        payments.shared("paid_by_token")
    request = by_token(payments.requests.baseline("initial_sale"), stored.card_token, stored.card)

    must_start_a_chain(payments, request, card=stored.card)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("initial_sale", marks=requirement("S2C-REC-01")),
        pytest.param("initial_debit", marks=requirement("S2C-DEB-06")),
    ],
)
def test_chain_that_begins_with_nothing_has_a_recurring_token(name: str, payments: Payments) -> None:
    requests = payments.requests
    with where_it_comes_about("a chain that begins with an amount of zero"):
        must_offer(requests.profile, ("capability:zero_amount",), "s2s_card")
        first = requests.baseline(name).with_("order_amount", requests.amount(0))
        payment = payments.confirmed(payments.open(first), "SETTLED")

    found = payments.with_member(payment, "recurring_token")
    if not (found.has("recurring_token") or found.notified):
        must_carry(payments.look_up(payment), "recurring_token")


@requirement("S2C-REC-05")
def test_chain_that_began_with_nothing_is_charged(payments: Payments) -> None:
    requests = payments.requests
    with where_it_comes_about("a chain that begins with an amount of zero"):
        must_offer(requests.profile, ("capability:zero_amount",), "s2s_card")
        first = requests.baseline("initial_sale").with_("order_amount", requests.amount(0))
        initial = payments.with_member(payments.confirmed(payments.open(first), "SETTLED"), "recurring_token")
        again = initial.again("RECURRING_SALE", requests.numbers.next(), requests.usual)

    must_accept(payments.merchant.post(again))


@requirement("S2C-REC-02")
@pytest.mark.parametrize("init", [None, "N"], ids=["without-recurring_init", "recurring_init-N"])
def test_plain_sale_answers_no_recurring_token(
    init: str | None, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")

    reply = s2s_card.post(sale.with_("recurring_init", init) if init else sale)

    must_accept(reply)
    must_lack(reply, "recurring_token")


@requirement("S2C-REC-03")
def test_declined_sale_answers_no_recurring_token(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    reply = s2s_card.post(unproven_sale.paid_with(card_actions("initial_sale"), "decline"))

    must_accept(reply)
    must_lack(reply, "recurring_token")


@requirement("S2C-REC-04")
@pytest.mark.parametrize("init", ["X", "true"])
def test_another_value_of_recurring_init_is_refused_or_counts_as_no(
    init: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    reply = s2s_card.post(card_actions("sale").with_("recurring_init", init))

    must_answer_properly(reply, "S2C-REC-04", accepted="no", refused="refused")
    must_lack(reply, "recurring_token")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("recurring_sale", marks=requirement("S2C-REC-05")),
        pytest.param("recurring_debit", marks=requirement("S2C-REC-20")),
    ],
)
def test_chain_is_charged_again_without_card_data(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    reply = s2s_card.post(card_actions.build(name))

    must_accept_as_signed(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


def must_have_a_token_of_its_own(one: Payment, other: Payment) -> None:
    """End the check when both chains go by one token: then no pair of them is wrong."""
    if one.recurring_token == other.recurring_token:
        inconclusive(
            "both initial payments were answered with the same recurring_token",
            decides="a target that gives every chain a token of its own",
        )


def pair_of_two_chains(payments: Payments, name: str, card_actions: Baselines[FormRequest]) -> FormRequest:
    other = payments.fresh(INITIAL[name])
    must_have_a_token_of_its_own(payments.shared(INITIAL[name]), other)
    return card_actions(name).with_("recurring_first_trans_id", other.trans_id)


@requirement("S2C-REC-13")
def test_pair_of_two_chains_is_refused(payments: Payments, card_actions: Baselines[FormRequest]) -> None:
    request = pair_of_two_chains(payments, "recurring_sale", card_actions)

    must_reject(payments.merchant.post(request), TRANSACTION_INCORRECT)


@requirement("S2C-REC-13")
def test_token_of_another_chain_is_refused(payments: Payments, card_actions: Baselines[FormRequest]) -> None:
    other = payments.fresh("initial_sale")
    must_have_a_token_of_its_own(payments.shared("initial_sale"), other)

    reply = payments.merchant.post(card_actions("recurring_sale").with_("recurring_token", other.recurring_token))

    must_reject(reply, TRANSACTION_INCORRECT)


@requirement("S2C-REC-13")
def test_charge_of_the_chain_is_not_its_first_payment(payments: Payments, card_actions: Baselines[FormRequest]) -> None:
    charge = payments.shared("secondary")

    reply = payments.merchant.post(card_actions("recurring_sale").with_("recurring_first_trans_id", charge.trans_id))

    must_reject(reply, TRANSACTION_INCORRECT)


@requirement("S2C-REC-22")
def test_debit_with_a_pair_of_two_chains_is_refused(payments: Payments, card_actions: Baselines[FormRequest]) -> None:
    must_refuse(payments.merchant.post(pair_of_two_chains(payments, "recurring_debit", card_actions)))


@requirement("S2C-REC-14")
def test_token_that_nobody_was_given_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    unknown = card_actions("recurring_sale").with_("recurring_token", str(uuid.uuid4()))

    must_reject(s2s_card.post(unknown), TRANSACTION_INCORRECT)


@pytest.mark.parametrize(
    ("name", "half"),
    [
        pytest.param("recurring_sale", "recurring_token", marks=requirement("S2C-REC-14")),
        pytest.param("recurring_sale", "recurring_first_trans_id", marks=requirement("S2C-REC-13")),
        pytest.param("recurring_debit", "recurring_token", marks=requirement("S2C-REC-22")),
    ],
)
@pytest.mark.parametrize("near", NEAR)
def test_pair_with_one_id_that_is_only_alike_charges_nobody(
    near: str, name: str, half: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    charge = card_actions(name)

    # It may be refused for its form as well as for what it names.
    must_refuse(s2s_card.post(charge.with_(half, NEAR[near](charge.get(half) or ""))))


@requirement("S2C-REC-15")
def test_chain_of_another_merchant_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], payments_of: PaymentsOf
) -> None:
    card_actions.accepted("recurring_sale")
    theirs = payments_of("second_merchant")

    must_refuse(s2s_card.post(charge_of_theirs(theirs.shared("initial_sale"), "RECURRING_SALE", theirs)))


@requirement("S2C-REC-15")
def test_chain_of_another_merchant_that_a_debit_started_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], payments_of: PaymentsOf
) -> None:
    theirs = payments_of("second_merchant")
    with where_it_comes_about("a DEBIT that starts a chain"):
        card_actions.accepted("recurring_debit")
        initial = theirs.shared("initial_debit")

    must_refuse(s2s_card.post(charge_of_theirs(initial, "RECURRING_DEBIT", theirs)))


def charge_of_theirs(initial: Payment, action: str, theirs: Payments) -> FormRequest:
    """Return the charge of a chain of another merchant."""
    return initial.again(action, theirs.requests.numbers.next(), theirs.requests.usual)


def must_be_named(reply: Reply, action: str, request: FormRequest) -> None:
    must_accept(reply)
    must_equal(reply, "action", action)
    must_equal(reply, "order_id", request.get("order_id") or "")
    must_carry(reply, *OF_AN_ANSWER)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("recurring_sale", marks=requirement("S2C-REC-18")),
        pytest.param("recurring_debit", marks=requirement("S2C-REC-23")),
    ],
)
def test_answer_to_a_secondary_payment_names_it(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions(name)

    must_be_named(s2s_card.post(request), name.upper(), request)


@requirement("S2C-REC-19")
def test_secondary_authorization_is_held_and_can_be_captured(
    payments: Payments, card_actions: Baselines[FormRequest]
) -> None:
    payment = payments.open(card_actions("recurring_sale").with_("auth", "Y"))

    if payments.becomes(payment, "PENDING") == "SETTLED":
        note_reading("S2C-REC-19", "not-read")
        return
    must_have_status(payments, payment, "PENDING")
    payments.must_be_held(payment)
    must_accept(payments.merchant.post(payment.capture()))
    note_reading("S2C-REC-19", "held")


@requirement("S2C-REC-24")
def test_retry_of_a_softly_declined_payment_is_accepted(payments_of: PaymentsOf) -> None:
    payments = payments_of("declining_recurring")
    payment = payments.fresh("softly_declined")

    reply = payments.merchant.post(payment.retry())

    must_accept(reply)
    must_carry(reply, "trans_id")
    must_state(reply, result="ACCEPTED", order_id=payment.order_id)


@requirement("S2C-REC-28")
def test_retried_payment_ends(payments_of: PaymentsOf) -> None:
    payments = payments_of("declining_recurring")
    payment = payments.fresh("softly_declined")
    payments.carry_out(payment.retry())

    reply = payments.look_up_as(payment, "SETTLED", "DECLINED")

    must_be_one_of(reply, "status", status_in(reply), ("SETTLED", "DECLINED"))


@requirement("S2C-REC-25")
def test_retry_without_trans_id_is_refused(payments: Payments, payments_of: PaymentsOf) -> None:
    merchant, request = known_retry(payments, payments_of)

    reply = merchant.post(request.without("trans_id"))

    must_reject_with_any(reply, (REQUEST_DATA_INVALID, HASH_NOT_VALID), field="trans_id")


def known_retry(payments: Payments, payments_of: PaymentsOf) -> tuple[S2SCardMerchant, FormRequest]:
    """Return a RETRY that the target was seen to know, and who sends it; end the check where it does not know it.

    It is that of a declined payment, which the action is for, where the profile says how one comes about.
    """
    if offers(payments.requests.profile, "account:declining_recurring"):
        payments = payments_of("declining_recurring")
        request = payments.fresh("softly_declined").retry()
    else:
        request = payments.shared("initial_sale").retry()
    reply = payments.merchant.post(request)
    unknown = (ACTION_NOT_SUPPORTED_ROUTE.code, PAYMENT_ACTION_NOT_SUPPORTED.code)
    said = reply.object.get("error_code")
    # The code 0 is that of a route which is not there, and of no error as well.
    if answer_of(reply) is Answer.REFUSED and any(code is not None and same_code(said, code) for code in unknown):
        inconclusive(
            f"RETRY is refused as if there were none: {reply.summary}",
            decides="a target that serves RETRY, and a declined charge to show it: declining_recurring = true in "
            "[accounts.<name>], or recurring_decline in [test_data.cards] or [test_data.amounts] of the profile",
        )
    return payments.merchant, request


@requirement("S2C-REC-27")
def test_retry_of_an_unknown_payment_is_refused(payments: Payments, payments_of: PaymentsOf) -> None:
    merchant, request = known_retry(payments, payments_of)

    reply = merchant.post(request.with_("trans_id", str(uuid.uuid1())))

    must_refuse(reply)
    note_reading("S2C-REC-27", reading_of_not_found(reply))


@requirement("S2C-REC-27")
def test_retry_of_a_payment_of_another_merchant_is_refused(payments_of: PaymentsOf, payments: Payments) -> None:
    with where_it_comes_about("a declined charge, and another merchant who asks for its RETRY"):
        needed = ("account:declining_recurring", "account:second_merchant")
        must_offer(payments.requests.profile, needed, "s2s_card")
    own, theirs = payments_of("declining_recurring"), payments_of("second_merchant").merchant
    if own.merchant.identity.key == theirs.identity.key:
        not_applicable("one account declines charges and is the second merchant's")
    payment = own.fresh("softly_declined")

    must_refuse(theirs.post(payment.retry()))


def reading_of_not_found(reply: Reply) -> str:
    message = str(reply.object.get("error_message", "")).lower()
    code = reply.object.get("error_code")
    must_be_one_of(reply, "error_code", str(code), ("101000", "100000"))
    if str(code) == "101000":
        return "transaction"
    return "payment" if "payment not found" in message else "recurring"
