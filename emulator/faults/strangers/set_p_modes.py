"""Faults of another author that the suite did not notice at first (set P), on modes of accounts, and their class."""

from collections.abc import Callable
from typing import Final

from emulator.changes.s2s_apm_payments import SINCE_AUTH, accepting, refusing, without_effect
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults


def _by_mode(*states: State) -> Callable[[Payment], bool]:
    """The account holds the payment, or did, though auth=Y did not ask for it."""
    return lambda payment: (
        payment.state in states and payment.account.mode == "DMS" and payment.request.get("auth") != "Y"
    )


_HELD: Final = _by_mode(State.AUTHORIZED)

FAULTS: Final = faults(
    {
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
