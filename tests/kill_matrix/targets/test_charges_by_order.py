"""A charge too many is noticed where callbacks name the chain by a derived order number alone."""

from __future__ import annotations

from tests.kill_matrix.collected import suite

SCHEDULES = frozenset(
    {"S2C-SCH-28", "S2C-SCH-53", "S2C-SCH-54", "S2C-SCP-01", "S2C-SCP-05", "S2C-SCP-06", "S2C-SCP-14"}
)
BY_ORDER = ("card-scheduled-charges-by-order-alone",)


def test_scheduled_charges_are_decided() -> None:
    said = suite().run(suite().claiming(SCHEDULES), variations=BY_ORDER)

    assert said.requirements("pass") == SCHEDULES, said.details("fail", "error", "inconclusive")


def test_charge_more_than_payments_count_is_noticed() -> None:
    said = suite().run(suite().claiming({"S2C-SCP-06"}), faults=("schedule-charges-once-more",), variations=BY_ORDER)

    assert "S2C-SCP-06" in said.requirements("fail"), said.details("pass", "inconclusive")
