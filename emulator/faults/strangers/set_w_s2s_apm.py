"""Faults of another author that the suite did not notice at first (set W), and others of their classes: S2S APM."""

from typing import Final

from emulator.changes.s2s_apm_payments import SINCE_AUTH, accepting
from emulator.design import Change, Design
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults


def _done_when_asked_again(action: str, state: State) -> Change:
    """An action that is refused of payments in a state is carried out when it is asked for once more."""

    def change(design: Design) -> Design:
        refused: set[str] = set()

        def again(payment: Payment) -> bool:
            is_again = payment.state is state and payment.id in refused
            if payment.state is state:
                refused.add(payment.id)
            return is_again

        return accepting(action, again)(design)

    return change


_AGAIN: Final = (
    ("VOID", State.AUTHORIZED, "APM-VOI-04", "lines 318 and 446"),
    ("VOID", State.DECLINED, "APM-VOI-07", "line 318"),
    ("CAPTURE", State.DECLINED, "APM-CAP-06", "line 315"),
    ("CAPTURE", State.VOIDED, "APM-CAP-08", "line 315"),
)
FAULTS: Final = faults(
    {
        **{
            f"w-apm-{action.lower()}-of-{state.name.lower()}-done-when-asked-again": breaks(
                requirement,
                f"{action} of what is {state.name} is refused once, and carried out the second time ({lines}).",
                _done_when_asked_again(action, state),
                since=SINCE_AUTH if state is State.AUTHORIZED or action == "CAPTURE" else None,
            )
            for action, state, requirement, lines in _AGAIN
        },
    }
)
