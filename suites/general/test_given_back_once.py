"""A payment is given back once: while a refund of the whole is under way, a void does not give it back as well.

What is refunded at once is refunded, and a void of that is refused, as other checks see. Here the void is asked for
before anybody looks whether the refund is done: a target may refuse it, or void the payment and give up the refund.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.callbacks import Callback
from fixtures.callbacks.inbox import Naming
from fixtures.judging.must import must_hold
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.protocols.callbacks import statuses_in
from fixtures.protocols.checkout.callbacks import about as about_checkout
from fixtures.protocols.s2s_apm.callbacks import about as about_apm
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.protocols.s2s_card.callbacks import about as about_card
from fixtures.protocols.simultaneous import is_accepted, reports_success
from fixtures.protocols.words import TAKEN_ON, result_in, status_in, status_word
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply

REFUNDED = ("REFUND", "REFUNDED")
"""Statuses that a refund alone leads to; a reversal may be of either."""
VOIDED = ("VOID", "VOIDED")
REVERSED: frozenset[str] = frozenset({*VOIDED, "REVERSAL", "REVERSED"})
REFUNDS, VOIDS = frozenset({"REFUND", "CREDITVOID"}), frozenset({"VOID"})
Send = Callable[[], Reply]
Changes = tuple[Send, Send, Naming, Send]
"""What refunds a payment, what voids it, the callbacks about it, and a look-up after the waits for what comes later."""


def of_card(run: Run) -> Changes:
    must_offer(run.profile, ("capability:creditvoid_refunds",), "s2s_card")
    payments = run.payments
    payment = payments.fresh("settled")
    post = payments.merchant.post
    return (
        lambda: post(payment.creditvoid()),
        lambda: post(payment.void()),
        about_card(payment),
        lambda: payments.look_up_late(payment),
    )


def of_apm(run: Run) -> Changes:
    must_offer(run.profile, ("capability:creditvoid_refunds",), "s2s_apm")
    payments = run.apm.payments
    payment = payments.fresh("settled")
    post = payments.merchant.post
    return (
        lambda: post(operation("CREDITVOID", payment.trans_id)),
        lambda: post(operation("VOID", payment.trans_id)),
        about_apm(payment),
        lambda: payments.look_up_late(payment),
    )


def of_checkout(run: Run) -> Changes:
    must_offer(
        run.profile, ("capability:refund_endpoint", "capability:void_endpoint", "capability:status_lookup"), "checkout"
    )
    paid = run.checkout_payments_of(holds=False)
    payment = paid.fresh("settled")
    post = paid.merchant.post
    return (
        lambda: post(payment.refund()),
        lambda: post(payment.void()),
        about_checkout(payment),
        lambda: paid.polling.late(lambda: paid.look_up(payment)),
    )


@pytest.mark.parametrize(
    "changes_of",
    [
        pytest.param(of_card, id="s2s_card", marks=requirement("S2C-VOI-09")),
        pytest.param(of_apm, id="s2s_apm", marks=requirement("APM-VOI-11")),
        pytest.param(of_checkout, id="checkout", marks=requirement("CHK-RFD-10")),
    ],
)
def test_void_while_a_refund_is_under_way_gives_nothing_back_as_well(
    changes_of: Callable[[Run], Changes], run: Run
) -> None:
    refund, void, of_payment, look_up = changes_of(run)
    asked = refund()
    if not is_accepted(asked):
        not_applicable(f"the refund is not taken on, which other checks judge: {asked.summary}")

    answer = void()

    if not is_accepted(answer):
        return
    found = look_up()
    if run.receiver is None:
        inconclusive(
            f"a void was accepted while a refund was under way, and nothing shows whether both were carried out: "
            f"{found.summary}",
            decides="callbacks of the target that reach the suite; see [callbacks] of the profile",
        )
    refunds = run.callbacks.any_of(of_payment.but(is_refund), seconds=run.callbacks.seconds)
    is_voided = status_in(answer) in VOIDED or result_in(answer) not in {"", *TAKEN_ON}
    is_voided = is_voided or bool(run.callbacks.any_of(of_payment.but(is_void), seconds=run.callbacks.seconds))
    must_hold(
        not (refunds and is_voided),
        "a payment that is refunded or voided, and not both",
        answer,
        f"The refund that was asked for before was carried out as well: {refunds[0].summary if refunds else ''}",
    )


def is_refund(callback: Callback) -> bool:
    """Whether a callback says in so many words that a refund was carried out, and nothing of a reversal."""
    return _names(callback, REFUNDS) and reports_success(callback, REFUNDED) and not {*statuses_in(callback)} & REVERSED


def is_void(callback: Callback) -> bool:
    """The same of a void."""
    return _names(callback, VOIDS) and reports_success(callback, VOIDED)


def _names(callback: Callback, deeds: frozenset[str]) -> bool:
    return any(status_word(callback.get(name)) in deeds for name in ("action", "type"))
