"""The faults of the reference gateway: each names what exists and can be typed."""

import re
import tomllib
from pathlib import Path

import pytest

from emulator.faults import registry
from emulator.releases import LATEST
from emulator.settings import SettingsError
from tests.unit.emulator.probes.probe import Gateway

CATALOGUE = Path(__file__).parents[3] / "contract" / "requirements"


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
