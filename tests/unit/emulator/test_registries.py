"""Faults and variations are found without a list of modules, and none is overlooked."""

from __future__ import annotations

import fnmatch
import pkgutil
import tomllib
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from emulator import faults, variations
from emulator.design import standard
from emulator.faults import Fault
from emulator.registry import registered
from emulator.releases import LATEST
from emulator.variations import Variation


@pytest.mark.parametrize(
    ("package", "kind", "known"),
    [(faults, Fault, faults.registry()), (variations, Variation, variations.registry())],
    ids=["faults", "variations"],
)
def test_whatever_a_module_defines_is_registered(package: object, kind: type, known: dict[str, object]) -> None:
    path = package.__path__  # type: ignore[attr-defined]
    modules = [import_module(module.name) for module in pkgutil.walk_packages(path, f"{package.__name__}.")]  # type: ignore[attr-defined]
    groups = [value for module in modules for name, value in vars(module).items() if _is_offered(name, value)]

    defined = {entry.name for group in groups for entry in group if isinstance(entry, kind)}  # type: ignore[attr-defined]

    assert defined == set(known)


def _is_offered(name: str, value: object) -> bool:
    return isinstance(value, tuple) and name != "UNNOTICED"


def test_name_that_is_given_twice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = Fault("twice", (), "", lambda design: design)
    monkeypatch.setattr(
        "emulator.registry.import_module", lambda _: SimpleNamespace(__path__=faults.__path__, FAULTS=(twice,))
    )

    with pytest.raises(ValueError, match="twice"):
        registered("emulator.faults", "FAULTS", Fault)


def test_related_requirements_are_listed_for_what_exists_only() -> None:
    known = faults.registry()
    broken = {requirement for fault in known.values() for requirement in fault.requirements}

    listed = tomllib.loads((Path(faults.__file__).parent / "related.toml").read_text(encoding="utf-8"))

    assert listed.keys() == {"requirement", "fault"}
    for section, exist in (("requirement", broken), ("fault", known.keys())):
        named = [name for names in listed[section].values() for name in names]
        assert [name for name in named if not fnmatch.filter(exist, name)] == []


def test_every_fault_and_variation_changes_the_design() -> None:
    ends = {one: {one.releases[0], one.releases[-1]} for one in faults.registry().values()}
    changes = [(one.name, release, one.change) for one, releases in ends.items() for release in sorted(releases)]
    changes += [(one.name, LATEST, one.change) for one in variations.registry().values()]

    idle = [(name, release) for name, release, change in changes if change(standard(release)) == standard(release)]

    assert idle == []
