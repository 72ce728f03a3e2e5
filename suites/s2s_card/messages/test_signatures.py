"""Every action is accepted when it is signed by its formula over the right values."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.cases.cards import with_check_digit
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_accept
from fixtures.judging.verdicts import inconclusive
from fixtures.profile import Profile
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.s2s_card.actions import CardActions
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import complains_of_the_signature, line_of_payouts_by_token, must_sign_the_token
from fixtures.protocols.s2s_card.payment import Payment, must_go_without_email
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.protocols.s2s_card.states import BY_DECRYPTED_WALLET, BY_WALLET, by_wallet
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]

SIGNED_BY_ITS_FORMULA = {
    "debit": "S2C-SIG-02",
    "recurring_sale": "S2C-SIG-03",
    "recurring_debit": "S2C-SIG-04",
    "card2card": "S2C-SIG-05",
    "sale_by_token": "S2C-SIG-06",
    "debit_by_token": "S2C-SIG-07",
    "capture": "S2C-SIG-08",
    "void": "S2C-SIG-09",
    "creditvoid": "S2C-SIG-10",
    "get_trans_status": "S2C-SIG-12",
    "get_trans_details": "S2C-SIG-13",
    "payout_status": "S2C-SIG-14",
    "payout_details": "S2C-SIG-15",
    "get_trans_status_by_order": "S2C-SIG-18",
    "credit2card": "S2C-SIG-20",
    "credit2card_by_token": "S2C-SIG-21",
    "sale_by_wallet": "S2C-SIG-29",
    "debit_by_wallet": "S2C-SIG-30",
    "create_schedule": "S2C-SIG-22",
    "update_schedule": "S2C-SIG-23",
    "delete_schedule": "S2C-SIG-24",
    "schedule_info": "S2C-SIG-25",
    "pause": "S2C-SIG-26",
    "run": "S2C-SIG-27",
    "deschedule": "S2C-SIG-28",
    "debit_without_email": "S2C-SIG-35",
}
PAID_BY_TOKEN = ("SALE", "DEBIT")
LOOK_UPS: tuple[Callable[[Payment], FormRequest], ...] = (Payment.status, Payment.status_by_order, Payment.details)


def must_take_signature(s2s_card: S2SCardMerchant, request: FormRequest, wrong: FormRequest | None = None) -> None:
    """The right signature is not complained of, whatever else is; the wrong one is."""
    reply = s2s_card.post(request)
    if complains_of_the_signature(reply) and request.get("card_token") and request.get("action") in PAID_BY_TOKEN:
        inconclusive(
            f"the contract does not show what a {request.get('action')} by card_token is signed with, and the target "
            f"signs it otherwise: {reply.summary}",
            decides="TOKEN in [dialect.formulas] of the profile (gateway-conformance probe tries them all)",
        )
    must_sign_the_token(s2s_card, request, reply)
    if complains_of_the_signature(reply):
        explanation = f"The target finds the signature wrong.{line_of_payouts_by_token(s2s_card, request)}"
        must(Finding("the signature is accepted", reply.summary, explanation), reply)
    if answer_of(reply) is Answer.ACCEPTED:
        return
    control = s2s_card.send_until_found(s2s_card.sign(wrong or request).with_("hash", NO_HASH))
    if not complains_of_the_signature(control):
        inconclusive(
            f"the target refuses the request before it looks at the signature: {reply.summary}",
            decides=f"a target that accepts this {request.get('action')}, or test data that make it valid",
        )


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=requirement(claimed)) for name, claimed in SIGNED_BY_ITS_FORMULA.items()]
)
def test_action_signed_by_its_formula_is_accepted(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_actions: CardActions
) -> None:
    reply = card_actions.shown(name)
    if name == "debit_without_email":
        must_go_without_email(reply)
    if answer_of(reply) is not Answer.ACCEPTED:
        must_take_signature(s2s_card, unproven_actions.build(name))


@requirement("S2C-SIG-11")
def test_retry_signed_by_its_formula_is_accepted(payments_of: PaymentsOf) -> None:
    declining = payments_of("declining_recurring")

    must_accept(declining.merchant.post(declining.fresh("softly_declined").retry()))


@requirement("S2C-SIG-16")
def test_look_up_without_payer_email_is_signed_by_formula_6(payments: Payments) -> None:
    must_accept(payments.look_up(payments.shared("debit_without_email")))


@requirement("S2C-SIG-17")
@pytest.mark.parametrize("change", [Payment.void, Payment.creditvoid], ids=["VOID", "CREDITVOID"])
def test_change_without_payer_email_is_signed_by_formula_6(
    change: Callable[[Payment], FormRequest], payments: Payments
) -> None:
    must_take_signature(payments.merchant, change(payments.fresh("debit_without_email")))


@requirement("S2C-SIG-19")
def test_look_up_by_order_without_payer_email_is_signed_by_formula_7(payments: Payments) -> None:
    must_accept(payments.merchant.post(payments.shared("debit_without_email").status_by_order()))


@requirement("S2C-SIG-31")
@pytest.mark.parametrize("ask", [Payment.status, Payment.details], ids=["GET_TRANS_STATUS", "GET_TRANS_DETAILS"])
@pytest.mark.parametrize("state", BY_WALLET)
def test_wallet_payment_without_card_is_asked_for_without_card_digits(
    ask: Callable[[Payment], FormRequest], state: str, payments_of: PaymentsOf
) -> None:
    virtual = payments_of("wallet_virtual_flow")

    must_accept(virtual.merchant.post(ask(by_wallet(virtual, state))))


@requirement("S2C-SIG-32")
@pytest.mark.parametrize("state", BY_WALLET)
def test_order_of_a_wallet_payment_without_card_is_asked_for_without_card_digits(
    state: str, payments_of: PaymentsOf
) -> None:
    virtual = payments_of("wallet_virtual_flow")

    must_accept(virtual.merchant.post(by_wallet(virtual, state).status_by_order()))


@requirement("S2C-SIG-33")
@pytest.mark.parametrize("ask", [Payment.status, Payment.details], ids=["GET_TRANS_STATUS", "GET_TRANS_DETAILS"])
@pytest.mark.parametrize("state", BY_DECRYPTED_WALLET)
def test_decrypted_wallet_payment_is_asked_for_with_the_digits_of_its_card(
    ask: Callable[[Payment], FormRequest], state: str, payments_of: PaymentsOf, profile: Profile
) -> None:
    must_offer(profile, ("test_data:cards.wallet",))
    stored = payments_of("wallet_card_flow")

    must_accept(stored.merchant.post(ask(by_wallet(stored, state))))


@requirement("S2C-SIG-34")
@pytest.mark.parametrize("ask", LOOK_UPS, ids=["GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS"])
def test_payment_by_token_is_asked_for_with_the_digits_of_the_card_behind_it(
    ask: Callable[[Payment], FormRequest], payments: Payments
) -> None:
    must_accept(payments.merchant.post(ask(payments.shared("paid_by_token"))))


@requirement("S2C-SIG-36")
@pytest.mark.parametrize("length", range(14, 20))
def test_first_six_and_last_four_digits_are_signed_whatever_the_length(
    length: int, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    start = (unproven_sale.baseline("sale").get("card_number") or "")[:6]
    number = with_check_digit(start + "234567890123"[: length - 7])

    must_take_signature(
        s2s_card,
        unproven_sale.baseline("sale").with_("card_number", number),
        unproven_sale.baseline("sale").with_("card_number", number),
    )


@requirement("S2C-SIG-37")
@pytest.mark.parametrize("tail", ["-MiXeD", "-ärger-ÿ-ß"], ids=["mixed-case", "outside-ascii"])
def test_order_id_is_signed_as_it_was_sent(
    tail: str, payments: Payments, unproven_sale: SaleRequests, s2s_card: S2SCardMerchant
) -> None:
    order_id = unproven_sale.numbers.next() + tail
    payment = payments.open(unproven_sale.baseline("sale").with_("order_id", order_id))

    must_accept(s2s_card.post(payment.status_by_order()))
