"""The order: its number, its amount in every currency exponent, and when an amount may be zero, -1 or absent."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest

from contract.errors import (
    AMOUNT_NOT_POSITIVE,
    HASH_NOT_VALID,
    REQUEST_DATA_INVALID,
)
from fixtures.cases.field_cases import FieldCase
from fixtures.cases.together import CHARACTER
from fixtures.judging.baselines import Baselines
from fixtures.judging.claims import speaks_of
from fixtures.judging.expectations import refusal_with
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import (
    must_accept,
    must_accept_value,
    must_answer_properly,
    must_apply,
    must_be_served,
    must_have_accepted,
    must_refuse,
    must_reject,
)
from fixtures.judging.together import Send
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.profile import Profile
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import SESSION_FIELDS, SessionRequests, by_crypto_method
from fixtures.protocols.modes import must_be_known_to_sell, must_sell
from fixtures.protocols.other_currencies import CRYPTO, KINDS, in_another
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest

ALLOWED_PUNCTUATION = "-!\"#$%&'()*+,./:;@"
NUMBER = next(field for field in SESSION_FIELDS if field.name == "order.number")


@requirement("CHK-ORD-03")
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(FieldCase(NUMBER, "CHK-ORD-03", one, one, accepted=True, keyword=CHARACTER), id=one)
        for one in ("A", "z", "5", *ALLOWED_PUNCTUATION)
    ],
)
def test_order_number_with_an_allowed_character_is_accepted(
    case: FieldCase,
    checkout: CheckoutMerchant,
    sessions: Baselines[JsonRequest],
    together: Callable[[Reply, Send], Reply],
) -> None:
    del case

    def send(cases: Sequence[FieldCase]) -> Reply:
        session = sessions("purchase")
        characters = "".join(str(one.value) for one in cases)
        return checkout.create_session(session.with_("order.number", f"{session.get('order.number')}{characters}"))

    must_accept(together(sessions.accepted("purchase"), send))


@requirement("CHK-ORD-04")
@pytest.mark.parametrize("character", ["\u00e9", "\u0416", "\uff11"], ids=["accent", "cyrillic", "full-width-digit"])
def test_order_number_with_a_letter_outside_ascii_is_answered_properly(
    character: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    session = session_request()
    reply = checkout.create_session(session.with_("order.number", f"{session.get('order.number')}{character}"))

    must_answer_properly(reply, "CHK-ORD-04", accepted="any-letter", refused="a-to-z")


@requirement("CHK-ORD-09")
@pytest.mark.parametrize("amount", ["-5.00", "-0.01"])
def test_negative_amount_is_refused(amount: str, checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_refuse(checkout.create_session(session_request().with_("order.amount", amount)))


@requirement("CHK-ORD-26")
@pytest.mark.parametrize(
    ("operation", "amount"), [("debit", "-1"), ("credit", "-1"), ("debit", "-5.00"), ("transfer", "-5.00")]
)
def test_negative_amount_of_another_operation_is_refused(
    operation: str, amount: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    must_refuse(checkout.create_session(sessions(operation).with_("order.amount", amount)))


@requirement("CHK-ORD-10")
def test_minus_one_is_accepted_on_a_transfer(checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]) -> None:
    must_accept(checkout.create_session(sessions("transfer").with_("order.amount", "-1")))


@requirement("CHK-ORD-11")
def test_minus_one_is_refused_on_a_purchase(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_refuse(checkout.create_session(session_request().with_("order.amount", "-1")))


@requirement("CHK-ORD-12", "CHK-SIG-14")
def test_amount_may_be_left_out_of_a_crypto_purchase(
    checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], unproven_session: SessionRequests
) -> None:
    session = sessions("crypto").without("order.amount")
    reply = checkout.create_session(session)
    if answer_of(reply) is Answer.REFUSED:
        reply = checkout.create_session(by_crypto_method(session, unproven_session))

    with speaks_of("CHK-SIG-14" if carries_message(reply, HASH_NOT_VALID.message or "") else "CHK-ORD-12"):
        must_accept(reply)


@requirement("CHK-ORD-16")
def test_crypto_currency_is_accepted(checkout: CheckoutMerchant, unproven_session: SessionRequests) -> None:
    session = unproven_session.baseline("crypto")
    reply = checkout.create_session(session)
    if answer_of(reply) is Answer.REFUSED:
        # Routing need not find the method of a currency where a session names none (line 56), in whichever words.
        reply = checkout.create_session(by_crypto_method(unproven_session.baseline("crypto"), unproven_session))

    must_accept(reply)


def nothing_for(purchase: JsonRequest, checkout: CheckoutMerchant, zero: str = "0.00") -> Reply:
    """Return the answer to a plain purchase of nothing, by an account of which purchases are plain."""
    session = purchase.with_("order.amount", zero)
    identity = checkout.paying_for(session).identity
    must_sell(identity)
    reply = checkout.create_session(session)
    must_be_known_to_sell(identity, reply)
    return reply


@requirement("CHK-ORD-19")
def test_zero_amount_of_a_plain_purchase_is_refused(
    checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    reply = nothing_for(session_request(), checkout)

    must_reject(reply, AMOUNT_NOT_POSITIVE)
    note_reading("CHK-ORD-19", carries_message(reply, str(AMOUNT_NOT_POSITIVE.message)) or "message")


@requirement("CHK-ORD-19")
def test_zero_amount_is_refused_in_every_currency(
    checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    currencies = profile.test_data.currencies
    zeros = {currencies.exponent_0: "0.00", currencies.exponent_3: "0.000", currencies.exponent_4: "0.0000"}

    for currency, zero in {**zeros, currencies.exponent_2: "0.00"}.items():
        # Where the merchant only holds in a currency, no purchase is plain: what is held may be nothing.
        if currency is not None and not checkout.identity.only_holds_in(currency):
            session = session_request().with_("order.currency", currency)
            must_reject(nothing_for(session, checkout, zero), AMOUNT_NOT_POSITIVE)


@requirement("CHK-ORD-19")
def test_zero_amount_is_refused_in_a_crypto_currency(
    checkout: CheckoutMerchant, unproven_session: SessionRequests, profile: Profile
) -> None:
    must_offer(profile, ("capability:crypto",), "checkout")
    written = in_another(CRYPTO, profile)

    def session(amount: str) -> JsonRequest:
        return unproven_session.baseline("crypto").with_("order.amount", amount)

    must_refuse(checkout.create_session(session(written.zero)))
    must_apply(checkout.create_session(session(written.little)), f"purchase in {written.currency}")


@requirement("CHK-ORD-18")
@pytest.mark.parametrize("length", [1024, 1025])
def test_description_is_counted_in_characters_and_not_in_bytes(
    length: int, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    short = checkout.create_session(session_request().with_("order.description", "礼" * 20))
    if answer_of(short) is not Answer.ACCEPTED:
        inconclusive(
            f"a short description in these letters is not accepted either: {short.summary}",
            decides="a target that takes letters of other scripts, which the contract does not speak of",
        )

    reply = checkout.create_session(session_request().with_("order.description", "礼" * length))

    if length > 1024:
        must_reject(reply, REQUEST_DATA_INVALID, field="order.description")
    else:
        must_accept(reply)


@requirement("CHK-ORD-19")
@pytest.mark.parametrize("flag", ["auth", "recurring_init"])
def test_zero_amount_is_refused_while_the_flag_is_false(
    flag: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_refuse(nothing_for(session_request(**{flag: False}), checkout))


@requirement("CHK-ORD-19")
@pytest.mark.parametrize("flag", ["req_token", "vat_calc"])
def test_zero_amount_is_refused_with_flags_that_do_not_allow_it(
    flag: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_refuse(nothing_for(session_request(**{flag: True}), checkout))


@requirement("CHK-ORD-25")
@pytest.mark.parametrize("operation", ["debit", "credit", "transfer"])
def test_zero_amount_of_another_operation_is_refused(
    operation: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    must_refuse(checkout.create_session(sessions(operation).with_("order.amount", "0.00")))


@requirement("CHK-ORD-25")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", ["debit", "credit", "transfer"])
def test_zero_amount_of_another_operation_is_refused_in_every_currency(
    operation: str, kind: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], profile: Profile
) -> None:
    written = in_another(kind, profile)

    def session(amount: str) -> JsonRequest:
        return sessions.build(operation).with_("order.currency", written.currency).with_("order.amount", amount)

    must_refuse(checkout.create_session(session(written.zero)))
    must_apply(checkout.create_session(session(written.little)), f"{operation} in {written.currency}")


@pytest.mark.parametrize(
    "flag",
    [
        pytest.param("auth", marks=requirement("CHK-ORD-20")),
        pytest.param("recurring_init", marks=requirement("CHK-ORD-21")),
    ],
)
def test_zero_amount_is_accepted_with(flag: str, checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_accept(checkout.create_session(session_request(**{flag: True}).with_("order.amount", "0.00")))


@requirement("CHK-ORD-21")
def test_zero_amount_is_accepted_on_a_debit_that_begins_a_chain(
    checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    must_apply(checkout.create_session(sessions("debit").with_("recurring_init", True)), "debit that begins a chain")

    must_accept(checkout.create_session(sessions("debit").with_("recurring_init", True).with_("order.amount", "0.00")))


@pytest.mark.parametrize(
    ("flag", "other"),
    [
        pytest.param("auth", "recurring_init", marks=requirement("CHK-ORD-20"), id="auth"),
        pytest.param("recurring_init", "auth", marks=requirement("CHK-ORD-21"), id="recurring_init"),
    ],
)
def test_zero_amount_is_accepted_with_one_flag_while_the_other_is_false(
    flag: str, other: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_have_accepted(checkout.create_session(session_request(**{flag: True}).with_("order.amount", "0.00")))
    flags = {flag: True, other: False}

    must_accept(checkout.create_session(session_request(**flags).with_("order.amount", "0.00")))


@requirement("CHK-ORD-20", "CHK-ORD-21")
def test_zero_amount_is_accepted_with_both_flags(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_have_accepted(checkout.create_session(session_request(auth=True).with_("order.amount", "0.00")))
    # Each flag by itself is a check of its own: an account that only authorizes need not take a chain without a hold.
    must_apply(
        checkout.create_session(session_request(auth=True, recurring_init=True)), "a chain that begins with a hold"
    )

    must_accept(checkout.create_session(session_request(auth=True, recurring_init=True).with_("order.amount", "0.00")))


NAMES_BOUNDS = re.compile(
    r"\b(between|minimum|maximum|limits?|range|at least|at most|or (more|less|equal))\b", re.IGNORECASE
)
"""How refusals speak of a limit, which line 71 does not know; "greater than 0" is none."""
OF_THREE_DECIMALS = ("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND")
AMOUNTS = [
    ("CHK-AMT-01", "exponent_2", "1.00", True),
    ("CHK-AMT-01", "exponent_2", "19.99", True),
    ("CHK-AMT-01", "exponent_2", "123.45", True),
    ("CHK-AMT-01", "exponent_2", "0.50", True),
    ("CHK-AMT-01", "exponent_2", "1000.00", True),
    ("CHK-AMT-01", "exponent_2", "10", False),
    ("CHK-AMT-01", "exponent_2", "10.0", False),
    ("CHK-AMT-01", "exponent_2", "10.000", False),
    ("CHK-AMT-02", "exponent_0", "100.00", True),
    ("CHK-AMT-02", "exponent_0", "1000.00", True),
    ("CHK-AMT-03", "exponent_0", "100", False),
    ("CHK-AMT-03", "exponent_0", "100.0", False),
    ("CHK-AMT-03", "exponent_0", "100.000", False),
    ("CHK-AMT-05", "exponent_3", "10.000", True),
    ("CHK-AMT-05", "exponent_3", "0.500", True),
    ("CHK-AMT-05", "exponent_3", "1000.000", True),
    ("CHK-AMT-05", "exponent_3", "10.00", False),
    ("CHK-AMT-05", "exponent_3", "10.0000", False),
    ("CHK-AMT-06", "exponent_4", "10.0000", True),
    ("CHK-AMT-06", "exponent_4", "0.5000", True),
    ("CHK-AMT-06", "exponent_4", "1000.0000", True),
    ("CHK-AMT-06", "exponent_4", "10.000", False),
    ("CHK-AMT-06", "exponent_4", "10.00000", False),
    ("CHK-AMT-08", "exponent_2", "10,00", False),
    ("CHK-AMT-08", "exponent_2", "1,000.00", False),
    ("CHK-AMT-08", "exponent_2", "1e3", False),
    ("CHK-AMT-08", "exponent_2", "+10.00", False),
    ("CHK-AMT-08", "exponent_2", "\u0661\u0660.00", False),
]


@pytest.mark.parametrize(
    ("currency", "amount", "accepted"),
    [
        pytest.param(currency, amount, accepted, marks=requirement(claimed), id=f"{currency}-{amount.strip()}")
        for claimed, currency, amount, accepted in AMOUNTS
    ],
)
def test_amount_is_written_with_the_decimals_of_its_currency(
    currency: str, amount: str, accepted: bool, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    session = checkout.in_currency(session_request(), session_request.currency(currency))

    reply = checkout.create_session(session.with_("order.amount", amount))

    if accepted:
        must_be_served(reply)
        must_not_be_malformed(reply)
        must_accept(reply)
    else:
        must_reject(reply, REQUEST_DATA_INVALID, field="order.amount")


@requirement("CHK-AMT-05")
@pytest.mark.parametrize("currency", OF_THREE_DECIMALS)
def test_two_decimals_are_refused_in_every_currency_of_three(
    currency: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:

    def session(amount: str) -> JsonRequest:
        return session_request().with_("order.currency", currency).with_("order.amount", amount)

    must_refuse(checkout.create_session(session("10.00")))
    must_apply(checkout.create_session(session("10.000")), f"session in {currency}")


def must_not_be_malformed(reply: Reply) -> None:
    """A refusal of a valid amount for invalid data, or one that names bounds, may be a limit of the account.

    One for a wrong hash is none: what is signed is the amount as it is sent (line 389).
    """
    if answer_of(reply) is not Answer.REFUSED or carries_message(reply, HASH_NOT_VALID.message or ""):
        return
    if refusal_with(reply, REQUEST_DATA_INVALID, ("order.amount",)) or NAMES_BOUNDS.search(reply.text):
        inconclusive(
            f"the amount is refused, perhaps by a limit of the account: {reply.summary}",
            decides="an account without limits between 0.50 and 1000.00",
        )


@requirement("CHK-AMT-04")
def test_decimals_of_a_currency_without_minor_units_are_accepted_or_refused(
    checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    session = checkout.in_currency(session_request(), session_request.currency("exponent_0"))

    reply = checkout.create_session(session.with_("order.amount", "100.50"))

    must_answer_properly(reply, "CHK-AMT-04", accepted="accepted", refused="refused")


@requirement("CHK-AMT-07")
def test_crypto_amount_with_the_decimals_of_the_asset_is_accepted(
    checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    reply = checkout.create_session(sessions.like_asked("crypto"))

    must_accept_value(reply, "order.amount", sessions.reply_to("crypto"))


@requirement("CHK-AMT-07")
def test_crypto_amount_with_one_decimal_more_is_refused(
    checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = sessions("crypto")

    reply = checkout.create_session(session.with_("order.amount", session.get("order.amount") + "1"))

    must_reject(reply, REQUEST_DATA_INVALID, field="order.amount")
