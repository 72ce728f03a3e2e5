"""The signature of a SALE: Formula 1, in both digests, and the ways to make it wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from contract.errors import HASH_NOT_VALID, REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.must import must_accept, must_accept_signature, must_reject_with_one_of
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.must import must_refuse_signature
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.requirement import requirement
from fixtures.signing.deviations import (
    NOT_REVERSED,
    NOT_UPPER_CASED,
    OUTER_SHA1,
    PASSWORD_CASE_KEPT,
    PASSWORD_LEFT_OUT,
    PASSWORD_REVERSED,
    WRONG_ORDER,
    Deviation,
    key_as_password,
    other_password,
    signed_text,
    with_value,
    wrong_signature,
)
from fixtures.signing.recipe import Digest
from fixtures.wire.requests import FormRequest

MerchantOf = Callable[[str], S2SCardMerchant]


@requirement("S2C-SIG-01")
def test_sale_signed_by_formula_1_is_accepted(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    must_accept(s2s_card.post(unproven_sale.baseline("sale").with_("payer_email", "Mixed.Case@Example.com")))


@pytest.mark.parametrize(
    "deviation",
    [
        pytest.param(other_password("0123456789abcdef0123456789abcdef"), marks=requirement("S2C-SIG-38")),
        pytest.param(NOT_UPPER_CASED, marks=requirement("S2C-SIG-40")),
        pytest.param(WRONG_ORDER, marks=requirement("S2C-SIG-41")),
        pytest.param(NOT_REVERSED, marks=requirement("S2C-SIG-43")),
        pytest.param(with_value("payer_email", "another@example.com"), marks=requirement("S2C-SIG-44")),
        pytest.param(OUTER_SHA1, marks=requirement("S2C-SIG-57")),
        pytest.param(PASSWORD_LEFT_OUT, marks=requirement("S2C-SIG-38")),
        pytest.param(PASSWORD_CASE_KEPT, marks=requirement("S2C-SIG-40")),
        pytest.param(PASSWORD_REVERSED, marks=requirement("S2C-SIG-43")),
    ],
    ids=lambda deviation: deviation.name,
)
def test_wrongly_made_signature_is_refused(
    deviation: Deviation, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    sale = sales("sale")

    must_refuse_signature(s2s_card, sale, wrong_signature(s2s_card.recipe(sale), deviation))


@requirement("S2C-SIG-42")
def test_signature_with_the_key_as_password_is_refused(
    s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    sale = sales("sale")
    signature = wrong_signature(s2s_card.recipe(sale), key_as_password(s2s_card.identity.key))

    must_refuse_signature(s2s_card, sale, signature)


@pytest.mark.parametrize(
    "digit",
    [
        # Positions in the ten digits that are signed: the first six of the card, then its last four.
        *(pytest.param(digit, marks=requirement("S2C-SIG-45")) for digit in (0, 5)),
        *(pytest.param(digit, marks=requirement("S2C-SIG-46")) for digit in (6, 9)),
    ],
)
def test_signature_with_another_digit_of_the_card_is_refused(
    digit: int, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    sale = sales("sale")
    recipe = s2s_card.recipe(sale)
    fragment = signed_text(recipe, "card")
    another = fragment[:digit] + str((int(fragment[digit]) + 1) % 10) + fragment[digit + 1 :]

    must_refuse_signature(s2s_card, sale, wrong_signature(recipe, with_value("card", another)))


@requirement("S2C-SIG-39")
@pytest.mark.parametrize("empty", [False, True], ids=["missing", "empty"])
def test_absent_hash_is_refused(empty: bool, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]) -> None:
    signed = s2s_card.sign(sales("sale"))

    reply = s2s_card.send(signed.with_("hash", "") if empty else signed.without("hash"))

    readings = {"invalid-data": REQUEST_DATA_INVALID, "hash-not-valid": HASH_NOT_VALID}
    must_reject_with_one_of(reply, "S2C-SIG-39", readings, field="hash")


@requirement("S2C-SIG-52")
@pytest.mark.parametrize("wrong", ["truncated", "lengthened", "other-end", "zeros"])
def test_signature_that_is_nearly_right_or_of_nothing_is_refused(
    wrong: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    sale = sales("sale")
    signature = s2s_card.recipe(sale).sign()
    other_end = signature[:-1] + ("0" if signature[-1:] != "0" else "1")
    wrongs = {"truncated": signature[:-1], "lengthened": f"{signature}0", "other-end": other_end, "zeros": NO_HASH}

    must_refuse_signature(s2s_card, sale, wrongs[wrong])


@requirement("S2C-SIG-58")
def test_signature_with_the_password_of_another_merchant_is_refused(
    s2s_card: S2SCardMerchant, s2s_card_merchant: MerchantOf, sales: Baselines[FormRequest]
) -> None:
    sale = sales("sale")

    must_refuse_signature(s2s_card, sale, s2s_card_merchant("second_merchant").recipe(sale).sign())


@requirement("S2C-SIG-38")
@pytest.mark.parametrize("flag", ["auth", "recurring_init", "req_token"])
def test_wrong_signature_is_refused_whatever_the_flags(
    flag: str, s2s_card: S2SCardMerchant, sales: Baselines[FormRequest]
) -> None:
    must_refuse_signature(s2s_card, sales("sale").with_(flag, "Y"), NO_HASH)


@requirement("S2C-SIG-54")
def test_account_with_sha256_accepts_a_sha256_signature(
    s2s_card_merchant: MerchantOf, sales: Baselines[FormRequest]
) -> None:
    must_accept_signature(s2s_card_merchant("sha256").post(sales("sale")))


@requirement("S2C-SIG-55")
def test_account_with_sha256_refuses_an_md5_signature(
    s2s_card_merchant: MerchantOf, unproven_sale: SaleRequests
) -> None:
    merchant = s2s_card_merchant("sha256")
    must_accept_signature(merchant.post(unproven_sale.baseline("sale")))
    sale = unproven_sale.baseline("sale")

    must_refuse_signature(merchant, sale, replace(merchant.recipe(sale), digest=Digest.MD5).sign())


@requirement("S2C-SIG-56")
def test_account_without_sha256_refuses_a_sha256_signature(
    s2s_card_merchant: MerchantOf, sales: Baselines[FormRequest]
) -> None:
    merchant = s2s_card_merchant("md5")
    sale = sales("sale")

    must_refuse_signature(merchant, sale, replace(merchant.recipe(sale), digest=Digest.SHA256).sign())
