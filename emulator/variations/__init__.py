"""The registry of variations: legitimate differences, on which no check may fail."""

import difflib
from collections.abc import Iterable
from functools import cache

from emulator.design import Design
from emulator.settings import SettingsError
from emulator.variations.answers import ANSWERS
from emulator.variations.hosted_page import PAGES
from emulator.variations.model import Variation
from emulator.variations.requests import REQUESTS
from emulator.variations.sales import SALES
from emulator.variations.windows import WINDOWS
from emulator.variations.wire import WIRE

__all__ = ["Variation", "applied", "registry"]


@cache
def registry() -> dict[str, Variation]:
    """Every variation by its name."""
    return {variation.name: variation for variation in (*ANSWERS, *WIRE, *REQUESTS, *WINDOWS, *SALES, *PAGES)}


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
