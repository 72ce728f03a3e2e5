"""RETRY is refused when its signature is made of another value, in another way, or not at all."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from fixtures.judging.claims import speaks_of
from fixtures.judging.must import must_refuse
from fixtures.protocols.must import must_refuse_signature
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.signed_actions import MISTAKES
from fixtures.requirement import requirement
from fixtures.signing.deviations import Deviation, key_as_password, without, wrong_signature

OF_RETRY = (*(mistake for mistake, _ in MISTAKES), *map(without, ("payer_email", "card", "trans_id")))


@requirement("S2C-SIG-11")
@pytest.mark.parametrize("mistake", OF_RETRY, ids=lambda mistake: mistake.name)
def test_wrongly_signed_retry_is_refused(mistake: Deviation, payments_of: Callable[[str], Payments]) -> None:
    payments = payments_of("declining_recurring")
    request = payments.spare("softly_declined").retry()
    payments.shared("retried")

    must_refuse_signature(payments.merchant, request, wrong_signature(payments.merchant.recipe(request), mistake))


@requirement("S2C-SIG-11", "S2C-REQ-03")
def test_retry_without_hash_or_with_a_key_of_nobody_is_refused(payments_of: Callable[[str], Payments]) -> None:
    payments = payments_of("declining_recurring")
    merchant, request = payments.merchant, payments.spare("softly_declined").retry()
    signed = merchant.sign(request)
    payments.shared("retried")

    by_key = wrong_signature(merchant.recipe(request), key_as_password(merchant.identity.key))
    nobodys = signed.with_("client_key", str(uuid.uuid4()))
    with speaks_of("S2C-SIG-11"):
        for spoilt in (signed.with_("hash", ""), signed.without("hash"), signed.with_("hash", by_key)):
            must_refuse(merchant.send(spoilt))
    with speaks_of("S2C-REQ-03"):
        must_refuse(merchant.send(nobodys))
