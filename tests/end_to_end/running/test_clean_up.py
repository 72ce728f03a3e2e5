"""What a run leaves on a gateway that goes on living: no schedule of its own, and a report of the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from emulator import Settings
from emulator.app import create_app
from emulator.serving import Running, serve_in_thread
from fixtures.plugin import DEFAULT_TARGET
from tests.end_to_end.runs import run

CHECKS = (
    "suites/s2s_card/stored_cards/test_schedule_actions.py",
    "suites/s2s_card/stored_cards/test_schedules_of_payments.py",
)


class Gateway:
    """A gateway that listens in this process, so that a test can look into it."""

    def __init__(self, running: Running, application: object) -> None:
        self.url, self.control = running.url, running.control
        self._gateway = application.state.gateway  # type: ignore[attr-defined]

    def made_schedules(self) -> dict[object, bool]:
        """The schedules that were created, of two merchants perhaps under one id, and whether each is deleted."""
        book = self._gateway.schedules._schedules
        return {key: one.deleted for key, one in book.items() if not one.id.startswith("5c4ed01e")}

    def subscriptions(self) -> int:
        """How many subscriptions go on charging."""
        book = self._gateway.schedules
        return sum(not book.behaviour.is_over(one) for one in book._subscriptions)


@pytest.fixture
def gateway() -> Iterator[Gateway]:
    settings = Settings(control=True)
    application = create_app(settings)
    with serve_in_thread(settings, application) as running:
        yield Gateway(running, application)


def profile(directory: Path, gateway: Gateway, **settings: str) -> Path:
    """Write the profile of that gateway, seen as somebody else's sandbox."""
    text = DEFAULT_TARGET.read_text(encoding="utf-8").replace("[emulator]\nstart = true\n", "")
    text = re.sub(r"^\[(run|callbacks)\]\n(?:[^\[\n].*\n)*", "", text, flags=re.MULTILINE)
    text = text.replace("\ncallbacks = true\n", "\ncallbacks = false\n")
    text = text.replace('environment = "emulator"', 'environment = "sandbox"')
    url = gateway.url
    run_table = {"clock": f'"{gateway.control}"', "fuzz_requests": "0", **settings}
    file = directory / "profile.toml"
    addresses = f'checkout = "{url}"\ns2s_card = "{url}"\ns2s_apm = "{url}/apm"\n'
    tables = f"\n[endpoints]\n{addresses}[run]\n"
    file.write_text(text + tables + "".join(f"{name} = {value}\n" for name, value in run_table.items()), "utf-8")
    return file


@pytest.mark.parametrize("processes", ["0", "2"])
def test_schedules_are_deleted_and_the_report_says_what_stays(gateway: Gateway, processes: str, tmp_path: Path) -> None:
    ended = run(tmp_path / "out", f"--target={profile(tmp_path, gateway)}", "-n", processes, *CHECKS)

    left, made = ended.report["left_behind"], gateway.made_schedules()
    assert ended.status == 3, ended.said
    assert made
    assert all(made.values()), ended.said
    assert gateway.subscriptions() == 0
    assert left["schedules"] > 10
    assert "schedules_left" not in left
    assert left["payments"] > 0
    assert f"0 of {left['schedules']:,.0f} schedules" in ended.said


def test_profile_leaves_everything_as_it_is(gateway: Gateway, tmp_path: Path) -> None:
    ended = run(tmp_path / "out", f"--target={profile(tmp_path, gateway, clean_up='false')}", "-n", "0", *CHECKS)

    left, there = ended.report["left_behind"], [gone for gone in gateway.made_schedules().values() if not gone]
    assert left["schedules_left"] == len(there) > 0
    assert f"{len(there)} of {left['schedules']:,.0f} schedules" in ended.said
