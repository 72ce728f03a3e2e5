"""A look-up that was answered before a change does not speak for the payment afterwards."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.judging.must import must_accept, must_hold
from fixtures.protocols.checkout.must import must_leave
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.orders import WITH_SIZE
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.words import status_in, status_word
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply

DMS = ("capability:dms",)


def look_ups_of(paid: CheckoutPayments, payment: CheckoutPayment) -> list[OperationRequest]:
    """Return every way to look the payment up."""
    sizes = (None, 1, 2) if paid.release >= WITH_SIZE else (None,)
    return [payment.look_up(), *(payment.look_up_order(size) for size in sizes)]


def status_shown(reply: Reply) -> str:
    """Return the status in an answer: of the payment, or of the first one of an array."""
    listed = reply.json
    first = listed[0] if isinstance(listed, list) and listed else None
    return status_word(first.get("status")) if isinstance(first, dict) else status_in(reply)


@pytest.mark.parametrize(
    ("state", "change", "needs"),
    [
        pytest.param("authorized", CheckoutPayment.capture, DMS, marks=requirement("CHK-CAP-03"), id="capture"),
        pytest.param(
            "settled",
            CheckoutPayment.refund,
            ("capability:refund_endpoint",),
            marks=requirement("CHK-RFD-07"),
            id="refund",
        ),
        pytest.param(
            "settled", CheckoutPayment.void, ("capability:void_endpoint",), marks=requirement("CHK-RFD-15"), id="void"
        ),
    ],
)
def test_every_look_up_shows_a_change_though_it_was_asked_before(
    state: str, change: Callable[[CheckoutPayment], OperationRequest], needs: tuple[str, ...], paid: CheckoutPayments
) -> None:
    must_offer(paid.profile, ("capability:status_lookup", *needs))
    payment = paid.fresh(state)
    before = paid.status(payment)
    by_id, *by_order = look_ups_of(paid, payment)
    for ask in by_order:
        must_accept(payment.merchant.post(ask))
    paid.carry_out(change(payment), by=payment.merchant)
    must_leave(paid, payment, before)

    for ask in (by_id, *by_order):
        shown = paid.polling.until(
            lambda ask=ask: payment.merchant.post(ask),  # type: ignore[misc]
            lambda reply: status_shown(reply) != before,
        )
        must_accept(shown)
        # One may say that the change is in work, and the next that it is done.
        must_hold(status_shown(shown) not in ("", before), f"a status that is not {before}", shown, "It is as before.")
