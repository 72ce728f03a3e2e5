"""Faults and variations are found without a list of modules, and none is overlooked."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import SimpleNamespace

import pytest

from emulator import faults, variations
from emulator.faults import Fault
from emulator.registering import registered
from emulator.variations import Variation


@pytest.mark.parametrize(
    ("package", "kind", "known"),
    [(faults, Fault, faults.registry()), (variations, Variation, variations.registry())],
    ids=["faults", "variations"],
)
def test_whatever_a_module_defines_is_registered(package: object, kind: type, known: dict[str, object]) -> None:
    path = package.__path__  # type: ignore[attr-defined]
    modules = [import_module(f"{package.__name__}.{module.name}") for module in pkgutil.iter_modules(path)]  # type: ignore[attr-defined]
    groups = [value for module in modules for value in vars(module).values() if isinstance(value, tuple)]

    defined = {entry.name for group in groups for entry in group if isinstance(entry, kind)}  # type: ignore[attr-defined]

    assert defined == set(known)


def test_name_that_is_given_twice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = Fault("twice", (), "", lambda design: design)
    monkeypatch.setattr(
        "emulator.registering.import_module", lambda _: SimpleNamespace(__path__=faults.__path__, FAULTS=(twice,))
    )

    with pytest.raises(ValueError, match="twice"):
        registered("emulator.faults", "FAULTS", Fault)
