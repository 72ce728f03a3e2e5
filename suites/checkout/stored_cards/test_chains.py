"""What starts a recurring chain, whatever else its session asks for and however its payer pays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.judging.must import must_accept, must_carry, must_not_be
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.checkout.callbacks import carrying, outcome_of
from fixtures.protocols.checkout.kinds import CHAINS, begun_by
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run


def is_notified(payment: CheckoutPayment, paid: CheckoutPayments, run: Run) -> None:
    must_offer(paid.profile, ("capability:callbacks",))
    callbacks: CallbackWatch = run.callbacks
    is_captured = payment.session is not None and payment.session.get("auth") is True
    outcome_of(payment, callbacks, state="captured" if is_captured else "")
    callbacks.expect(carrying(payment, "recurring_token"), f"a callback of {payment} with recurring_token")


def is_shown(payment: CheckoutPayment, paid: CheckoutPayments, run: Run) -> None:
    del run
    must_offer(paid.profile, ("capability:status_lookup",))
    reply = paid.look_up(payment)

    must_accept(reply)
    must_carry(reply, "recurring_token")


def is_charged(payment: CheckoutPayment, paid: CheckoutPayments, run: Run) -> None:
    del run
    with where_it_comes_about("a chain of this kind"):
        chain = paid.chain_of(payment)
    reply = paid.of(payment.merchant).merchant.post(paid.operations.charge(chain))

    must_accept(reply)
    must_not_be(reply, "status", status_in(reply), "DECLINED")


OF_PURCHASES: Mapping[str, Callable[[CheckoutPayment, CheckoutPayments, Run], None]] = {
    "CBK-ATT-24": is_notified,
    "CHK-STA-41": is_shown,
    "CHK-REC-01": is_charged,
}
OF_DEBITS = {"CBK-ATT-26": is_notified, "CHK-STA-41": is_shown, "CHK-REC-03": is_charged}
"""What holds of a settled payment that starts a chain, by the requirement that says so."""


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        pytest.param(kind, rule, marks=requirement(rule))
        for kind in CHAINS
        for rule in (OF_DEBITS if "debit" in kind else OF_PURCHASES)
    ],
)
def test_chain_starts_whatever_else_its_session_asks_for(
    kind: str, rule: str, paid: CheckoutPayments, run: Run
) -> None:
    {**OF_PURCHASES, **OF_DEBITS}[rule](begun_by(kind, paid), paid, run)
