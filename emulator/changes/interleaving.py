"""Ways to change payments so that only several steps, or several requests at once, show it."""

import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_card import last
from emulator.changes.s2s_card_moves import carrying
from emulator.design import Change, Design, all_of
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.wire.replies import Reply

IN_FLIGHT_SECONDS: Final = 0.1
"""How long an answer takes that leaves room for another request between check and change."""
_MARK: Final = "marked by a fault"

Fits = Callable[[Payment], bool]
Moved = Callable[[Payment, Move, Decimal, Decimal], None]


def of(protocol: Protocol, change: Moved) -> Change:
    """After a move of a payment of one protocol, ``change`` sees what :func:`carrying` shows."""

    def changed(payment: Payment, move: Move, amount: Decimal, before: Decimal) -> None:
        if payment.protocol is protocol:
            change(payment, move, amount, before)

    return carrying(changed)


def mark(payment: Payment, value: object = True) -> None:  # noqa: FBT002 - any value marks
    """Remember something of a payment."""
    payment.extras[_MARK] = value


def marked(payment: Payment) -> object:
    """What was remembered of a payment; None: nothing."""
    return payment.extras.get(_MARK)


def odd_cents_lost(payment: Payment, move: Move, amount: Decimal, _before: Decimal) -> None:
    """Of a capture of a part only even cents are kept."""
    if move is Move.CAPTURE and amount < payment.amount:
        payment.captured = amount - amount % Decimal("0.02")


def opening(state: State, move: Move, after: State, fits: Fits) -> Change:
    """A further move is possible for payments that ``fits`` holds for."""

    def changed(design: Design) -> Design:
        moves = design.moves.allowing((state, move, after))
        inner = moves.obstacle

        def obstacle(payment: Payment, wanted: Move, amount: Decimal) -> Obstacle | None:
            if wanted is move and payment.state is state:
                return None if fits(payment) else Obstacle.WRONG_STATE
            return inner(payment, wanted, amount)

        return replace(design, moves=replace(moves, obstacle=obstacle))

    return changed


def unbounded(move: Move, fits: Callable[[Payment, Decimal], bool]) -> Change:
    """Too large an amount is accepted for payments and amounts that ``fits`` holds for."""

    def changed(design: Design) -> Design:
        inner = design.moves.obstacle

        def obstacle(payment: Payment, wanted: Move, amount: Decimal) -> Obstacle | None:
            found = inner(payment, wanted, amount)
            is_let_through = found is Obstacle.TOO_MUCH and wanted is move and fits(payment, amount)
            return None if is_let_through else found

        return replace(design, moves=replace(design.moves, obstacle=obstacle))

    return changed


def on_obstacle(change: Callable[[Payment, Move, Obstacle], None]) -> Change:
    """``change`` sees every move that an obstacle prevents."""

    def changed(design: Design) -> Design:
        inner = design.moves.obstacle

        def obstacle(payment: Payment, wanted: Move, amount: Decimal) -> Obstacle | None:
            found = inner(payment, wanted, amount)
            if found is not None:
                change(payment, wanted, found)
            return found

        return replace(design, moves=replace(design.moves, obstacle=obstacle))

    return changed


def racing(protocol: Protocol, action: str, move: Move, before: State) -> Change:
    """While a move is being answered, another one finds the payment as it was before."""

    def remember(payment: Payment, made: Move, _amount: Decimal, returned: Decimal) -> None:
        if made is move and payment.state is not before:
            mark(payment, (time.monotonic(), returned))

    def rewind(payment: Payment | None) -> None:
        found = marked(payment) if payment is not None else None
        if payment is not None and isinstance(found, tuple) and time.monotonic() - found[0] < IN_FLIGHT_SECONDS * 0.9:
            payment.state = before
            payment.refunded = found[1]

    def slowly(reply: Reply) -> Reply:
        is_it = reply.body.get("action") == action and not reply.is_error
        return replace(reply, delay=IN_FLIGHT_SECONDS) if is_it else reply

    def again(attempt: CardAttempt) -> None:
        rewind(attempt.payment)

    stage = last(again, action) if protocol is Protocol.S2S_CARD else _apm_stage(rewind, action)
    return all_of(of(protocol, remember), lambda design: design.filtering(slowly), stage)


def _apm_stage(see: Callable[[Payment | None], None], action: str) -> Change:
    def change(design: Design) -> Design:
        stages = {**design.apm.stages}
        stages[action] = (*stages[action], lambda attempt: see(attempt.payment))
        return design.in_apm(stages=stages)

    return change
