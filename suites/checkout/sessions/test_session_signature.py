"""The signature of a session request: what it covers, how it is made, and every way to make it wrong."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from contract.errors import HASH_NOT_VALID, IP_NOT_ALLOWED, REQUEST_DATA_INVALID, USE_TEST_KEY
from fixtures.judging.baselines import Baselines
from fixtures.judging.claims import words_speak_of
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must,
    must_accept,
    must_accept_signature,
    must_have_accepted,
    must_refuse,
    must_reject,
    must_reject_hash,
    must_reject_with_one_of,
)
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.protocols.checkout.merchant import NO_HASH, CheckoutMerchant
from fixtures.protocols.checkout.requests import SessionRequests, by_crypto_method
from fixtures.protocols.signature_trials import is_signature_error
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.signing.deviations import (
    INNER_AS_BYTES,
    INNER_HEX_UPPER,
    INNER_LEFT_OUT,
    NO_OUTER_DIGEST,
    NOT_UPPER_CASED,
    OUTER_MD5,
    PASSWORD_CASE_KEPT,
    PASSWORD_LEFT_OUT,
    SPOILT,
    WRONG_ORDER,
    Deviation,
    key_as_password,
    other_password,
    with_value,
    wrong_signature,
)
from fixtures.signing.recipe import Digest
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest

MerchantOf = Callable[[str], CheckoutMerchant]


@requirement("CHK-SIG-01")
def test_request_signed_by_the_recipe_is_accepted(
    checkout: CheckoutMerchant, unproven_session: SessionRequests
) -> None:
    session = unproven_session().with_("order.description", "Lower and UPPER case, 1 & 2")

    must_accept(checkout.create_session(session))


@pytest.mark.parametrize(
    "deviation",
    [
        # The body stays valid and the signature belongs to another value, so that nothing else can be found wrong.
        pytest.param(with_value("order.number", "another"), marks=requirement("CHK-SIG-02")),
        pytest.param(with_value("order.amount", "987654.32"), marks=requirement("CHK-SIG-03")),
        pytest.param(with_value("order.currency", "XTS"), marks=requirement("CHK-SIG-04")),
        pytest.param(with_value("order.description", "Another gift"), marks=requirement("CHK-SIG-05")),
        pytest.param(WRONG_ORDER, marks=requirement("CHK-SIG-06")),
        pytest.param(NOT_UPPER_CASED, marks=requirement("CHK-SIG-07")),
        pytest.param(other_password("0123456789abcdef0123456789abcdef"), marks=requirement("CHK-SIG-08")),
        pytest.param(INNER_AS_BYTES, marks=requirement("CHK-SIG-19")),
        pytest.param(PASSWORD_LEFT_OUT, marks=requirement("CHK-SIG-22")),
        pytest.param(PASSWORD_CASE_KEPT, marks=requirement("CHK-SIG-07")),
        pytest.param(INNER_HEX_UPPER, marks=requirement("CHK-SIG-23")),
        pytest.param(NO_OUTER_DIGEST, marks=requirement("CHK-SIG-24")),
        pytest.param(INNER_LEFT_OUT, marks=requirement("CHK-SIG-24")),
        pytest.param(OUTER_MD5, marks=requirement("CHK-SIG-24")),
    ],
    ids=lambda deviation: deviation.name,
)
def test_wrongly_made_signature_is_refused(
    deviation: Deviation, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    session = session_request()
    signature = wrong_signature(checkout.session_recipe(session), deviation)
    signed = checkout.sign(session)

    must_reject_hash(checkout.send_session(signed.with_("hash", signature)), signature, signed.get("hash"))


@requirement("CHK-SIG-02")
def test_hash_of_an_accepted_session_is_refused_for_another_one(
    checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    first, other = (checkout.sign(session_request()) for _ in range(2))
    must_have_accepted(checkout.send_session(first))
    signature = str(first.get("hash"))

    must_reject_hash(checkout.send_session(other.with_("hash", signature)), signature, other.get("hash"))


@requirement("CHK-SIG-01")
def test_signature_covers_the_description_as_it_is_sent(
    checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    other = session_request().with_("order.description", "Tea \u793c")
    if answer_of(found := checkout.create_session(other)) is not Answer.ACCEPTED:
        inconclusive(
            f"letters outside ASCII are not taken: {found.summary}",
            decides="a target that takes letters of other scripts, which the contract does not speak of",
        )
    # The mark behind the letter has no case, and must not be put together with it.
    session = session_request().with_("order.description", "Cafe\u0301")

    must_accept(checkout.create_session(session))


@requirement("CHK-SIG-02", "CHK-SIG-26")
@pytest.mark.parametrize(
    "name", ["transfer_address", "credit_address", "debit", "crypto", "schedule", "credit_by_token", "extended"]
)
def test_wrong_signature_is_refused_whatever_is_asked_for(
    name: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    session = sessions(name)
    signature = wrong_signature(checkout.session_recipe(session), with_value("order.number", "another"))

    with words_speak_of("CHK-SIG-02"):
        must_reject(checkout.send_session(checkout.sign(session).with_("hash", signature)), HASH_NOT_VALID)


@requirement("CHK-SIG-12")
@pytest.mark.parametrize("form", ["{amount:.0f}", "{amount:.1f}", "{minor}"], ids=["whole", "one decimal", "minor"])
def test_signature_over_a_reformatted_amount_is_refused(
    form: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    session = session_request()
    amount = str(session.get("order.amount"))
    formatted = form.format(amount=Decimal(amount), minor=amount.replace(".", ""))
    signature = wrong_signature(checkout.session_recipe(session), with_value("order.amount", formatted))

    must_reject(checkout.send_session(checkout.sign(session).with_("hash", signature)), HASH_NOT_VALID)


@requirement("CHK-SIG-09")
def test_signature_with_the_key_as_password_is_refused(
    checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    session = session_request()
    signature = wrong_signature(checkout.session_recipe(session), key_as_password(checkout.identity.key))

    must_reject(checkout.send_session(checkout.sign(session).with_("hash", signature)), HASH_NOT_VALID)


@requirement("CHK-SIG-10")
def test_signature_with_the_password_of_another_account_is_refused(
    checkout: CheckoutMerchant, checkout_merchant: MerchantOf, session_request: SessionRequests
) -> None:
    session, other = session_request(), checkout_merchant("second_merchant").identity
    signature = wrong_signature(checkout.session_recipe(session), other_password(other.password.reveal()))

    must_reject(checkout.send_session(checkout.sign(session).with_("hash", signature)), HASH_NOT_VALID)


@requirement("CHK-SIG-11")
def test_empty_hash_is_refused(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = checkout.send_session(checkout.sign(session_request()).with_("hash", ""))

    readings = {"invalid-data": REQUEST_DATA_INVALID, "hash-not-valid": HASH_NOT_VALID}
    must_reject_with_one_of(reply, "CHK-SIG-11", readings, field="hash")


@requirement("CHK-SIG-20")
@pytest.mark.parametrize("signature", [NO_HASH, "f" * 40], ids=["zeros", "fs"])
def test_signature_of_nothing_is_refused(
    signature: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_reject(checkout.send_session(checkout.sign(session_request()).with_("hash", signature)), HASH_NOT_VALID)


@requirement("CHK-SIG-20")
@pytest.mark.parametrize(
    "cut", [slice(0, 1), slice(0, 39), slice(1, 40)], ids=["first-digit", "without-the-last", "without-the-first"]
)
def test_part_of_the_right_signature_is_refused(
    cut: slice, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    signed = checkout.sign(session_request())

    must_refuse(checkout.send_session(signed.with_("hash", signed.get("hash")[cut])))


@requirement("CHK-SIG-20")
@pytest.mark.parametrize("spoilt", ["lengthened", "other-end"])
def test_right_signature_with_another_end_is_refused(
    spoilt: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    signed = checkout.sign(session_request())

    must_refuse(checkout.send_session(signed.with_("hash", SPOILT[spoilt](signed.get("hash")))))


@requirement("CHK-SIG-25")
@pytest.mark.parametrize("value", [True, 0, [], {}, None], ids=["true", "zero", "an-array", "an-object", "null"])
def test_hash_that_is_no_text_is_refused(
    value: object, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_refuse(checkout.send_session(checkout.sign(session_request()).with_("hash", value)))


@requirement("CHK-SIG-26")
@pytest.mark.parametrize(
    "baseline",
    [
        "debit",
        "credit",
        "transfer",
        "crypto",
        "schedule",
        "credit_by_token",
        "installments",
        "tax_document",
        "extended",
    ],
)
def test_wrong_signature_is_refused_on_every_kind_of_session(
    baseline: str, checkout: CheckoutMerchant, sessions: Baselines[JsonRequest]
) -> None:
    must_reject(checkout.send_session(checkout.sign(sessions(baseline)).with_("hash", NO_HASH)), HASH_NOT_VALID)


@requirement("CHK-SIG-26")
@pytest.mark.parametrize(
    ("field", "value"),
    [("auth", True), ("recurring_init", True), ("req_token", True), ("vat_calc", True), ("session_expiry", 30)],
)
def test_wrong_signature_is_refused_whatever_the_flags(
    field: str, value: object, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    signed = checkout.sign(session_request(**{field: value}))

    must_refuse(checkout.send_session(signed.with_("hash", NO_HASH)))


@requirement("CHK-SIG-26")
@pytest.mark.parametrize(
    ("field", "needs"),
    [("methods", ("test_data:method",)), ("channel_id", ("capability:channels", "test_data:channel_id"))],
)
def test_wrong_signature_is_refused_however_the_session_is_routed(
    field: str,
    needs: tuple[str, ...],
    run: Run,
) -> None:
    must_offer(run.profile, needs)
    routed = {"methods": [run.profile.test_data.method], "channel_id": run.profile.channel("checkout")}
    # The channel of the profile is one of the main account, whichever account serves sales.
    session = run.checkout_payments.sessions("purchase").with_(field, routed[field])

    must_refuse(run.checkout.send_session(run.checkout.sign(session).with_("hash", NO_HASH)))


@requirement("CHK-SIG-14")
def test_wrong_signature_of_a_crypto_purchase_without_amount_is_refused(
    checkout: CheckoutMerchant, sessions: Baselines[JsonRequest], unproven_session: SessionRequests
) -> None:
    session = sessions("crypto").without("order.amount")
    if answer_of(checkout.create_session(session)) is Answer.REFUSED:
        session = by_crypto_method(session, unproven_session)
    session = session.with_("order.number", unproven_session.numbers.next())

    must_reject(checkout.send_session(checkout.sign(session).with_("hash", NO_HASH)), HASH_NOT_VALID)


@requirement("CHK-SIG-12")
def test_blanks_around_a_description_are_signed_as_sent(
    checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_accept(checkout.create_session(session_request().with_("order.description", " Important gift ")))


@requirement("CHK-SIG-12")
@pytest.mark.parametrize("between", ["\r\n", "\n", "\t", "  "], ids=["CR LF", "LF", "a tab", "two blanks"])
def test_description_of_several_parts_is_signed_as_sent(
    between: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    # Whether a description may have lines is another matter: its signature is over what was sent.
    session = session_request().with_("order.description", f"Two apples{between}and a pear")

    must_accept_signature(checkout.create_session(session))


@requirement("CHK-SIG-13")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("success_url", "https://merchant.example/another"),
        ("cancel_url", "https://merchant.example/cancelled"),
        ("session_expiry", 30),
        ("customer.email", "ada.lovelace@example.com"),
    ],
)
def test_field_outside_the_signature_may_change_after_signing(
    field: str, value: object, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_accept(checkout.send_session(checkout.sign(session_request()).with_(field, value)))


@requirement("CHK-SIG-15")
def test_account_with_sha256_accepts_the_signature_of_its_digest(
    checkout_merchant: MerchantOf, unproven_session: SessionRequests
) -> None:
    merchant = checkout_merchant("sha256")
    replies: dict[str, Reply] = {}
    for reading, digest in {"inner-sha256": Digest.SHA256, "as-written": Digest.MD5}.items():
        session = unproven_session(merchant_key=merchant.identity.key)
        signature = merchant.with_digest(digest).session_recipe(session).sign()
        replies[reading] = merchant.send_session(session.with_("hash", signature))

    taken = next((reading for reading, reply in replies.items() if not is_signature_error(reply)), "inner-sha256")
    must_accept_signature(replies[taken])
    note_reading("CHK-SIG-15", taken)


@requirement("CHK-SIG-16")
def test_account_without_sha256_refuses_it(checkout_merchant: MerchantOf, session_request: SessionRequests) -> None:
    merchant = checkout_merchant("md5")
    session = session_request()
    signature = merchant.with_digest(Digest.SHA256).session_recipe(session).sign()

    must_reject(merchant.send_session(merchant.sign(session).with_("hash", signature)), HASH_NOT_VALID)


@requirement("CHK-SIG-17")
def test_live_key_is_refused_on_a_test_environment(
    checkout_merchant: MerchantOf, session_request: SessionRequests
) -> None:
    must_reject(checkout_merchant("live_key").create_session(session_request()), USE_TEST_KEY)


@requirement("CHK-SIG-18")
def test_address_that_is_not_on_the_allowlist_is_refused(
    checkout_merchant: MerchantOf, session_request: SessionRequests
) -> None:
    must_reject(checkout_merchant("ip_allowlist").create_session(session_request()), IP_NOT_ALLOWED)


@requirement("CHK-SIG-21")
def test_description_beyond_ascii_is_signed(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_accept(checkout.create_session(session_request().with_("order.description", "Café crème für Ästheten")))


@requirement("GEN-KEY-02")
@pytest.mark.parametrize("kind", ["success", "duplicate", "wrong-signature", "invalid-data", "unknown-merchant"])
def test_answer_does_not_contain_the_password(
    kind: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    signed = checkout.sign(session_request())
    if kind == "duplicate":
        checkout.send_session(signed)
    requests = {
        "wrong-signature": signed.with_("hash", NO_HASH),
        "invalid-data": checkout.sign(session_request().without("success_url")),
        "unknown-merchant": checkout.sign(session_request(merchant_key="nobody")),
    }

    reply = checkout.send_session(requests.get(kind, signed))

    password = checkout.identity.password.reveal()
    if password.lower() in reply.text.lower():
        must(Finding("an answer without the merchant's password", "one that contains it", "Everybody can read it."))
