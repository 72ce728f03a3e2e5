"""Where no clock can be moved, a schedule that starts today shows what one charge decides, and nothing more."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import suite
from tests.support.suite_in_process import Outcomes

DECIDED = frozenset(
    {"CHK-SCH-03", "CHK-SCH-05", "CHK-SCH-06", "CHK-SCH-07", "CBK-ATT-29", "CBK-S2C-24"}
    | {"S2C-SCP-01", "S2C-SCP-10", "S2C-SCP-16"}
)
"""What a charge that comes at once shows."""
PAST_ITS_FIRST_CHARGE = frozenset({"CHK-SCH-04", "S2C-SCP-05", "S2C-SCP-06", "S2C-SCP-07", "S2C-SCP-11"})
AMOUNTS = "S2C-SCP-14"
"""Has a check of its own of what is charged later on."""


def on_a_real_clock(*, faults: tuple[str, ...] = (), variations: tuple[str, ...] = ()) -> Outcomes:
    checks = suite().claiming(DECIDED | PAST_ITS_FIRST_CHARGE | {AMOUNTS})
    scheduled = [check for check in checks if "schedule" in check.name or check.get_closest_marker("waits")]
    return suite().run(scheduled, faults=faults, variations=variations, clock="real")


def test_charge_of_today_decides_what_one_charge_can() -> None:
    said = on_a_real_clock()

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not DECIDED & said.requirements("inconclusive"), said.details("inconclusive")
    assert said.requirements("pass") >= DECIDED | {AMOUNTS}
    assert said.requirements("inconclusive") >= PAST_ITS_FIRST_CHARGE


def test_no_charge_today_decides_nothing() -> None:
    said = on_a_real_clock(variations=("schedule-of-today-charges-later",))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("inconclusive") >= PAST_ITS_FIRST_CHARGE | {"CHK-SCH-03", "S2C-SCP-10"}


@pytest.mark.parametrize(
    ("requirement", "fault"),
    [
        ("CHK-SCH-05", "checkout-schedule-amount-ignored"),
        ("CHK-SCH-06", "checkout-schedule-other-amount"),
        ("S2C-SCP-14", "schedule-amount-ignored"),
    ],
)
def test_what_a_charge_of_today_shows_wrong_is_noticed(requirement: str, fault: str) -> None:
    said = on_a_real_clock(faults=(fault,))

    assert requirement in said.requirements("fail"), said.details("inconclusive")
