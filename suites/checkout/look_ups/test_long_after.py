"""Checkout payments that nobody does anything with for a month."""

from __future__ import annotations

import pytest

from fixtures.deferred import waits
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.long_after import all_reached, must_be_moved, must_stay_as_they_are
from fixtures.requirement import requirement

PAID = ("settled", "captured", "initial", "settled_debit")
DECLINED = ("declined",)


@pytest.mark.parametrize(
    "states",
    [
        pytest.param(PAID, id="paid", marks=requirement("CHK-TRN-01")),
        pytest.param(DECLINED, id="declined", marks=requirement("CHK-TRN-02")),
    ],
)
@waits(0)
def test_payments_that_have_ended_are_what_they_were_a_month_later(
    states: tuple[str, ...], paid: CheckoutPayments
) -> None:
    must_be_moved(paid.clock)

    must_stay_as_they_are(paid.clock, all_reached(states, paid.fresh), paid.look_up)
