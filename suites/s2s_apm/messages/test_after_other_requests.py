"""What earlier requests leave behind: refused ones change nothing, parts add up to the cent, long texts stay whole."""

from __future__ import annotations

import pytest

from fixtures.callbacks.judging import must_be, must_return_custom_data
from fixtures.cases.currencies import CUT_BY_FLOATS, PARTS_BY_FLOATS, format_amount
from fixtures.cases.order_numbers import LONGEST, RARE_SIGNS
from fixtures.judging.baselines import Baselines
from fixtures.judging.cents import a_cent_off
from fixtures.judging.claims import speaks_of
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_hold, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer import HttpPayer
from fixtures.payer.answering import answered
from fixtures.payer.challenges import DECIDED_BY
from fixtures.protocols.callbacks import is_declined
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_apm.callbacks import about, about_outcome, must_have_been_carried_out, of_deed
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import (
    must_be_carried_out,
    must_have_status,
    must_not_have_status,
    must_stay,
)
from fixtures.protocols.s2s_apm.parts import must_take_amounts, where_amounts_are_taken
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.requests import ApmRequests, operation, with_value
from fixtures.protocols.words import TAKEN_ON, result_in, status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import FormRequest

ODD = 456
"""A part in minor units that is no whole unit."""
CUSTOM_DATA = {"note": "für Zoë, 漢字", "ticket": "7"}


def done(action: str, payment: ApmPayment, units: int, run: Run) -> None:
    """Capture or give back an amount; what is carried out later is waited for."""
    done_with(operation(action, payment.trans_id, format_amount(units, 2)), action, payment, run)


def done_with(request: FormRequest, action: str, payment: ApmPayment, run: Run) -> None:
    """Make a request of an action; what is carried out later is waited for."""
    reply = run.apm.merchant.post(request)
    must_be_carried_out(reply)
    if result_in(reply) in TAKEN_ON:
        must_have_been_carried_out(payment, action, reply, run)


def usual(run: Run) -> int:
    """Return the usual amount in minor units; parts with odd cents need some room in it."""
    units = run.profile.test_data.amounts.usual
    if units < 2 * ODD:
        inconclusive(f"the usual amount of {units} is too small", decides="usual in [test_data.amounts], 1000 or more")
    return units


@requirement("APM-CVD-06", "APM-CVD-07")
def test_parts_with_odd_cents_add_up_to_the_whole(run: Run) -> None:
    payments, units = run.apm.payments, usual(run)
    payment = payments.fresh("settled")

    with where_amounts_are_taken(payments, "CREDITVOID"):
        with speaks_of("APM-CVD-07"):
            done("CREDITVOID", payment, ODD, run)
        # A part that was cut shows here, too.
        done("CREDITVOID", payment, units - ODD, run)

        must_have_status(payments, payment, "REFUND")


def settled_of(amount: str, run: Run) -> ApmPayment:
    """Open a payment of an amount, and confirm that it is settled; what a method pays, its amount may decide."""
    payments, what = run.apm.payments, f"a paid SALE of {amount}"
    sale = run.apm_requests.payment("success").with_("order_amount", amount)
    with where_it_comes_about(what):
        return payments.confirmed(payments.open(sale, what), what, "SETTLED")


@requirement("APM-CVD-06")
@pytest.mark.parametrize("parts", [CUT_BY_FLOATS[1:], PARTS_BY_FLOATS], ids=["whole", "in two parts"])
def test_amount_that_floats_cut_is_given_back_to_the_cent(parts: tuple[str, ...], run: Run) -> None:
    payments, payment = run.apm.payments, settled_of(CUT_BY_FLOATS[1], run)

    with where_amounts_are_taken(payments, "CREDITVOID"):
        for part in parts:
            done_with(operation("CREDITVOID", payment.trans_id, part), "CREDITVOID", payment, run)

        must_have_status(payments, payment, "REFUND")


@requirement("APM-VOI-02")
def test_amount_that_floats_cut_is_voided_to_the_cent(run: Run) -> None:
    payment = settled_of(CUT_BY_FLOATS[1], run)

    done_with(operation("VOID", payment.trans_id), "VOID", payment, run)

    must_not_have_status(run.apm.payments, payment, "SETTLED")


@requirement("APM-CVD-08")
def test_a_cent_more_is_not_given_back_however_amounts_are_compared(run: Run) -> None:
    payments, (less, more) = run.apm.payments, CUT_BY_FLOATS
    payments.shared("refunded")
    payment = settled_of(less, run)

    with where_amounts_are_taken(payments, "CREDITVOID"):
        reply = payments.merchant.post(operation("CREDITVOID", payment.trans_id, more))
        if result_in(reply) in TAKEN_ON:
            must_have_been_refused(payment, run)
        elif result_in(reply) != "DECLINED":
            must_refuse(reply)
        must_stay(payments, payment, "SETTLED")


@requirement("APM-CAP-11")
def test_captured_part_that_floats_cut_is_given_back_to_the_cent(run: Run) -> None:
    must_offer(run.profile, ("capability:creditvoid_refunds",), "s2s_apm")
    payments, (part, _) = run.apm.payments, PARTS_BY_FLOATS
    what = f"a hold of {CUT_BY_FLOATS[1]}"
    with where_it_comes_about(what):
        sale = payments.requests.baseline("authorization").with_("order_amount", CUT_BY_FLOATS[1])
        payment = payments.confirmed(payments.open(sale, what), what, "PENDING")

    with where_amounts_are_taken(payments, "CAPTURE", "CREDITVOID"):
        captured = payments.merchant.post(operation("CAPTURE", payment.trans_id, part))
        must_be_carried_out(captured)
        wrong = a_cent_off(captured.object, part, CUT_BY_FLOATS[1])
        must_hold(not wrong, f"{part}, or another amount of the payment", captured, f"It has {wrong}.")
        must_have_status(payments, payment, "SETTLED")
        done_with(operation("CREDITVOID", payment.trans_id, part), "CREDITVOID", payment, run)

        must_have_status(payments, payment, "REFUND")


@requirement("APM-CAP-11")
def test_captured_part_with_odd_cents_is_given_back_to_the_cent(run: Run) -> None:
    must_offer(run.profile, ("capability:creditvoid_refunds",), "s2s_apm")
    payments = run.apm.payments
    usual(run)
    payment = payments.fresh("authorized")

    with where_amounts_are_taken(payments, "CAPTURE", "CREDITVOID"):
        done("CAPTURE", payment, ODD, run)
        must_have_status(payments, payment, "SETTLED")
        done("CREDITVOID", payment, ODD, run)

        must_have_status(payments, payment, "REFUND")


@requirement("APM-CVD-08")
def test_refused_refund_leaves_everything_to_be_given_back(run: Run) -> None:
    payments, units = run.apm.payments, usual(run)
    payments.shared("refunded")
    payment = payments.fresh("settled")
    too_much = run.apm.merchant.post(operation("CREDITVOID", payment.trans_id, format_amount(units + 1, 2)))
    if result_in(too_much) in TAKEN_ON:
        must_have_been_refused(payment, run)

    must_be_carried_out(run.apm.merchant.post(operation("CREDITVOID", payment.trans_id, format_amount(units, 2))))

    # What a payment is called that was given back no line says.
    must_not_have_status(payments, payment, "SETTLED")


def must_have_been_refused(payment: ApmPayment, run: Run) -> None:
    """Return once the refund of too much is declined by callback; without one nothing is decided."""
    must_take_amounts(run.apm.payments, "CREDITVOID")
    if run.receiver is None or not run.callbacks.any_of(
        of_deed(payment, "CREDITVOID").but(is_declined), seconds=run.callbacks.seconds
    ):
        inconclusive(
            "the refund of too much was accepted, and nothing shows its outcome",
            decides="callbacks of CREDITVOID that reach the suite; see [callbacks] of the profile",
        )


@requirement("APM-SAL-10", "APM-ANS-01")
def test_long_order_ids_that_begin_alike_are_two_orders(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], run: Run
) -> None:
    first = run.apm_requests.numbers.of_length(LONGEST)
    second = first[:-1] + ("a" if first[-1] != "a" else "b")

    for order_id in (first, second):
        reply = s2s_apm.post(apm("sale").with_("order_id", order_id))
        with speaks_of("APM-SAL-10"):
            must_accept(reply)
        with speaks_of("APM-ANS-01"):
            must_state(reply, order_id=order_id)


def with_long_order_id(run: Run) -> ApmPayment:
    sale = run.apm.baselines("sale").with_("order_id", run.apm_requests.numbers.of_length(LONGEST))
    return run.apm.payments.open(sale, "a SALE with an order_id of 255 characters")


@requirement("GEN-AGR-01")
@pytest.mark.parametrize("rare", RARE_SIGNS.values(), ids=RARE_SIGNS)
def test_order_id_with_rare_signs_comes_back_as_it_was_sent(rare: str, run: Run) -> None:
    sale = run.apm.baselines("sale")
    order_id = f"{sale.get('order_id')}{rare}"
    reply = run.apm.merchant.post(sale.with_("order_id", order_id))
    if answer_of(reply) is not Answer.ACCEPTED:
        not_applicable(f"the target takes no order_id with such signs, and the contract promises none: {reply.summary}")
    payment = ApmPayment(str(reply.object.get("trans_id")), sale.with_("order_id", order_id), reply)

    for shown in (reply, run.apm.payments.look_up(payment)):
        if "order_id" in shown.object:
            must_state(shown, order_id=order_id)


@requirement("APM-STA-06")
def test_look_up_shows_a_long_order_id_whole(run: Run) -> None:
    payment = with_long_order_id(run)

    must_state(run.apm.payments.look_up(payment), order_id=payment.order_id)


@requirement("CBK-APM-02")
def test_callback_shows_a_long_order_id_whole(run: Run) -> None:
    must_offer(run.profile, ("capability:callbacks",))
    payment = with_long_order_id(run)

    found = run.callbacks.expect(about(payment), f"the callback of {payment}")

    must_be(found, "order_id", payment.order_id)


@requirement("APM-C2V-34")
def test_answer_to_a_payout_shows_a_long_order_id_whole(
    s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], run: Run
) -> None:
    payout = apm("credit2virtual").with_("order_id", run.apm_requests.numbers.of_length(LONGEST))

    reply = s2s_apm.post(payout)

    must_accept(reply)
    must_state(reply, order_id=payout.get("order_id") or "")


@requirement("CBK-APM-06")
@pytest.mark.parametrize("outcome", ["success", "decline"])
def test_custom_data_of_every_script_come_back(outcome: str, unproven: ApmRequests, run: Run) -> None:
    if outcome == "decline":
        must_offer(run.profile, ("test_data:apm.decline",), "s2s_apm")
    sale = with_value(unproven.payment(outcome), "custom_data", CUSTOM_DATA)
    payment = run.apm.payments.open(sale, f'a SALE with custom_data and the outcome "{outcome}"')

    found = run.callbacks.expect(about(payment), f"the callback of {payment}")

    must_return_custom_data(found, CUSTOM_DATA)


@requirement("CBK-APM-06")
def test_custom_data_come_back_once_the_payer_has_paid_elsewhere(
    unproven: ApmRequests, run: Run, payer: HttpPayer
) -> None:
    must_offer(run.profile, ("test_data:apm.redirect",), "s2s_apm")
    payments = run.apm.payments
    sale = with_value(unproven.payment("redirect"), "custom_data", CUSTOM_DATA)
    with where_it_comes_about("a SALE with custom_data that is paid elsewhere"):
        payment = payments.redirected(sale, "a SALE with custom_data that redirects the payer")
        visit = payer.follow(payment.answer.object)
        try:
            if visit.page is not None:
                answered(payer, visit)
        except LookupError as error:
            inconclusive(f"the payer finds nothing by which to pay: {error}", decides=DECIDED_BY)
    reply = payments.look_up_until(payment, "SETTLED")
    if status_in(reply) != "SETTLED":
        not_applicable(f"the payment is not paid, and other checks decide the requirement: {reply.summary}")

    found = run.callbacks.expect(about_outcome(payment, "SETTLED"), f"the callback that reports {payment} as SETTLED")

    must_return_custom_data(found, CUSTOM_DATA)
