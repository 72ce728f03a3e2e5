"""Faults that a stranger's gateway showed to be missed: amounts of three decimals in callbacks of refunds."""

from typing import Final

from emulator.changes.notices import Notices
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Protocol
from emulator.faults.model import breaks, faults

_THREE: Final = 3


def _in_two_decimals(fields: Fields) -> Fields:
    amount = str(fields.get("order_amount", ""))
    return {**fields, "order_amount": amount[:-1]} if len(amount.partition(".")[2]) == _THREE else fields


def _of_refunds(notice: Notice) -> bool:
    return notice.event == "refund"


FAULTS: Final = faults(
    {
        "checkout-refund-callback-in-two-decimals": breaks(
            "GEN-AGR-08",
            "Callbacks of refunds name the amount of a dinar order in two decimals.",
            Notices(Protocol.CHECKOUT).where(_of_refunds, _in_two_decimals),
        ),
    }
)
