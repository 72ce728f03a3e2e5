"""Two merchants that use the same order id: each payer pays the payment that they were sent from."""

from __future__ import annotations

from fixtures.judging.must import must_hold
from fixtures.judging.verdicts import inconclusive
from fixtures.payer import HttpPayer
from fixtures.payer.answering import answered
from fixtures.payer.challenges import DECIDED_BY
from fixtures.protocols.accounts import OfAccounts
from fixtures.protocols.in_turn import in_turn
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import must_have_status
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests
from fixtures.protocols.words import status_in
from fixtures.requirement import requirement


@requirement("APM-REQ-17")
def test_payer_of_one_merchant_does_not_pay_the_other(
    payments: ApmPayments, merchant_of: OfAccounts[S2SApmMerchant], unproven: ApmRequests, payer: HttpPayer
) -> None:
    sale, what = unproven.payment("redirect"), "a SALE that redirects the payer"

    def sent_away(merchant: S2SApmMerchant) -> tuple[ApmPayments, ApmPayment]:
        its = payments if merchant is payments.merchant else payments.of(merchant)
        return its, its.redirected(sale, f"{what}, of {merchant.identity.in_words}")

    payments, ours = in_turn(payments.merchant.and_those_beside(holds=False), sent_away)
    theirs, other = in_turn(merchant_of.every("second_merchant"), sent_away)

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
