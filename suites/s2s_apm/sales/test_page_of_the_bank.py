"""The page that a payer is sent to."""

from __future__ import annotations

from fixtures.judging.verdicts import inconclusive
from fixtures.payer import HttpPayer
from fixtures.protocols.hosted_page.must import MARKUP, SLANTED, must_show_as_text
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests
from fixtures.requirement import requirement


@requirement("APM-SAL-37")
def test_description_is_shown_as_text_and_not_as_markup(
    payments: ApmPayments, unproven: ApmRequests, payer: HttpPayer
) -> None:
    sale = unproven.payment("redirect").with_("order_description", MARKUP)
    payment = payments.redirected(sale, "a SALE that redirects the payer, with markup as description")
    page = payer.follow(payment.answer.object).page
    if page is None or SLANTED not in page.text:
        inconclusive(
            "the page that the payer is sent to does not show the description",
            decides="a target whose page shows order_description",
        )

    must_show_as_text(page)
