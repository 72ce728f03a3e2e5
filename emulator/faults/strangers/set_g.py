"""Faults that broke a gateway by another author, and that the suite did not notice at first (seventh set)."""

from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.design import Change, Design
from emulator.engine.moves import Move, Obstacle, largest
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.hosted_page.entries import Answer
from emulator.protocols.hosted_page.outcomes import Challenge, Declined, Outcome

_CENTS: Final = 100


def _cents(amount: Decimal) -> int:
    return int(float(amount) * _CENTS)


def _captured_by_floats(protocol: Protocol) -> Change:
    def change(design: Design) -> Design:
        inner = design.moves.obstacle

        def obstacle(payment: Payment, move: Move, amount: Decimal) -> Obstacle | None:
            is_meant = move is Move.CAPTURE and payment.protocol is protocol
            if is_meant and _cents(amount) == _cents(largest(payment, move)):
                return None
            return inner(payment, move, amount)

        return replace(design, moves=replace(design.moves, obstacle=obstacle))

    return change


def _challenge_answered_again(design: Design) -> Design:
    """The page of a challenge decides the payment as often as it is sent."""
    inner = design.card.is_away

    def is_away(payment: Payment) -> bool:
        return inner(payment) or payment.state is State.DECLINED

    again = design.moves.allowing((State.DECLINED, Move.APPROVE, State.SETTLED))
    return replace(design.in_card(is_away=is_away), moves=again)


def _page_challenge_stays(design: Design) -> Design:
    """The challenge of the hosted page decides the payment as often as it is answered."""
    inner = design.page.outcome

    def outcome(because: object, decided: Outcome) -> Outcome:
        if isinstance(because, Answer) and isinstance(decided, Declined):
            return Challenge(decided.parameters["payment_id"])
        return inner(because, decided)

    paid_alone = design.in_checkout(is_decided=lambda payment: payment.state is State.SETTLED)
    again = design.moves.allowing((State.DECLINED, Move.APPROVE, State.SETTLED))
    return replace(paid_alone.in_page(outcome=outcome, is_stale=lambda _form, _visit: False), moves=again)


FAULTS: Final = faults(
    {
        "checkout-capture-by-floats": breaks(
            "CHK-CAP-12",
            "Amounts are compared as cents that are cut off binary fractions: 19.99 is captured of 19.98.",
            _captured_by_floats(Protocol.CHECKOUT),
            since="6.6.3",
        ),
        "card-capture-by-floats": breaks(
            "S2C-CAP-06",
            "Amounts are compared as cents that are cut off binary fractions: 19.99 is captured of 19.98.",
            _captured_by_floats(Protocol.S2S_CARD),
        ),
        "page-failed-challenge-passed-afterwards": breaks(
            "HPP-OUT-11",
            "Who failed a challenge sends its page again, passes, and the declined payment is settled (line 309).",
            _page_challenge_stays,
        ),
        "card-failed-challenge-passed-afterwards": breaks(
            "S2C-TDS-16",
            "Who failed a challenge sends its page again, passes, and the declined payment is settled (line 309).",
            _challenge_answered_again,
        ),
    }
)
