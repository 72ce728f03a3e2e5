"""Faults of another author that the suite did not notice at first, and others of their class: floats in refunds."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_card import around
from emulator.design import Change, Design, all_of
from emulator.engine.moves import Move, Obstacle, largest
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.wire.replies import Reply

_CENTS: Final = 100
_A_MOMENT: Final = 2.0
_PROTOCOLS: Final = (Protocol.CHECKOUT, Protocol.S2S_CARD, Protocol.S2S_APM)
_SINCE: Final = {Protocol.S2S_APM: "6.7.0"}


def _cents(amount: Decimal) -> int:
    return int(float(amount) * _CENTS)


def _cut(protocol: Protocol, meant: Move) -> Change:
    """What is taken back is cut to the cents of a binary fraction: of 19.99 a cent stays."""

    def change(design: Design) -> Design:
        inner: Callable[[Payment, Move, Decimal, State], None] = design.moves.carry_out

        def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
            cut = Decimal(_cents(amount)) / _CENTS
            if move is not meant or payment.protocol is not protocol or cut == amount:
                inner(payment, move, amount, after)
            else:
                payment.refunded += cut

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return change


def _compared(protocol: Protocol, is_lenient: Callable[[Payment, Decimal], bool], found: Obstacle | None) -> Change:
    """Whether a refund is of more than is left is asked of binary fractions."""

    def change(design: Design) -> Design:
        inner = design.moves.obstacle

        def obstacle(payment: Payment, move: Move, amount: Decimal) -> Obstacle | None:
            if move is Move.REFUND and payment.protocol is protocol and is_lenient(payment, amount):
                return found
            return inner(payment, move, amount)

        return replace(design, moves=replace(design.moves, obstacle=obstacle))

    return change


def _is_a_cent_more(payment: Payment, amount: Decimal) -> bool:
    left = largest(payment, Move.REFUND)
    return amount > left and _cents(amount) == _cents(left)


def _is_more_by_fractions(payment: Payment, amount: Decimal) -> bool:
    return float(payment.refunded) + float(amount) > float(payment.captured)


def _a_moment_later(perform: Perform, attempt: CardAttempt) -> Reply:
    """What is given back of a cent more shows two seconds after the answer."""
    payment, sent = attempt.payment, attempt.form.get("amount", "")
    if payment is None or not sent or not _is_a_cent_more(payment, Decimal(sent)):
        return perform(attempt)
    before = payment.state, payment.refunded
    reply = perform(attempt)
    after = payment.state, payment.refunded
    payment.state, payment.refunded = before

    def give_back() -> None:
        payment.state, payment.refunded = after

    attempt.gateway.agenda.after(_A_MOMENT, give_back)
    return reply


_REFUNDS: Final = {
    Protocol.CHECKOUT: ("CHK-RFD-07 CHK-RFD-01", "CHK-RFD-15", "CHK-RFD-09", "CHK-RFD-07"),
    Protocol.S2S_CARD: ("S2C-CVD-02", "S2C-VOI-02", "S2C-CVD-05", "S2C-CVD-02"),
    Protocol.S2S_APM: ("APM-CVD-06 APM-CVD-07", "APM-VOI-02", "APM-CVD-08", "APM-CVD-06"),
}
"""By protocol what is broken where a refund is cut, a void is cut, more is given back, and the last part is refused."""

FAULTS: Final = faults(
    {
        f"{protocol.name.lower().replace('_', '-')}-{slug}": breaks(
            _REFUNDS[protocol][place], sentence, change, since=_SINCE.get(protocol)
        )
        for protocol in _PROTOCOLS
        for place, (slug, sentence, change) in enumerate(
            (
                ("refund-cut-by-floats", "A refund of 19.99 gives 19.98 back.", _cut(protocol, Move.REFUND)),
                ("void-cut-by-floats", "A void of 19.99 takes 19.98 back.", _cut(protocol, Move.VOID)),
                (
                    "refund-compared-by-floats",
                    "A payment of 19.98 is given back by a refund of 19.99.",
                    _compared(protocol, _is_a_cent_more, None),
                ),
                (
                    "parts-added-by-floats",
                    "After 4.35 of 19.99 was given back, the 15.64 that are left are too much.",
                    _compared(protocol, _is_more_by_fractions, Obstacle.TOO_MUCH),
                ),
            )
        )
    }
    | {
        "s2s-card-refund-compared-by-floats-a-moment-later": breaks(
            "S2C-CVD-05",
            "A payment of 19.98 is given back by a CREDITVOID of 19.99, two seconds after that was answered.",
            all_of(_compared(Protocol.S2S_CARD, _is_a_cent_more, None), around(_a_moment_later, "CREDITVOID")),
        )
    }
)
