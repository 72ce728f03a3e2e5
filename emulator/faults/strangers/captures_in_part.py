"""Faults of a capture of a part that takes everything that was held."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.design import Change, Design
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults


def _whole(protocol: Protocol) -> Change:
    """Answers and callbacks name the part; what can be given back afterwards is the whole."""

    def changed(design: Design) -> Design:
        inner: Callable[[Payment, Move, Decimal, State], None] = design.moves.carry_out

        def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
            is_part = move is Move.CAPTURE and payment.protocol is protocol
            inner(payment, move, payment.amount if is_part else amount, after)

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return changed


FAULTS: Final = faults(
    {
        "checkout-capture-of-a-part-takes-all": breaks(
            "CHK-RFD-09",
            "A capture of a part takes the whole amount, which can be given back.",
            _whole(Protocol.CHECKOUT),
            since="6.6.3",
        ),
        "card-capture-of-a-part-takes-all": breaks(
            "S2C-CVD-05",
            "A capture of a part takes the whole amount, which can be given back.",
            _whole(Protocol.S2S_CARD),
        ),
        "apm-capture-of-a-part-takes-all": breaks(
            "APM-CVD-08",
            "A capture of a part takes the whole amount, which can be given back.",
            _whole(Protocol.S2S_APM),
            since="6.7.0",
        ),
    }
)
