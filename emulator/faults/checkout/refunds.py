"""Faults of the refund, void and retry addresses of Checkout."""

from typing import Final

from emulator.changes.checkout import (
    Handler,
    accepting,
    accepting_unknown,
    also_signed,
    always,
    around,
    carrying,
    last,
    lifting,
    without,
    worded,
)
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.operations import joined
from emulator.protocols.checkout.requests import find_payment
from emulator.wire.replies import Kind, Refusal, Reply

_REFUND: Final = Kind.CHECKOUT_REFUND
_VOID: Final = Kind.CHECKOUT_VOID
_STATE: Final = Kind.STATE
_REFUSED: Final = Refusal(_STATE, "This is not possible.")


def _leading_to(move: Move, *states: tuple[State, State]) -> Change:
    """A move that leads to a state leads to another one."""
    others = dict(states)

    def change(payment: Payment, made: Move, _before: State) -> None:
        if made is move:
            payment.state = others.get(payment.state, payment.state)

    return carrying(change)


def _odd_outcome(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    if reply.is_error:
        return reply
    return Reply(reply.kind, reply.status, {"payment_id": reply.body["payment_id"], "status": "DONE"})


def _voids_declined(handler: Handler, attempt: PostAttempt) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is not State.DECLINED:
        return handler(attempt)
    payment.state = State.VOIDED
    return Reply(_VOID, 200, {"payment_id": payment.id, "status": "SUCCESS", "payment_status": "void"})


def _voids_again(handler: Handler, attempt: PostAttempt) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is not State.VOIDED:
        return handler(attempt)
    return Reply(_VOID, 200, {"payment_id": payment.id, "status": "SUCCESS", "payment_status": "void"})


def _finds_void(design: Design) -> Design:
    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        if find_payment(attempt) is None:
            return handler(attempt)
        named = str(attempt.body.get("payment_id"))
        return Reply(_VOID, 200, {"payment_id": named, "status": "SUCCESS", "payment_status": "void"})

    return around(act, "void")(without(find_payment, "void")(design))


FAULTS: Final = faults(
    {
        "checkout-refund-refused": breaks(
            "CHK-RFD-05", "No refund is accepted.", last(refusal_if(always, _REFUSED), "refund")
        ),
        "checkout-refund-amount-unsigned": breaks(
            "CHK-RFD-06", "A refund's hash may leave the amount out.", also_signed(joined("payment_id"), "refund")
        ),
        "checkout-refund-in-full-stays-settled": breaks(
            "CHK-RFD-07",
            "What was refunded in full is settled.",
            _leading_to(Move.REFUND, (State.REFUNDED, State.SETTLED)),
        ),
        "checkout-refund-in-part-ends": breaks(
            "CHK-RFD-08",
            "What was refunded in part is reported as refunded.",
            _leading_to(Move.REFUND, (State.SETTLED, State.REFUNDED)),
        ),
        "checkout-refund-of-too-much": breaks(
            "CHK-RFD-09", "More than was paid is refunded.", lifting(Obstacle.TOO_MUCH, Move.REFUND)
        ),
        "checkout-refund-of-too-much-100000": breaks(
            "CHK-RFD-23", "A refund of too much is refused with 100000.", worded("refund", TOO_MUCH=_REFUSED)
        ),
        "checkout-refund-again": breaks(
            "CHK-RFD-10", "A second full refund is accepted.", accepting("refund", _REFUND, State.REFUNDED)
        ),
        "checkout-refund-of-declined": breaks(
            "CHK-RFD-11", "A declined payment is refunded.", accepting("refund", _REFUND, State.DECLINED)
        ),
        "checkout-refund-of-unknown": breaks(
            "CHK-RFD-12", "An unknown payment is refunded.", accepting_unknown("refund", _REFUND)
        ),
        "checkout-void-refused": breaks(
            "CHK-RFD-13", "No void is accepted.", last(refusal_if(always, _REFUSED), "void")
        ),
        "checkout-void-not-carried-out": breaks(
            "CHK-RFD-15",
            "A void leaves the payment settled.",
            _leading_to(Move.VOID, (State.VOIDED, State.SETTLED)),
        ),
        "checkout-void-reported-as-refund": breaks(
            "CHK-RFD-15",
            "What was voided is reported as refunded.",
            _leading_to(Move.VOID, (State.VOIDED, State.REFUNDED)),
        ),
        "checkout-void-odd-outcome": breaks(
            "CHK-RFD-16", "A void is answered with an outcome that nobody knows.", around(_odd_outcome, "void")
        ),
        "checkout-void-of-declined": breaks(
            "CHK-RFD-17", "A declined payment is voided.", around(_voids_declined, "void")
        ),
        "checkout-void-again": breaks("CHK-RFD-18", "A second void is accepted.", around(_voids_again, "void")),
        "checkout-void-of-unknown": breaks("CHK-RFD-19", "An unknown payment is voided.", _finds_void),
        "checkout-retry-refused": breaks(
            "CHK-RFD-20", "No retry is accepted.", last(refusal_if(always, _REFUSED), "retry")
        ),
    }
)
