"""What may be done to a payment in which state, and what comes of it: one table for all protocols.

The protocols decide how a refusal is worded; here it has a reason only.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Final

from emulator.engine.payments import Payment, State


class Move(Enum):
    """Something that is done to a payment after it was made."""

    APPROVE = "approve"
    DECLINE = "decline"
    CAPTURE = "capture"
    RELEASE = "release"
    VOID = "void"
    REFUND = "refund"
    CHARGE_BACK = "charge back"
    RETRY = "retry"


class Obstacle(Enum):
    """Why a move is refused."""

    WRONG_STATE = "wrong state"
    TOO_MUCH = "more than there is"
    PARTIAL = "not in parts"
    NOT_POSITIVE = "not more than nothing"


_WAITING: Final = (State.PREPARED, State.CHALLENGED, State.REDIRECTED, State.AWAITING_BANK)

# In which states a move is possible, and the state that it leads to; approval leads to what was intended.
MOVES: Final[Mapping[tuple[State, Move], State]] = {
    **{(state, Move.APPROVE): State.SETTLED for state in _WAITING},
    **{(state, Move.DECLINE): State.DECLINED for state in _WAITING},
    (State.DECLINED, Move.RETRY): State.SETTLED,
    (State.AUTHORIZED, Move.CAPTURE): State.SETTLED,
    (State.AUTHORIZED, Move.RELEASE): State.RELEASED,
    (State.SETTLED, Move.VOID): State.VOIDED,
    (State.SETTLED, Move.REFUND): State.REFUNDED,
    (State.SETTLED, Move.CHARGE_BACK): State.CHARGED_BACK,
}


def largest(payment: Payment, move: Move) -> Decimal:
    """The largest amount that ``move`` can take of a payment."""
    if move in (Move.REFUND, Move.VOID):
        return payment.held
    # Where a payment of which a part was captured still holds the rest, no more than that can be captured or released.
    holds_the_rest = payment.state is State.AUTHORIZED and payment.captured < payment.amount
    return payment.amount - payment.captured if holds_the_rest else payment.amount


def obstacle(payment: Payment, move: Move, amount: Decimal) -> Obstacle | None:
    """What is wrong with the amount of a move that the state of the payment allows."""
    if amount > largest(payment, move):
        return Obstacle.TOO_MUCH
    if move in (Move.RELEASE, Move.VOID) and amount != largest(payment, move):
        return Obstacle.PARTIAL
    if amount <= 0 and payment.amount > 0:
        return Obstacle.NOT_POSITIVE
    return None


def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
    """Change the payment; a refund of a part leaves it where it is."""
    match move:
        case Move.APPROVE | Move.RETRY:
            after = payment.intended
            payment.captured = payment.amount if after is State.SETTLED else Decimal(0)
        case Move.CAPTURE:
            payment.captured = amount
        case Move.REFUND:
            payment.refunded += amount
            after = State.SETTLED if payment.held > 0 else after
        case Move.VOID:
            payment.refunded = payment.captured
        case _:
            pass
    payment.state = after


@dataclass(frozen=True, slots=True)
class MoveRules:
    """The table of moves, the look at amounts, and the carrying out; faults replace them."""

    table: Mapping[tuple[State, Move], State] = field(default_factory=lambda: MOVES)
    obstacle: Callable[[Payment, Move, Decimal], Obstacle | None] = obstacle
    carry_out: Callable[[Payment, Move, Decimal, State], None] = carry_out

    def hindrance(self, payment: Payment, move: Move, amount: Decimal | None) -> Obstacle | None:
        """Why a move cannot be made, or None where it can; without an amount it concerns all that there is."""
        if (payment.state, move) not in self.table:
            return Obstacle.WRONG_STATE
        return self.obstacle(payment, move, largest(payment, move) if amount is None else amount)

    def make(self, payment: Payment, move: Move, amount: Decimal | None, when: datetime) -> Obstacle | None:
        """Make a move, or say why it cannot be made; without an amount it concerns all that there is."""
        hindrance = self.hindrance(payment, move, amount)
        if hindrance is None:
            taken = largest(payment, move) if amount is None else amount
            self.carry_out(payment, move, taken, self.table[payment.state, move])
            payment.note(move.value, "success", when, taken)
        return hindrance

    def allowing(self, *moves: tuple[State, Move, State]) -> "MoveRules":
        """The same with further moves."""
        return replace(self, table={**self.table, **{(state, move): after for state, move, after in moves}})

    def forbidding(self, *moves: tuple[State, Move]) -> "MoveRules":
        """The same without some moves."""
        return replace(self, table={key: after for key, after in self.table.items() if key not in moves})
