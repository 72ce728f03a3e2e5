"""The faults of the S2S APM field tables: each row that restates a requirement, broken in every way that fits."""

from typing import Final

from emulator.design import APM_ROWS, Design
from emulator.faults.derived import ChangeRows, RowChange, derived
from emulator.faults.model import Fault


def _of(action: str) -> ChangeRows:
    def change_rows(design: Design, change: RowChange) -> Design:
        return design.with_apm_rows(action, change)

    return change_rows


FAULTS: Final[tuple[Fault, ...]] = tuple(
    fault
    for action, rows in APM_ROWS.items()
    for fault in derived(rows, _of(action), f"apm.{action.lower().replace('_', '-')}.")
)
