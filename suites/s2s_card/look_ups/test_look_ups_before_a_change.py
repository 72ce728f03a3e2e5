"""A look-up that was answered before a change does not speak for the payment afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept_as_signed
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.states import REFUNDS
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import FormRequest

Ask = Callable[[Payment], FormRequest]

LOOK_UPS: tuple[Ask, ...] = (Payment.status, Payment.status_by_order, Payment.details)
DMS = ("capability:dms",)


@pytest.mark.parametrize(
    ("state", "change", "needs"),
    [
        pytest.param("settled", Payment.void, (), marks=requirement("S2C-VOI-02"), id="void"),
        pytest.param("authorized", Payment.capture, DMS, marks=requirement("S2C-CAP-02"), id="capture"),
        pytest.param("authorized", Payment.creditvoid, DMS, marks=requirement("S2C-CVD-06"), id="release"),
        pytest.param("settled", Payment.creditvoid, REFUNDS, marks=requirement("S2C-CVD-02"), id="refund"),
    ],
)
def test_every_look_up_shows_a_change_though_it_was_asked_before(
    state: str, change: Ask, needs: tuple[str, ...], payments: Payments
) -> None:
    must_offer(payments.requests.profile, needs, "s2s_card")
    payment = payments.fresh(state)
    before = payments.status(payment)
    others = [ask for ask in LOOK_UPS[1:] if shows(payments, payment, ask, before)]
    if not others:
        not_applicable("one look-up alone shows the status of a payment, and other checks ask for that")
    payments.carry_out(change(payment))
    after = payments.leaves(payment, before)

    for ask in others:
        shown = payments.polling.until(
            lambda ask=ask: payments.merchant.post(ask(payment)),  # type: ignore[misc]
            lambda reply: status_in(reply) != before,
        )
        must_accept_as_signed(shown)
        must_state(shown, status=after)


def shows(payments: Payments, payment: Payment, ask: Ask, word: str) -> bool:
    """Whether a look-up shows the status of the payment at all; the contract promises it of GET_TRANS_STATUS only."""
    reply = payments.merchant.post(ask(payment))
    return answer_of(reply) is Answer.ACCEPTED and status_in(reply) == word
