"""A sandbox that was started anew has forgotten what the profile keeps: a run says it once, and goes on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contract.model import Release
from fixtures.discovery.forgotten import Renewed, renewed
from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile import Profile, load_profile
from fixtures.profile.draft import Answers
from gateway_conformance import profiles
from gateway_conformance.running import run
from tests.end_to_end.running.test_probe import Target, gateway

LATEST = Release("6.7.0")
OLD = "3d1c7c5e-0b7e-4a53-9c2f-5f5b8d3f0a11"
"""A schedule of the day before."""


def written(tmp_path: Path, target: Target, **test_data: str) -> Path:
    known = load_profile(DEFAULT_TARGET)
    main, paying = known.credentials.s2s_card, known.test_data.cards.success
    assert main is not None
    assert paying is not None
    answers = Answers(
        name="a sandbox in memory",
        environment="sandbox",
        release="6.7.0",
        endpoints={"s2s_card": target.url},
        key=main.key,
        password=main.password.reveal(),
        card=paying.number.reveal(),
        expiry=paying.expiry,
        settings=(
            (("capabilities", "schedules"), True),
            *((("test_data", name), value) for name, value in test_data.items()),
        ),
    )
    file = tmp_path / "gateway.toml"
    assert profiles.init(file, answers) == 0
    return file


def test_schedules_are_made_anew_and_a_token_where_the_answer_has_one(tmp_path: Path) -> None:
    with gateway() as target:
        file = written(tmp_path, target, schedule_id=OLD, schedule_id_delayed=OLD, card_token="f" * 64)
        found = renewed(load_profile(file), LATEST)
        again = renewed(found.of(load_profile(file)), LATEST)

    assert set(found.data) == {"schedule_id", "schedule_id_delayed", "card_token"}
    assert OLD not in found.data.values()
    assert None not in (found.data["schedule_id"], found.data["schedule_id_delayed"])
    assert found.line.startswith("Note: the target does not know schedule_id, schedule_id_delayed and card_token")
    # What was made is known.
    assert not {"schedule_id", "schedule_id_delayed"} & set(again.data)


def test_nothing_is_asked_where_nothing_is_kept(tmp_path: Path) -> None:
    profile: Profile = load_profile(written(tmp_path, Target("http://127.0.0.1:9", "", 0)))

    assert renewed(profile, LATEST) == Renewed()


def test_target_that_does_not_answer_has_forgotten_nothing(tmp_path: Path) -> None:
    file = written(tmp_path, Target("http://127.0.0.1:9", "", 0), schedule_id=OLD, card_token="f" * 64)

    assert not renewed(load_profile(file), LATEST).line


@pytest.mark.parametrize("processes", ["0", "2"])
def test_run_says_it_and_uses_what_it_made(processes: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    check = "suites/s2s_card/stored_cards/test_schedules.py"
    with gateway() as target:
        file = written(tmp_path, target, schedule_id=OLD)
        run([check, f"--target={file}", f"-n{processes}", "-q", "-k", "that_was_there_before"], output=tmp_path / "out")
    said = capfd.readouterr().out

    assert said.count("Note: the target does not know schedule_id of [test_data]") == 1
    assert re.search(r"checks: +\d+ passed, \d+ not applicable\n", said)
