"""The faults of the field tables: each row that restates a requirement, broken in every way that its rule can be."""

from typing import Final

from emulator.design import Design
from emulator.faults.derived import derived
from emulator.rules.sale import SALE
from emulator.rules.session import SESSION

FAULTS: Final = (
    *derived(SESSION, Design.with_rows),
    *derived(SALE, Design.with_sale_rows, "sale."),
)
