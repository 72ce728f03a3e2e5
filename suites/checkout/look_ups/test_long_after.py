"""Checkout payments that nobody does anything with for a month."""

from __future__ import annotations

from fixtures.deferred import waits
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.long_after import all_reached, must_be_moved, must_stay_as_they_are
from fixtures.requirement import requirement

ENDED = ("settled", "declined", "captured", "settled_debit", "initial")
TAKEN_BACK = ("voided", "refunded")


@requirement("CHK-STA-16")
@waits(0)
def test_payments_that_have_ended_are_what_they_were_a_month_later(paid: CheckoutPayments) -> None:
    must_be_moved(paid.clock)

    must_stay_as_they_are(
        paid.clock, all_reached(ENDED, paid.fresh), paid.look_up, changed=all_reached(TAKEN_BACK, paid.fresh)
    )
