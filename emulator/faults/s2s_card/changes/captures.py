"""Faults of S2S CARD: captures."""

from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_card import answering, first, instead, last
from emulator.changes.s2s_card_later import capture_it, captures_carried_out_later
from emulator.changes.s2s_card_moves import NO_AMOUNTS, allowing, ignoring_amounts, in_state, leading_to, lifting
from emulator.changes.stages import breakdown_if, refusal_if
from emulator.design import Design
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import find_payment
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object

_REFUSED: Final = Refusal(Kind.STATE, "This is not possible now.")
_BAD_AMOUNT: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("amount", "This value is not valid."),))


def _with_amount(attempt: CardAttempt) -> bool:
    return bool(attempt.form.get("amount"))


def _without_amount(attempt: CardAttempt) -> bool:
    return not _with_amount(attempt)


def _whole(body: Object) -> Object:
    return body | {"amount": "10.00"} if "amount" in body else body


def _captures(attempt: CardAttempt) -> Refusal | None:
    if attempt.payment is not None:
        attempt.payment.captures = True
    return None


_NOT_PENDING: Final = Refusal(
    Kind.STATE, "Not acceptable to request the capture for payment not in pending status", code=208003
)


def _closed_by_a_decline(design: Design) -> Design:
    """A payment whose capture was declined looks pending and takes no other one."""
    declined: set[str] = set()

    def closed(attempt: CardAttempt) -> Refusal | None:
        payment = attempt.payment
        if payment is None or payment.captures:
            return None
        is_again = payment.id in declined
        declined.add(payment.id)
        return _NOT_PENDING if is_again else None

    return last(closed, "CAPTURE")(design)


def _within_what_was_held(design: Design) -> Design:
    """What is given back is compared with what was held, whatever was captured of it."""
    obstacle_of, carry_out = design.moves.obstacle, design.moves.carry_out

    def obstacle(payment: Payment, move: Move, amount: Decimal) -> Obstacle | None:
        if move is Move.REFUND and payment.refunded + amount <= payment.amount:
            return None
        return obstacle_of(payment, move, amount)

    def carried_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
        carry_out(payment, move, amount, after)
        if move is Move.REFUND and payment.refunded < payment.amount:
            payment.state = State.SETTLED

    return replace(design, moves=replace(design.moves, obstacle=obstacle, carry_out=carried_out))


FAULTS: Final = faults(
    {
        **{
            f"capture-amount-{name}-taken": breaks(
                "S2C-CAP-07",
                f"An amount that is {name} counts as the whole amount.",
                first(ignoring_amounts(is_one), "CAPTURE"),
            )
            for name, is_one in NO_AMOUNTS.items()
        },
        "capture-refused": breaks(
            "S2C-CAP-01", "Every capture is refused.", last(refusal_if(in_state(State.AUTHORIZED), _REFUSED), "CAPTURE")
        ),
        "capture-leaves-pending": breaks(
            "S2C-CAP-02", "A captured payment stays PENDING.", leading_to(Move.CAPTURE, State.AUTHORIZED)
        ),
        "capture-needs-amount": breaks(
            "S2C-CAP-04",
            "A capture without amount is refused.",
            first(refusal_if(_without_amount, _BAD_AMOUNT), "CAPTURE"),
        ),
        "capture-in-parts-refused": breaks(
            "S2C-CAP-05", "A capture of a part is refused.", first(refusal_if(_with_amount, _BAD_AMOUNT), "CAPTURE")
        ),
        "refunds-up-to-what-was-held": breaks(
            "S2C-CVD-05", "After a capture of a part as much as was held is given back.", _within_what_was_held
        ),
        "capture-answer-whole": breaks(
            "S2C-CAP-05", "A capture of a part is answered with the whole amount.", answering(_whole, "CAPTURE")
        ),
        "capture-of-more": breaks(
            "S2C-CAP-06", "More than was held is captured.", lifting(Obstacle.TOO_MUCH, Move.CAPTURE)
        ),
        "capture-unknown-server-error": breaks(
            "S2C-CAP-16",
            "CAPTURE of an unknown id is a server error.",
            instead(find_payment, breakdown_if(lambda attempt: find_payment(attempt) is not None), "CAPTURE"),
            until="6.6.5",
        ),
        "capture-declined-settles": breaks(
            "S2C-CAP-19", "A capture that the acquirer refuses settles.", last(_captures, "CAPTURE")
        ),
        "capture-declined-is-pending-in-look-ups-alone": breaks(
            "S2C-CAP-19",
            "After a capture that the acquirer refuses, look-ups say PENDING and CAPTURE says not in pending status.",
            _closed_by_a_decline,
        ),
        "capture-again-and-again": breaks(
            "S2C-CAP-08 S2C-CAP-20",
            "A capture can be repeated.",
            allowing((State.SETTLED, Move.CAPTURE, State.SETTLED)),
        ),
        "captures-taken-on-all-carried-out": breaks(
            "S2C-CAP-20",
            "CAPTUREs are accepted while another one is under way, and each of them is carried out.",
            captures_carried_out_later(capture_it),
        ),
    }
)
