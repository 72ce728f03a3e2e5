"""A look-up changes nothing: it does not renew the window in which an order id is not taken again."""

from __future__ import annotations

from fixtures.deferred import deferred
from fixtures.judging.must import must_accept
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.duplicates import OUTSIDE, must_be_taken_though_looked_up
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply


def two_declined(run: Run) -> tuple[Payment, Payment]:
    must_offer(run.profile, ("capability:s2s_card", "test_data:cards.decline"), "s2s_card")
    with where_it_comes_about("a look-up of an order whose payer was declined"):
        return run.payments.fresh("declined"), run.payments.fresh("declined")


@requirement("S2C-STA-11")
@deferred(after=OUTSIDE, start=two_declined)
def test_look_up_does_not_renew_the_window_of_duplicates(run: Run, ready: tuple[Payment, Payment]) -> None:
    payments = run.payments
    looked_up, unseen = ready
    for ask in (looked_up.status(), looked_up.status_by_order()):
        must_accept(payments.merchant.post(ask))

    def sent_again(payment: Payment) -> Reply:
        sale = payments.requests.baseline("sale")
        return payments.merchant.post(sale.with_("order_id", payment.order_id))

    must_be_taken_though_looked_up(lambda: sent_again(unseen), lambda: sent_again(looked_up))
