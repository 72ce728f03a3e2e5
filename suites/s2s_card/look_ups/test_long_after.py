"""S2S CARD payments that nobody does anything with for a month."""

from __future__ import annotations

import pytest

from fixtures.deferred import waits
from fixtures.protocols.long_after import all_reached, must_be_moved, must_stay_as_they_are
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.requirement import requirement

PAID = ("settled", "captured", "initial_sale", "paid_by_token")
DECLINED = ("declined",)


@pytest.mark.parametrize(
    "states",
    [
        pytest.param(PAID, id="paid", marks=requirement("S2C-STA-02")),
        pytest.param(DECLINED, id="declined", marks=requirement("S2C-STA-03")),
    ],
)
@waits(0)
def test_sales_that_have_ended_are_what_they_were_a_month_later(states: tuple[str, ...], payments: Payments) -> None:
    must_be_moved(payments.clock)

    must_stay_as_they_are(payments.clock, all_reached(states, payments.fresh), payments.look_up)
