"""Faults of CAPTURE of S2S APM."""

from typing import Final

from emulator.faults.apm import instead, leaving_out, saying
from emulator.faults.apm_payments import (
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
from emulator.faults.model import Fault
from emulator.payments.model import State
from emulator.payments.moves import Obstacle
from emulator.replies import Kind
from emulator.s2s_apm.stages import find_payment

_ON_CAPTURES: Final = ("APM-CAP-*", "APM-VOI-0?", "APM-AUT-06", "CBK-APM-04", "APM-CVD-*", "APM-SIG-01")
_NOT_PENDING: Final = tuple(f"APM-CAP-{number:02}" for number in (4, 5, 6, 7, 8))
FAULTS: Final = tuple(
    Fault(f"apm-capture-{name}", requirements, summary, change, related, since=SINCE_AUTH)
    for name, requirements, summary, change, related in (
        (
            "without-effect",
            ("APM-CAP-01", "APM-CAP-02"),
            "A capture succeeds and the payment stays PENDING.",
            without_effect("CAPTURE", anything),
            _ON_CAPTURES,
        ),
        (
            "refused",
            ("APM-CAP-01",),
            "Every capture is refused.",
            refusing("CAPTURE", anything),
            _ON_CAPTURES,
        ),
        (
            "accepted-only",
            ("APM-CAP-03",),
            "A capture is answered with ACCEPTED.",
            saying("result", "ACCEPTED", Kind.APM_CAPTURE),
            _ON_CAPTURES,
        ),
        (
            "status-pending",
            ("APM-CAP-03",),
            "A capture is answered with status PENDING.",
            saying("status", "PENDING", Kind.APM_CAPTURE),
            _ON_CAPTURES,
        ),
        (
            "without-order-id",
            ("APM-CAP-03",),
            "A capture's answer has no order_id.",
            leaving_out("order_id", Kind.APM_CAPTURE),
            _ON_CAPTURES,
        ),
        ("twice", ("APM-CAP-04",), "A capture can be repeated.", accepting("CAPTURE", settled(captured=True)), ()),
        (
            "of-settled",
            ("APM-CAP-05",),
            "What settled at once is captured.",
            accepting("CAPTURE", settled(captured=False)),
            (),
        ),
        (
            "of-declined",
            ("APM-CAP-06",),
            "A declined payment is captured.",
            accepting("CAPTURE", standing(State.DECLINED), State.SETTLED),
            (),
        ),
        (
            "of-released",
            ("APM-CAP-07",),
            "A released authorization is captured.",
            accepting("CAPTURE", standing(State.RELEASED), State.SETTLED),
            (),
        ),
        (
            "of-voided",
            ("APM-CAP-08",),
            "A voided payment is captured.",
            accepting("CAPTURE", standing(State.VOIDED), State.SETTLED),
            (),
        ),
        (
            "refused-other-code",
            _NOT_PENDING,
            "A capture of what is not pending is refused with another code.",
            worded("CAPTURE", other_code, Obstacle.WRONG_STATE),
            ("APM-CAP-*",),
        ),
        (
            "refused-other-text",
            _NOT_PENDING,
            "A capture of what is not pending is refused in other words.",
            worded("CAPTURE", other_text, Obstacle.WRONG_STATE),
            ("APM-CAP-*",),
        ),
        (
            "unknown-served",
            ("APM-CAP-09",),
            "An unknown payment is captured.",
            unknown_served("CAPTURE"),
            ("APM-CAP-13",),
        ),
        (
            "unknown-server-error",
            ("APM-CAP-09",),
            "The capture of an unknown payment is a server error.",
            unknown_breaks("CAPTURE"),
            ("APM-CAP-13", "GEN-ERR-*"),
        ),
        (
            "amount-ignored",
            ("APM-CAP-11",),
            "A capture takes all, whatever it names.",
            with_amount("CAPTURE", nothing_named, HELD),
            ("APM-CAP-12", "APM-CVD-08"),
        ),
        ("parts-refused", ("APM-CAP-11",), "A part cannot be captured.", parts_refused("CAPTURE", HELD), ()),
        (
            "more-than-held",
            ("APM-CAP-12",),
            "A capture of too much takes all.",
            with_amount("CAPTURE", at_most_all, HELD),
            (),
        ),
        (
            "refused-and-done",
            ("APM-CAP-12",),
            "A capture of too much is refused, and all is taken.",
            too_large_taken("CAPTURE", HELD, State.SETTLED),
            (),
        ),
        (
            "of-other-merchant",
            ("APM-CAP-13",),
            "Other merchants' authorizations can be captured.",
            instead(find_payment, of_anybody, "CAPTURE"),
            (),
        ),
    )
)
