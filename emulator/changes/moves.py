"""Payments of any protocol: ways to distinguish them, and to change what keeps them from being moved on."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from emulator.design import Change, Design
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.rules.currencies import EXPONENTS


def parts_given_back(payment: Payment) -> list[Decimal]:
    """The amounts that were given back of a payment, one after the other."""
    return [step.amount for step in payment.transactions if step.type == Move.REFUND.value]


def of_decimals(exponent: int) -> Callable[[Payment], bool]:
    """Payments in a currency of so many decimals."""
    return lambda payment: EXPONENTS.get(payment.currency) == exponent


def unlimited(protocol: Protocol, unlimited: Move, kind: Callable[[Payment], bool]) -> Change:
    """Of payments of a kind any amount is captured or given back."""

    def change(design: Design) -> Design:
        inner = design.moves.obstacle

        def obstacle(payment: Payment, move: Move, amount: Decimal) -> Obstacle | None:
            found = inner(payment, move, amount)
            concerned = payment.protocol is protocol and move is unlimited and kind(payment)
            return None if concerned and found is Obstacle.TOO_MUCH else found

        return replace(design, moves=replace(design.moves, obstacle=obstacle))

    return change


def pending_until_released(design: Design) -> Design:
    """A payment of which a part was captured holds the rest and is PENDING, until that is captured or released."""
    inner = design.moves.carry_out

    def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
        if payment.state is State.AUTHORIZED and move is Move.CAPTURE:
            amount += payment.captured
            after = after if amount >= payment.amount else State.AUTHORIZED
        elif payment.state is State.AUTHORIZED and move is Move.RELEASE and payment.captured:
            after = State.SETTLED
        inner(payment, move, amount, after)

    return replace(design, moves=replace(design.moves, carry_out=carry_out))
