"""Every action is refused when its signature is made of another value, in another way, or not at all."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import pytest

from contract.errors import HASH_NOT_VALID, REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.claims import words_speak_of
from fixtures.judging.must import must_accept, must_answer_properly, must_have_accepted, must_reject_with_one_of
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.accounts import must_be_without_sha256
from fixtures.protocols.must import must_refuse_signature
from fixtures.protocols.s2s_card.actions import CardActions
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.signed_actions import (
    ACTIONS,
    MISTAKES,
    OF_FORMULA_2,
    OF_FORMULA_4,
    OPTIONAL,
    WITH_CARD,
    WITH_EMAIL,
    WITHOUT_PASSWORD,
    refused_ground,
)
from fixtures.requirement import claimed_by, requirement
from fixtures.run import Run
from fixtures.signing.deviations import (
    SPOILT,
    WRONG_ORDER,
    Deviation,
    key_as_password,
    signed_text,
    with_value,
    without,
    wrong_signature,
)
from fixtures.signing.protocols.s2s_card import card_fragment
from fixtures.signing.recipe import Digest, Recipe
from fixtures.wire.requests import FormRequest

ANOTHER_TRANSACTION = "f3e1a0de-0000-11ef-8a36-0242ac120013"


def claims(name: str, claimed: str) -> tuple[str, ...]:
    """Return what a check with that request claims."""
    if name not in OPTIONAL:
        return (claimed, *ACTIONS[name])
    return ("S2C-SIG-59", *ACTIONS[name]) if claimed in WITHOUT_PASSWORD else ACTIONS[name]


@pytest.fixture
def in_words(request: pytest.FixtureRequest) -> AbstractContextManager[None]:
    """Within, a refusal in other words breaks what says the words, and not the formula that the action is signed by."""
    formulas = {name for of_action in ACTIONS.values() for name in of_action}
    return words_speak_of(*(name for name in claimed_by(request.node) if name not in {*formulas, "S2C-SIG-59"}))


def each_action(claimed: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "name",
        [pytest.param(name, id=name, marks=requirement(*claims(name, claimed))) for name in ACTIONS],
    )


def each_mistake() -> list[object]:
    return [
        pytest.param(name, mistake, id=f"{name}-{mistake.name}", marks=requirement(*claims(name, claimed)))
        for name in ACTIONS
        for mistake, claimed in MISTAKES
        if not (name == "create_schedule" and mistake is WRONG_ORDER)  # Formula 3 has one value.
    ]


Alteration = Callable[[Recipe], Deviation]


def altered(name: str, value: Callable[[str], str], actions: tuple[str, ...], claimed: str | None) -> list[object]:
    def alteration(recipe: Recipe) -> Deviation:
        return with_value(name, value(signed_text(recipe, name)))

    claims = {action: (*ACTIONS[action], *((claimed,) if claimed else ())) for action in actions}
    return [
        pytest.param(action, alteration, id=f"{action}-other-{name}", marks=requirement(*claims[action]))
        for action in actions
    ]


def another_card(fragment: str) -> str:
    return fragment[:6] + str((int(fragment[6]) + 1) % 10) + fragment[7:]


def another_text(_: str) -> str:
    return "another@example.com"


def another_transaction(_: str) -> str:
    return ANOTHER_TRANSACTION


def another_token(token: str) -> str:
    return token[:-1] + ("0" if token[-1:] != "0" else "1")


@pytest.mark.parametrize(("name", "mistake"), each_mistake())
def test_wrongly_made_signature_is_refused(
    name: str,
    mistake: Deviation,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    unproven_actions: CardActions,
    *,
    in_words: AbstractContextManager[None],
) -> None:
    request = refused_ground(name, card_actions, unproven_actions)
    recipe = s2s_card.recipe(request)

    with in_words:
        must_refuse_signature(s2s_card, request, wrong_signature(recipe, mistake))


@pytest.mark.parametrize(
    ("action", "alteration"),
    [
        *altered("payer_email", another_text, WITH_EMAIL, None),
        *altered("card", another_card, WITH_CARD, None),
        *altered("trans_id", another_transaction, (*OF_FORMULA_2, "payout_status", "payout_details"), "S2C-SIG-48"),
        *altered("order_id", lambda order_id: f"{order_id}x", ("get_trans_status_by_order",), "S2C-SIG-49"),
        *altered("card_token", another_token, ("sale_by_token",), "S2C-SIG-47"),
        *altered("card_token", another_token, ("debit_by_token", "credit2card_by_token"), None),
        *altered("schedule_id", lambda _: str(uuid.uuid4()), OF_FORMULA_4, "S2C-SIG-50"),
        *altered("payer_email", another_text, ("sale_by_wallet", "debit_by_wallet"), None),
    ],
)
def test_signature_over_another_value_is_refused(
    action: str,
    alteration: Alteration,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    unproven_actions: CardActions,
    *,
    in_words: AbstractContextManager[None],
) -> None:
    request = refused_ground(action, card_actions, unproven_actions)
    recipe = s2s_card.recipe(request)

    with in_words:
        must_refuse_signature(s2s_card, request, wrong_signature(recipe, alteration(recipe)))


@requirement("S2C-SIG-51")
def test_recurring_sale_signed_with_another_card_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions("recurring_sale")
    recipe = s2s_card.recipe(request)
    fragment = signed_text(recipe, "card")

    must_refuse_signature(s2s_card, request, wrong_signature(recipe, with_value("card", another_card(fragment))))


@requirement("S2C-SIG-05")
def test_card2card_signed_with_the_card_of_the_payee_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions("card2card")
    payee = request.get("payee_card_number") or ""
    of_payee = with_value("card", card_fragment(payee))
    if not of_payee.changes(s2s_card.recipe(request)):
        inconclusive(
            "payer and payee have cards with the same digits",
            decides="payout_success in [test_data.cards] of the profile with another number than success",
        )

    must_refuse_signature(s2s_card, request, wrong_signature(s2s_card.recipe(request), of_payee))


def left_out(values: tuple[str, ...]) -> list[object]:
    return [
        pytest.param(action, value, id=f"{action}-without-{value}", marks=requirement(*ACTIONS[action]))
        for action in (*WITH_CARD, *OF_FORMULA_4)
        for value in values
        if (value != "payer_email" or action in WITH_EMAIL)
        and (value != "card" or action in WITH_CARD)
        and (value != "trans_id" or action in (*OF_FORMULA_2, "payout_status"))
        and (value != "schedule_id" or action in OF_FORMULA_4)
        and (value != "order_id" or action == "get_trans_status_by_order")
    ]


@pytest.mark.parametrize(("action", "value"), left_out(("payer_email", "card", "trans_id", "order_id", "schedule_id")))
def test_signature_without_one_of_its_values_is_refused(
    action: str,
    value: str,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    unproven_actions: CardActions,
) -> None:
    request = refused_ground(action, card_actions, unproven_actions)

    must_refuse_signature(s2s_card, request, wrong_signature(s2s_card.recipe(request), without(value)))


@pytest.mark.parametrize(
    ("action", "half"),
    [
        pytest.param(action, half, id=f"{action}-{half}-digits", marks=requirement(*ACTIONS[action]))
        for action in WITH_CARD
        for half in ("first-six", "last-four")
    ],
)
def test_signature_over_a_part_of_the_card_digits_is_refused(
    action: str,
    half: str,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    unproven_actions: CardActions,
) -> None:
    request = refused_ground(action, card_actions, unproven_actions)
    recipe = s2s_card.recipe(request)
    fragment = signed_text(recipe, "card")
    part = fragment[:6] if half == "first-six" else fragment[6:]

    must_refuse_signature(s2s_card, request, wrong_signature(recipe, with_value("card", part)))


@requirement("S2C-SIG-44")
@pytest.mark.parametrize("email", ["", "another@example.com"], ids=["without-email", "another-email"])
def test_sale_signed_with_another_email_or_none_is_refused(
    email: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")

    must_refuse_signature(s2s_card, sale, wrong_signature(s2s_card.recipe(sale), with_value("payer_email", email)))


@requirement("S2C-SIG-51")
def test_recurring_sale_signed_without_card_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions("recurring_sale")

    must_refuse_signature(s2s_card, request, wrong_signature(s2s_card.recipe(request), without("card")))


@requirement("S2C-SIG-48")
@pytest.mark.parametrize("name", ["capture", "void"])
def test_change_signed_without_trans_id_is_refused(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_actions: CardActions
) -> None:
    request = refused_ground(name, card_actions, unproven_actions)

    must_refuse_signature(s2s_card, request, wrong_signature(s2s_card.recipe(request), without("trans_id")))


@requirement("S2C-SIG-38")
@pytest.mark.parametrize(
    "ask", [Payment.status, Payment.void, Payment.creditvoid], ids=["status", "void", "creditvoid"]
)
def test_payment_without_payer_email_is_signed_for_as_well(
    ask: Callable[[Payment], FormRequest], payments: Payments
) -> None:
    payment = payments.shared("debit_without_email")
    payments.look_up(payment)

    must_refuse_signature(payments.merchant, ask(payment), "0" * 32)


@requirement("S2C-SIG-12")
def test_look_up_signed_without_the_card_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions("get_trans_status")

    must_refuse_signature(s2s_card, request, wrong_signature(s2s_card.recipe(request), without("card")))


@requirement("S2C-SIG-12")
def test_look_up_signed_without_the_payer_email_is_refused(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    request = card_actions("get_trans_status")

    must_refuse_signature(s2s_card, request, wrong_signature(s2s_card.recipe(request), without("payer_email")))


@requirement("S2C-SIG-48")
def test_hash_of_an_answered_look_up_is_refused_for_another_payment(payments: Payments) -> None:
    known, other = payments.shared("settled"), payments.shared("declined")
    look_up = payments.merchant.sign(known.status())
    must_have_accepted(payments.merchant.send(look_up))

    must_refuse_signature(payments.merchant, other.status(), str(look_up.get("hash")))


@each_action("S2C-SIG-42")
def test_signature_with_the_key_as_password_is_refused(
    name: str,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    unproven_actions: CardActions,
    *,
    in_words: AbstractContextManager[None],
) -> None:
    request = refused_ground(name, card_actions, unproven_actions)
    signature = wrong_signature(s2s_card.recipe(request), key_as_password(s2s_card.identity.key))

    with in_words:
        must_refuse_signature(s2s_card, request, signature)


@requirement("S2C-SIG-52")
@pytest.mark.parametrize("name", ["capture", "get_trans_status", "get_trans_status_by_order", "credit2card"])
@pytest.mark.parametrize("wrong", ["truncated", "lengthened", "other-end"])
def test_signature_of_another_length_or_with_another_end_is_refused(
    name: str,
    wrong: str,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    unproven_actions: CardActions,
) -> None:
    request = refused_ground(name, card_actions, unproven_actions)

    must_refuse_signature(s2s_card, request, SPOILT[wrong](s2s_card.recipe(request).sign()))


@each_action("S2C-SIG-39")
@pytest.mark.parametrize("empty", [False, True], ids=["missing", "empty"])
def test_absent_hash_is_refused(
    name: str,
    empty: bool,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    unproven_actions: CardActions,
) -> None:
    signed = s2s_card.sign(refused_ground(name, card_actions, unproven_actions))

    reply = s2s_card.send_until_found(signed.with_("hash", "") if empty else signed.without("hash"))

    readings = {"invalid-data": REQUEST_DATA_INVALID, "hash-not-valid": HASH_NOT_VALID}
    must_reject_with_one_of(reply, "S2C-SIG-39", readings, field="hash")


@requirement("S2C-SIG-53")
def test_upper_case_hex_is_accepted_or_refused(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    signed = s2s_card.sign(card_actions("sale"))

    reply = s2s_card.send(signed.with_("hash", (signed.get("hash") or "").upper()))

    must_answer_properly(reply, "S2C-SIG-53", accepted="any-case", refused="lower-case-only")


@requirement("S2C-SIG-54")
def test_account_with_sha256_signs_look_ups_with_sha256(payments_of: Callable[[str], Payments]) -> None:
    sha256 = payments_of("sha256")

    must_accept(sha256.look_up(sha256.shared("settled")))


@requirement("S2C-SIG-55")
def test_account_with_sha256_refuses_a_look_up_with_md5(payments_of: Callable[[str], Payments]) -> None:
    sha256 = payments_of("sha256")
    request = sha256.shared("settled").status()
    sha256.must_take(sha256.merchant.post(request), request)

    signature = replace(sha256.merchant.recipe(request), digest=Digest.MD5).sign()

    must_refuse_signature(sha256.merchant, request, signature)


@each_action("S2C-SIG-56")
def test_account_without_sha256_refuses_sha256(
    name: str,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    unproven_actions: CardActions,
    run: Run,
    *,
    in_words: AbstractContextManager[None],
) -> None:
    must_be_without_sha256(s2s_card.identity, run.s2s_card.identity)
    request = refused_ground(name, card_actions, unproven_actions)

    recipe = s2s_card.recipe(request)
    if recipe.digest is Digest.SHA256:
        not_applicable("the account that makes such a request in the place of the main one has the SHA256 option")
    signature = replace(recipe, digest=Digest.SHA256).sign()

    with in_words:
        must_refuse_signature(s2s_card, request, signature)
