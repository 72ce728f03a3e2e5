"""The registry of faults, and how a design is broken with them."""

import difflib
from collections.abc import Iterable
from functools import cache

from emulator.design import Design
from emulator.faults.answers import ANSWERS
from emulator.faults.derived import derived
from emulator.faults.keys import KEYS
from emulator.faults.loose_rules import LOOSE
from emulator.faults.loose_signatures import LOOSE_SIGNATURES
from emulator.faults.model import Fault
from emulator.faults.narrow_rules import NARROW
from emulator.faults.odd_requests import ODD_REQUESTS
from emulator.faults.odd_values import ODD_VALUES
from emulator.faults.orders import ORDERS
from emulator.faults.quiet_answers import QUIET
from emulator.faults.s2s_actions import ACTION_FAULTS
from emulator.faults.s2s_sales import SALE_FAULTS
from emulator.faults.signatures import SIGNATURES
from emulator.rules.sale import SALE
from emulator.rules.session import SESSION
from emulator.settings import SettingsError

__all__ = ["Fault", "applied", "registry"]


@cache
def registry() -> dict[str, Fault]:
    """Every fault by its name: those of the field tables first, then those written by hand."""
    rows = (*derived(SESSION, Design.with_rows), *derived(SALE, Design.with_sale_rows, "sale."))
    written = (*ORDERS, *SIGNATURES, *KEYS, *ANSWERS, *ACTION_FAULTS, *SALE_FAULTS)
    faults = (*rows, *written, *NARROW, *LOOSE, *LOOSE_SIGNATURES, *QUIET, *ODD_REQUESTS, *ODD_VALUES)
    return {fault.name: fault for fault in faults}


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
