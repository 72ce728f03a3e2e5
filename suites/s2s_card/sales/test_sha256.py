"""An account with the SHA256 option signs every action with SHA256."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import is_wrongly_signed
from fixtures.judging.must import must_accept_signature
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.profile import Profile
from fixtures.protocols.must import must_refuse_signature
from fixtures.protocols.s2s_card.actions import CardActions
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.payment import must_be_taken
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.requirement import must_offer, requirement
from fixtures.signing.deviations import SPOILT
from fixtures.signing.recipe import Digest
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

PaymentsOf = Callable[[str], Payments]

ACTIONS = (
    "debit",
    "credit2card",
    "recurring_sale",
    "capture",
    "void",
    "creditvoid",
    "get_trans_status_by_order",
    "get_trans_details",
    "create_schedule",
    "schedule_info",
)
REPEATABLE = ("debit", "credit2card", "recurring_sale", "get_trans_details", "create_schedule", "schedule_info")
"""Actions that may be sent again: once signed rightly, and once wrongly."""
UNREPEATABLE = (
    "recurring_debit",
    "card2card",
    "capture",
    "void",
    "creditvoid",
    "get_trans_status_by_order",
    "update_schedule",
    "delete_schedule",
    "pause",
    "run",
    "deschedule",
)


def must_refuse_md5(merchant: S2SCardMerchant, request: FormRequest) -> None:
    signature = replace(merchant.recipe(request), digest=Digest.MD5).sign()

    must_refuse_signature(merchant, request, signature)


def by_md5(merchant: S2SCardMerchant, request: FormRequest) -> Reply:
    """Send a request that is right but for the digest of its signature."""
    signature = replace(merchant.recipe(request), digest=Digest.MD5).sign()
    return merchant.send_until_found(merchant.sign(request).with_("hash", signature))


@requirement("S2C-SIG-54")
@pytest.mark.parametrize("name", ACTIONS)
def test_every_action_is_signed_with_sha256(
    name: str, payments_of: PaymentsOf, card_actions: Baselines[FormRequest]
) -> None:
    # The same formula was seen to be right with the digest of the main account.
    card_actions.accepted(name)
    sha256 = payments_of("sha256")

    request = CardActions(sha256).build(name)
    reply = sha256.merchant.post(request)

    if reply.unserved and is_wrongly_signed(by_md5(sha256.merchant, CardActions(sha256).build(name))):
        # The action is not for this account, and that is said only of what is signed with SHA256.
        return
    must_accept_signature(reply)


@requirement("S2C-SIG-55")
@pytest.mark.parametrize("name", REPEATABLE)
def test_no_action_is_signed_with_md5(name: str, payments_of: PaymentsOf) -> None:
    sha256 = payments_of("sha256")
    right, wrong = (CardActions(sha256).build(name) for _ in range(2))
    must_be_taken(sha256.merchant.post(right), right)

    must_refuse_md5(sha256.merchant, wrong)


@requirement("S2C-SIG-55")
@pytest.mark.parametrize("name", UNREPEATABLE)
def test_nothing_is_changed_by_a_signature_with_md5(
    name: str, payments_of: PaymentsOf, card_actions: Baselines[FormRequest]
) -> None:
    card_actions.accepted(name)
    sha256 = payments_of("sha256")
    sha256.look_up(sha256.shared("settled"))

    must_refuse_md5(sha256.merchant, CardActions(sha256).to_be_refused(name))


@requirement("S2C-SIG-52")
@pytest.mark.parametrize("name", ["sale", *REPEATABLE])
def test_last_digit_of_a_hash_with_sha256_counts(name: str, payments_of: PaymentsOf, profile: Profile) -> None:
    with where_it_comes_about("a hash with SHA256"):
        must_offer(profile, ("account:sha256",), "s2s_card")
        sha256 = payments_of("sha256")
        right, wrong = (CardActions(sha256).build(name) for _ in range(2))
        must_be_taken(sha256.merchant.post(right), right)

    must_refuse_another_end(sha256.merchant, wrong)


@requirement("S2C-SIG-52")
@pytest.mark.parametrize("name", ["get_trans_status", *UNREPEATABLE])
def test_nothing_is_done_by_a_hash_with_sha256_of_another_end(
    name: str, payments_of: PaymentsOf, card_actions: Baselines[FormRequest], profile: Profile
) -> None:
    with where_it_comes_about(f"a {name.upper()} that is signed with SHA256"):
        must_offer(profile, ("account:sha256",), "s2s_card")
        card_actions.accepted(name)
        sha256 = payments_of("sha256")
        sha256.look_up(sha256.shared("settled"))
        wrong = CardActions(sha256).to_be_refused(name)

    must_refuse_another_end(sha256.merchant, wrong)


def must_refuse_another_end(merchant: S2SCardMerchant, request: FormRequest) -> None:
    must_refuse_signature(merchant, request, SPOILT["other-end"](merchant.recipe(request).sign()))
