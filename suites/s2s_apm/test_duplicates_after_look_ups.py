"""A look-up changes nothing: it does not renew the window in which an order id is not taken again."""

from __future__ import annotations

from fixtures.deferred import deferred
from fixtures.judging.must import must_accept
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.duplicates import OUTSIDE, must_be_taken_though_looked_up
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply


def two_declined(run: Run) -> tuple[ApmPayment, ApmPayment]:
    must_offer(run.profile, ("capability:s2s_apm", "test_data:apm.decline"), "s2s_apm")
    with where_it_comes_about("a look-up of an order that was declined"):
        return run.apm.payments.fresh("declined"), run.apm.payments.fresh("declined")


@requirement("APM-STA-08")
@deferred(after=OUTSIDE, start=two_declined)
def test_look_up_does_not_renew_the_window_of_duplicates(run: Run, ready: tuple[ApmPayment, ApmPayment]) -> None:
    looked_up, unseen = ready
    must_accept(run.apm.payments.look_up(looked_up))

    def sent_again(payment: ApmPayment) -> Reply:
        return run.apm.merchant.post(run.apm.baselines("sale").with_("order_id", payment.order_id))

    must_be_taken_though_looked_up(lambda: sent_again(unseen), lambda: sent_again(looked_up))
