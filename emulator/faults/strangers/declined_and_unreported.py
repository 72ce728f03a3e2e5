"""Faults of other authors that the suite did not notice at first: declined captures that are booked, silent changes."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.notices import Notices
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.payment_record import record_of

_CHECKOUT, _CARD = Notices(Protocol.CHECKOUT), Notices(Protocol.S2S_CARD)


def _released_as_settled(is_meant: Callable[[Payment], bool]) -> Change:
    """An authorization that is released is shown as settled, though nothing was captured."""

    def change(design: Design) -> Design:
        inner: Callable[[Payment, Move, Decimal, State], None] = design.moves.carry_out

        def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
            is_booked = move is Move.RELEASE and payment.protocol is Protocol.S2S_CARD and is_meant(payment)
            inner(payment, move, amount, State.SETTLED if is_booked else after)

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return change


def _was_declined(payment: Payment) -> bool:
    return not payment.captures


def _starts_a_chain(payment: Payment) -> bool:
    return record_of(payment).recurring


def _of_debit(*events: str) -> Callable[[Notice], bool]:
    return lambda notice: notice.payment.action.casefold() == "debit" and notice.event.casefold() in events


def _of_retry(notice: Notice) -> bool:
    return notice.payment.state is State.SETTLED and any(
        one.type == Move.RETRY.value for one in notice.payment.transactions
    )


FAULTS: Final = faults(
    {
        "card-declined-capture-is-booked": breaks(
            "S2C-CVD-06",
            "An authorization whose capture was declined is SETTLED once it is released: the capture was booked.",
            _released_as_settled(_was_declined),
        ),
        "card-release-of-a-chain-settles": breaks(
            "S2C-CVD-06",
            "An authorization that starts a chain is SETTLED once it is released.",
            _released_as_settled(_starts_a_chain),
        ),
        "checkout-void-of-a-debit-is-not-notified": breaks(
            "CBK-ATT-12",
            "The void of a debit is not notified (line 415).",
            _CHECKOUT.dropped(_of_debit("void")),
            since="6.7.0",
        ),
        "checkout-refund-of-a-debit-is-not-notified": breaks(
            "CBK-ATT-11",
            "The refund of a debit is not notified (line 415).",
            _CHECKOUT.dropped(_of_debit("refund")),
            since="6.7.0",
        ),
        "card-void-of-a-debit-is-not-notified": breaks(
            "CBK-S2C-07",
            "The VOID of a DEBIT is not notified (line 415).",
            _CARD.dropped(_of_debit("void")),
            since="6.7.0",
        ),
        "checkout-retry-is-not-notified": breaks(
            "CBK-ATT-10", "A charge that a RETRY settles is not notified (line 415).", _CHECKOUT.dropped(_of_retry)
        ),
        "card-retry-is-not-notified": breaks(
            "CBK-DEL-02", "A charge that a RETRY settles is not notified (line 415).", _CARD.dropped(_of_retry)
        ),
    }
)
