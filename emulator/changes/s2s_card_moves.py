"""Ways to change what is done to payments of S2S CARD after they were made."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.s2s_card import instead, post, without
from emulator.design import Change, Design, all_of
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardStage
from emulator.protocols.s2s_card.messages.action_table import POSTS
from emulator.protocols.s2s_card.stages import check_signature, find_payment
from emulator.rules.amounts import is_zero
from emulator.rules.keywords import DECIMAL
from emulator.wire.replies import Kind, Refusal

NO_AMOUNTS: Final[Mapping[str, Callable[[str], bool]]] = {
    "zero": lambda text: DECIMAL.fullmatch(text) is not None and is_zero(text),
    "negative": lambda text: text.startswith("-"),
    "no-number": lambda text: DECIMAL.fullmatch(text) is None,
}
"""What is no amount to capture or to give back, by name."""


def ignoring_amounts(is_one: Callable[[str], bool]) -> CardStage:
    """A stage that drops some amounts, so that the whole is meant."""

    def stage(attempt: CardAttempt) -> Refusal | None:
        if attempt.form.get("amount") and is_one(attempt.form["amount"]):
            attempt.form = {name: value for name, value in attempt.form.items() if name != "amount"}
        return None

    return stage


def allowing(*allowed: tuple[State, Move, State]) -> Change:
    """Further moves are possible."""
    return lambda design: replace(design, moves=design.moves.allowing(*allowed))


def carrying(change: Callable[[Payment, Move, Decimal, Decimal], None]) -> Change:
    """After a move, ``change`` sees the payment, the move, its amount, and what had been given back before."""

    def changed(design: Design) -> Design:
        inner = design.moves.carry_out

        def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
            before = payment.refunded
            inner(payment, move, amount, after)
            change(payment, move, amount, before)

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return changed


def lifting(allowed: Obstacle, move: Move) -> Change:
    """An obstacle to a move is ignored."""

    def changed(design: Design) -> Design:
        inner = design.moves.obstacle

        def obstacle(payment: Payment, wanted: Move, amount: Decimal) -> Obstacle | None:
            found = inner(payment, wanted, amount)
            return None if wanted is move and found is allowed else found

        return replace(design, moves=replace(design.moves, obstacle=obstacle))

    return changed


def worded(action: str, **refusals: Refusal) -> Change:
    """Obstacles to an action are refused in other words."""
    words = {Obstacle[name]: refusal for name, refusal in refusals.items()}
    return post(action, refusals={**POSTS[action].refusals, **words})


def in_state(state: State) -> Callable[[CardAttempt], bool]:
    """The payment is in a state."""
    return lambda attempt: attempt.payment is not None and attempt.payment.state is state


def _anybodys(attempt: CardAttempt) -> Refusal | None:
    refusal = find_payment(attempt)
    for account in ACCOUNTS if refusal is not None else ():
        attempt.payment = attempt.gateway.payments.find(account, attempt.form.get("trans_id", ""))
        if attempt.payment is not None:
            return None
    return refusal


def finding_others(action: str) -> Change:
    """An action finds payments of other merchants."""
    return instead(find_payment, _anybodys, action)


def reaching_others(action: str) -> Change:
    """An action reaches payments of other merchants, however it is signed."""
    return all_of(finding_others(action), without(check_signature, action))


def leading_to(action: Move, state: State) -> Change:
    """A move leads to another state."""

    def change(payment: Payment, move: Move, _amount: Decimal, _before: Decimal) -> None:
        if move is action:
            payment.state = state

    return carrying(change)


def unknown_as(action: str, refusal: Refusal) -> Change:
    """An unknown id is refused otherwise."""
    return post(action, unknown=refusal)


def unknown_as_forged(action: str) -> Change:
    """An unknown id is refused as a wrong signature."""
    return post(action, unknown=Refusal(Kind.SIGNATURE, "Hash is not valid"))
