"""The registry of variations: legitimate differences, on which no check may fail. A module exports VARIATIONS."""

import difflib
from collections.abc import Iterable
from functools import cache

from emulator.design import Design
from emulator.registry import registered
from emulator.settings import SettingsError
from emulator.variations.model import Variation

__all__ = ["Variation", "applied", "registry"]


@cache
def registry() -> dict[str, Variation]:
    """Every variation by its name: what the modules of this package export as ``VARIATIONS``."""
    return registered(__name__, "VARIATIONS", Variation)


def applied(design: Design, names: Iterable[str]) -> Design:
    """The design with the variations ``names``; raises SettingsError for names that do not exist."""
    known = registry()
    for name in names:
        variation = known.get(name)
        if variation is None:
            near = difflib.get_close_matches(name, known, n=5, cutoff=0.4)
            hint = f" The nearest names are: {', '.join(near)}." if near else ""
            message = f"There is no variation {name}.{hint} --list-variations lists all."
            raise SettingsError(message)
        design = variation.change(design)
    return design
