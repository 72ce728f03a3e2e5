"""Faults of CREDITVOID of S2S APM: releases and refunds."""

from typing import Final

from emulator.changes.s2s_apm import instead
from emulator.changes.s2s_apm_payments import (
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
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.stages import find_payment

FAULTS: Final = faults(
    {
        "releases-nothing": breaks(
            "APM-CVD-01 APM-CVD-02", "A release is accepted and changes nothing.", without_effect("CREDITVOID", HELD)
        ),
        "release-refused": breaks("APM-CVD-01", "A release is refused.", refusing("CREDITVOID", HELD)),
        "release-settles": breaks(
            "APM-CVD-02", "A release settles the authorization.", accepting("CREDITVOID", HELD, State.SETTLED)
        ),
        "release-reported-as-void": breaks(
            "APM-CVD-03", "A released authorization is reported as VOID.", accepting("CREDITVOID", HELD, State.VOIDED)
        ),
        "repeated": breaks(
            "APM-CVD-05", "An authorization can be released twice.", accepting("CREDITVOID", standing(State.RELEASED))
        ),
        "refunds-nothing": breaks(
            "APM-CVD-06", "A refund is accepted and gives nothing back.", without_effect("CREDITVOID", PAID)
        ),
        "refund-refused": breaks("APM-CVD-06", "A refund is refused.", refusing("CREDITVOID", PAID)),
        "amount-ignored": breaks(
            "APM-CVD-07", "A refund gives all back, whatever it names.", with_amount("CREDITVOID", nothing_named, PAID)
        ),
        "parts-refused": breaks("APM-CVD-07", "A part cannot be given back.", parts_refused("CREDITVOID", PAID)),
        "more-than-paid": breaks(
            "APM-CVD-08", "A refund of too much gives all back.", with_amount("CREDITVOID", at_most_all, PAID)
        ),
        "refused-and-done": breaks(
            "APM-CVD-08",
            "A refund of too much is refused, and all is given back.",
            too_large_taken("CREDITVOID", PAID, State.REFUNDED),
        ),
        "of-declined": breaks(
            "APM-CVD-09",
            "A declined payment is given back.",
            accepting("CREDITVOID", standing(State.DECLINED), State.REFUNDED),
        ),
        "of-refunded": breaks(
            "APM-CVD-10", "A payment is given back twice.", accepting("CREDITVOID", standing(State.REFUNDED))
        ),
        "of-voided": breaks(
            "APM-CVD-10",
            "A voided payment is given back.",
            accepting("CREDITVOID", standing(State.VOIDED), State.REFUNDED),
        ),
        "unknown-served": breaks("APM-CVD-11", "An unknown payment is given back.", unknown_served("CREDITVOID")),
        "of-other-merchant": breaks(
            "APM-CVD-13",
            "Other merchants' payments can be given back.",
            instead(find_payment, of_anybody, "CREDITVOID"),
        ),
    },
    prefix="apm-creditvoid-",
    since=SINCE_AUTH,
)
