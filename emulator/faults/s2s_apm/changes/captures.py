"""Faults of CAPTURE of S2S APM."""

from typing import Final

from emulator.changes.s2s_apm import instead
from emulator.changes.s2s_apm_payments import (
    HELD,
    SINCE_AUTH,
    accepting,
    anything,
    at_most_all,
    nothing_named,
    of_anybody,
    other_code,
    other_text,
    parts_refused,
    refusing,
    settled,
    standing,
    too_large_taken,
    unknown_breaks,
    unknown_served,
    with_amount,
    without_effect,
    worded,
)
from emulator.engine.moves import Obstacle
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.stages import find_payment

_NOT_PENDING: Final = tuple(f"APM-CAP-{number:02}" for number in (4, 5, 6, 7, 8))
FAULTS: Final = faults(
    {
        "without-effect": breaks(
            "APM-CAP-01 APM-CAP-02",
            "A capture succeeds and the payment stays PENDING.",
            without_effect("CAPTURE", anything),
        ),
        "refused": breaks("APM-CAP-01", "Every capture is refused.", refusing("CAPTURE", anything)),
        "twice": breaks("APM-CAP-04", "A capture can be repeated.", accepting("CAPTURE", settled(captured=True))),
        "of-settled": breaks(
            "APM-CAP-05", "What settled at once is captured.", accepting("CAPTURE", settled(captured=False))
        ),
        "of-declined": breaks(
            "APM-CAP-06",
            "A declined payment is captured.",
            accepting("CAPTURE", standing(State.DECLINED), State.SETTLED),
        ),
        "of-released": breaks(
            "APM-CAP-07",
            "A released authorization is captured.",
            accepting("CAPTURE", standing(State.RELEASED), State.SETTLED),
        ),
        "of-voided": breaks(
            "APM-CAP-08", "A voided payment is captured.", accepting("CAPTURE", standing(State.VOIDED), State.SETTLED)
        ),
        "refused-other-code": breaks(
            _NOT_PENDING,
            "A capture of what is not pending is refused with another code.",
            worded("CAPTURE", other_code, Obstacle.WRONG_STATE),
        ),
        "refused-other-text": breaks(
            _NOT_PENDING,
            "A capture of what is not pending is refused in other words.",
            worded("CAPTURE", other_text, Obstacle.WRONG_STATE),
        ),
        "unknown-served": breaks("APM-CAP-09", "An unknown payment is captured.", unknown_served("CAPTURE")),
        "unknown-server-error": breaks(
            "APM-CAP-09", "The capture of an unknown payment is a server error.", unknown_breaks("CAPTURE")
        ),
        "amount-ignored": breaks(
            "APM-CAP-11", "A capture takes all, whatever it names.", with_amount("CAPTURE", nothing_named, HELD)
        ),
        "parts-refused": breaks("APM-CAP-11", "A part cannot be captured.", parts_refused("CAPTURE", HELD)),
        "more-than-held": breaks(
            "APM-CAP-12", "A capture of too much takes all.", with_amount("CAPTURE", at_most_all, HELD)
        ),
        "refused-and-done": breaks(
            "APM-CAP-12",
            "A capture of too much is refused, and all is taken.",
            too_large_taken("CAPTURE", HELD, State.SETTLED),
        ),
        "of-other-merchant": breaks(
            "APM-CAP-13",
            "Other merchants' authorizations can be captured.",
            instead(find_payment, of_anybody, "CAPTURE"),
        ),
    },
    prefix="apm-capture-",
    since=SINCE_AUTH,
)
