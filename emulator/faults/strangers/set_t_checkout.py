"""Faults of another author that the suite did not notice at first (set T, Checkout), and others of their classes."""

from dataclasses import replace
from typing import Final

from emulator.changes import checkout
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.wire.replies import Reply

_NEW: Final = "6.7.0"


def _listed_with_an_empty_arn(_attempt: PostAttempt, reply: Reply) -> Reply:
    return reply if reply.listed is None else replace(reply, listed=tuple({"ARN": ""} | one for one in reply.listed))


FAULTS: Final = faults(
    {
        "t-listed-payments-with-an-empty-arn": breaks(
            "CHK-STA-38",
            "Look-ups with a size carry ARN empty while there is none (line 422).",
            checkout.looking_up(_listed_with_an_empty_arn),
            since=_NEW,
        ),
    }
)
