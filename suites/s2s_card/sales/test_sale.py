"""SALE: what no row of the field table says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from contract.errors import REQUEST_DATA_INVALID
from fixtures.cases.cards import with_check_digit
from fixtures.judging.baselines import Baselines
from fixtures.judging.claims import speaks_of
from fixtures.judging.error_fields import Named, error_items, named_in
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must_accept,
    must_answer_properly,
    must_have_accepted,
    must_hold,
    must_refuse,
    must_reject,
)
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.profile import Profile
from fixtures.profile.accounts import MidMode
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import must_not_pay, must_take_without_address
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import CARD_FIELDS, SaleRequests
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

MerchantOf = Callable[[str], S2SCardMerchant]

ORDER = ("order_id", "order_amount", "order_currency", "order_description")
PAYER = ("payer_first_name", "payer_last_name", "payer_email", "payer_phone", "payer_ip")
ADDRESS = ("payer_address", "payer_country", "payer_city", "payer_zip")
WITH_A_STATE = ("US", "CA", "AU", "JP", "IN")
SEVERAL = 2


def must_be_missed(reply: Reply) -> Reply:
    """Return the refusal of a sale that lacks fields; end the check when the target does not miss them."""
    if answer_of(reply) is Answer.ACCEPTED:
        inconclusive(
            "a sale without order_description is accepted", decides="a sale that the target refuses for its data"
        )
    return reply


@requirement("S2C-SAL-07")
@pytest.mark.parametrize("field", [*ORDER, *PAYER, *CARD_FIELDS, "term_url_3ds"])
def test_empty_required_field_is_refused_like_a_missing_one(
    field: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    named = (field, "card_token", "payment_token") if field == "card_number" else (field,)

    must_reject(s2s_card.post(card_actions("sale").with_(field, "")), REQUEST_DATA_INVALID, field=named)


@requirement("S2C-SAL-08")
def test_missing_fields_are_named(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    missing = ("order_description", "order_currency", "order_amount")

    reply = must_be_missed(s2s_card.post(card_actions("sale").without(*missing)))

    must_reject(reply, REQUEST_DATA_INVALID)
    found = [named_in(reply, field) for field in missing]
    must_hold(
        Named.ANOTHER not in found or Named.THIS in found,
        f"errors that name one of {', '.join(missing)}, or all",
        reply,
        "Named are other parameters only.",
    )
    named = found.count(Named.THIS)
    if not named:
        inconclusive("errors names no parameter that is known", decides="a target whose errors name what is missing")
    # Line 436 does not say whether all that is missing is named, or how; here one may be taken for optional.
    several = "each" if len(error_items(reply)) >= SEVERAL else "in-one"
    note_reading("S2C-SAL-08", several if named >= SEVERAL else "first-only")


@requirement("S2C-ANS-17")
def test_item_of_errors_begins_with_its_field(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    reply = must_be_missed(s2s_card.post(card_actions("sale").without("order_description")))

    must_reject(reply, REQUEST_DATA_INVALID)
    items = reply.object.get("errors")
    texts = [str(item.get("error_message", "")) if isinstance(item, dict) else str(item) for item in items or ()]
    must_hold(
        any(text.startswith("order_description: ") for text in texts),
        "an item of errors that reads order_description: <text>",
        reply,
        f"The items read {texts!r}.",
    )


@requirement("S2C-SAL-11")
@pytest.mark.parametrize("flags", [(), ("auth",), ("recurring_init",)], ids=["plain", "auth", "recurring_init"])
def test_negative_amount_is_refused(
    flags: tuple[str, ...], s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale").with_("order_amount", "-1.00")
    for flag in flags:
        sale = sale.with_(flag, "Y")

    must_refuse(s2s_card.post(sale))


@pytest.mark.parametrize(
    ("exponent", "right", "wrong"),
    [
        pytest.param("exponent_2", "10.00", ("10", "10.0", "10.000"), marks=requirement("S2C-SAL-12")),
        pytest.param("exponent_0", "1000.00", ("1000", "1000.0", "1000.000"), marks=requirement("S2C-SAL-13")),
        pytest.param("exponent_3", "10.000", ("10", "10.00", "10.0000"), marks=requirement("S2C-SAL-14")),
        pytest.param("exponent_4", "10.0000", ("10", "10.00", "10.000", "10.00000"), marks=requirement("S2C-SAL-15")),
    ],
)
def test_amount_is_written_with_the_decimals_of_its_currency(
    exponent: str,
    right: str,
    wrong: tuple[str, ...],
    s2s_card: S2SCardMerchant,
    unproven_sale: SaleRequests,
) -> None:
    currency = getattr(unproven_sale.profile.test_data.currencies, exponent)

    def sale(amount: str) -> FormRequest:
        return s2s_card.in_currency(unproven_sale.baseline("sale"), currency).with_("order_amount", amount)

    must_accept(s2s_card.post(sale(right)))
    for amount in wrong:
        must_refuse(s2s_card.post(sale(amount)))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("sale", marks=requirement("S2C-SAL-17")),
        pytest.param("debit", marks=requirement("S2C-DEB-09", "S2C-SAL-17")),
    ],
)
def test_channel_of_16_characters_is_accepted(name: str, run: Run) -> None:
    # The channel of the profile is one of the main account, whichever account serves sales.
    main = run.card_accounts.main
    channel = str(run.profile.channel("s2s_card", is_longest=True))

    with speaks_of("S2C-DEB-09" if name == "debit" else "S2C-SAL-17"):
        must_accept(main.merchant.post(main.baselines(name).with_("channel_id", channel)))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("sale_with_installments", marks=requirement("S2C-PRM-01")),
        pytest.param("sale_with_tax_document", marks=requirement("S2C-PRM-02")),
    ],
)
def test_set_of_parameters_is_accepted(name: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    must_accept(s2s_card.post(unproven_sale.baseline(name)))


@requirement("S2C-SAL-19")
@pytest.mark.parametrize("length", [11, 20])
def test_number_of_too_few_or_too_many_digits_is_refused(
    length: int, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")
    # It passes the Luhn check, so that nothing but its length is wrong.
    number = with_check_digit((sale.get("card_number") or "")[:6] + "2345678901234"[: length - 7])

    must_refuse(s2s_card.post(sale.with_("card_number", number)))


@requirement("S2C-SAL-22")
@pytest.mark.parametrize("card", ["success", "payout_success"])
def test_expired_card_does_not_pay(
    card: str, payments: Payments, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    # Two months back, so that no time zone and no calendar of the target calls it still valid.
    past = datetime.now(UTC).replace(day=1) - timedelta(days=40)
    sale = card_actions("sale").with_("card_exp_month", f"{past:%m}").with_("card_exp_year", f"{past:%Y}")
    if card == "payout_success":
        sale = sale.with_("card_number", unproven_sale.payee_card())

    reply = payments.merchant.post(sale)

    must_answer_properly(reply, "S2C-SAL-22", accepted="declined", refused="refused")
    if answer_of(reply) is Answer.ACCEPTED:
        must_not_pay(payments, sale, reply)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("sale", marks=requirement("S2C-SAL-29")),
        pytest.param("debit", marks=requirement("S2C-SAL-29", "S2C-DEB-09")),
    ],
)
def test_city_has_at_most_40_characters_or_32(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_sale: SaleRequests
) -> None:
    with speaks_of("S2C-DEB-09" if name == "debit" else "S2C-SAL-29"):
        must_take_40_characters_or_32(card_actions(name), s2s_card, unproven_sale)


def must_take_40_characters_or_32(request: FormRequest, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    must_accept(s2s_card.post(request.with_("payer_city", "a" * 32)))

    def again(length: int) -> FormRequest:
        return request.with_("payer_city", "a" * length).with_("order_id", unproven_sale.numbers.next())

    longer = {length: s2s_card.post(again(length)) for length in (33, 40)}

    for reply in longer.values():
        must_answer_properly(reply, "S2C-SAL-29", accepted="forty", refused="thirty-two")
    must_hold(
        answer_of(longer[33]) is answer_of(longer[40]),
        "a limit of 40 characters, or of 32",
        longer[40],
        f"33 characters are {answer_of(longer[33])}, 40 are {answer_of(longer[40])}.",
    )


@requirement("S2C-SAL-32")
def test_long_payer_email_is_refused_and_named(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    email = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 12}.example"

    must_reject(
        s2s_card.post(card_actions("sale").with_("payer_email", email)), REQUEST_DATA_INVALID, field="payer_email"
    )


@requirement("S2C-SAL-40")
@pytest.mark.parametrize("field", ADDRESS)
def test_address_of_the_payer_may_be_left_out(
    field: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], profile: Profile
) -> None:
    reply = s2s_card.post(card_actions("sale").without(field))

    must_take_without_address(reply, (field,), s2s_card.identity, profile)


@requirement("S2C-SAL-41")
@pytest.mark.parametrize("field", ADDRESS)
def test_required_address_of_the_payer_must_be_there(
    field: str, s2s_card_merchant: MerchantOf, unproven_sale: SaleRequests
) -> None:
    merchant = s2s_card_merchant("payer_address_required")
    # An account that only holds need not take an immediate payment.
    name = "authorization" if merchant.identity.mid_mode is MidMode.DMS else "sale"
    must_have_accepted(
        merchant.post(unproven_sale.baseline(name)),
        decides="an account with payer_address_required = true that takes a SALE with the payer's address",
    )

    reply = merchant.post(unproven_sale.baseline(name).without(field))

    must_reject(reply, REQUEST_DATA_INVALID, field=field)


@requirement("S2C-SAL-42")
@pytest.mark.parametrize("field", ADDRESS)
def test_address_of_the_payer_was_required(
    field: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_reject(s2s_card.post(card_actions("sale").without(field)), REQUEST_DATA_INVALID, field=field)


@requirement("S2C-SAL-43")
@pytest.mark.parametrize("state", ["Berlin", "Not a state", "1"])
def test_state_elsewhere_is_not_looked_at(
    state: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], profile: Profile
) -> None:
    country = profile.test_data.payer.country
    if country in WITH_A_STATE:
        country = "DE"

    must_accept(s2s_card.post(card_actions("sale").with_("payer_country", country).with_("payer_state", state)))
