"""Faults of S2S callbacks of one kind that lack what others carry, or say another amount than was asked for.

Whoever watches every callback of a run notices them. Numbers of lines are those of the interface description.
"""

from typing import Final

from emulator.changes.s2s_card import NOTICES
from emulator.faults.model import breaks, faults

_WITHOUT_CARD: Final = {"capture": "CAPTURE", "payout": "CREDIT2CARD", "transfer": "CARD2CARD"}

FAULTS: Final = faults(
    {
        f"seldom-{name}-callback-without-card": breaks(
            "CBK-SIG-08",
            f"The callback of a {event} lacks the card whose digits its hash covers (line 406).",
            NOTICES.without("card", of=(event,)),
        )
        for name, event in _WITHOUT_CARD.items()
    }
)
