"""The faults of the reference gateway: each has an effect, names what exists, and can be told from the others."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from emulator.faults import Fault, registry
from emulator.faults.derived import derived
from emulator.releases import LATEST
from emulator.rules.model import Rule
from emulator.rules.session import SESSION
from emulator.settings import SettingsError
from tests.emulator.probe import Gateway
from tests.emulator.probes import answers, corpus, probes_for

CATALOGUE = Path(__file__).parents[2] / "contract" / "requirements"
ROWS = {row.label: row for row in SESSION}
DERIVED = {fault.name: fault for fault in derived(SESSION)}
WRITTEN = [fault for name, fault in registry().items() if name not in DERIVED]
CORPUS = corpus()


def _release(fault: Fault) -> str:
    return fault.releases[-1]


@cache
def _standard(release: str) -> Gateway:
    return Gateway(release=release)


@cache
def _expected(release: str) -> list[tuple[object, ...]]:
    return answers(Gateway(release=release, control=True), CORPUS)


def _row_of(name: str) -> Rule:
    return ROWS[name.rpartition(".")[0]]


@pytest.mark.parametrize("fault", WRITTEN, ids=lambda fault: fault.name)
def test_a_written_fault_changes_an_answer(fault: Fault) -> None:
    release = _release(fault)
    broken = Gateway(release=release, faults=(fault.name,), control=True)

    assert answers(broken, CORPUS) != _expected(release) or _shares_addresses(broken)


def _shares_addresses(gateway: Gateway) -> bool:
    first, second = (gateway.session(request).body.get("redirect_url") for request in map(_session, (0, 1)))
    return first == second or str(first).startswith("/")


def _session(_index: int) -> object:
    from tests.emulator.probe import session_request  # noqa: PLC0415

    return session_request()


@pytest.mark.parametrize("label", sorted({name.rpartition(".")[0] for name in DERIVED}))
def test_every_fault_of_a_row_changes_an_answer(label: str) -> None:
    row = ROWS[label]
    for fault in (fault for name, fault in DERIVED.items() if name.rpartition(".")[0] == label):
        release = _release(fault)
        broken, standard = Gateway(release=release, faults=(fault.name,)), _standard(release)
        probes = probes_for(row)
        assert any(_differ(broken, standard, probe) for probe in probes), fault.name


def _differ(broken: Gateway, standard: Gateway, probe: object) -> bool:
    left, right = broken.session(probe), standard.session(probe)
    return (left.status, left.opened or left.raw) != (right.status, right.opened or right.raw)


@pytest.mark.parametrize("path", sorted(CATALOGUE.glob("checkout_session.toml")) or [CATALOGUE])
def test_every_requirement_on_sessions_that_can_be_tested_has_a_fault(path: Path) -> None:
    listed = tomllib.loads(path.read_text(encoding="utf-8"))["requirement"]
    broken = {requirement for fault in registry().values() for requirement in fault.requirements}

    assert [entry["id"] for entry in listed if "not_testable" not in entry and entry["id"] not in broken] == []


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
