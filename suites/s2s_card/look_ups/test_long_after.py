"""S2S CARD payments that nobody does anything with for a month."""

from __future__ import annotations

from fixtures.deferred import waits
from fixtures.protocols.long_after import all_reached, must_be_moved, must_stay_as_they_are
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.requirement import requirement

ENDED = (
    "settled",
    "declined",
    "captured",
    "released",
    "voided",
    "refunded",
    "settled_debit",
    "initial_sale",
    "paid_by_token",
    "card2card",
)


@requirement("S2C-STA-11")
@waits(0)
def test_payments_that_have_ended_are_what_they_were_a_month_later(payments: Payments) -> None:
    must_be_moved(payments.clock)

    must_stay_as_they_are(payments.clock, all_reached(ENDED, payments.fresh), payments.look_up)
