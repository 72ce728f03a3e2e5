"""What is decided on production targets only, on an emulator whose profile says that it is one."""

from __future__ import annotations

from fixtures.profile import Profile
from fixtures.profile.settings import Environment
from tests.kill_matrix.collected import suite


def production() -> Profile:
    profile = suite().profile
    other_environment = profile.accounts["live_key"].model_copy(update={"live": None, "test": True})
    target = profile.target.model_copy(update={"environment": Environment.PRODUCTION})
    return profile.model_copy(update={"target": target, "accounts": {"test_key": other_environment}})


def test_key_of_the_other_environment_is_refused() -> None:
    said = suite().run(suite().claiming(["GEN-ENV-02"]), profile=production())

    assert said.requirements("pass") == {"GEN-ENV-02"}, said.details("fail", "inconclusive", "error")


def test_fault_that_takes_the_key_of_the_other_environment_is_caught() -> None:
    said = suite().run(suite().claiming(["GEN-ENV-02"]), faults=("live-key-accepted",), profile=production())

    assert said.requirements("fail") == {"GEN-ENV-02"}, said.details("pass", "inconclusive", "error")
