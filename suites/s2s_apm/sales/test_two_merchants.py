"""Two merchants that use the same order id: each payer pays the payment that they were sent from."""

from __future__ import annotations

from fixtures.judging.must import must_hold
from fixtures.judging.verdicts import inconclusive
from fixtures.payer import HttpPayer
from fixtures.payer.answering import answered
from fixtures.payer.challenges import DECIDED_BY
from fixtures.protocols.s2s_apm.merchant import MerchantOf
from fixtures.protocols.s2s_apm.must import must_have_status
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests
from fixtures.protocols.words import status_in
from fixtures.requirement import requirement


@requirement("APM-REQ-17")
def test_payer_of_one_merchant_does_not_pay_the_other(
    payments: ApmPayments, merchant_of: MerchantOf, unproven: ApmRequests, payer: HttpPayer
) -> None:
    sale, what = unproven.payment("redirect"), "a SALE that redirects the payer"
    theirs = payments.of(merchant_of("second_merchant"))
    ours = payments.redirected(sale, what)
    other = theirs.redirected(sale, f"{what}, of another merchant")

    visit = payer.follow(ours.answer.object)
    if visit.page is not None:
        try:
            answered(payer, visit)
        except LookupError as error:
            inconclusive(
                f"the payer finds nothing by which to pay: {error}",
                decides=DECIDED_BY,
            )
    paid, unpaid = payments.look_up_until(ours, "SETTLED", "PENDING"), theirs.look_up(other)

    explanation = "The payer of another merchant, whose order has the same number, has paid it."
    must_hold(status_in(unpaid) != "SETTLED", "a payment that nobody has paid yet", unpaid, explanation)
    if status_in(paid) != "SETTLED":
        inconclusive(f"the payment does not settle: {paid.summary}", decides="a payer who can pay by this brand")
    must_have_status(payments, ours, "SETTLED")
