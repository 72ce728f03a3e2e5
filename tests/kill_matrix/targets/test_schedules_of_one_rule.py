"""What CREATE_SCHEDULE and UPDATE_SCHEDULE both take is one fault, and not two."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import suite

OF_UPDATES = "S2C-SCH-34"


@pytest.mark.parametrize(
    ("rule", "of_creation"),
    [
        ("interval_length.pattern", "S2C-SCH-08"),
        ("payments_count.pattern", "S2C-SCH-09"),
        ("interval_unit.enum", "S2C-SCH-11"),
        ("day_of_month.pattern", "S2C-SCH-12"),
        ("delayed_first_payment.enum", "S2C-SCH-23"),
        ("first_payment_day_of_month.pattern", "S2C-SCH-27"),
    ],
)
def test_update_is_not_blamed_for_what_creation_takes(rule: str, of_creation: str) -> None:
    checks = suite().claiming([OF_UPDATES, of_creation])
    both = tuple(f"{action}-schedule.{rule}.ignored" for action in ("create", "update"))

    assert suite().run(checks, faults=both).requirements("fail") == {of_creation}
    assert suite().run(checks, faults=both[1:]).requirements("fail") == {OF_UPDATES}
