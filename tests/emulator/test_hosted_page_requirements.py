"""The hosted page keeps its requirements, each fault breaks its own, and no variation breaks any."""

import tomllib
from pathlib import Path

import pytest

from emulator.faults import Fault, hosted_page, hosted_page_ways
from emulator.variations.hosted_page import VARIATIONS
from tests.emulator.page_requirements import KEPT
from tests.emulator.probe import Gateway

CATALOGUE = Path(__file__).parents[2] / "contract" / "requirements" / "hosted_page.toml"
OLDER = {"HPP-ADR-06": "6.6.5"}
FAULTS = (*hosted_page.FAULTS, *hosted_page_ways.FAULTS)
PRESENT = sorted(set(KEPT) - set(OLDER))


def _release(requirement: str) -> str:
    return OLDER.get(requirement, "6.7.0")


@pytest.mark.parametrize("requirement", KEPT)
def test_the_page_keeps_its_requirement(requirement: str) -> None:
    assert KEPT[requirement](Gateway(release=_release(requirement), control=True))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_breaks_its_requirements(fault: Fault) -> None:
    gateway = Gateway(release=fault.releases[-1], faults=(fault.name,), control=True)

    broken = {requirement for requirement in fault.requirements if not _kept(requirement, gateway)}
    assert broken == set(fault.requirements)


def _kept(requirement: str, gateway: Gateway) -> bool:
    try:
        return KEPT[requirement](gateway)
    except AssertionError:
        return False


@pytest.mark.parametrize("variation", VARIATIONS, ids=lambda variation: variation.name)
def test_a_variation_breaks_nothing(variation: object) -> None:
    name = getattr(variation, "name")  # noqa: B009
    gateway = Gateway(variations=(name,), control=True)

    assert [requirement for requirement in PRESENT if not _kept(requirement, gateway)] == []


def test_every_requirement_that_can_be_tested_has_a_fault() -> None:
    listed = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))["requirement"]
    broken = {requirement for fault in FAULTS for requirement in fault.requirements}

    assert {entry["id"] for entry in listed if "not_testable" not in entry} == broken == set(KEPT)
