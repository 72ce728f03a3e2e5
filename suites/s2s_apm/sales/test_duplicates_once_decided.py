"""The duplicate window once a payer or a bank has decided: an order id stays taken whatever they decided."""

from __future__ import annotations

import pytest

from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.payer import HttpPayer
from fixtures.payer.challenges import can_be_failed
from fixtures.protocols.bank_page import must_decide
from fixtures.protocols.duplicates import must_be_a_duplicate, must_be_within_the_window
from fixtures.protocols.s2s_apm.bank import play_bank
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run


@requirement("APM-REQ-11")
@pytest.mark.parametrize("passes", [True, False], ids=["paid", "refused"])
def test_repeated_order_id_is_refused_once_the_payer_has_decided(passes: bool, run: Run, payer: HttpPayer) -> None:
    again = run.apm.baselines("sale")
    with where_it_comes_about("a SALE whose payer decides elsewhere within 15 seconds"):
        must_offer(run.profile, ("test_data:apm.redirect",), "s2s_apm")
        started = run.clock.now()
        payment = run.apm.payments.fresh("redirected")
        visit = payer.follow(payment.answer.object)
        if not passes and (visit.page is None or not can_be_failed(visit.page, payer.selectors)):
            not_applicable(f"where the payer is, nothing refuses a payment as far as can be seen: {visit.summary}")
        must_decide(payer, visit, passes=passes)

        reply = run.apm.merchant.post(again.with_("order_id", payment.order_id))
        must_be_within_the_window(run.clock, started)

    must_be_a_duplicate(reply, "APM-REQ-11")


@requirement("APM-REQ-11")
@pytest.mark.parametrize("report", ["executed", "rejected"])
def test_repeated_order_id_is_refused_once_the_bank_has_reported(report: str, run: Run) -> None:
    again, payments = run.apm.baselines("sale"), run.apm.payments
    with where_it_comes_about("an instant QR payment that its bank decides within 15 seconds"):
        must_offer(run.profile, ("capability:instant_qr", f"test_data:instant_qr.{report}"), "s2s_apm")
        started = run.clock.now()
        payment = payments.open(run.apm_requests.sale_by_qr(report), f"an instant QR payment ({report})")
        play_bank(report, payment, run.profile.test_data.instant_qr, payments, run.payers.usual)

        reply = run.apm.merchant.post(again.with_("order_id", payment.order_id))
        must_be_within_the_window(run.clock, started)

    must_be_a_duplicate(reply, "APM-REQ-11")
