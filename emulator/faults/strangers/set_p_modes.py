"""Faults of another author that the suite did not notice at first (set P), on modes of accounts, and their class."""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_apm_payments import SINCE_AUTH, accepting, refusing, without_effect
from emulator.changes.s2s_card_moves import carrying
from emulator.design import Change
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults


def _by_mode(*states: State) -> Callable[[Payment], bool]:
    """The account holds the payment, or did, though auth=Y did not ask for it."""
    return lambda payment: (
        payment.state in states and payment.account.mode == "DMS" and payment.request.get("auth") != "Y"
    )


def _never_done_to_cards(omitted: Move) -> Change:
    """A move of what an account of the mode DMS holds is answered as always, and changes nothing."""

    def change(payment: Payment, move: Move, _amount: Decimal, _before: Decimal) -> None:
        if move is omitted and payment.account.mode == "DMS" and payment.protocol is Protocol.S2S_CARD:
            payment.state, payment.captured = State.AUTHORIZED, Decimal(0)

    return carrying(change)


_HELD: Final = _by_mode(State.AUTHORIZED)

FAULTS: Final = faults(
    {
        "p-card-what-the-mode-holds-is-never-captured": breaks(
            "S2C-CAP-02",
            "CAPTURE of what an account of the mode DMS holds is answered and changes nothing (line 27).",
            _never_done_to_cards(Move.CAPTURE),
        ),
        "p-card-what-the-mode-holds-is-never-released": breaks(
            "S2C-CVD-06",
            "CREDITVOID of what an account of the mode DMS holds is answered and changes nothing (line 27).",
            _never_done_to_cards(Move.RELEASE),
        ),
        "p-apm-what-the-mode-holds-is-voided": breaks(
            "APM-VOI-04 APM-VOI-05",
            "VOID releases what is held because of the mode of the account (lines 318 and 446).",
            accepting("VOID", _HELD, State.RELEASED),
        ),
        "p-apm-what-the-mode-holds-is-gone-after-a-refused-void": breaks(
            "APM-VOI-05",
            "VOID of what is held because of the mode of the account is refused, and it is gone (lines 317 and 318).",
            refusing("VOID", _HELD, State.RELEASED),
        ),
        "p-apm-what-the-mode-holds-is-never-captured": breaks(
            "APM-CAP-02",
            "CAPTURE of what is held because of the mode of the account is answered and changes nothing (line 27).",
            without_effect("CAPTURE", _HELD),
        ),
        "p-apm-what-the-mode-holds-is-never-released": breaks(
            "APM-CVD-01",
            "CREDITVOID of what is held because of the mode of the account changes nothing (line 317).",
            without_effect("CREDITVOID", _HELD),
        ),
    },
    since=SINCE_AUTH,
)
