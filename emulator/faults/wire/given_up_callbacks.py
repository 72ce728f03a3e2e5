"""Faults of callbacks that are given up: a later one of the same payment is no second delivery of an earlier one."""

from typing import Final

from emulator.changes.steps import OPENED_FIRST
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Protocol
from emulator.faults.model import breaks, faults


def _given_up(protocol: Protocol) -> Change:
    def change(design: Design) -> Design:
        repeat = design.callbacks.repeat

        def repeated(notice: Notice) -> list[Notice]:
            return [] if notice.payment.protocol is protocol else repeat(notice)

        return design.in_callbacks(repeat=repeated)

    return all_of(OPENED_FIRST, change)


FAULTS: Final = faults(
    {
        f"{protocol.value.replace('_', '-')}-callback-given-up-for-the-next": breaks(
            "CBK-DEL-06 CBK-DEL-07",
            "A callback that was not taken is never sent again; the next event of its payment is notified (line 424).",
            _given_up(protocol),
        )
        for protocol in Protocol
    }
)
