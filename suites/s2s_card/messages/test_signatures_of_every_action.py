"""Whatever is asked for, and of whatever payment, the whole hash counts, and only that of the account."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, is_wrongly_signed
from fixtures.judging.must import must_reject_hash
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.must import must_refuse_signature
from fixtures.protocols.s2s_card.actions import CardActions
from fixtures.protocols.s2s_card.kinds import of_kind
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.signed_actions import ACTIONS, OPTIONAL, refused_ground
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.signing.deviations import NOBODYS_PASSWORD, SPOILT, other_password, wrong_signature
from fixtures.wire.requests import FormRequest

EVERY_ACTION = [name for name in ACTIONS if name not in OPTIONAL]
Ask = Callable[[Payment], FormRequest]


@requirement("S2C-SIG-58")
@pytest.mark.parametrize("name", EVERY_ACTION)
def test_hash_by_the_password_of_another_merchant_is_refused_whatever_is_asked_for(
    name: str,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    unproven_actions: CardActions,
    s2s_card_merchant: Callable[[str], S2SCardMerchant],
) -> None:
    request = refused_ground(name, card_actions, unproven_actions)
    password = s2s_card_merchant("second_merchant").identity.password.reveal()

    must_refuse_signature(s2s_card, request, wrong_signature(s2s_card.recipe(request), other_password(password)))


@requirement("S2C-SIG-52")
@pytest.mark.parametrize("name", EVERY_ACTION)
def test_beginning_of_a_hash_is_refused_whatever_is_asked_for(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_actions: CardActions
) -> None:
    request = refused_ground(name, card_actions, unproven_actions)

    must_refuse_signature(s2s_card, request, SPOILT["beginning"](s2s_card.recipe(request).sign()))


@requirement("S2C-SIG-11")
def test_retry_signed_by_the_password_of_another_merchant_is_refused(
    payments_of: Callable[[str], Payments], run: Run
) -> None:
    with where_it_comes_about("a hash of another merchant"):
        must_offer(run.profile, ("account:second_merchant",), "s2s_card")
    payments = payments_of("declining_recurring")
    request = payments.spare("softly_declined").retry()
    password = run.s2s_card_merchant("second_merchant").identity.password.reveal()
    payments.shared("retried")

    signature = wrong_signature(payments.merchant.recipe(request), other_password(password))

    must_refuse_signature(payments.merchant, request, signature)


OPTIONS: Mapping[str, tuple[str, str]] = {
    "sale-with-schedule": ("sale_with_schedule", ""),
    "sale-with-payer-present": ("sale", "payer_present"),
    "debit-with-recurring-init": ("initial_debit", ""),
    "debit-with-payer-present": ("debit", "payer_present"),
}
"""Valid requests with an option: the name of the request, and the flag that is added."""


@requirement("S2C-SIG-38")
@pytest.mark.parametrize("option", OPTIONS)
def test_wrong_hash_is_refused_whatever_option_is_asked_for(
    option: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    name, flag = OPTIONS[option]
    with where_it_comes_about(f"a request like {option}"):
        request = card_actions(name)
    request = request.with_(flag, "Y") if flag else request

    must_refuse_signature(s2s_card, request, by_nobodys_password(request, s2s_card))


LOOKED_UP: Mapping[str, Ask] = {
    **dict.fromkeys(
        ("declined", "authorized", "captured", "released", "voided", "refunded", "challenged", "redirected"),
        Payment.status,
    ),
    "card2card": Payment.status_by_order,
}
"""States and kinds of payments besides the settled SALE whose look-ups are signed like its."""

ASKED: Mapping[str, tuple[Ask, ...]] = {
    **dict.fromkeys(
        (
            "passed_challenge",
            "paid_by_token",
            "paid_by_wallet",
            "initial_sale",
            "secondary",
            "secondary_debit",
            "settled_debit",
        ),
        (Payment.status, Payment.void, Payment.creditvoid),
    ),
    **dict.fromkeys(
        ("authorized", "held_after_challenge", "held_by_token", "held_by_wallet"),
        (Payment.capture, Payment.creditvoid),
    ),
}
"""Payments besides the settled SALE, by kind and state, with what can be asked of them."""


def by_nobodys_password(request: FormRequest, merchant: S2SCardMerchant) -> str:
    return wrong_signature(merchant.recipe(request), NOBODYS_PASSWORD)


def must_refuse_hash(request: FormRequest, merchant: S2SCardMerchant) -> None:
    """A wrong hash is refused as one, unless the target refuses in other words what is signed rightly as well."""
    signature, right = by_nobodys_password(request, merchant), merchant.sign(request).get("hash")

    reply = merchant.send_until_found(merchant.sign(request).with_("hash", signature))

    if answer_of(reply) is Answer.REFUSED and not is_wrongly_signed(reply):
        control = merchant.post(request)
        if answer_of(control) is Answer.REFUSED and not is_wrongly_signed(control):
            return
    must_reject_hash(reply, signature, right)


@requirement("S2C-SIG-38")
@pytest.mark.parametrize("state", LOOKED_UP)
def test_wrongly_signed_look_up_is_refused_whatever_became_of_the_payment(state: str, payments: Payments) -> None:
    with where_it_comes_about(f"a payment that is {state}"):
        payment = payments.shared(state)

    must_refuse_hash(LOOKED_UP[state](payment), payments.merchant)


@requirement("S2C-SIG-38")
@pytest.mark.parametrize("kind", ASKED)
def test_wrong_hash_is_refused_whatever_is_asked_of_a_payment_of_any_kind(kind: str, payments: Payments) -> None:
    gives_back = (
        kind.startswith(("authorized", "held")) or payments.requests.profile.lacks(REFUNDS[0], "s2s_card") is None
    )
    payment = of_kind(kind, payments)

    for ask in ASKED[kind]:
        if ask is not Payment.creditvoid or gives_back:
            must_refuse_hash(ask(payment), payments.merchant)
