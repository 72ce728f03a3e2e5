"""The faults of the reference gateway: each has an effect, names what exists, and can be told from the others."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from emulator.design import Design
from emulator.faults import Fault, registry
from emulator.faults.derived import derived
from emulator.faults.hosted_page import PAGE_FIELDS
from emulator.faults.hosted_page_ways import PAGE_WAYS
from emulator.releases import LATEST
from emulator.rules.sale import SALE
from emulator.rules.session import SESSION
from emulator.settings import SettingsError
from tests.emulator.comparing import answers, deviates
from tests.emulator.probe import Gateway, session_request
from tests.emulator.probes import corpus, probes_for, sale_probes_for

CATALOGUE = Path(__file__).parents[2] / "contract" / "requirements"
ROWS = {row.label: row for row in SESSION}
DERIVED = {fault.name: fault for fault in derived(SESSION, Design.with_rows)}
SALE_ROWS = {f"sale.{row.label}": row for row in SALE}
SALE_DERIVED = {fault.name: fault for fault in derived(SALE, Design.with_sale_rows, "sale.")}
PAGE = {fault.name for fault in (*PAGE_FIELDS, *PAGE_WAYS)}
# Faults of the hosted page are seen by a payer: tests of the page prove them.
ELSEWHERE = {*DERIVED, *SALE_DERIVED, *PAGE}
WRITTEN = [fault for name, fault in registry().items() if name not in ELSEWHERE]
CORPUS = corpus()


def _release(fault: Fault) -> str:
    return fault.releases[-1]


@cache
def _standard(release: str) -> Gateway:
    return Gateway(release=release)


@cache
def _expected(release: str) -> list[tuple[object, ...]]:
    return list(answers(Gateway(release=release, control=True), CORPUS))


@pytest.mark.parametrize("fault", WRITTEN, ids=lambda fault: fault.name)
def test_a_written_fault_changes_an_answer(fault: Fault) -> None:
    release = _release(fault)
    broken = Gateway(release=release, faults=(fault.name,), control=True)

    assert deviates(broken, CORPUS, _expected(release)) or _shares_addresses(broken)


def _shares_addresses(gateway: Gateway) -> bool:
    first, second = (
        gateway.session(request).body.get("redirect_url") for request in (session_request(), session_request())
    )
    return first == second or str(first).startswith("/")


@pytest.mark.parametrize("label", sorted({name.rpartition(".")[0] for name in DERIVED}))
def test_every_fault_of_a_row_changes_an_answer(label: str) -> None:
    row = ROWS[label]
    for fault in (fault for name, fault in DERIVED.items() if name.rpartition(".")[0] == label):
        release = _release(fault)
        broken, standard = Gateway(release=release, faults=(fault.name,)), _standard(release)
        probes = probes_for(row)
        assert any(_differ(broken, standard, probe) for probe in probes), fault.name


@pytest.mark.parametrize("label", sorted({name.rpartition(".")[0] for name in SALE_DERIVED}))
def test_every_fault_of_a_sale_row_changes_an_answer(label: str) -> None:
    for fault in (fault for name, fault in SALE_DERIVED.items() if name.rpartition(".")[0] == label):
        release = _release(fault)
        broken, standard = Gateway(release=release, faults=(fault.name,)), _standard(release)
        probes = sale_probes_for(SALE_ROWS[label])
        pairs = ((broken.post(probe), standard.post(probe)) for probe in probes)
        assert any(
            (left.status, left.status == 200 or left.raw) != (right.status, right.status == 200 or right.raw)
            for left, right in pairs
        ), fault.name


def _differ(broken: Gateway, standard: Gateway, probe: object) -> bool:
    left, right = broken.session(probe), standard.session(probe)
    return (left.status, left.opened or left.raw) != (right.status, right.opened or right.raw)


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
