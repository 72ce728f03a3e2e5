"""What must hold for every exchange is noticed wherever it breaks, and nothing else fails for it."""

from __future__ import annotations

from fnmatch import fnmatch

import pytest

from contract.catalogue import load_catalogue
from contract.watched import load_watched
from emulator.faults import registry
from fixtures.watchers.watch import Watch
from fixtures.wire.redaction import Redactor
from tests.kill_matrix.collected import LATEST, suite
from tests.kill_matrix.watched_places import PLACES
from tests.support.suite_in_process import WATCHERS


@pytest.mark.parametrize("fault", PLACES)
def test_fault_in_one_place_is_noticed_by_who_watches_every_exchange(fault: str) -> None:
    broken = set(registry()[fault].requirements)
    checks = [check for check in suite().items if fnmatch(check.nodeid.replace("[", "("), PLACES[fault])]
    assert checks, "no check comes by"

    said = suite().run(checks, faults=(fault,), release=LATEST)

    noticed = {name for one in said.checks if one.check.startswith(WATCHERS) for name in one.requirements}
    assert broken <= noticed, said.details("fail", "error", "inconclusive")


def test_every_watched_requirement_has_a_fault_and_a_watcher() -> None:
    catalogue, watched = load_catalogue(), load_watched()
    profile = suite().profile
    watchers = Watch(profile, Redactor(profile.secrets())).watchers
    looked_at = {name for several in watchers.values() for one in several for name in one.requirements}
    broken = {name for fault in registry().values() for name in fault.requirements}

    assert watched.keys() <= catalogue.keys()
    assert watched.keys() - looked_at == set()
    assert watched.keys() - broken == set()


def test_every_place_belongs_to_a_fault() -> None:
    seldom = {name for name in registry() if name.startswith("seldom-")}

    assert seldom <= PLACES.keys() <= registry().keys()
