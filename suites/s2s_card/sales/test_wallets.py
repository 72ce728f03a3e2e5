"""Digital wallets: paid with as ``payment_token``, decrypted or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from contract.errors import PAYMENT_ACTION_NOT_SUPPORTED, REQUEST_DATA_INVALID
from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import fail
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, carries_message, is_wrongly_signed
from fixtures.judging.must import (
    must_accept,
    must_accept_as_signed,
    must_answer_properly,
    must_hold,
    must_lack,
    must_not_be,
    must_refuse,
    must_reject,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.profile import Profile
from fixtures.profile.wallets import tokens_of
from fixtures.protocols.s2s_card.callbacks import of_outcome
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import leave_to_the_issuer, must_not_pay
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests, without_card
from fixtures.protocols.s2s_card.states import BY_DECRYPTED_WALLET, BY_WALLET_HOWEVER_ASKED, REFUNDS, by_wallet
from fixtures.protocols.words import is_mask_of, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]


NAMES_THE_WALLET = ("payment_token", "digital_wallet", "card_number")
"""What a refusal names that takes no wallet: the token, or the card that is not there."""


@requirement("S2C-WAL-01")
def test_wallet_token_is_accepted_without_card_data(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    reply = s2s_card.post(unproven_sale.baseline("sale_by_wallet"))

    must_accept_as_signed(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


@requirement("S2C-WAL-02")
def test_wallet_token_pays_a_debit_too_or_sales_alone(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    debit = unproven_sale.baseline("debit_by_wallet")

    reply = s2s_card.post(debit)

    if carries_message(reply, PAYMENT_ACTION_NOT_SUPPORTED.message or ""):
        must_reject(reply, PAYMENT_ACTION_NOT_SUPPORTED)
        note_reading("S2C-WAL-02", "sale-alone")
    elif carries_message(reply, REQUEST_DATA_INVALID.message or ""):
        must_reject(reply, REQUEST_DATA_INVALID, field=NAMES_THE_WALLET)
        note_reading("S2C-WAL-02", "sale-alone")
    else:
        must_accept_as_signed(reply)
        leave_to_the_issuer(debit, reply, unproven_sale.profile)
        must_not_be(reply, "status", status_in(reply), "DECLINED")
        note_reading("S2C-WAL-02", "sale-and-debit")


@requirement("S2C-WAL-03")
@pytest.mark.parametrize("wallet", ["googlepay", "applepay"])
def test_wallet_is_known(
    wallet: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], profile: Profile
) -> None:
    must_offer(profile, (f"test_data:wallet_tokens.{wallet}",), "s2s_card")
    token = profile.test_data.wallet_tokens[wallet].reveal()
    sale = card_actions("sale_by_wallet").with_("digital_wallet", wallet).with_("payment_token", token)

    must_accept(s2s_card.post(sale))


@requirement("S2C-WAL-04")
def test_wallet_without_its_token_is_refused(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    must_refuse(s2s_card.post(card_actions("sale_by_wallet").without("payment_token")))


@requirement("S2C-WAL-04")
def test_token_without_its_wallet_is_answered(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    reply = s2s_card.post(card_actions("sale_by_wallet").without("digital_wallet"))

    must_answer_properly(reply, "S2C-WAL-04", accepted="token-alone", refused="together")


def look_ups(payments: Payments, payment: Payment) -> list[Reply]:
    replies = [payments.merchant.post(asked) for asked in (payment.status(), payment.details())]
    for reply in replies:
        if answer_of(reply) is not Answer.ACCEPTED:
            inconclusive(
                f"the wallet payment cannot be looked up: {reply.summary}",
                decides="a target that answers look-ups of wallet payments",
            )
    return replies


@requirement("S2C-WAL-05")
@pytest.mark.parametrize("state", BY_WALLET_HOWEVER_ASKED)
def test_wallet_payment_in_the_virtual_flow_shows_no_card(state: str, payments_of: PaymentsOf) -> None:
    payments = payments_of("wallet_virtual_flow")

    for reply in look_ups(payments, payments.as_it_is_signed(by_wallet(payments, state))):
        must_lack(reply, "card")


CHANGES: Mapping[str, tuple[str, Callable[[Payment], FormRequest], tuple[str, ...]]] = {
    "CAPTURE": ("held_by_wallet", Payment.capture, ()),
    "VOID": ("paid_by_wallet", Payment.void, ()),
    "CREDITVOID": ("paid_by_wallet", Payment.creditvoid, REFUNDS),
}
"""What is done to a payment by wallet: the state that it begins with, the request, and what a target must offer."""


def changed_by_wallet(action: str, payments: Payments, *, decrypted: bool = False) -> Reply:
    """Return the answer to what is done, once, to a wallet payment of the virtual flow, or to a decrypted one."""
    state, request, needs = CHANGES[action]
    state = state.replace("by_wallet", "by_decrypted_wallet") if decrypted else state
    must_offer(payments.requests.profile, needs, "s2s_card")
    with where_it_comes_about(f"a payment that is {state}"):
        return payments.after(f"{action} of a payment that is {state}", state, request).reply


@requirement("S2C-SIG-31")
@pytest.mark.parametrize("action", CHANGES)
def test_change_of_a_wallet_payment_without_card_is_signed_without_card_digits(
    action: str, payments_of: PaymentsOf
) -> None:
    reply = changed_by_wallet(action, payments_of("wallet_virtual_flow"))

    must_hold(not is_wrongly_signed(reply), "a signature without card digits", reply, "The signature is refused.")


@requirement("S2C-SIG-33")
@pytest.mark.parametrize("action", CHANGES)
def test_change_of_a_decrypted_wallet_payment_is_signed_with_the_digits_of_its_card(
    action: str, payments_of: PaymentsOf, profile: Profile
) -> None:
    must_offer(profile, ("test_data:cards.wallet",))

    reply = changed_by_wallet(action, payments_of("wallet_card_flow"), decrypted=True)

    must_hold(not is_wrongly_signed(reply), "a signature with the card digits", reply, "The signature is refused.")


@pytest.mark.parametrize(
    "action",
    [
        pytest.param("CAPTURE", marks=requirement("S2C-CAP-01")),
        pytest.param("VOID", marks=requirement("S2C-VOI-01")),
        pytest.param("CREDITVOID", marks=requirement("S2C-CVD-02")),
    ],
)
def test_wallet_payment_is_changed_as_one_by_card(action: str, payments_of: PaymentsOf) -> None:
    must_accept_as_signed(changed_by_wallet(action, payments_of("wallet_virtual_flow")))


@requirement("S2C-WAL-08")
@pytest.mark.parametrize("state", BY_WALLET_HOWEVER_ASKED)
def test_callback_of_a_wallet_payment_in_the_virtual_flow_shows_no_card(
    state: str, payments_of: PaymentsOf, callbacks: CallbackWatch
) -> None:
    payment = by_wallet(payments_of("wallet_virtual_flow"), state)
    came = callbacks.any_of(of_outcome(payment), seconds=callbacks.seconds)
    if not came:
        not_applicable("no callback reports it, and other checks decide whether one must")

    for callback in came:
        if any(sign.isdigit() for sign in callback.get("card") or ""):
            fail("no digits of a card, as none was decrypted", callback, f"card is {callback.get('card')!r}.")


@requirement("S2C-WAL-06")
@pytest.mark.parametrize("state", BY_DECRYPTED_WALLET)
def test_wallet_payment_in_the_card_flow_shows_its_card_masked(
    state: str, payments_of: PaymentsOf, profile: Profile
) -> None:
    must_offer(profile, ("test_data:cards.wallet",))
    payments = payments_of("wallet_card_flow")
    _, details = look_ups(payments, by_wallet(payments, state))

    card, shown = profile.test_data.cards.wallet, details.object.get("card")
    must_hold(
        is_mask_of(shown, card.number.reveal() if card else ""),
        "card in the details, masked but for its first six and last four digits",
        details,
        f"card is {shown!r}.",
    )


@requirement("S2C-WAL-07")
def test_token_that_cannot_be_decrypted_does_not_pay(payments_of: PaymentsOf, unproven_sale: SaleRequests) -> None:
    sale = without_card(unproven_sale.baseline("sale"))
    wallet = next(iter(tokens_of(unproven_sale.profile, "card", "s2s_card")), "googlepay")
    nonsense = sale.with_("digital_wallet", wallet).with_("payment_token", "this is no token")

    payments = payments_of("wallet_card_flow")

    reply = payments.merchant.post(nonsense)

    must_answer_properly(reply, "S2C-WAL-07", accepted="declined", refused="refused")
    if answer_of(reply) is Answer.ACCEPTED:
        must_not_pay(payments, nonsense, reply)
