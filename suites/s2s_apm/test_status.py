"""GET_TRANS_STATUS: what it answers of payments in each state, and of payments that are not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from contract.catalogue import load_catalogue
from contract.errors import (
    PAYMENT_NOT_FOUND,
    STATUS_IDENTIFIER_INVALID_BEFORE_6_7,
    TRANSACTION_DOES_NOT_EXIST,
)
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import carries_message, deviations_from
from fixtures.judging.must import must, must_accept, must_carry, must_not_be, must_refuse
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.payer import HttpPayer
from fixtures.payer.challenges import can_be_failed
from fixtures.protocols.accounts import WHO_GIVES_BACK
from fixtures.protocols.bank_page import must_decide
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_apm.merchant import MerchantOf, S2SApmMerchant
from fixtures.protocols.s2s_apm.must import must_become, must_have_status
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests, operation
from fixtures.protocols.words import status_in
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

NEEDS = {
    "settled": (),
    "declined": ("test_data:apm.decline",),
    "redirected": ("test_data:apm.redirect",),
    "voided": (),
    "refunded": (),
}
DIGITS = "0123456789"
REACHED_BY = {"refunded": ("APM-CVD-06",)}
"""What leads to a state that older releases do not have."""
EACH_STATE = pytest.mark.parametrize("state", NEEDS)


def looked_up(state: str, run: Run) -> Reply:
    must_offer(run.profile, NEEDS[state], "s2s_apm")
    must_concern([load_catalogue()[name] for name in REACHED_BY.get(state, ())], run.profile, run.release)
    return run.apm.payments.look_up(run.apm.payments.shared(state))


@requirement("APM-STA-01")
def test_look_up_shows_the_status(payments: ApmPayments) -> None:
    must_carry(payments.look_up(payments.shared("settled")), "status")


@pytest.mark.parametrize(
    ("name", "word"),
    [
        pytest.param("success", "SETTLED", marks=requirement("APM-STA-02"), id="success"),
        pytest.param("decline", "DECLINED", marks=requirement("APM-STA-03"), id="decline"),
    ],
)
def test_status_of_a_sale_is_its_outcome(name: str, word: str, payments: ApmPayments, unproven: ApmRequests) -> None:
    payment = payments.open(unproven.payment(name), f'a SALE with the outcome "{name}"')

    must_become(payments, payment, word)


@requirement("APM-STA-04")
def test_authorization_has_status_pending(payments: ApmPayments, unproven: ApmRequests) -> None:
    payment = payments.open(unproven.baseline("authorization"), "an authorization (SALE with auth=Y)")

    must_have_status(payments, payment, "PENDING")


@requirement("APM-STA-05")
def test_redirected_payment_is_neither_settled_nor_declined(payments: ApmPayments, unproven: ApmRequests) -> None:
    payment = payments.open(unproven.payment("redirect"), "a SALE that redirects the payer")

    reply = payments.look_up(payment)

    must_accept(reply)
    if status_in(reply) in ("", "SETTLED", "DECLINED"):
        explanation = "The payer has not come back, so nothing is decided."
        must(Finding("neither SETTLED nor DECLINED", reply.summary, explanation), reply)


@requirement("APM-STA-14")
def test_payment_that_its_payer_refuses_is_not_settled(payments: ApmPayments, payer: HttpPayer) -> None:
    payment = payments.fresh("redirected")
    visit = payer.follow(payment.answer.object)
    if visit.page is None or not can_be_failed(visit.page, payer.selectors):
        not_applicable(f"where the payer is, nothing refuses a payment as far as can be seen: {visit.summary}")

    must_decide(payer, visit, passes=False)

    reply = payments.look_up_until(payment, "DECLINED", "SETTLED")
    must_not_be(reply, "status", status_in(reply), "SETTLED")


@requirement("APM-STA-06")
@EACH_STATE
def test_look_up_succeeds_whatever_the_status(state: str, run: Run) -> None:
    reply = looked_up(state, run)
    payment = run.apm.payments.shared(state)

    must_state(reply, result="SUCCESS", order_id=payment.order_id, trans_id=payment.trans_id)


@requirement("APM-STA-07")
def test_look_up_of_a_declined_payment_says_why(payments: ApmPayments) -> None:
    must_carry(payments.look_up(payments.shared("declined")), "decline_reason")


@requirement("APM-STA-07")
def test_look_up_of_a_paid_one_gives_no_decline_reason(payments: ApmPayments) -> None:
    reply = payments.look_up(payments.shared("settled"))

    must_accept(reply)
    if reply.object.get("decline_reason"):
        must(Finding("no decline_reason", reply.summary, "The payment was not declined."), reply)


@requirement("APM-STA-07")
@pytest.mark.parametrize(
    ("claimed", "state"),
    [
        pytest.param("APM-STA-04", "authorized", id="authorized"),
        pytest.param("APM-VOI-03", "voided", id="voided"),
        pytest.param("APM-CVD-06", "refunded", id="refunded"),
    ],
)
def test_look_up_of_what_was_not_declined_gives_no_decline_reason(claimed: str, state: str, run: Run) -> None:
    must_concern([load_catalogue()[claimed]], run.profile, run.release)

    reply = run.apm.payments.look_up(run.apm.payments.shared(state))

    must_accept(reply)
    if reply.object.get("decline_reason"):
        must(Finding("no decline_reason", reply.summary, "The payment was not declined."), reply)


@requirement("APM-STA-08")
def test_repeated_look_up_shows_the_same(payments: ApmPayments) -> None:
    payment = payments.shared("settled")
    first = must_have_status(payments, payment, "SETTLED")

    again = payments.look_up(payment)

    must_accept(again)
    if status_in(again) != status_in(first):
        must(Finding(f"{first.object.get('status')} again", again.summary, "A look-up changes nothing."), again)


@requirement("APM-STA-09")
@EACH_STATE
def test_look_up_has_no_empty_arn(state: str, run: Run) -> None:
    reply = looked_up(state, run)

    must_accept(reply)
    empty = [name for name, value in reply.object.items() if name.upper() == "ARN" and value in (None, "")]
    if empty:
        must(Finding("no ARN while none is available", reply.summary, "It is there and empty."), reply)


@requirement("APM-STA-10")
def test_look_up_of_an_unknown_payment_is_refused(
    payments: ApmPayments, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    apm("sale")

    reply = s2s_apm.post(operation("GET_TRANS_STATUS", payments.fresh("absent").trans_id))

    must_refuse(reply)
    note_reading("APM-STA-10", reading_of(reply))


def reading_of(reply: Reply) -> str:
    pairs = {"transaction": TRANSACTION_DOES_NOT_EXIST, "payment": PAYMENT_NOT_FOUND}
    found = [reading for reading, pair in pairs.items() if not deviations_from(reply, pair)]
    if found:
        return found[0]
    return "before" if carries_message(reply, STATUS_IDENTIFIER_INVALID_BEFORE_6_7.message or "") else "other"


def other_ends(trans_id: str) -> Iterator[str]:
    """Change the last character, then, should that be another payment's id, the one before it, and so on."""
    for place in reversed(range(len(trans_id))):
        other = "1" if trans_id[place] == "0" else "0"
        yield trans_id[:place] + other + trans_id[place + 1 :]


def longer(trans_id: str) -> Iterator[str]:
    return (trans_id + end for end in DIGITS)


def cut(trans_id: str) -> Iterator[str]:
    return (trans_id[:-number] for number in (1, 2))


@requirement("APM-STA-10")
@pytest.mark.parametrize("near", [other_ends, longer, cut], ids=["other-end", "longer", "cut"])
def test_look_up_by_nearly_the_trans_id_is_refused(
    near: Callable[[str], Iterator[str]], payments: ApmPayments, s2s_apm: S2SApmMerchant
) -> None:
    payment = payments.shared("settled")

    for trans_id in near(payment.trans_id):
        reply = s2s_apm.post(operation("GET_TRANS_STATUS", trans_id))
        if not is_another_payment(reply, trans_id, payment):
            must_refuse(reply)
            return

    inconclusive(
        f"every trans_id that is nearly {payment.trans_id} belongs to another payment of this merchant",
        decides="a merchant with fewer payments, or a target whose ids are not consecutive",
    )


def is_another_payment(reply: Reply, trans_id: str, payment: ApmPayment) -> bool:
    """Whether the look-up found what it asked for: consecutive ids have neighbours."""
    order_id = reply.object.get("order_id")
    return reply.object.get("trans_id") == trans_id and bool(order_id) and order_id != payment.order_id


@requirement("APM-STA-10")
def test_unsigned_look_up_of_an_unknown_payment_is_refused(
    payments: ApmPayments, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]
) -> None:
    apm("sale")
    request = s2s_apm.sign(operation("GET_TRANS_STATUS", payments.fresh("absent").trans_id))

    must_refuse(s2s_apm.send(request.with_("hash", "0" * 32)))


@requirement("APM-STA-13")
def test_payout_is_looked_up_like_a_payment(payments: ApmPayments) -> None:
    payout = payments.shared("paid_out")

    reply = payments.look_up(payout)

    must_state(reply, order_id=payout.order_id, trans_id=payout.trans_id)
    must_carry(reply, "status")


@requirement("APM-STA-13")
def test_paid_payout_has_status_settled(payments: ApmPayments, run: Run) -> None:
    payout = payments.shared("paid_out")
    if status_in(payout.answer) != "SETTLED" and run.profile.test_data.payout_emails.success is None:
        inconclusive(
            f"the payout is not paid at once, and may end in any way: {payout.answer.summary}",
            decides="success under [test_data.payout_emails] of the profile",
        )

    must_have_status(payments, payout, "SETTLED")


@requirement("APM-STA-13")
def test_declined_payout_has_status_declined(payments: ApmPayments, unproven: ApmRequests, run: Run) -> None:
    if run.profile.test_data.payout_emails.decline is None:
        not_applicable("the profile names no payout that is declined")

    must_have_status(payments, payments.open(unproven.payout_that_ends("decline"), "a declined payout"), "DECLINED")


@pytest.mark.parametrize(
    ("action", "state"),
    [
        pytest.param("CAPTURE", "authorized", marks=requirement("APM-CAP-13"), id="CAPTURE"),
        pytest.param("CREDITVOID", "settled", marks=requirement("APM-CVD-13"), id="CREDITVOID"),
        pytest.param("VOID", "settled", marks=requirement("APM-VOI-15"), id="VOID"),
        pytest.param("GET_TRANS_STATUS", "settled", marks=requirement("APM-STA-12"), id="GET_TRANS_STATUS"),
    ],
)
def test_payment_of_another_merchant_is_out_of_reach(
    action: str, state: str, payments: ApmPayments, merchant_of: MerchantOf
) -> None:
    # A VOID is refused of what is days old, and not for its merchant alone.
    payment = payments.fresh(state) if action == "VOID" else payments.shared(state)

    theirs = merchant_of(WHO_GIVES_BACK if action == "CREDITVOID" else "second_merchant")
    reply = theirs.post(operation(action, payment.trans_id))

    payments.drop_unless_refused(payment, reply)
    must_refuse(reply)
    must_have_status(payments, payment, payment.status)
