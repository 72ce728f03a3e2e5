"""The request as a whole: path, method, encoding, keys, and that nothing breaks the server."""

from __future__ import annotations

import json

import pytest

from contract.errors import IP_NOT_ALLOWED, REQUEST_DATA_INVALID, USE_TEST_KEY
from fixtures.cases.malformed_forms import MALFORMED_FORMS, with_a_text_that_is_not_utf_8, with_many_more_fields
from fixtures.judging.baselines import Baselines
from fixtures.judging.claims import speaks_of, words_speak_of
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of, deviations_from
from fixtures.judging.must import (
    must,
    must_accept,
    must_answer_properly,
    must_equal,
    must_not_break,
    must_refuse,
    must_reject,
)
from fixtures.judging.verdicts import note_reading
from fixtures.profile import Profile
from fixtures.protocols.form import FORM
from fixtures.protocols.s2s_apm.merchant import MerchantOf, S2SApmMerchant
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests, operation
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

JSON = "application/json"
MOBILE_MONEY = ("capability:mobile_money", "test_data:mobile_money")
BOUNDARY = "boundary-of-a-form"
NOBODYS_KEY = "00000000-0000-4000-8000-00000000ffff"


@requirement("APM-REQ-01", "APM-SAL-01")
def test_form_post_with_a_signature_is_served(s2s_apm: S2SApmMerchant, unproven: ApmRequests) -> None:
    must_accept(s2s_apm.post(unproven.baseline("sale")))


@requirement("APM-REQ-02")
def test_sale_is_served_at_the_path_of_the_profile(s2s_apm: S2SApmMerchant, unproven: ApmRequests, run: Run) -> None:
    must_accept(s2s_apm.post(unproven.baseline("sale")))

    note_reading("APM-REQ-02", "post-va" if run.profile.dialect.s2s_apm_path.endswith("/post-va") else "post")


@requirement("APM-REQ-03")
def test_post_without_client_key_is_refused(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    reply = s2s_apm.send(s2s_apm.sign(apm("sale")).without("client_key"))

    must_refuse(reply)
    note_reading("APM-REQ-03", "other" if deviations_from(reply, REQUEST_DATA_INVALID) else "invalid-data")


@requirement("APM-REQ-04")
@pytest.mark.parametrize("key", [NOBODYS_KEY, "nobody"])
def test_unknown_client_key_is_refused(key: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_refuse(s2s_apm.send(s2s_apm.sign(apm("sale")).with_("client_key", key)))


@requirement("APM-REQ-04")
def test_payout_with_an_unknown_client_key_is_refused(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], profile: Profile
) -> None:
    must_offer(profile, MOBILE_MONEY, "s2s_apm")

    must_refuse(s2s_apm.send(s2s_apm.sign(apm("credit2virtual")).with_("client_key", NOBODYS_KEY)))


@requirement("APM-REQ-04", "APM-CAP-01")
def test_capture_with_an_unknown_client_key_is_refused(s2s_apm: S2SApmMerchant, payments: ApmPayments) -> None:
    payment = payments.shared("authorized")
    signed = s2s_apm.sign(operation("CAPTURE", payment.trans_id))

    reply = s2s_apm.send(signed.with_("client_key", NOBODYS_KEY))

    payments.drop_unless_refused(payment, reply)
    # Of CAPTURE itself it shows nothing but that it is there.
    with speaks_of("APM-REQ-04"):
        must_refuse(reply)


@pytest.mark.parametrize("action", ["GET_TRANS_STATUS", "VOID", "CREDITVOID"])
@pytest.mark.parametrize(
    "key",
    [pytest.param(None, marks=requirement("APM-REQ-03")), pytest.param(NOBODYS_KEY, marks=requirement("APM-REQ-04"))],
    ids=["missing", "unknown"],
)
def test_operation_on_a_payment_needs_the_key_of_its_merchant(
    key: str | None, action: str, s2s_apm: S2SApmMerchant, payments: ApmPayments
) -> None:
    # A VOID is refused of what is days old, and not for its key alone.
    payment = payments.fresh("settled") if action == "VOID" else payments.shared("settled")
    signed = s2s_apm.sign(operation(action, payment.trans_id))

    reply = s2s_apm.send(signed.with_("client_key", key) if key else signed.without("client_key"))

    payments.drop_unless_refused(payment, reply)
    must_refuse(reply)


@requirement("APM-REQ-10")
def test_live_key_is_refused_on_a_sandbox(merchant_of: MerchantOf, apm: Baselines[FormRequest]) -> None:
    must_reject(merchant_of("live_key").post(apm("sale")), USE_TEST_KEY)


def each_operation(claimed: str) -> pytest.MarkDecorator:
    """Ask each action that names a payment, of which later releases say more."""
    return pytest.mark.parametrize(
        "action",
        [
            "GET_TRANS_STATUS",
            "VOID",
            pytest.param("CAPTURE", marks=requirement(claimed, "APM-CAP-09")),
            pytest.param("CREDITVOID", marks=requirement(claimed, "APM-CVD-11")),
        ],
    )


@requirement("APM-REQ-10")
@each_operation("APM-REQ-10")
def test_operation_with_a_live_key_is_refused_on_a_sandbox(
    action: str, merchant_of: MerchantOf, payments: ApmPayments
) -> None:
    request = operation(action, payments.fresh("absent").trans_id)

    with words_speak_of("APM-REQ-10"):
        must_reject(merchant_of("live_key").post(request), USE_TEST_KEY)


@requirement("APM-REQ-10")
def test_payout_with_a_live_key_is_refused_on_a_sandbox(
    merchant_of: MerchantOf, apm: Baselines[FormRequest], profile: Profile
) -> None:
    must_offer(profile, MOBILE_MONEY, "s2s_apm")

    must_reject(merchant_of("live_key").post(apm("credit2virtual")), USE_TEST_KEY)


@requirement("APM-REQ-15")
def test_address_that_is_not_on_the_allowlist_is_refused(merchant_of: MerchantOf, apm: Baselines[FormRequest]) -> None:
    must_reject(merchant_of("ip_allowlist").post(apm("sale")), IP_NOT_ALLOWED)


@requirement("APM-REQ-15")
def test_payout_from_an_address_that_is_not_on_the_allowlist_is_refused(
    merchant_of: MerchantOf, apm: Baselines[FormRequest], profile: Profile
) -> None:
    must_offer(profile, MOBILE_MONEY, "s2s_apm")

    must_reject(merchant_of("ip_allowlist").post(apm("credit2virtual")), IP_NOT_ALLOWED)


@requirement("APM-REQ-15")
@each_operation("APM-REQ-15")
def test_operation_from_an_address_that_is_not_on_the_allowlist_is_refused(
    action: str, merchant_of: MerchantOf, payments: ApmPayments
) -> None:
    request = operation(action, payments.fresh("absent").trans_id)

    with words_speak_of("APM-REQ-15"):
        must_reject(merchant_of("ip_allowlist").post(request), IP_NOT_ALLOWED)


@requirement("APM-REQ-18")
@pytest.mark.parametrize("charset", ["UTF-8", "utf-8"])
def test_charset_of_the_content_type_changes_nothing(
    charset: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    signed = s2s_apm.sign(apm("sale"))

    must_accept(s2s_apm.send_raw(signed.encoded(), f"{FORM}; charset={charset}"))


@requirement("APM-REQ-05")
@pytest.mark.parametrize("content_type", [JSON, "text/plain"])
def test_body_of_another_kind_is_served_or_makes_no_payment(
    content_type: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")

    reply = s2s_apm.send_raw(json.dumps(dict(s2s_apm.sign(sale).fields)).encode(), content_type=content_type)

    must_be_served_or_come_to_nothing(sale, reply)


@requirement("APM-REQ-05")
def test_form_that_says_it_is_plain_text_is_served_or_makes_no_payment(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    sale = apm("sale")

    reply = s2s_apm.send_raw(s2s_apm.sign(sale).encoded(), content_type="text/plain")

    must_be_served_or_come_to_nothing(sale, reply)


@requirement("APM-REQ-06")
def test_multipart_form_is_served_or_refused(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    signed = s2s_apm.sign(apm("sale"))

    reply = s2s_apm.send_raw(multipart(signed), content_type=f"multipart/form-data; boundary={BOUNDARY}")

    must_answer_properly(reply, "APM-REQ-06", accepted="served", refused="refused")


@requirement("APM-REQ-07")
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_another_method_is_a_client_error(method: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    signed = s2s_apm.sign(apm("sale"))

    reply = s2s_apm.send_raw(signed.encoded(), method=method)

    must_come_to_nothing(reply)


@requirement("APM-REQ-08")
def test_unknown_parameter_is_ignored(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_accept(s2s_apm.post(apm("sale").with_("parameter_that_nobody_knows", "x")))


@requirement("GEN-ERR-12")
@pytest.mark.parametrize("name", MALFORMED_FORMS)
def test_malformed_body_is_no_reason_for_a_server_error(
    name: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    apm("sale")

    must_not_break(s2s_apm.send_raw(MALFORMED_FORMS[name]))


@requirement("GEN-ERR-12")
@pytest.mark.parametrize("name", ["order_id", "order_description"])
def test_text_that_is_not_utf_8_is_no_reason_for_a_server_error(
    name: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    signed = s2s_apm.sign(apm("sale"))

    must_not_break(s2s_apm.send_raw(with_a_text_that_is_not_utf_8(signed.fields, name)))


@requirement("GEN-ERR-12")
def test_very_many_fields_are_no_reason_for_a_server_error(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    signed = s2s_apm.sign(apm("sale"))

    must_not_break(s2s_apm.send_raw(with_many_more_fields(signed.fields)))


@requirement("GEN-ERR-12")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("order_amount", "9" * 400),
        ("order_amount", "1e999"),
        ("order_amount", "NaN"),
        ("order_id", "\x00"),
        ("order_description", "\U0001f381 \u202e gift"),
        ("parameters", "text"),
        ("parameters[a][b][c]", "text"),
        ("custom_data", "text"),
        ("payer_ip", "::"),
        ("return_url", "https://" + "a" * 900),
        ("trans_id", "' OR 1=1 --"),
    ],
    ids=lambda value: value[:20] if value.isprintable() else "odd-characters",
)
def test_odd_value_is_no_reason_for_a_server_error(
    name: str, value: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    must_not_break(s2s_apm.post(apm("sale").with_(name, value)))


@requirement("GEN-ERR-12")
@pytest.mark.parametrize("name", ["action", "order_id", "order_amount", "brand", "return_url", "hash"])
def test_nested_field_in_place_of_a_text_is_no_reason_for_a_server_error(
    name: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    signed = s2s_apm.sign(apm("sale"))

    must_not_break(s2s_apm.send(signed.without(name).with_(f"{name}[a]", signed.get(name) or "")))


@requirement("GEN-ERR-12")
@pytest.mark.parametrize("action", ["CAPTURE", "CREDITVOID", "VOID", "GET_TRANS_STATUS", "CREDIT2VIRTUAL"])
@pytest.mark.parametrize("trans_id", ["", "\x00", "x" * 5_000, "\U0001f381"], ids=["empty", "nul", "long", "emoji"])
def test_odd_trans_id_is_no_reason_for_a_server_error(
    trans_id: str, action: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    apm("sale")

    must_not_break(s2s_apm.post(FormRequest({"action": action, "trans_id": trans_id})))


def multipart(request: FormRequest) -> bytes:
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in request.fields.items()
    ]
    return ("".join(parts) + f"--{BOUNDARY}--\r\n").encode()


def must_be_served_or_come_to_nothing(sale: FormRequest, reply: Reply) -> None:
    """The sale is served as if its body were a form, or a client error is answered."""
    if answer_of(reply) is Answer.ACCEPTED:
        note_reading("APM-REQ-05", "served")
        must_equal(reply, "order_id", sale.get("order_id") or "")
        return
    note_reading("APM-REQ-05", "refused")
    must_come_to_nothing(reply)


def must_come_to_nothing(reply: Reply) -> None:
    if answer_of(reply) is not Answer.REFUSED or reply.object.get("trans_id"):
        must(Finding("a client error and no trans_id", reply.summary, "Nothing of the kind is served."), reply)
