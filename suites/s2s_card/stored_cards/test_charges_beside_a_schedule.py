"""A chain that a schedule charges is charged by its merchant as well, whatever becomes of the schedule."""

from __future__ import annotations

import pytest

from fixtures.judging.must import must_accept
from fixtures.protocols.s2s_card.actions import SINCE
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.requirement import must_have_come, must_offer, requirement


@requirement("S2C-SCP-23")
@pytest.mark.parametrize(
    ("first", "action"),
    [("initial_sale", "RECURRING_SALE"), ("initial_debit", "RECURRING_DEBIT")],
    ids=["SALE", "DEBIT"],
)
def test_chain_is_charged_by_hand_though_its_schedule_was_deleted(first: str, action: str, payments: Payments) -> None:
    requests = payments.requests
    must_have_come(action, SINCE.get(action), requests.release)
    must_offer(requests.profile, ("capability:debit",) if first == "initial_debit" else (), "s2s_card")
    schedule = payments.schedules.fresh()
    opening = requests.baseline(first).with_("schedule_id", schedule.id)
    initial = payments.with_member(payments.confirmed(payments.open(opening), "SETTLED"), "recurring_token")
    payments.carry_out(initial.again(action, requests.numbers.next(), requests.usual))
    payments.schedules.carry_out(schedule.delete())

    must_accept(payments.merchant.post(initial.again(action, requests.numbers.next(), requests.usual)))
