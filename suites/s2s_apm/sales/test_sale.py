"""SALE: what it needs, what it does without, and its amount and currency."""

from __future__ import annotations

import pytest

from contract.errors import AMOUNT_NOT_POSITIVE, REQUEST_DATA_INVALID
from fixtures.cases.currencies import exponent_of, format_amount
from fixtures.judging.baselines import Baselines
from fixtures.judging.error_fields import names_exactly
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import must_accept, must_answer_properly, must_apply, must_refuse, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.profile import Profile
from fixtures.protocols.other_currencies import KINDS, in_another
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.requests import ApmRequests, with_value
from fixtures.protocols.s2s_apm.return_address import where_the_payer_returns
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.requests import FormRequest

REQUIRED = ("brand", "order_id", "order_amount", "order_currency", "order_description", "payer_ip", "return_url")
IN_TWO_DECIMALS = ("JPY", "KRW", "CLP", "UGX")
LONGEST_IDENTIFIER = 255
SHORTER_IDENTIFIER = 100


@requirement("APM-SAL-03")
def test_sale_without_identifier_is_refused_or_accepted(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    sale = apm("sale")

    reply = s2s_apm.post(sale.without("identifier") if "identifier" in sale.fields else sale)

    must_answer_properly(reply, "APM-SAL-03", accepted="optional", refused="required")
    if answer_of(reply) is Answer.REFUSED:
        must_reject(reply, REQUEST_DATA_INVALID, field="identifier")


@requirement("APM-SAL-06")
def test_sale_needs_no_other_payer_attribute_than_payer_ip(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], run: Run
) -> None:
    sale = apm("sale")
    # What the method itself asks for, as the profile says, is no matter of the protocol.
    kept = {"payer_ip", *run.apm_requests.needed_by(sale)}
    for name in [name for name in sale.fields if name.startswith("payer_") and name not in kept]:
        sale = sale.without(name)

    must_accept(s2s_apm.post(sale))


@requirement("APM-SAL-07")
@pytest.mark.parametrize("name", REQUIRED)
def test_required_parameter_that_is_empty_is_refused(
    name: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], run: Run
) -> None:
    reply = s2s_apm.post(apm("sale").with_(name, ""))
    if name == "return_url":
        reply = where_the_payer_returns(reply, run.apm.payments, run.apm_requests, lambda sale: sale.with_(name, ""))

    must_reject(reply, REQUEST_DATA_INVALID, field=name)


@requirement("APM-SAL-08")
@pytest.mark.parametrize("brand", ["no-such-method", "b" * 36])
def test_unknown_brand_is_refused(brand: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_refuse(s2s_apm.post(apm("sale").with_("brand", brand)))


@requirement("APM-SAL-12")
def test_identifier_of_255_characters_is_accepted(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    reply = s2s_apm.post(apm("sale").with_("identifier", "a" * LONGEST_IDENTIFIER))

    if (
        answer_of(reply) is Answer.REFUSED
        and answer_of(s2s_apm.post(apm("sale").with_("identifier", "a" * SHORTER_IDENTIFIER))) is Answer.REFUSED
    ):
        inconclusive(
            f"an identifier of 255 letters is refused, perhaps since it means nothing to the method: {reply.summary}",
            decides="a method that takes any text as identifier, under success in [test_data.apm] of the profile",
        )
    must_accept(reply)


@requirement("APM-SAL-13")
def test_channel_of_16_characters_is_accepted(run: Run) -> None:
    # The channel of the profile is one of the main account, whichever account serves sales.
    main = run.apm_accounts.main
    channel = str(run.profile.channel("s2s_apm", is_longest=True))

    must_accept(main.merchant.post(main.baselines("sale").with_("channel_id", channel)))


@requirement("APM-SAL-14")
@pytest.mark.parametrize("amount", ["-10.00", "-0.01"])
def test_negative_amount_is_refused(amount: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_refuse(s2s_apm.post(apm("sale").with_("order_amount", amount)))


@requirement("APM-SAL-15")
def test_amount_zero_is_refused(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    reply = s2s_apm.post(apm("sale").with_("order_amount", "0.00"))

    must_reject(reply, AMOUNT_NOT_POSITIVE)
    note_reading("APM-SAL-15", carries_message(reply, AMOUNT_NOT_POSITIVE.message or "") or "message")


@requirement("APM-SAL-15")
@pytest.mark.parametrize("kind", KINDS)
def test_amount_zero_is_refused_in_every_currency(
    kind: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], run: Run
) -> None:
    written = in_another(kind, run.profile)
    sale = apm("sale")
    other = sale.with_("order_id", run.apm_requests.numbers.next())
    with where_it_comes_about(f"a sale in {written.currency}"):
        refused = s2s_apm.post(paid_in(written.currency, written.zero, sale))
        taken = s2s_apm.post(paid_in(written.currency, written.little, other))

    must_refuse(refused)
    must_apply(taken, f"sale in {written.currency}")


@requirement("APM-SAL-16")
@pytest.mark.parametrize("amount", ["10", "10.0", "10.000"])
def test_another_number_of_decimals_than_two_is_refused(
    amount: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    must_refuse(s2s_apm.post(apm("sale").with_("order_amount", amount)))


@requirement("APM-SAL-17")
def test_amount_without_minor_unit_is_written_with_two_decimals(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], profile: Profile
) -> None:
    currency = str(profile.test_data.currencies.exponent_0)
    if currency not in IN_TWO_DECIMALS:
        inconclusive(
            f"how {currency} is written in S2S APM is not stated",
            decides=f"one of {', '.join(IN_TWO_DECIMALS)} under exponent_0 in [test_data.currencies] of the profile",
        )

    must_accept(s2s_apm.post(s2s_apm.in_currency(apm("sale"), currency).with_("order_amount", "1000.00")))


@requirement("APM-SAL-18")
def test_amount_of_exponent_three_is_written_with_three_decimals(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], profile: Profile
) -> None:
    currency = str(profile.test_data.currencies.exponent_3)

    must_accept(s2s_apm.post(paid_in(currency, format_amount(10_000, exponent_of(currency)), apm("sale"))))


@requirement("APM-SAL-18")
@pytest.mark.parametrize("amount", ["10", "10.00", "10.0000"])
def test_another_number_of_decimals_than_three_is_refused(
    amount: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], profile: Profile
) -> None:
    currency = str(profile.test_data.currencies.exponent_3)
    must_accept(s2s_apm.post(paid_in(currency, "10.000", apm("sale"))))

    must_refuse(s2s_apm.post(paid_in(currency, amount, apm("sale"))))


def paid_in(currency: str, amount: str, sale: FormRequest) -> FormRequest:
    return sale.with_("order_currency", currency).with_("order_amount", amount)


@requirement("APM-SAL-20")
def test_currency_of_a_crypto_method_is_accepted(s2s_apm: S2SApmMerchant, unproven: ApmRequests) -> None:
    reply = s2s_apm.post(unproven.baseline("sale_in_crypto"))

    if answer_of(reply) is Answer.REFUSED and not names_exactly(reply, "order_currency"):
        inconclusive(
            f"the SALE is refused, and not for its currency: {reply.summary}",
            decides="a brand that takes test_data.currencies.crypto, as crypto_wallet in [test_data.apm.methods] of "
            'the profile, or crypto without "s2s_apm" in [capabilities]',
        )
    must_accept(reply)


@requirement("APM-SAL-20")
@pytest.mark.parametrize("currency", ["BT", "BITCOIN"])
def test_crypto_currency_of_another_length_is_refused(
    currency: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    must_refuse(s2s_apm.post(apm("sale_in_crypto").with_("order_currency", currency)))


@requirement("APM-SAL-21")
def test_crypto_sale_without_amount_is_accepted(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_accept(s2s_apm.post(apm("sale_in_crypto").without("order_amount")))


@requirement("APM-SAL-35")
def test_flat_custom_data_are_accepted(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_accept(s2s_apm.post(with_value(apm("sale"), "custom_data", {"ticket": "7", "note": "a gift"})))
