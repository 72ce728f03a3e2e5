"""The registry of faults, and how a design is broken with them. A module here adds its own by exporting FAULTS."""

import difflib
from collections.abc import Iterable
from functools import cache

from emulator.design import Design
from emulator.faults.model import Fault
from emulator.registry import registered
from emulator.settings import SettingsError

__all__ = ["Fault", "applied", "registry"]


@cache
def registry() -> dict[str, Fault]:
    """Every fault by its name: what the modules of this package export as ``FAULTS``."""
    return registered(__name__, "FAULTS", Fault)


def applied(design: Design, names: Iterable[str]) -> Design:
    """The design with the faults ``names``; raises SettingsError for names that the release does not have."""
    known = registry()
    for name in names:
        fault = known.get(name)
        if fault is None:
            near = difflib.get_close_matches(name, known, n=5, cutoff=0.4)
            hint = f" The nearest names are: {', '.join(near)}." if near else ""
            message = f"There is no fault {name}.{hint} --list-faults lists all."
            raise SettingsError(message)
        if design.release not in fault.releases:
            message = f"The fault {name} exists in {', '.join(fault.releases)} only, not in {design.release}."
            raise SettingsError(message)
        design = fault.change(design)
    return design
