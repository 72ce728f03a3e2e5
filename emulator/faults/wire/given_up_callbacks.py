"""Faults of callbacks that are given up: a later one of the same payment is no second delivery of an earlier one."""

from collections.abc import Mapping
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


def _once(protocol: Protocol, event: str, **said: str) -> Change:
    """A callback of an event that was not taken is given up; with what it says where that is named."""

    def repeat(notice: Notice) -> list[Notice]:
        is_it = notice.event == event and all(notice.fields.get(name) == value for name, value in said.items())
        return [] if notice.payment.protocol is protocol and is_it else [notice]

    return lambda design: design.in_callbacks(repeat=repeat)


_OF_APM: Final = {
    "capture": ("CAPTURE", ""),
    "void": ("VOID", ""),
    "creditvoid": ("CREDITVOID", ""),
    "payout": ("CREDIT2VIRTUAL", ""),
    "declined-sale": ("SALE", "DECLINED"),
    "redirect": ("SALE", "REDIRECT"),
}
_OF_CHECKOUT: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "capture": ("capture", {}),
    "void": ("void", {}),
    "refund": ("refund", {}),
    "declined-purchase": ("sale", {"order_status": "decline"}),
    "debit": ("debit", {}),
}

FAULTS: Final = faults(
    {
        f"apm-callback-of-{name}-once": breaks(
            "CBK-DEL-06",
            f"The callback of {' '.join(filter(None, (result, event)))} of S2S APM is given up where it was not taken.",
            _once(Protocol.S2S_APM, event, **({"result": result} if result else {})),
        )
        for name, (event, result) in _OF_APM.items()
    }
    | {
        f"checkout-callback-of-{name}-once": breaks(
            "CBK-DEL-06",
            f"The callback of a {name.replace('-', ' ')} of Checkout is given up where it was not taken.",
            _once(Protocol.CHECKOUT, event, **said),
        )
        for name, (event, said) in _OF_CHECKOUT.items()
    }
    | {
        f"{protocol.value.replace('_', '-')}-callback-given-up-for-the-next": breaks(
            "CBK-DEL-06 CBK-DEL-07",
            "A callback that was not taken is never sent again; the next event of its payment is notified (line 424).",
            _given_up(protocol),
        )
        for protocol in Protocol
    }
)
