"""The faults of the reference gateway: each has an effect, names what exists, and differs from the others."""

import re
import tomllib
from pathlib import Path

import pytest

from emulator.faults import registry
from emulator.releases import LATEST
from emulator.settings import SettingsError
from tests.unit.emulator.probes.probe import Gateway

CATALOGUE = Path(__file__).parents[3] / "contract" / "requirements"


def test_every_requirement_on_sessions_that_can_be_tested_has_a_fault() -> None:
    listed = tomllib.loads((CATALOGUE / "checkout_session.toml").read_text(encoding="utf-8"))["requirement"]
    broken = {requirement for fault in registry().values() for requirement in fault.requirements}

    assert [entry["id"] for entry in listed if "not_testable" not in entry and entry["id"] not in broken] == []


def test_every_action_name_of_s2s_card_has_a_fault() -> None:
    listed = tomllib.loads((CATALOGUE / "s2s_card.toml").read_text(encoding="utf-8"))["requirement"]
    broken = {requirement for fault in registry().values() for requirement in fault.requirements}

    assert {entry["id"] for entry in listed if entry["id"].startswith("S2C-ACT-")} <= broken


def test_faults_name_requirements_that_exist() -> None:
    listed = {
        entry["id"]
        for path in CATALOGUE.glob("*.toml")
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["requirement"]
    }
    prefixes = {name.split("-")[0] for name in listed}
    broken = {requirement for fault in registry().values() for requirement in fault.requirements}

    assert {name for name in broken if name.split("-")[0] in prefixes} <= listed


def test_names_can_be_typed() -> None:
    assert all(re.fullmatch(r"[A-Za-z0-9_.\-]+", name) for name in registry())


def test_a_fault_of_a_later_release_is_refused_with_the_releases_that_have_it() -> None:
    name = next(fault.name for fault in registry().values() if fault.releases == (LATEST,))

    with pytest.raises(SettingsError, match=r"6\.7\.0 only"):
        Gateway(release="6.6.5", faults=(name,))
