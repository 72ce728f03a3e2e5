"""Faults of S2S APM that several steps show, and no single one: a ledger that is kept beside the gateway finds them."""

from decimal import Decimal
from typing import Final

from emulator.changes.interleaving import mark, marked, on_obstacle, opening, racing, unbounded
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults

APM: Final = Protocol.S2S_APM


def _is_apm(payment: Payment) -> bool:
    return payment.protocol is APM


def _each_alone(payment: Payment, amount: Decimal) -> bool:
    return _is_apm(payment) and payment.refunded > 0 and amount <= payment.captured


def _up_to_held(payment: Payment, amount: Decimal) -> bool:
    return _is_apm(payment) and payment.captured < payment.amount and amount <= payment.amount


def _captured_before(payment: Payment) -> bool:
    return _is_apm(payment) and payment.intended is State.AUTHORIZED


def _second_part_releases(payment: Payment, move: Move, obstacle: Obstacle) -> None:
    if _is_apm(payment) and move is Move.CAPTURE and obstacle is Obstacle.TOO_MUCH:
        if marked(payment):
            payment.state = State.RELEASED
        mark(payment)


FAULTS: Final = faults(
    {
        "refunds-not-added-up": breaks(
            "APM-CVD-08",
            "Each part that is given back is compared with the payment, and not their sum.",
            unbounded(Move.REFUND, _each_alone),
            rare=False,
        ),
        "refund-up-to-authorized": breaks(
            "APM-CVD-08",
            "Of a payment that was captured in part as much as was held is given back.",
            unbounded(Move.REFUND, _up_to_held),
            rare=False,
        ),
        "void-of-captured-twice": breaks(
            "APM-VOI-08",
            "A captured payment is voided twice.",
            opening(State.VOIDED, Move.VOID, State.VOIDED, _captured_before),
        ),
        "voids-at-once": breaks(
            "APM-VOI-08", "Of several voids at once each succeeds.", racing(APM, "VOID", Move.VOID, State.SETTLED)
        ),
        "captures-at-once": breaks(
            "APM-CAP-04",
            "Of several captures at once each succeeds.",
            racing(APM, "CAPTURE", Move.CAPTURE, State.AUTHORIZED),
        ),
        "second-refused-capture-releases": breaks(
            "APM-AUT-06",
            "The second refused capture of too much releases the authorization.",
            on_obstacle(_second_part_releases),
        ),
    },
    prefix="apm-lifecycle-",
    since="6.7.0",
    rare=True,
)
