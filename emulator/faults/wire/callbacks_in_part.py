"""Faults of S2S callbacks of one kind that lack what others carry, or say another amount than was asked for.

Whoever watches every callback of a run notices them. Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from typing import Final

from emulator.changes.notices import about
from emulator.changes.s2s_apm import NOTICES as APM_NOTICES
from emulator.changes.s2s_card import NOTICES
from emulator.design import Change
from emulator.engine.callbacks.notice import Notice
from emulator.faults.model import breaks, faults

_WITHOUT_CARD: Final = {"capture": "CAPTURE", "payout": "CREDIT2CARD", "transfer": "CARD2CARD"}


def _of(action: str, *openings: str) -> Callable[[Notice], bool]:
    """Notices of an action, done to a payment that one of some actions opened."""
    return lambda notice: notice.event == action and notice.payment.action in openings


def _saying(applies: Callable[[Notice], bool], name: str, value: str) -> Change:
    return NOTICES.where(applies, lambda fields: {**fields, name: value} if name in fields else fields)


FAULTS: Final = faults(
    {
        "seldom-amount-of-refunded-charge": breaks(
            "CBK-S2C-23",
            "The callback of the refund of a charge or a debit names 7.00 (line 288).",
            _saying(_of("CREDITVOID", "RECURRING_SALE", "RECURRING_DEBIT", "DEBIT"), "amount", "7.00"),
        ),
        "seldom-currency-of-capture": breaks(
            "CBK-S2C-23",
            "The callback of a CAPTURE names another currency (line 288).",
            _saying(_of("CAPTURE", "SALE"), "currency", "CHF"),
        ),
        "seldom-amount-of-apm-capture": breaks(
            "CBK-APM-11",
            "The callback of a CAPTURE of S2S APM names 7.00 (line 288).",
            APM_NOTICES.where(about("CAPTURE"), lambda fields: fields | {"amount": "7.00"}),
        ),
    }
    | {
        f"seldom-{name}-callback-without-card": breaks(
            "CBK-SIG-08",
            f"The callback of a {event} lacks the card whose digits its hash covers (line 406).",
            NOTICES.without("card", of=(event,)),
        )
        for name, event in _WITHOUT_CARD.items()
    }
)
