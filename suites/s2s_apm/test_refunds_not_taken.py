"""CREDITVOID of a settled payment by accounts that give nothing back, or not by this interface."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from contract.errors import REFUND_BY_CONNECTOR_ONLY, REFUND_NOT_ALLOWED, ErrorPair
from fixtures.judging.matchers import Answer, answer_of, is_wrongly_signed
from fixtures.judging.must import must_accept, must_reject
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.protocols.s2s_apm.merchant import MerchantOf
from fixtures.protocols.s2s_apm.must import must_have_status
from fixtures.protocols.s2s_apm.payment import ApmPayment
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply

BARRED_BY: Mapping[str, ErrorPair] = {
    "no_refunds": REFUND_NOT_ALLOWED,
    "connector_refunds_only": REFUND_BY_CONNECTOR_ONLY,
}
"""By account, in which words a CREDITVOID is refused that it may not send, whatever it is of: lines 439 and 457."""


def paid_by(payments: ApmPayments) -> ApmPayment:
    """Return a settled payment; not every account is one of S2S APM."""
    with where_it_comes_about("a settled payment of this account"):
        return payments.fresh("settled")


def given_back(payment: ApmPayment, payments: ApmPayments) -> Reply:
    return payments.merchant.post(operation("CREDITVOID", payment.trans_id))


@requirement("APM-CVD-14")
def test_nothing_is_given_back_where_the_account_allows_no_refunds(
    payments: ApmPayments, merchant_of: MerchantOf
) -> None:
    theirs = payments.of(merchant_of("no_refunds"))
    payment = paid_by(theirs)

    must_reject(given_back(payment, theirs), REFUND_NOT_ALLOWED)
    must_have_status(theirs, payment, "SETTLED")


@requirement("APM-CVD-15")
def test_refund_that_its_acquirer_takes_in_its_portal_only_is_refused_in_these_words(
    payments: ApmPayments, merchant_of: MerchantOf
) -> None:
    theirs = payments.of(merchant_of("connector_refunds_only"))
    payment = paid_by(theirs)

    reply = given_back(payment, theirs)

    if answer_of(reply) is Answer.ACCEPTED:
        not_applicable("this method has another acquirer than the one that takes refunds in its portal only")
    must_reject(reply, REFUND_BY_CONNECTOR_ONLY)
    must_have_status(theirs, payment, "SETTLED")


@requirement("APM-CVD-01")
@pytest.mark.parametrize("account", BARRED_BY)
def test_authorization_is_released_whatever_the_account_gives_back(
    account: str, payments: ApmPayments, merchant_of: MerchantOf
) -> None:
    if payments.requests.profile.account(account, "s2s_apm") is None:
        not_applicable(f"the profile names no account of S2S APM that is one of {account}")
    with where_it_comes_about(f"an authorization of the account {account}"):
        theirs = payments.of(merchant_of(account))
        payment = theirs.fresh("authorized")

    reply = given_back(payment, theirs)

    if answer_of(reply) is Answer.REFUSED and not is_wrongly_signed(reply):
        must_reject(reply, BARRED_BY[account])
        must_have_status(theirs, payment, "PENDING")
        note_reading("APM-CVD-01", "barred")
    else:
        must_accept(reply)
        note_reading("APM-CVD-01", "released")
