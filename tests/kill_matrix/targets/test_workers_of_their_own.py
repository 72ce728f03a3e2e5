"""A clock that is moved need not move what a target's queues and schedulers do; what they owe is undecided then."""

from __future__ import annotations

import pytest

from fixtures.protocols.checkout import schedules
from tests.kill_matrix.collected import suite
from tests.support.suite_in_process import Outcomes

ALONE = "alone"
DELIVERY = "checkout/callbacks/test_callback_delivery.py"
OF_CHECKOUT = ("CHK-SCH-03", "CHK-SCH-05", "CHK-SCH-06", "CHK-SCH-07")
OF_CARDS = ("S2C-SCP-01", "S2C-SCP-05", "S2C-SCP-10", "S2C-SCP-11", "S2C-SCP-20", "S2C-SCH-29", "S2C-SCH-53")
STATUSES = ("CHK-TRN-01", "CHK-TRN-06", "CHK-TRN-08")


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the scheduler, which follows each move or none, less time for each day."""
    monkeypatch.setattr(schedules, "SECONDS_A_DAY", 0.02)


def must_fail_nothing(said: Outcomes) -> None:
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")


def test_queue_of_callbacks_that_takes_its_time_fails_nothing() -> None:
    checks = [one for one in suite().claiming({"CBK-DEL-06", "CBK-DEL-07", "CBK-DEL-08"}) if DELIVERY in one.nodeid][
        ::2
    ]

    said = suite().run(checks, variations=("callbacks-come-again-by-real-time",), clock=ALONE)

    must_fail_nothing(said)
    # The clock goes on by seconds at first: a repetition that comes by real time within these is seen.
    assert "CBK-DEL-06" in said.requirements("inconclusive") | said.requirements("pass")


def test_queue_that_may_try_again_later_is_not_said_to_have_given_up() -> None:
    said = suite().run(suite().claiming({"CBK-DEL-13"}), variations=("callbacks-come-again-by-real-time",), clock=ALONE)

    must_fail_nothing(said)


def test_queue_that_the_clock_is_seen_to_move_is_judged() -> None:
    said = suite().run(
        suite().claiming({"CBK-DEL-13"}), faults=("x-s2s-card-callback-given-up-after-two-tries",), clock=ALONE
    )

    assert "CBK-DEL-13" in said.requirements("fail"), said.details("pass", "inconclusive", "error")


@pytest.mark.parametrize("requirements", [OF_CHECKOUT, OF_CARDS])
def test_scheduler_that_takes_its_time_fails_nothing(requirements: tuple[str, ...]) -> None:
    said = suite().run(suite().claiming(requirements), variations=("schedules-charge-by-real-time",), clock=ALONE)

    must_fail_nothing(said)
    assert said.requirements("inconclusive") >= set(requirements)


def test_worker_that_decides_later_fails_nothing() -> None:
    said = suite().run(suite().claiming(STATUSES), variations=("checkout-payments-decided-by-real-time",), clock=ALONE)

    must_fail_nothing(said)
    assert said.requirements("inconclusive") >= {"CHK-TRN-01"}


def test_schedules_that_follow_are_decided() -> None:
    said = suite().run(suite().claiming((*OF_CHECKOUT, *OF_CARDS)), clock=ALONE)

    must_fail_nothing(said)
    assert said.requirements("pass") >= {*OF_CHECKOUT, *OF_CARDS}


@pytest.mark.parametrize(
    ("requirement", "fault"),
    [("CHK-SCH-05", "checkout-schedule-amount-ignored"), ("S2C-SCP-07", "deleted-schedule-charges")],
)
def test_what_a_charge_shows_wrong_is_noticed(requirement: str, fault: str) -> None:
    said = suite().run(suite().claiming({requirement}), faults=(fault,), clock=ALONE)

    assert requirement in said.requirements("fail"), said.details("inconclusive")
