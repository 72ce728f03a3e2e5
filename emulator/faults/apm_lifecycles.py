"""Faults of S2S APM that several steps show, and no single one: a ledger that is kept beside the gateway finds them."""

from decimal import Decimal
from typing import Final

from emulator.design import Change
from emulator.faults.interleaving import hindered, mark, marked, opening, racing, unbounded
from emulator.faults.model import Fault
from emulator.payments.model import Payment, Protocol, State
from emulator.payments.moves import Move, Obstacle

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


def _found(name: str, requirement: str, summary: str, change: Change, *, rare: bool = True) -> Fault:
    return Fault(f"apm-lifecycle-{name}", (requirement,), summary, change, since="6.7.0", rare=rare)


FAULTS: Final = (
    _found(
        "refunds-not-added-up",
        "APM-CVD-08",
        "Each part that is given back is compared with the payment, and not their sum.",
        unbounded(Move.REFUND, _each_alone),
        rare=False,
    ),
    _found(
        "refund-up-to-authorized",
        "APM-CVD-08",
        "Of a payment that was captured in part as much as was held is given back.",
        unbounded(Move.REFUND, _up_to_held),
        rare=False,
    ),
    _found(
        "void-of-captured-twice",
        "APM-VOI-08",
        "A captured payment is voided twice.",
        opening(State.VOIDED, Move.VOID, State.VOIDED, _captured_before),
    ),
    _found(
        "voids-at-once",
        "APM-VOI-08",
        "Of several voids at once each succeeds.",
        racing(APM, "VOID", Move.VOID, State.SETTLED),
    ),
    _found(
        "captures-at-once",
        "APM-CAP-04",
        "Of several captures at once each succeeds.",
        racing(APM, "CAPTURE", Move.CAPTURE, State.AUTHORIZED),
    ),
    _found(
        "second-refused-capture-releases",
        "APM-AUT-06",
        "The second refused capture of too much releases the authorization.",
        hindered(_second_part_releases),
    ),
)
