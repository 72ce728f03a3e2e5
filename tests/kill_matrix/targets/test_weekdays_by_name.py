"""A target that names days of the week: each of the seven has its own, however its name is written."""

from __future__ import annotations

import pytest

from fixtures.profile import Profile
from fixtures.profile.dialect import Dialect
from tests.kill_matrix.collected import suite
from tests.support.suite_in_process import Outcomes

DAY_OF_THE_WEEK = "S2C-SCH-29"


def writing(monday: str) -> Profile:
    """Return the profile of a target that writes Monday so."""
    profile = suite().profile
    dialect = Dialect.model_validate({**profile.dialect.model_dump(), "weekdays": monday})
    return profile.model_copy(update={"dialect": dialect})


def said_of(monday: str, *faults: str) -> Outcomes:
    checks = [check for check in suite().claiming({DAY_OF_THE_WEEK}) if "every_day" in check.name]
    return suite().run(checks, faults=faults, profile=writing(monday))


@pytest.mark.parametrize("monday", ["monday", "MON"])
def test_each_day_starts_its_own_schedule(monday: str) -> None:
    said = said_of(monday)

    assert said.requirements("pass") == {DAY_OF_THE_WEEK}, said.details("fail", "error", "inconclusive")


def test_day_that_is_taken_for_the_next_is_noticed() -> None:
    said = said_of("monday", "m-schedule-takes-day-1-for-the-next")

    assert said.requirements("fail") == {DAY_OF_THE_WEEK}, said.details("pass", "inconclusive")
