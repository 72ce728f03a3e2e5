"""Faults of VOID of S2S APM."""

from typing import Final

from emulator.faults.apm import instead, saying
from emulator.faults.apm_payments import (
    HELD,
    PAID,
    SINCE_AUTH,
    accepting,
    anything,
    of_anybody,
    other_code,
    other_text,
    refusing,
    settled,
    standing,
    unknown_served,
    without_effect,
    worded,
)
from emulator.faults.model import Fault
from emulator.payments.model import State
from emulator.payments.moves import Obstacle
from emulator.replies import Kind
from emulator.s2s_apm.stages import find_payment

_ON_VOIDS: Final = ("APM-VOI-*", "APM-CAP-08", "APM-CVD-10", "APM-SIG-02")
FAULTS: Final = tuple(
    Fault(f"apm-void-{name}", requirements, summary, change, related, since=since)
    for name, requirements, summary, change, related, since in (
        ("refused", ("APM-VOI-01",), "Every void is refused.", refusing("VOID", anything), _ON_VOIDS, None),
        (
            "without-effect",
            ("APM-VOI-02",),
            "A void succeeds and changes nothing.",
            without_effect("VOID", anything),
            _ON_VOIDS,
            None,
        ),
        (
            "status-settled",
            ("APM-VOI-03",),
            "A void is answered with status SETTLED.",
            saying("status", "SETTLED", Kind.APM_VOID),
            _ON_VOIDS,
            None,
        ),
        (
            "refunds",
            ("APM-VOI-03",),
            "A voided payment is told as REFUND.",
            accepting("VOID", PAID, State.REFUNDED),
            _ON_VOIDS,
            None,
        ),
        (
            "of-authorization",
            ("APM-VOI-04",),
            "An authorization is voided.",
            accepting("VOID", HELD, State.VOIDED),
            ("APM-VOI-05",),
            SINCE_AUTH,
        ),
        (
            "of-authorization-other-text",
            ("APM-VOI-04",),
            "A void of an authorization is refused in other words.",
            worded("VOID", other_text, Obstacle.WRONG_STATE),
            ("APM-VOI-*",),
            SINCE_AUTH,
        ),
        (
            "of-authorization-other-code",
            ("APM-VOI-04",),
            "A void of an authorization is refused with another code.",
            worded("VOID", other_code, Obstacle.WRONG_STATE),
            ("APM-VOI-*",),
            SINCE_AUTH,
        ),
        (
            "refused-and-done",
            ("APM-VOI-05",),
            "A void of an authorization is refused, and the authorization is gone.",
            refusing("VOID", HELD, State.RELEASED),
            ("APM-VOI-04",),
            SINCE_AUTH,
        ),
        (
            "of-captured-refused",
            ("APM-VOI-06",),
            "A captured authorization cannot be voided.",
            refusing("VOID", settled(captured=True)),
            ("APM-VOI-02",),
            SINCE_AUTH,
        ),
        (
            "of-declined",
            ("APM-VOI-07",),
            "A declined payment is voided.",
            accepting("VOID", standing(State.DECLINED)),
            (),
            None,
        ),
        ("twice", ("APM-VOI-08",), "A void can be repeated.", accepting("VOID", standing(State.VOIDED)), (), None),
        (
            "of-released",
            ("APM-VOI-09",),
            "A released authorization is voided.",
            accepting("VOID", standing(State.RELEASED)),
            (),
            SINCE_AUTH,
        ),
        (
            "of-redirected",
            ("APM-VOI-10",),
            "A payment is voided before the payer came back.",
            accepting("VOID", standing(State.REDIRECTED), State.VOIDED),
            (),
            None,
        ),
        (
            "of-refunded",
            ("APM-VOI-11",),
            "What was given back is voided.",
            accepting("VOID", standing(State.REFUNDED)),
            (),
            None,
        ),
        (
            "any-day",
            ("APM-VOI-12",),
            "A payment can be voided on any day.",
            lambda design: design.in_apm(same_financial_day=lambda _payment, _now: True),
            (),
            None,
        ),
        (
            "unknown-served",
            ("APM-VOI-13",),
            "An unknown payment is voided.",
            unknown_served("VOID"),
            ("APM-VOI-15",),
            None,
        ),
        (
            "of-other-merchant",
            ("APM-VOI-15",),
            "Other merchants' payments can be voided.",
            instead(find_payment, of_anybody, "VOID"),
            (),
            None,
        ),
    )
)
