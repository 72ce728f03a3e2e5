"""Look-ups of an order with dozens of payments: a schedule charges it day by day where the clock can be moved."""

from __future__ import annotations

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.deferred import waits
from fixtures.judging.claims import speaks_of
from fixtures.judging.must import must_accept, must_be_same, must_hold
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.callbacks import payment_in
from fixtures.protocols.checkout.callbacks import about_order
from fixtures.protocols.checkout.operations import status_of_order
from fixtures.protocols.checkout.orders import Order, listed_ids
from fixtures.protocols.checkout.schedules import A_DAY, DECIDES_DAYS, SETTLING_SECONDS
from fixtures.protocols.payments import unreached
from fixtures.protocols.s2s_card.schedules import Schedules as CardSchedules
from fixtures.protocols.s2s_card.schedules import creation
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

DAYS = 105
"""So many charges that no list holds all of them (line 344)."""
LENGTHS = (10, 11, 20, 25, 26, 30, 50, 51)
MORE = (64, 65, 99, 100)


@requirement("CHK-STA-06", "CHK-STA-07")
@waits(1)
def test_size_answers_so_many_payments_of_dozens(run: Run, callbacks: CallbackWatch) -> None:
    with where_it_comes_about("an order with dozens of payments"):
        order = charged_daily(run, callbacks)

    for size in (each for each in (*LENGTHS, *MORE) if each < len(order.payments)):
        reply = run.checkout_schedules.paid.merchant.post(status_of_order(order.number, size))
        found = listed_ids(reply)
        with speaks_of("CHK-STA-06"):
            must_accept(reply)
            must_hold(len(set(found)) == len(found) == size, f"{size} payments", reply, f"There are {len(found)}.")
        with speaks_of("CHK-STA-07"):
            must_be_same(reply, "payment_id", sorted(found), sorted(order.payments[-size:]))


@requirement("CHK-STA-06")
@pytest.mark.parametrize("size", LENGTHS)
def test_size_of_any_length_is_taken(size: int, run: Run) -> None:
    paid = run.checkout_payments
    payment = paid.shared("settled")

    reply = paid.merchant.post(payment.look_up_order(size))

    must_accept(reply)
    must_be_same(reply, "payment_id", listed_ids(reply), (payment.payment_id,))


def charged_daily(run: Run, callbacks: CallbackWatch) -> Order:
    """Let a schedule charge an order every day, and take its payments from the callbacks."""
    schedules = run.checkout_schedules
    paid = schedules.paid
    must_offer(paid.profile, ("capability:schedules", "capability:recurring", "capability:callbacks"), "checkout")
    must_offer(paid.profile, ("capability:s2s_card", "capability:schedules"), "s2s_card")
    schedules.must_see_days()
    if not paid.clock.drives_work:
        unreached(f"nobody knows whether the target's scheduler follows its clock from day to day; {DECIDES_DAYS}")
    every_day = creation(interval_length="1", interval_unit="day", payments_count=str(DAYS + 5))
    schedule = CardSchedules(schedules.sessions.s2s_card(), paid.profile.dialect).create(every_day)
    session = paid.requests.baseline("schedule").with_("schedule_id", schedule.id)
    payment = paid.confirmed(paid.pay(session, paid.card("success")), "SETTLED")
    for _ in range(DAYS):
        paid.clock.elapse(A_DAY)
    came = callbacks.inbox.wait(about_order(payment.number), seconds=SETTLING_SECONDS, count=DAYS)
    found = dict.fromkeys(payment_in(callback) for callback in came)
    if len(found) <= max(LENGTHS):
        unreached(f"callbacks name {len(found)} payments of the order after {DAYS} days of a daily schedule")
    return Order(payment.number, tuple(str(each) for each in found))
