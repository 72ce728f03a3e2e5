"""Callbacks of S2S APM: that they come, what they carry, and in which order."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fixtures.baselines import Baselines
from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import must_be, must_have, must_return_custom_data
from fixtures.expectations import Finding
from fixtures.judging import must
from fixtures.profile import Profile
from fixtures.requests import FormRequest
from fixtures.requirement import must_offer, requirement
from fixtures.s2s_apm_callbacks import about, about_outcome, after_opening
from fixtures.s2s_apm_judging import is_same_amount, must_be_carried_out
from fixtures.s2s_apm_payments import ApmPayment, ApmPayments
from fixtures.s2s_apm_requests import operation, with_value
from fixtures.signing.parameters import Nested
from fixtures.verdicts import note_reading

ALWAYS = ("action", "result", "status", "order_id", "trans_id", "hash")
CUSTOM_DATA: Mapping[str, Nested] = {"reference": {"ticket": "7"}, "note": "a gift"}


@pytest.fixture
def of_sale(callbacks: CallbackWatch, payments: ApmPayments) -> Callback:
    """The callback of a paid SALE."""
    return told(callbacks, payments.shared("settled"), "settled")


def told(callbacks: CallbackWatch, payment: ApmPayment, word: str) -> Callback:
    return callbacks.expect(about_outcome(payment, word), f"the callback that tells {payment} as {word.upper()}")


@requirement("CBK-DEL-03")
def test_paid_sale_is_notified(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    told(callbacks, payments.shared("settled"), "settled")


@requirement("CBK-DEL-04")
def test_declined_sale_is_notified(callbacks: CallbackWatch, payments: ApmPayments, profile: Profile) -> None:
    must_offer(profile, ("capability:s2s_apm", "test_data:apm.decline"))

    told(callbacks, payments.shared("declined"), "declined")


@requirement("CBK-DEL-05")
def test_callback_is_a_post_of_form_fields_or_json(of_sale: Callback, profile: Profile) -> None:
    must_offer(profile, ("capability:s2s_apm",))
    if of_sale.method != "POST" or not of_sale.fields:
        must(Finding("a POST of form fields or of a JSON object", of_sale.summary, f"It came by {of_sale.method}."))
    note_reading("CBK-DEL-05", "json" if of_sale.body.lstrip()[:1] == b"{" else "form")


@requirement("CBK-APM-01")
def test_callback_of_a_sale_carries_what_it_always_does(of_sale: Callback) -> None:
    must_have(of_sale, ALWAYS)


@requirement("CBK-APM-01")
def test_callback_of_a_declined_sale_carries_what_it_always_does(
    callbacks: CallbackWatch, payments: ApmPayments, profile: Profile
) -> None:
    must_offer(profile, ("test_data:apm.decline",))

    must_have(told(callbacks, payments.shared("declined"), "declined"), ALWAYS)


@requirement("CBK-APM-01")
def test_callback_of_a_void_carries_what_it_always_does(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    payment = payments.shared("voided")

    must_have(callbacks.expect(about(payment, action="VOID"), f"the callback of the void of {payment}"), ALWAYS)


@requirement("CBK-APM-02")
def test_callback_names_the_payment_and_its_order(of_sale: Callback, payments: ApmPayments) -> None:
    payment = payments.shared("settled")

    must_be(of_sale, "trans_id", payment.trans_id)
    must_be(of_sale, "order_id", payment.order_id)


@requirement("CBK-APM-02")
def test_callback_of_an_order_names_its_payment(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    payment = payments.shared("settled")

    found = callbacks.expect(lambda callback: callback.get("order_id") == payment.order_id, f"a callback of {payment}")

    must_be(found, "trans_id", payment.trans_id)


@requirement("CBK-APM-03")
def test_callback_of_a_payout_has_the_type_credit(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    payout = payments.shared("paid_out")

    found = callbacks.expect(about(payout), f"the callback of the {payout.request.get('action')}")

    must_be(found, "type", "credit")


@requirement("CBK-APM-04")
def test_capture_is_notified(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    must_be_notified("CAPTURE", callbacks, payments)


@requirement("CBK-APM-05")
def test_release_is_notified(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    must_be_notified("CREDITVOID", callbacks, payments)


def must_be_notified(action: str, callbacks: CallbackWatch, payments: ApmPayments) -> None:
    payment = payments.fresh("authorized")
    must_be_carried_out(payments.merchant.post(operation(action, payment.trans_id)))

    callbacks.expect(after_opening(payment, action), f"the callback of the {action} of {payment}")


@requirement("CBK-APM-06")
def test_custom_data_come_back(callbacks: CallbackWatch, payments: ApmPayments, apm: Baselines[FormRequest]) -> None:
    sale = with_value(apm("sale"), "custom_data", CUSTOM_DATA)
    payment = payments.open(sale, "a SALE with custom_data")

    found = callbacks.expect(about(payment), f"the callback of {payment}")

    must_return_custom_data(found, CUSTOM_DATA)


@requirement("CBK-APM-07")
def test_callback_of_a_declined_payment_says_why(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    must_have(told(callbacks, payments.shared("declined"), "declined"), ("decline_reason",))


@requirement("APM-CAP-11")
def test_callback_of_a_partial_capture_tells_the_part(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    must_tell_the_part("authorized", "CAPTURE", callbacks, payments)


@requirement("APM-CVD-07")
def test_callback_of_a_partial_refund_tells_the_part(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    must_tell_the_part("settled", "CREDITVOID", callbacks, payments)


def must_tell_the_part(state: str, action: str, callbacks: CallbackWatch, payments: ApmPayments) -> None:
    part = payments.amount_for("a part of the amount") or ""
    payment = payments.fresh(state)
    must_be_carried_out(payments.merchant.post(operation(action, payment.trans_id, part)))

    found = callbacks.expect(about(payment, action=action), f"the callback of the {action} of {payment}")

    told_amount = found.get("amount")
    if told_amount is not None and not is_same_amount(told_amount, part):
        must(Finding(f"amount {part} in the callback", found.summary, f"It is {told_amount}."))
