"""What is asked of one payment is done to it, though the same payer has others, and a refusal bars nothing later."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from contract.catalogue import load_catalogue
from contract.errors import CAPTURE_NOT_PENDING, VOID_NOT_ALLOWED
from fixtures.callbacks.judging import fail, must_be
from fixtures.cases.currencies import format_amount
from fixtures.deferred import waits
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_have_accepted, must_refuse, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.profile.accounts import MidMode
from fixtures.protocols.callbacks import with_status
from fixtures.protocols.long_after import A_DAY
from fixtures.protocols.must import must_refuse_signature
from fixtures.protocols.payers import PAYER_IN_FULL
from fixtures.protocols.s2s_apm.callbacks import about_order, of_deed
from fixtures.protocols.s2s_apm.merchant import MerchantOf, S2SApmMerchant, of_a_brand_it_has
from fixtures.protocols.s2s_apm.must import (
    must_be_carried_out,
    must_become,
    must_have_status,
    must_not_have_status,
)
from fixtures.protocols.s2s_apm.parts import where_amounts_are_taken
from fixtures.protocols.s2s_apm.requests import operation, with_value
from fixtures.protocols.words import result_in, status_in
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.signing.parameters import Nested
from fixtures.watchers.echoes import MASKS
from fixtures.wire.requests import FormRequest

SECONDS_OF_AN_OPEN_PAYOUT = 3.0
"""How long its outcome is waited for at least: the callback has its way to go, though the clock was moved by a day."""


@pytest.mark.parametrize("turn", [0, 1], ids=["the-older", "the-newer"])
@pytest.mark.parametrize(
    ("action", "word"),
    [
        pytest.param("CAPTURE", "SETTLED", marks=requirement("APM-CAP-02")),
        # What a released one is called the contract does not say.
        pytest.param("CREDITVOID", "", marks=requirement("APM-AUT-06")),
    ],
)
def test_another_authorization_of_the_payer_stays_as_it_is(action: str, word: str, turn: int, run: Run) -> None:
    must_offer(run.profile, ("capability:dms",), "s2s_apm")
    payments = run.apm.payments
    both = [payments.fresh("authorized") for _ in range(2)]
    changed, other = both[turn], both[1 - turn]

    asked = run.apm.merchant.post(operation(action, changed.trans_id))
    must_be_carried_out(asked)

    if word:
        must_have_status(payments, changed, word, asked=asked)
    else:
        must_not_have_status(payments, changed, "PENDING")
    must_have_status(payments, other, "PENDING")


@requirement("APM-AUT-02")
@pytest.mark.holds
def test_sale_is_immediate_though_the_one_before_was_an_authorization(run: Run) -> None:
    must_offer(run.profile, ("capability:dms",), "s2s_apm")
    must_concern([load_catalogue()["APM-AUT-01"]], run.profile, run.release)
    payments = run.apm.payments
    # Of an account that only holds amounts the usual SALE asks for that.
    usual = run.apm.baselines("sale")
    sale = usual if usual.get("auth") is None else usual.without("auth")
    payments.fresh("authorized")

    if payments.merchant.identity.mid_mode is MidMode.DMS:
        # By line 369 it may be immediate nevertheless; that it is held instead is the mode's.
        found = payments.look_up_until(payments.open(sale, "a SALE without auth"), "SETTLED")
        if status_in(found) != "SETTLED":
            inconclusive(
                f"an account of the mode DMS need not sell: {found.summary}",
                decides='an account with mid_mode = "SMS/DMS"',
            )
        return
    must_become(payments, payments.open(sale, "a SALE without auth"), "SETTLED")


@pytest.mark.parametrize(
    ("action", "auth", "was"),
    [
        pytest.param("CAPTURE", "Y", "PENDING", marks=requirement("APM-CAP-01"), id="capture"),
        pytest.param("CREDITVOID", "Y", "PENDING", marks=requirement("APM-CVD-01"), id="release"),
        pytest.param("VOID", "N", "SETTLED", marks=requirement("APM-VOI-02"), id="void"),
    ],
)
def test_payment_in_a_currency_without_minor_unit_is_changed(action: str, auth: str, was: str, run: Run) -> None:
    must_offer(run.profile, ("capability:dms",) if auth == "Y" else (), "s2s_apm")
    with where_it_comes_about("a payment in a currency without minor unit"):
        must_offer(run.profile, ("test_data:currencies.exponent_0",))
    payments, currency = run.apm.payments, str(run.profile.test_data.currencies.exponent_0)
    sale = run.apm.baselines("sale").with_("order_currency", currency).with_("order_amount", "1000.00")
    what = f"a SALE in {currency}"
    payment = payments.confirmed(payments.open(sale.with_("auth", "Y") if auth == "Y" else sale, what), what, was)

    asked = run.apm.merchant.post(operation(action, payment.trans_id))
    must_be_carried_out(asked)

    must_not_have_status(payments, payment, was, asked=asked if action == "CAPTURE" else None)


@requirement("APM-CAP-04")
@pytest.mark.parametrize("action", ["CREDITVOID", "VOID"])
def test_captured_payment_that_was_taken_back_is_not_captured_again(action: str, run: Run) -> None:
    must_offer(run.profile, ("capability:creditvoid_refunds",) if action == "CREDITVOID" else (), "s2s_apm")
    payments = run.apm.payments
    with where_it_comes_about("an authorization that is captured, and taken back after that"):
        payment = payments.moved("captured", action, "a captured payment that is taken back")

    reply = payments.merchant.post(operation("CAPTURE", payment.trans_id))

    if result_in(reply) != "DECLINED":
        must_reject(reply, CAPTURE_NOT_PENDING)


@requirement("APM-CAP-07")
def test_part_of_a_released_authorization_is_not_captured(run: Run) -> None:
    must_offer(run.profile, ("capability:dms",), "s2s_apm")
    payment = run.apm.payments.fresh("released")
    part = format_amount(run.profile.test_data.amounts.part, 2)

    must_refuse(run.apm.merchant.post(operation("CAPTURE", payment.trans_id, part)))


@requirement("APM-VOI-02")
@pytest.mark.holds
def test_payment_is_voided_though_its_void_was_refused_before_the_capture(run: Run) -> None:
    must_offer(run.profile, ("capability:dms",), "s2s_apm")
    payments = run.apm.payments
    payment = payments.fresh("authorized")
    must_refuse(run.apm.merchant.post(operation("VOID", payment.trans_id)))
    must_be_carried_out(run.apm.merchant.post(operation("CAPTURE", payment.trans_id)))
    must_have_status(payments, payment, "SETTLED")

    must_be_carried_out(run.apm.merchant.post(operation("VOID", payment.trans_id)))


@requirement("APM-VOI-04")
def test_void_of_an_authorization_is_refused_so_after_a_refused_capture(run: Run) -> None:
    must_offer(run.profile, ("capability:dms",), "s2s_apm")
    payment = run.apm.payments.fresh("authorized")
    too_much = format_amount(run.profile.test_data.amounts.usual * 2, 2)
    if answer_of(run.apm.merchant.post(operation("CAPTURE", payment.trans_id, too_much))) is not Answer.REFUSED:
        not_applicable("the target captures all the same; line 370 gives CAPTURE a trans_id and no amount")

    must_reject(run.apm.merchant.post(operation("VOID", payment.trans_id)), VOID_NOT_ALLOWED)


@requirement("APM-VOI-04")
def test_void_of_an_authorization_is_refused_a_second_time(run: Run) -> None:
    must_offer(run.profile, ("capability:dms",), "s2s_apm")
    payment = run.apm.payments.fresh("authorized")
    for _ in range(2):
        must_refuse(run.apm.merchant.post(operation("VOID", payment.trans_id)))


@requirement("APM-VOI-05")
def test_authorization_stays_after_void_was_refused_twice(run: Run) -> None:
    must_offer(run.profile, ("capability:dms",), "s2s_apm")
    payment = run.apm.payments.fresh("authorized")
    for _ in range(2):
        run.apm.merchant.post(operation("VOID", payment.trans_id))

    must_have_status(run.apm.payments, payment, "PENDING")


@requirement("APM-CVD-01")
def test_authorization_is_released_after_a_release_of_a_part_was_refused(run: Run) -> None:
    must_offer(run.profile, ("capability:dms",), "s2s_apm")
    payment = run.apm.payments.fresh("authorized")
    part = format_amount(run.profile.test_data.amounts.part, 2)
    if answer_of(run.apm.merchant.post(operation("CREDITVOID", payment.trans_id, part))) is not Answer.REFUSED:
        not_applicable("a part of an authorization may be released")

    must_be_carried_out(run.apm.merchant.post(operation("CREDITVOID", payment.trans_id)))


@requirement("APM-SIG-10")
def test_wrong_signature_is_refused_with_every_optional_field(run: Run) -> None:
    # The channel of the profile is one of the main account, whichever account serves sales.
    s2s_apm, apm = run.apm_accounts.main.merchant, run.apm_accounts.main.baselines
    channel = run.profile.channel("s2s_apm", is_longest=True) or run.profile.channel("s2s_apm")
    further: list[dict[str, Nested]] = [{"custom_data": {"a": "b"}}]
    if channel:
        further.append({"channel_id": channel})
    for fields in further:
        # A field that the target does not take may be refused before the signature is looked at.
        must_have_accepted(s2s_apm.post(_with_all(apm("sale"), fields)))
        request = _with_all(apm("sale"), fields)

        must_refuse_signature(s2s_apm, request, s2s_apm.recipe(request).sign()[::-1])


def _with_all(request: FormRequest, fields: Mapping[str, Nested]) -> FormRequest:
    for name, value in fields.items():
        request = with_value(request, name, value)
    return request


@requirement("CBK-APM-05")
def test_each_refund_of_a_part_is_notified(run: Run) -> None:
    must_offer(run.profile, ("capability:callbacks", "capability:creditvoid_refunds"), "s2s_apm")
    payment = run.apm.payments.fresh("settled")
    part = format_amount(run.profile.test_data.amounts.part // 4, 2)
    wanted = of_deed(payment, "CREDITVOID")

    with where_amounts_are_taken(run.apm.payments, "CREDITVOID"):
        for _ in range(2):
            must_be_carried_out(run.apm.merchant.post(operation("CREDITVOID", payment.trans_id, part)))
        run.callbacks.expect(wanted, f"the callback of the first refund of a part of {payment}")
        came = run.callbacks.inbox.wait(wanted, seconds=run.callbacks.seconds, count=2)
        if len(came) < 2:
            fail("a callback of each of two refunds", came[0], "The second refund is not notified.")


@requirement("APM-C2V-01")
def test_plus_in_the_address_of_a_payee_is_taken(s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    payout = apm("credit2virtual")
    request = with_value(payout, "parameters[customer_email]", "ada+x@mail.example")

    must_accept(s2s_apm.post(request))


@requirement("GEN-AGR-05")
def test_payer_attributes_come_back_each_in_its_member(run: Run, merchant_of: MerchantOf) -> None:
    must_offer(run.profile, ("capability:callbacks", "account:payer_fields"), "s2s_apm")
    merchant = merchant_of("payer_fields")
    sale = of_a_brand_it_has(merchant, run.apm_requests.sales_by_brand)
    for name, value in PAYER_IN_FULL.items():
        sale = sale.with_(name, value)
    must_accept(merchant.post(sale))

    callback = run.callbacks.expect(about_order(sale.get("order_id") or ""), "the callback of the SALE")

    for name, value in PAYER_IN_FULL.items():
        received = callback.get(name)
        if received and received.casefold() != value.casefold() and not MASKS.intersection(received):
            fail(f"{name} {value!r}", callback, f"It is {received!r}.")


@requirement("CBK-APM-06")
def test_custom_data_are_not_those_of_the_payment_before(run: Run) -> None:
    must_offer(run.profile, ("capability:callbacks",), "s2s_apm")
    sales = [with_value(run.apm_requests.baseline("sale"), "custom_data", {"of": "the first"})]
    sales.append(run.apm_requests.baseline("sale"))
    for sale in sales:
        must_accept(run.apm.merchant.post(sale))
        callback = run.callbacks.expect(about_order(sale.get("order_id") or ""), "the callback of the SALE")

    if "the first" in str(callback.fields.get("custom_data", "")):
        fail("no custom_data, since none were sent", callback, "They are those of the payment before.")


@requirement("CBK-APM-03")
@waits(0)
def test_payout_that_was_open_is_notified_with_type_credit(run: Run) -> None:
    must_offer(run.profile, ("capability:callbacks", "capability:mobile_money"), "s2s_apm")
    payout = run.apm_requests.payout_that_ends("open")
    must_accept(run.apm.merchant.post(payout))
    if not run.clock.waits:
        run.clock.elapse(A_DAY)
    settled = with_status(about_order(payout.get("order_id") or ""), "SETTLED")
    seconds = max(run.callbacks.seconds if run.clock.waits else 0, SECONDS_OF_AN_OPEN_PAYOUT)
    came = run.callbacks.any_of(settled, seconds=seconds)
    if not came:
        when = "on a real clock" if run.clock.waits else "of a day by which the clock was moved"
        inconclusive(
            f"an open payout is not notified as settled within {seconds:g} s {when}",
            decides="a target that settles open payouts; wait_seconds in [callbacks] or clock in [run] of the profile",
        )

    must_be(came[0], "type", "credit")
