"""Faults of CREDITVOID of S2S APM: releases and refunds."""

from typing import Final

from emulator.faults.apm import instead, leaving_out, saying
from emulator.faults.apm_payments import (
    HELD,
    PAID,
    SINCE_AUTH,
    accepting,
    at_most_all,
    nothing_named,
    of_anybody,
    parts_refused,
    refusing,
    standing,
    too_large_taken,
    unknown_served,
    with_amount,
    without_effect,
)
from emulator.faults.model import Fault
from emulator.payments.model import State
from emulator.replies import Kind
from emulator.s2s_apm.stages import find_payment

_ON_RELEASES: Final = ("APM-CVD-*", "APM-CAP-07", "APM-VOI-09", "CBK-APM-05", "APM-SIG-08")
_ON_REFUNDS: Final = ("APM-CVD-*", "APM-VOI-11", "APM-ACT-05", "APM-SIG-08", "CBK-*")
FAULTS: Final = tuple(
    Fault(f"apm-creditvoid-{name}", requirements, summary, change, related, since=SINCE_AUTH)
    for name, requirements, summary, change, related in (
        (
            "releases-nothing",
            ("APM-CVD-01", "APM-CVD-02"),
            "A release is accepted and changes nothing.",
            without_effect("CREDITVOID", HELD),
            _ON_RELEASES,
        ),
        (
            "release-refused",
            ("APM-CVD-01",),
            "A release is refused.",
            refusing("CREDITVOID", HELD),
            _ON_RELEASES,
        ),
        (
            "release-settles",
            ("APM-CVD-02",),
            "A release settles the authorization.",
            accepting("CREDITVOID", HELD, State.SETTLED),
            _ON_RELEASES,
        ),
        (
            "release-told-as-void",
            ("APM-CVD-03",),
            "A released authorization is told as VOID.",
            accepting("CREDITVOID", HELD, State.VOIDED),
            _ON_RELEASES,
        ),
        (
            "answered-success",
            ("APM-CVD-04",),
            "CREDITVOID is answered with SUCCESS.",
            saying("result", "SUCCESS", Kind.APM_CREDITVOID),
            _ON_REFUNDS,
        ),
        (
            "without-order-id",
            ("APM-CVD-04",),
            "The answer to CREDITVOID has no order_id.",
            leaving_out("order_id", Kind.APM_CREDITVOID),
            _ON_REFUNDS,
        ),
        (
            "repeated",
            ("APM-CVD-05",),
            "An authorization can be released twice.",
            accepting("CREDITVOID", standing(State.RELEASED)),
            (),
        ),
        (
            "refunds-nothing",
            ("APM-CVD-06",),
            "A refund is accepted and gives nothing back.",
            without_effect("CREDITVOID", PAID),
            _ON_REFUNDS,
        ),
        ("refund-refused", ("APM-CVD-06",), "A refund is refused.", refusing("CREDITVOID", PAID), _ON_REFUNDS),
        (
            "amount-ignored",
            ("APM-CVD-07",),
            "A refund gives all back, whatever it names.",
            with_amount("CREDITVOID", nothing_named, PAID),
            ("APM-CVD-08",),
        ),
        ("parts-refused", ("APM-CVD-07",), "A part cannot be given back.", parts_refused("CREDITVOID", PAID), ()),
        (
            "more-than-paid",
            ("APM-CVD-08",),
            "A refund of too much gives all back.",
            with_amount("CREDITVOID", at_most_all, PAID),
            (),
        ),
        (
            "refused-and-done",
            ("APM-CVD-08",),
            "A refund of too much is refused, and all is given back.",
            too_large_taken("CREDITVOID", PAID, State.REFUNDED),
            (),
        ),
        (
            "of-declined",
            ("APM-CVD-09",),
            "A declined payment is given back.",
            accepting("CREDITVOID", standing(State.DECLINED), State.REFUNDED),
            (),
        ),
        (
            "of-refunded",
            ("APM-CVD-10",),
            "A payment is given back twice.",
            accepting("CREDITVOID", standing(State.REFUNDED)),
            ("APM-VOI-11",),
        ),
        (
            "of-voided",
            ("APM-CVD-10",),
            "A voided payment is given back.",
            accepting("CREDITVOID", standing(State.VOIDED), State.REFUNDED),
            (),
        ),
        (
            "unknown-served",
            ("APM-CVD-11",),
            "An unknown payment is given back.",
            unknown_served("CREDITVOID"),
            ("APM-CVD-13",),
        ),
        (
            "of-other-merchant",
            ("APM-CVD-13",),
            "Other merchants' payments can be given back.",
            instead(find_payment, of_anybody, "CREDITVOID"),
            (),
        ),
    )
)
