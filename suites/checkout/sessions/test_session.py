"""Opening a session: the plain request, each operation, and what may be left out or added."""

from __future__ import annotations

import pytest

from contract.errors import CARD_TOKEN_INVALID, HASH_NOT_VALID, LANGUAGE_INCORRECT, REQUEST_DATA_INVALID
from contract.fields import example_of, load_document
from fixtures.judging.baselines import Baselines
from fixtures.judging.error_fields import Named, named_in
from fixtures.judging.expectations import refusal_with
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import (
    must_accept,
    must_accept_value,
    must_answer_properly,
    must_have_accepted,
    must_refuse,
    must_reject,
    must_reject_with_any,
    must_reject_with_one_of,
)
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.profile import Profile
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.protocols.checkout.states import WITH_AUTH
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest

LONG_STATE = "s" * 33
RETURN_ADDRESSES = ("success_url", "cancel_url", "expiry_url", "error_url")


@requirement("CHK-SES-01")
def test_plain_purchase_is_accepted(checkout: CheckoutMerchant, unproven_session: SessionRequests) -> None:
    must_accept(checkout.create_session(unproven_session.baseline("purchase")))


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param("debit", marks=requirement("CHK-SES-08")),
        pytest.param("transfer", marks=requirement("CHK-SES-09")),
        pytest.param("credit", marks=requirement("CHK-SES-07")),
    ],
)
def test_operation_opens_a_session(
    operation: str, checkout: CheckoutMerchant, unproven_session: SessionRequests
) -> None:
    must_accept(checkout.create_session(unproven_session.baseline(operation)))


@requirement("CHK-SES-06")
def test_credit_is_refused_before_it_exists(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = checkout.create_session(session_request(operation="credit"))

    must_reject(reply, REQUEST_DATA_INVALID, field="operation")


@requirement("CHK-SES-10")
def test_missing_merchant_key_is_refused(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = checkout.send_session(checkout.sign(session_request()).without("merchant_key"))

    must_refuse(reply)
    note_reading("CHK-SES-10", "invalid-data" if named_in(reply, "merchant_key") is Named.THIS else "unknown-merchant")


@requirement("CHK-SES-11")
def test_key_of_no_merchant_is_refused(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_refuse(checkout.create_session(session_request(merchant_key="ffffffff-ffff-4fff-8fff-ffffffffffff")))


@requirement("CHK-SES-81")
@pytest.mark.parametrize("key", ["", {"key": "x"}, ["x"]], ids=["empty", "an-object", "an-array"])
def test_merchant_key_that_is_no_text_is_refused(
    key: object, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_refuse(checkout.create_session(session_request(merchant_key=key)))


@requirement("CHK-SES-15")
@pytest.mark.parametrize("field", RETURN_ADDRESSES)
def test_return_address_may_carry_query_parameters(
    field: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_accept(checkout.create_session(session_request(**{field: "https://merchant.example/done?cart=7&step=last"})))


@requirement("CHK-SES-22")
@pytest.mark.parametrize("field", RETURN_ADDRESSES)
def test_address_with_an_app_scheme_is_accepted_or_refused(
    field: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    reply = checkout.create_session(session_request(**{field: "shop://payment/done"}))

    must_answer_properly(reply, "CHK-SES-22", accepted="accepted", refused="refused")


@requirement("CHK-SES-25")
def test_blank_target_is_accepted_or_refused(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = checkout.create_session(session_request(url_target="_blank"))

    must_answer_properly(reply, "CHK-SES-25", accepted="accepted", refused="refused")


@requirement("CHK-SES-29")
@pytest.mark.parametrize("language", ["xx", "klingon", "it", "pt", "uk", "en-US", "eng", "deu"])
def test_unlisted_language_is_refused(
    language: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    reply = checkout.create_session(session_request(checkout_language=language))

    must_reject(reply, LANGUAGE_INCORRECT)
    note_reading("CHK-SES-29", carries_message(reply, str(LANGUAGE_INCORRECT.message)) or "message")


@pytest.mark.parametrize(
    "is_longest",
    [
        pytest.param(False, id="channel_id", marks=requirement("CHK-SES-32")),
        pytest.param(True, id="channel_id_16", marks=requirement("CHK-SES-31")),
    ],
)
def test_channel_of_the_merchant_is_accepted(*, is_longest: bool, run: Run) -> None:
    channel = run.profile.channel("checkout", is_longest=is_longest)

    must_accept(run.checkout.create_session(session_of_main(run).with_("channel_id", channel)))


@requirement("CHK-SES-33")
def test_channel_with_a_method_that_it_supports_is_accepted(run: Run) -> None:
    channel, method = run.profile.channel("checkout"), run.profile.test_data.method
    session = session_of_main(run).with_("methods", [method])

    must_accept(run.checkout.create_session(session.with_("channel_id", channel)))


def session_of_main(run: Run) -> JsonRequest:
    """Return a plain purchase of the main account: the channel of the profile is one of its own (line 49)."""
    return run.checkout_payments.sessions("purchase")


@requirement("CHK-SES-34")
def test_missing_hash_is_refused(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = checkout.send_session(checkout.sign(session_request()).without("hash"))

    readings = {"invalid-data": REQUEST_DATA_INVALID, "hash-not-valid": HASH_NOT_VALID}
    must_reject_with_one_of(reply, "CHK-SES-34", readings, field="hash")


@pytest.mark.parametrize(
    ("path", "claimed"),
    [
        pytest.param("customer", "CHK-SES-38", marks=requirement("CHK-SES-38")),
        pytest.param("billing_address", "CHK-SES-40", marks=requirement("CHK-SES-40")),
        pytest.param("customer.name", "CHK-CUS-08", marks=requirement("CHK-CUS-08")),
    ],
)
def test_payer_data_that_is_left_out_is_asked_for_or_refused(
    path: str, claimed: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    reply = checkout.create_session(session_request().without(path))

    must_answer_properly(reply, claimed, accepted="asked-on-the-page", refused="refused")


@requirement("CHK-CUS-09")
@pytest.mark.parametrize("name", ["Zoë Müller", "José Núñez", "Łukasz Żak"])
def test_name_with_further_latin_letters_is_accepted_or_refused(
    name: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    reply = checkout.create_session(session_request().with_("customer.name", name))

    must_answer_properly(reply, "CHK-CUS-09", accepted="accepted", refused="refused")


@requirement("CHK-SES-82")
@pytest.mark.parametrize("flag", ["req_token", "auth", "recurring_init", "vat_calc"])
def test_flag_that_is_false_is_accepted(
    flag: str, checkout: CheckoutMerchant, session_request: SessionRequests, run: Run
) -> None:
    if flag == "auth" and run.release < WITH_AUTH:
        not_applicable(f"sessions know auth since {WITH_AUTH}")

    must_accept(checkout.create_session(session_request(**{flag: False})))


@requirement("CHK-SES-83")
@pytest.mark.parametrize("operation", ["debit", "credit", "transfer"])
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("success_url", "not an address"),
        ("session_expiry", 721),
        ("order.number", "less<than"),
        ("order.amount", "ten"),
        ("order.currency", "ZZ"),
        ("order.description", "x"),
        ("billing_address.zip", "12345678901"),
        ("cancel_url", "not an address"),
        ("expiry_url", "not an address"),
        ("error_url", "not an address"),
        ("url_target", "_side"),
        ("session_expiry", 0),
        ("channel_id", "c" * 17),
        ("order.number", "1" * 256),
        ("order.description", "x" * 1_025),
        ("customer.email", "no address"),
        ("billing_address.country", "USA"),
    ],
)
def test_rules_hold_for_every_operation(
    operation: str, path: str, value: object, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    reply = checkout.create_session(sessions(operation).with_(path, value))

    if refusal_with(reply, REQUEST_DATA_INVALID, (path,)):
        must_hold_on_a_purchase(checkout.create_session(sessions("purchase").with_(path, value)))
    must_reject(reply, REQUEST_DATA_INVALID, field=path)


@requirement("CHK-SES-83")
@pytest.mark.parametrize(
    ("operation", "path", "value"),
    [
        ("debit", "methods", "card"),
        ("credit", "methods", "card"),
        ("debit", "methods", {"card": "card"}),
    ],
)
def test_rules_of_what_a_transfer_does_not_have_hold_elsewhere(
    operation: str, path: str, value: object, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    reply = checkout.create_session(sessions(operation).with_(path, value))

    if refusal_with(reply, REQUEST_DATA_INVALID, (path,)):
        must_hold_on_a_purchase(checkout.create_session(sessions("purchase").with_(path, value)))
    must_reject(reply, REQUEST_DATA_INVALID, field=path)


@requirement("CHK-SES-83")
def test_length_of_a_token_holds_for_a_debit(checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]) -> None:
    token = ("card_token", ["a" * 63])
    must_hold_on_a_purchase(checkout.create_session(sessions("purchase").with_(*token)))

    reply = checkout.create_session(sessions("debit").with_(*token))

    must_reject_with_any(reply, (REQUEST_DATA_INVALID, CARD_TOKEN_INVALID), field="card_token")


@requirement("CHK-SES-44")
@pytest.mark.parametrize("operation", ["debit", "credit"])
def test_custom_data_is_accepted_on(
    operation: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    must_accept(checkout.create_session(sessions(operation).with_("custom_data", {"reference": "7"})))


@requirement("CHK-SES-45")
def test_methods_of_the_target_are_accepted(
    checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    must_accept(checkout.create_session(session_request(methods=[profile.test_data.method])))


@requirement("CHK-SES-47")
def test_methods_with_one_unknown_name_are_accepted_or_refused(
    checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    reply = checkout.create_session(session_request(methods=[profile.test_data.method, "no-such-method"]))

    must_answer_properly(reply, "CHK-SES-47", accepted="accepted", refused="refused")


@requirement("CHK-SES-75")
def test_form_of_the_merchant_is_accepted(
    checkout: CheckoutMerchant, session_request: SessionRequests, profile: Profile
) -> None:
    must_accept(checkout.create_session(session_request(form_id=profile.test_data.form_id)))


@requirement("CHK-SES-80")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("req_token", "true"),
        ("session_expiry", "60"),
        ("vat_calc", 0),
        ("url_target", 1),
        ("merchant_key", 1),
        ("order.amount", 10.5),
        ("order.number", 1),
        ("customer.name", 1),
    ],
)
def test_convertible_scalar_is_converted_or_refused(
    path: str, value: object, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    reply = checkout.create_session(session_request().with_(path, value))

    must_answer_properly(reply, "CHK-SES-80", accepted="converted", refused="refused")


@requirement("CHK-PAY-05")
def test_payee_is_accepted_on_a_credit(checkout: CheckoutMerchant, unproven_session: SessionRequests) -> None:
    with_payee = checkout.create_session(unproven_session.baseline("credit"))
    without_payee = checkout.create_session(unproven_session.baseline("credit").without("payee"))

    must_accept_value(with_payee, "payee", without_payee)


@requirement("CHK-PAY-06")
def test_transfer_without_payee_is_accepted_or_refused(
    checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    reply = checkout.create_session(sessions("transfer").without("payee"))

    must_answer_properly(reply, "CHK-PAY-06", accepted="accepted", refused="refused")


@requirement("CHK-PAY-08")
def test_payee_billing_address_is_accepted_on_a_transfer(
    checkout: CheckoutMerchant, unproven_session: SessionRequests
) -> None:
    must_accept(checkout.create_session(unproven_session.baseline("transfer_address")))


@requirement("CHK-BIL-14")
@pytest.mark.parametrize("country", ["DE", "US"])
def test_complete_billing_address_is_accepted(
    country: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    address = {**example_of(load_document("checkout"), "BillingAddress"), "country": country}

    must_accept(checkout.create_session(session_request(billing_address=address)))


@requirement("CHK-BIL-02")
@pytest.mark.parametrize("country", ["US", "CA", "AU", "JP", "IN"])
@pytest.mark.parametrize("state", ["s", LONG_STATE], ids=["too-short", "too-long"])
def test_state_beyond_its_limits_is_refused_where_states_are_collected(
    country: str, state: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = sessions("address_in_us").with_("billing_address.country", country)

    reply = checkout.create_session(session.with_("billing_address.state", state))

    must_reject(reply, REQUEST_DATA_INVALID, field="billing_address.state")


@requirement("CHK-BIL-10")
@pytest.mark.parametrize("country", ["DE", "GB", "BR"])
@pytest.mark.parametrize("state", ["s", LONG_STATE])
def test_state_is_ignored_elsewhere(
    country: str, state: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    session = session_request().with_("billing_address.country", country)

    must_accept(checkout.create_session(session.with_("billing_address.state", state)))


@requirement("CHK-BIL-10")
@pytest.mark.parametrize("state", ["s", LONG_STATE], ids=["short", "long"])
def test_state_of_a_payee_elsewhere_is_ignored_whatever_the_country_of_the_payer(
    state: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    address = sessions("address_in_us").get("billing_address")
    session = sessions("transfer_address").with_("billing_address", address)
    must_have_accepted(checkout.create_session(session))
    fresh = sessions("transfer_address").with_("billing_address", address)

    elsewhere = fresh.with_("payee_billing_address.country", "DE").with_("payee_billing_address.state", state)
    must_accept(checkout.create_session(elsewhere))


@requirement("CHK-BIL-11")
@pytest.mark.parametrize("country", ["US", "CA", "AU", "JP", "IN"])
def test_state_is_optional(country: str, checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_accept(checkout.create_session(session_request().with_("billing_address.country", country)))


def must_hold_on_a_purchase(reply: Reply) -> None:
    if answer_of(reply) is not Answer.REFUSED:
        inconclusive(
            "the rule is not even kept on a purchase, so other operations would show nothing else",
            decides="a target that keeps the rule on a purchase, which another check is about",
        )
