"""Callbacks of S2S APM: that they come, what they carry, and in which order."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from contract.catalogue import load_catalogue
from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.judging import (
    fail,
    must_be,
    must_be_form_or_json,
    must_have,
    must_return_custom_data,
)
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.profile import Profile
from fixtures.protocols.callbacks import is_declined, statuses_in, which_came, with_status
from fixtures.protocols.deeds import must_be_callback_of, must_name_no_other_change
from fixtures.protocols.kinds import must_be_given_back
from fixtures.protocols.s2s_apm.callbacks import (
    about,
    about_order,
    about_outcome,
    after_opening,
    must_name_amount_of,
    must_not_contradict,
    of_deed,
)
from fixtures.protocols.s2s_apm.merchant import MerchantOf
from fixtures.protocols.s2s_apm.must import must_be_carried_out
from fixtures.protocols.s2s_apm.parts import where_amounts_are_taken
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import STATUSES, ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests, operation, with_value
from fixtures.protocols.without_options import without_options
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.protocols.words import member, result_word, status_in
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.signing.parameters import Nested
from fixtures.wire.hostile import is_amount
from fixtures.wire.polling import BRIEFLY
from fixtures.wire.requests import FormRequest

CUSTOM_DATA: Mapping[str, Nested] = {"reference": {"ticket": "7"}, "note": "a gift"}


@pytest.fixture
def of_sale(callbacks: CallbackWatch, payments: ApmPayments) -> Callback:
    """The callback of a paid SALE."""
    return callback_with_status(callbacks, payments.shared("settled"), "SETTLED")


def callback_with_status(callbacks: CallbackWatch, payment: ApmPayment, word: str) -> Callback:
    return callbacks.expect(about_outcome(payment, word), f"the callback that reports {payment} as {word.upper()}")


@requirement("CBK-DEL-03")
def test_paid_sale_is_notified(callbacks: CallbackWatch, payments: ApmPayments, run: Run) -> None:
    payment = payments.fresh("settled")

    callback_with_status(callbacks, payment, "SETTLED")
    must_not_contradict(payment, "DECLINED", run)


@requirement("CBK-DEL-04")
def test_declined_sale_is_notified(callbacks: CallbackWatch, payments: ApmPayments, profile: Profile, run: Run) -> None:
    must_offer(profile, ("capability:s2s_apm", "test_data:apm.decline"), "s2s_apm")

    callback_with_status(callbacks, payments.shared("declined"), "DECLINED")
    must_not_contradict(payments.shared("declined"), "SETTLED", run)


@requirement("CBK-DEL-05")
def test_callback_is_a_post_of_form_fields_or_json(of_sale: Callback, profile: Profile) -> None:
    must_offer(profile, ("capability:s2s_apm",), "s2s_apm")
    note_reading("CBK-DEL-05", must_be_form_or_json(of_sale))


@requirement("CBK-APM-01")
def test_callback_of_a_sale_carries_what_it_always_does(of_sale: Callback) -> None:
    must_be_callback_of(of_sale, "SALE")


@requirement("CBK-APM-01")
def test_callback_of_a_declined_sale_carries_what_it_always_does(
    callbacks: CallbackWatch, payments: ApmPayments, profile: Profile
) -> None:
    must_offer(profile, ("test_data:apm.decline",), "s2s_apm")

    must_be_callback_of(callback_with_status(callbacks, payments.shared("declined"), "DECLINED"), "SALE")


@requirement("CBK-APM-01")
def test_callback_of_a_void_carries_what_it_always_does(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    payment = payments.shared("voided")

    must_be_callback_of(callbacks.expect(of_deed(payment, "VOID"), f"the callback of the void of {payment}"), "VOID")


@requirement("CBK-APM-02")
def test_callback_names_the_payment_and_its_order(of_sale: Callback, payments: ApmPayments) -> None:
    payment = payments.shared("settled")

    must_be(of_sale, "trans_id", payment.trans_id)
    must_be(of_sale, "order_id", payment.order_id)


@requirement("CBK-APM-02")
def test_callback_of_an_order_names_its_payment(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    payment = payments.shared("settled")

    found = callbacks.expect(about_order(payment.order_id), f"a callback of {payment}")

    must_be(found, "trans_id", payment.trans_id)


@requirement("CBK-APM-02")
@pytest.mark.parametrize(
    ("claimed", "state", "action"),
    [
        ("APM-VOI-03", "voided", "VOID"),
        ("CBK-APM-07", "declined", "SALE"),
        ("CBK-APM-04", "captured", "CAPTURE"),
        ("CBK-APM-05", "released", "CREDITVOID"),
        ("CBK-APM-03", "paid_out", "CREDIT2VIRTUAL"),
    ],
    ids=["voided", "declined", "captured", "released", "paid-out"],
)
def test_callbacks_of_a_payment_name_its_order(
    claimed: str, state: str, action: str, callbacks: CallbackWatch, run: Run
) -> None:
    must_concern([load_catalogue()[claimed]], run.profile, run.release)
    payment = run.apm.payments.shared(state)

    callbacks.any_of(of_deed(payment, action), seconds=BRIEFLY)
    callbacks.expect(about(payment), f"a callback of {payment}")

    for found in callbacks.arrived(about(payment)):
        must_be(found, "order_id", payment.order_id)


@requirement("CBK-APM-10")
def test_callback_of_a_void_has_action_and_status_of_the_void(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    payment = payments.shared("voided")

    callbacks.expect(
        with_status(of_deed(payment, "VOID"), "VOID").but(
            lambda one: (result_word(one.get("result")) or "SUCCESS") == "SUCCESS"
        ),
        f"the callback of the void of {payment}, with result SUCCESS and status VOID",
    )


@requirement("CBK-APM-11")
@pytest.mark.parametrize("state", ["settled", "paid_out"])
def test_callback_has_amount_and_currency_of_the_request(state: str, callbacks: CallbackWatch, run: Run) -> None:
    if state == "paid_out":
        must_offer(run.profile, ("capability:mobile_money", "test_data:mobile_money"), "s2s_apm")
    payment = run.apm.payments.shared(state)

    found = callbacks.expect(about(payment), f"the callback of {payment}")

    must_name_amount_of(payment, found)


@requirement("CBK-APM-12")
@pytest.mark.parametrize(
    ("state", "result", "needs"),
    [("settled", "SUCCESS", ()), ("declined", "DECLINED", ("test_data:apm.decline",))],
    ids=["settled", "declined"],
)
def test_result_of_a_callback_goes_with_its_status(
    state: str, result: str, needs: tuple[str, ...], callbacks: CallbackWatch, run: Run
) -> None:
    must_offer(run.profile, needs, "s2s_apm")

    callback = callback_with_status(callbacks, run.apm.payments.shared(state), STATUSES[state])

    is_said = bool(callback.get("result")) or not callback.get("order_status")
    if is_said and not callback.has(result=result):
        must_be(callback, "result", result)


@requirement("CBK-APM-03")
def test_callback_of_a_declined_payout_has_the_type_credit(
    callbacks: CallbackWatch, payments: ApmPayments, unproven: ApmRequests, profile: Profile
) -> None:
    if profile.test_data.payout_emails.decline is None:
        not_applicable("the profile names no payout that is declined")
    payout = payments.open(unproven.payout_that_ends("decline"), "a declined payout")

    must_be_of_type_credit(payout, callbacks)


@requirement("CBK-APM-03")
def test_callback_of_a_payout_has_the_type_credit(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    payout = payments.shared("paid_out")

    must_be_of_type_credit(payout, callbacks)


@requirement("CBK-APM-03")
def test_callback_of_a_payout_has_the_type_though_no_option_adds_it(
    callbacks: CallbackWatch, merchant_of: MerchantOf, run: Run
) -> None:
    payments = run.apm.payments
    payout = without_options(
        run.profile, "s2s_apm", lambda setting: payments.of(merchant_of(setting)).shared("paid_out")
    )

    must_be_of_type_credit(payout, callbacks)


def must_be_of_type_credit(payout: ApmPayment, callbacks: CallbackWatch) -> None:
    """A callback of the payout has the type: line 421 promises one, and not that of each step on the way."""
    what = f"the callback of the {payout.request.get('action')}"
    if callbacks.expect(about(payout), what).get("type") != "credit":
        must_be(callbacks.expect(with_status(about(payout), "SETTLED", "DECLINED"), what), "type", "credit")


@requirement("CBK-APM-04")
def test_capture_is_notified(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    payment, found = notified_of("CAPTURE", callbacks, payments)

    must_name_no_other_change(found, "CAPTURE")
    callback_with_status(callbacks, payment, "SETTLED")
    must_not_be_declined(found)


@requirement("CBK-APM-05")
def test_release_is_notified(callbacks: CallbackWatch, payments: ApmPayments, run: Run) -> None:
    payment, found = notified_of("CREDITVOID", callbacks, payments)

    must_name_no_other_change(found, "CREDITVOID")
    must_not_contradict(payment, "SETTLED", run)
    must_not_be_declined(found)
    must_not_be_held_still(payment, callbacks, payments)


def must_not_be_held_still(payment: ApmPayment, callbacks: CallbackWatch, payments: ApmPayments) -> None:
    """Once it is released, and looks so, no callback alone says that it succeeded and the payment is PENDING."""
    if status_in(payments.look_up_until(payment, "PENDING", other_than=True)) in ("", "PENDING"):
        return
    came = callbacks.any_of(after_opening(payment, "CREDITVOID"), seconds=BRIEFLY)
    is_held = [result_word(one.get("result")) == "SUCCESS" and statuses_in(one) == ("PENDING",) for one in came]
    if came and all(is_held):
        fail("another status than PENDING, as look-ups show", came[0], "It stays PENDING until it is released.")


def notified_of(action: str, callbacks: CallbackWatch, payments: ApmPayments) -> tuple[ApmPayment, Callback]:
    payment = payments.fresh("authorized")
    must_be_carried_out(payments.merchant.post(operation(action, payment.trans_id)))
    return payment, callbacks.expect(after_opening(payment, action), f"the callback of the {action} of {payment}")


def must_not_be_declined(callback: Callback) -> None:
    if is_declined(callback):
        must(Finding("another result than DECLINED", callback.summary, "It was carried out."))


@requirement("CBK-APM-06")
def test_custom_data_come_back(callbacks: CallbackWatch, payments: ApmPayments, apm: Baselines[FormRequest]) -> None:
    sale = with_value(apm("sale"), "custom_data", CUSTOM_DATA)
    payment = payments.open(sale, "a SALE with custom_data")

    found = callbacks.expect(about(payment), f"the callback of {payment}")

    must_return_custom_data(found, CUSTOM_DATA)


@requirement("CBK-APM-07")
def test_callback_of_a_declined_payment_says_why(callbacks: CallbackWatch, payments: ApmPayments) -> None:
    must_have(callback_with_status(callbacks, payments.shared("declined"), "DECLINED"), ("decline_reason",))


@requirement("CBK-APM-07")
def test_callback_of_a_declined_payout_says_why(
    callbacks: CallbackWatch, payments: ApmPayments, unproven: ApmRequests, profile: Profile
) -> None:
    if profile.test_data.payout_emails.decline is None:
        not_applicable("the profile names no payout that is declined")
    payout = payments.open(unproven.payout_that_ends("decline"), "a declined payout")
    found = callbacks.any_of(about_outcome(payout, "DECLINED"), seconds=callbacks.seconds)
    if not found:
        not_applicable("no callback reports the payout as declined, which other checks judge")

    must_have(found[0], ("decline_reason",))


@requirement("APM-CAP-11")
def test_callback_of_a_partial_capture_has_the_amount_of_the_part(run: Run) -> None:
    with where_amounts_are_taken(run.apm.payments, "CAPTURE"):
        must_have_amount_of_the_part("authorized", "CAPTURE", run)


@requirement("APM-CVD-07")
def test_callback_of_a_partial_refund_has_the_amount_of_the_part(run: Run) -> None:
    with where_amounts_are_taken(run.apm.payments, "CREDITVOID"):
        must_have_amount_of_the_part("settled", "CREDITVOID", run)


def must_have_amount_of_the_part(state: str, action: str, run: Run) -> None:
    must_offer(run.profile, ("capability:callbacks",), "s2s_apm")
    payments = run.apm.payments
    part = payments.amount_for("a part of the amount") or ""
    payment = payments.fresh(state)
    must_be_carried_out(payments.merchant.post(operation(action, payment.trans_id, part)))

    found = run.callbacks.expect(of_deed(payment, action), f"the callback of the {action} of {payment}")

    amount, whole = found.get("amount"), payment.request.get("order_amount") or ""
    shows_both = amount is not None and is_amount(amount, whole) and _shows(found.fields, part)
    if amount is not None and not is_amount(amount, part) and not shows_both:
        must(Finding(f"amount {part} in the callback", found.summary, f"It is {amount}."))


def _shows(fields: Mapping[str, object], part: str) -> bool:
    """Whether another member has the amount of the part: line 288 names none for it."""
    return any(name != "amount" and is_amount(value, part) for name, value in fields.items())


@requirement("CBK-APM-13")
@pytest.mark.parametrize(("state", "word"), [("settled", "SETTLED"), ("authorized", "PENDING")])
def test_callback_of_a_sale_has_an_arn(
    state: str, word: str, callbacks: CallbackWatch, merchant_of: MerchantOf, run: Run
) -> None:
    must_offer(run.profile, ("capability:dms",) if state == "authorized" else (), "s2s_apm")
    payment = run.apm.payments.of(merchant_of("arn")).fresh(state)

    came = callback_with_status(callbacks, payment, word)

    if member(came.fields, "ARN") is None:
        fail("ARN in the callback, empty while there is none", came, "It is missing.")


@requirement("CBK-APM-13")
@pytest.mark.parametrize("state", ["settled", "captured"])
def test_callback_of_a_refund_has_an_arn(
    state: str, callbacks: CallbackWatch, merchant_of: MerchantOf, run: Run
) -> None:
    held = ("capability:dms",) if state == "captured" else ()
    must_offer(run.profile, ("capability:creditvoid_refunds", *held), "s2s_apm")
    payments = run.apm.payments.of(merchant_of("arn"))
    with where_it_comes_about(f"a payment of the account with ARN that is {state}"):
        payment = payments.fresh(state)
    reply = payments.merchant.post(operation("CREDITVOID", payment.trans_id))
    if allows_none(reply):
        not_applicable(NONE_ALLOWED)
    must_be_given_back(reply)

    came = which_came(of_deed(payment, "CREDITVOID"), f"the callback of the refund of {payment}", callbacks)

    if any(is_declined(found) for found in came):
        not_applicable("the refund was declined, and other checks decide whether it may be")
    if all(member(found.fields, "ARN") is None for found in came):
        fail("ARN in the callback of a refund, empty while there is none", came[-1], "It is missing.")
