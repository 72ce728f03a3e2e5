"""The signature of a SALE: everything joined, reversed as one and upper-cased; and the ways to make it wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contract.errors import HASH_NOT_VALID, REQUEST_DATA_INVALID
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, deviations_from
from fixtures.judging.must import (
    must_accept_signature,
    must_agree,
    must_answer_properly,
    must_have_accepted,
    must_refuse,
    must_reject,
    must_reject_with_one_of,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.profile import Profile
from fixtures.protocols.form import NO_HASH
from fixtures.protocols.must import must_refuse_signature
from fixtures.protocols.s2s_apm.merchant import MerchantOf, S2SApmMerchant, of_a_brand_it_has
from fixtures.protocols.s2s_apm.requests import ApmRequests
from fixtures.requirement import must_offer, requirement
from fixtures.signing.deviations import (
    NOT_REVERSED,
    NOT_UPPER_CASED,
    OUTER_SHA1,
    PASSWORD_LEFT_OUT,
    SPOILT,
    WRONG_ORDER,
    Deviation,
    key_as_password,
    other_password,
    with_value,
    without,
    wrong_signature,
)
from fixtures.signing.recipe import Digest
from fixtures.wire.requests import FormRequest

OTHER_PASSWORD = "0123456789abcdef0123456789abcdef"  # noqa: S105 - nobody's


@requirement("APM-SIG-05")
def test_sale_signed_by_the_recipe_is_accepted(s2s_apm: S2SApmMerchant, unproven: ApmRequests) -> None:
    sale = unproven.baseline("sale")

    must_accept_signature(s2s_apm.post(sale.with_("order_id", f"{sale.get('order_id')}-MixedCase")))


@requirement("APM-SIG-06")
def test_sale_without_identifier_is_signed_with_nothing_in_its_place(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")

    reply = s2s_apm.post(sale.without("identifier") if "identifier" in sale.fields else sale)

    if answer_of(reply) is Answer.REFUSED and not deviations_from(reply, REQUEST_DATA_INVALID):
        not_applicable(f"the target requires identifier, as it may: {reply.summary}")
    must_accept_signature(reply)


@requirement("APM-SIG-07")
def test_crypto_sale_without_amount_is_signed_with_nothing_in_its_place(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    must_accept_signature(s2s_apm.post(apm("sale_in_crypto").without("order_amount")))


@pytest.mark.parametrize(
    "deviation",
    [
        pytest.param(other_password(OTHER_PASSWORD), marks=requirement("APM-SIG-10")),
        pytest.param(PASSWORD_LEFT_OUT, marks=requirement("APM-SIG-10")),
        pytest.param(NOT_UPPER_CASED, marks=requirement("APM-SIG-12")),
        pytest.param(NOT_REVERSED, marks=requirement("APM-SIG-05")),
        pytest.param(WRONG_ORDER, marks=requirement("APM-SIG-15")),
        pytest.param(OUTER_SHA1, marks=requirement("APM-SIG-05")),
        pytest.param(with_value("order_id", "another-order"), marks=requirement("APM-SIG-18")),
        pytest.param(with_value("order_amount", "11.11"), marks=requirement("APM-SIG-19")),
        pytest.param(with_value("order_currency", "XTS"), marks=requirement("APM-SIG-20")),
        pytest.param(with_value("order_id", ""), marks=requirement("APM-SIG-18"), id="without-order_id"),
        pytest.param(with_value("order_amount", ""), marks=requirement("APM-SIG-19"), id="without-order_amount"),
        pytest.param(with_value("order_currency", ""), marks=requirement("APM-SIG-20"), id="without-order_currency"),
    ],
    ids=lambda deviation: deviation.name,
)
def test_wrongly_made_signature_is_refused(
    deviation: Deviation, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")

    must_refuse_signature(s2s_apm, sale, wrong_signature(s2s_apm.recipe(sale), deviation))


@requirement("APM-SIG-18")
def test_hash_of_an_accepted_sale_is_refused_for_another_order(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    first = s2s_apm.sign(apm("sale"))
    must_have_accepted(s2s_apm.send(first))

    must_refuse_signature(s2s_apm, apm("sale"), str(first.get("hash")))


@requirement("APM-SIG-17")
@pytest.mark.parametrize("left_out", [False, True], ids=["another", "left-out"])
def test_signature_with_another_identifier_is_refused(
    left_out: bool, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")
    signed = sale if "identifier" in sale.fields else sale.with_("identifier", "sent")
    other = signed.without("identifier") if left_out else signed.with_("identifier", "another")
    if s2s_apm.recipe(other).sign() == s2s_apm.recipe(signed).sign():
        without("identifier").change(s2s_apm.recipe(signed))
        not_applicable("by the formula of this target, named in [dialect.apm_formulas], identifier is not signed")
    if "identifier" not in sale.fields and answer_of(taken := s2s_apm.post(signed)) is not Answer.ACCEPTED:
        inconclusive(
            f"whether identifier is signed is not known: a SALE by this brand goes without it, and one with it that is "
            f"signed with it is refused: {taken.summary}",
            decides="identifier in [test_data.apm.success] of the profile, with a brand that takes one",
        )

    must_refuse_signature(s2s_apm, signed, s2s_apm.recipe(other).sign())


@requirement("APM-SIG-16")
def test_signature_with_the_key_as_password_is_refused(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    sale = apm("sale")
    signature = wrong_signature(s2s_apm.recipe(sale), key_as_password(s2s_apm.identity.key))

    must_refuse_signature(s2s_apm, sale, signature)


@requirement("APM-SIG-21")
@pytest.mark.parametrize("cut", [1, 3], ids=["one-decimal", "no-decimals"])
def test_signature_over_another_notation_of_the_amount_is_refused(
    cut: int, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")
    whole, _, _ = (sale.get("order_amount") or "").partition(".")
    sent = sale.with_("order_amount", f"{whole}.00")
    recipe = s2s_apm.recipe(sent)

    must_refuse_signature(s2s_apm, sent, wrong_signature(recipe, with_value("order_amount", f"{whole}.00"[:-cut])))


@requirement("APM-SIG-11")
@pytest.mark.parametrize("empty", [False, True], ids=["missing", "empty"])
def test_absent_hash_is_refused(empty: bool, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    signed = s2s_apm.sign(apm("sale"))

    reply = s2s_apm.send(signed.with_("hash", "") if empty else signed.without("hash"))

    readings = {"hash-not-valid": HASH_NOT_VALID, "invalid-data": REQUEST_DATA_INVALID}
    must_reject_with_one_of(reply, "APM-SIG-11", readings, field="hash")


@requirement("APM-SIG-10")
@pytest.mark.parametrize("wrong", [*SPOILT, "zeros"])
def test_signature_of_another_length_or_other_digits_is_refused(
    wrong: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")
    signature = NO_HASH if wrong == "zeros" else SPOILT[wrong](s2s_apm.recipe(sale).sign())

    must_refuse_signature(s2s_apm, sale, signature)


@requirement("APM-SIG-10")
@pytest.mark.parametrize(
    ("name", "needs"),
    [
        pytest.param("authorization", ("capability:dms",), id="authorization"),
        pytest.param("sale_in_crypto", ("capability:crypto", "test_data:currencies.crypto"), id="crypto"),
    ],
)
def test_wrong_signature_is_refused_whatever_kind_of_sale_it_is(
    name: str, needs: tuple[str, ...], s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], profile: Profile
) -> None:
    must_offer(profile, needs, "s2s_apm")
    sale = apm(name)

    must_refuse_signature(s2s_apm, sale, wrong_signature(s2s_apm.recipe(sale), other_password(OTHER_PASSWORD)))


@requirement("APM-SIG-10")
def test_wrong_signature_of_a_sale_by_instant_qr_is_refused(
    s2s_apm: S2SApmMerchant, unproven: ApmRequests, profile: Profile
) -> None:
    must_offer(profile, ("capability:instant_qr", "test_data:instant_qr.brand"), "s2s_apm")
    must_accept_signature(s2s_apm.post(unproven.sale_by_qr("pending")))
    sale = unproven.sale_by_qr("pending")

    must_refuse_signature(s2s_apm, sale, wrong_signature(s2s_apm.recipe(sale), other_password(OTHER_PASSWORD)))


@requirement("APM-SIG-07")
def test_wrong_signature_of_a_crypto_sale_without_amount_is_refused(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale_in_crypto").without("order_amount")
    must_accept_signature(s2s_apm.post(sale))
    again = apm("sale_in_crypto").without("order_amount")

    must_refuse_signature(s2s_apm, again, wrong_signature(s2s_apm.recipe(again), other_password(OTHER_PASSWORD)))


@requirement("APM-SIG-06")
def test_wrong_signature_of_a_sale_without_identifier_is_refused(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")
    sale = sale.without("identifier") if "identifier" in sale.fields else sale

    reply = s2s_apm.send(s2s_apm.sign(sale).with_("hash", NO_HASH))

    if deviations_from(reply, REQUEST_DATA_INVALID):
        must_reject(reply, HASH_NOT_VALID)


@requirement("APM-SIG-10")
def test_signature_with_the_password_of_another_merchant_is_refused(
    s2s_apm: S2SApmMerchant, merchant_of: MerchantOf, apm: Baselines[FormRequest], profile: Profile
) -> None:
    must_offer(profile, ("account:second_merchant",), "s2s_apm")
    sale = apm("sale")

    must_refuse_signature(s2s_apm, sale, merchant_of("second_merchant").recipe(sale).sign())


@requirement("APM-SIG-10")
def test_wrong_signature_is_refused_in_these_words(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    reply = s2s_apm.send(s2s_apm.sign(apm("sale")).with_("hash", NO_HASH))

    must_refuse(reply)
    must_agree(reply, HASH_NOT_VALID, "status", "error_code", "error_message")


@requirement("APM-SIG-22")
def test_order_id_outside_ascii_is_signed(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    sale = apm("sale")

    must_accept_signature(s2s_apm.post(sale.with_("order_id", f"{sale.get('order_id')}-żółw")))


@requirement("APM-SIG-26")
def test_signature_in_upper_case_is_accepted_or_refused(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    signed = s2s_apm.sign(apm("sale"))

    reply = s2s_apm.send(signed.with_("hash", (signed.get("hash") or "").upper()))

    must_answer_properly(reply, "APM-SIG-26", accepted="any-case", refused="lower-case-only")
    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, HASH_NOT_VALID)


OF_DIGESTS = {
    (Digest.SHA256, Digest.SHA256): "sha256",
    (Digest.SHA256, Digest.MD5): "sales",
    (Digest.MD5, Digest.MD5): "md5",
}
"""The reading of APM-SIG-23 that a target follows, by the digest of a SALE and that of a VOID."""


@requirement("APM-SIG-23")
def test_account_with_sha256_accepts_the_signature_of_its_digest(
    merchant_of: MerchantOf, apm: Baselines[FormRequest], unproven: ApmRequests
) -> None:
    merchant = merchant_of("sha256")
    apm.accepted("sale")

    must_accept_signature(merchant.post(of_a_brand_it_has(merchant, unproven.sales_by_brand)))
    note_reading("APM-SIG-23", OF_DIGESTS[merchant.digest, merchant.digest_of("VOID")])


@requirement("APM-SIG-24")
def test_account_with_sha256_refuses_the_other_digest(merchant_of: MerchantOf, unproven: ApmRequests) -> None:
    merchant = merchant_of("sha256")
    must_accept_signature(merchant.post(of_a_brand_it_has(merchant, unproven.sales_by_brand)))
    sale = of_a_brand_it_has(merchant, unproven.sales_by_brand)

    must_refuse_signature(
        merchant, sale, replace(merchant.recipe(sale), digest=merchant.other_digest_of("SALE")).sign()
    )


@requirement("APM-SIG-10")
def test_last_digit_of_a_hash_of_an_account_with_sha256_counts(
    merchant_of: MerchantOf, unproven: ApmRequests, profile: Profile
) -> None:
    with where_it_comes_about("a hash of an account with SHA256"):
        must_offer(profile, ("account:sha256",), "s2s_apm")
        merchant = merchant_of("sha256")
        must_accept_signature(merchant.post(of_a_brand_it_has(merchant, unproven.sales_by_brand)))
        sale = of_a_brand_it_has(merchant, unproven.sales_by_brand)

    must_refuse_signature(merchant, sale, SPOILT["other-end"](merchant.recipe(sale).sign()))


@requirement("APM-SIG-25")
def test_account_without_sha256_refuses_a_sha256_signature(
    merchant_of: MerchantOf, profile: Profile, apm: Baselines[FormRequest]
) -> None:
    must_offer(profile, ("account:md5",), "s2s_apm")
    merchant = merchant_of("md5")
    sale = apm("sale")

    must_refuse_signature(merchant, sale, replace(merchant.recipe(sale), digest=Digest.SHA256).sign())
