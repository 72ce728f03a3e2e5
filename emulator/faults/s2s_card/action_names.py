"""Faults of S2S CARD: names of actions."""

from collections.abc import Callable
from typing import Final

from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.messages.action_names import ACTIONS, REJECTED, is_known
from emulator.rules.model import BreakdownError
from emulator.wire.replies import Kind, Refusal

_NAMES: Final = tuple(f"S2C-ACT-{number:02}" for number in range(1, 21))
_SERVED: Final = "CREDITVOID"
_UNSUPPORTED: Final = "Route or parameters is not supported"


def _named(read: Callable[[str], str]) -> Change:
    return lambda design: design.in_actions(read_name=read)


def _unknown(refusal: Refusal) -> Change:
    return lambda design: design.in_actions(unknown=refusal, missing=refusal)


def _lower_case(name: str) -> str:
    return name.upper() if name.islower() else name


def _mixed_case(name: str) -> str:
    return name if name.islower() else name.upper()


def _served(alias: Callable[[str], bool]) -> Change:
    return _named(lambda name: _SERVED if alias(name) else name)


def _is_name(wanted: str) -> Callable[[str], bool]:
    return lambda name: name == wanted


def _unheard_of(name: str) -> bool:
    return bool(name) and name.upper() not in ACTIONS and name.upper() not in REJECTED


def _rejected_mixed(name: str) -> bool:
    return name.upper() in REJECTED and not name.islower() and not name.isupper()


def _breaking(*wanted: str) -> Change:
    def read(name: str) -> str:
        if name in wanted:
            raise BreakdownError
        return name

    return _named(read)


def _known_before(action: str) -> Change:
    return lambda design: design.in_actions(known=lambda name, release: name == action or is_known(name, release))


FAULTS: Final = faults(
    {
        "action-unknown-status-400": breaks(
            _NAMES, "An unknown action is refused with HTTP 400.", _unknown(Refusal(Kind.ACTION, _UNSUPPORTED, code=0))
        ),
        "action-unknown-code-100000": breaks(
            _NAMES,
            "An unknown action is refused with 100000.",
            _unknown(Refusal(Kind.ACTION, _UNSUPPORTED, status=404)),
        ),
        "action-unknown-other-text": breaks(
            _NAMES,
            "An unknown action is refused in other words.",
            _unknown(Refusal(Kind.ACTION, "Not Found", code=0, status=404)),
        ),
        "action-unknown-unsupported": breaks(
            "S2C-ACT-01", "An unknown action is refused like one that is not served.", _served(_unheard_of)
        ),
        "action-lower-case-accepted": breaks("S2C-ACT-02", "Names in lower case are read.", _named(_lower_case)),
        "action-mixed-case-accepted": breaks("S2C-ACT-03", "Names in mixed case are read.", _named(_mixed_case)),
        **{
            f"action-{name.lower().replace('_', '-')}-known": breaks(
                f"S2C-ACT-{number:02}", f"{name} is an action.", _served(_is_name(name))
            )
            for number, name in enumerate(REJECTED, start=4)
        },
        "action-rejected-lower-case-known": breaks(
            "S2C-ACT-19",
            "Rejected names are known in lower case.",
            _served(lambda name: name.islower() and name.upper() in REJECTED),
        ),
        "action-rejected-mixed-case-known": breaks(
            "S2C-ACT-20", "Rejected names are known in mixed case.", _served(_rejected_mixed)
        ),
        "action-missing-server-error": breaks(
            "S2C-ACT-21 GEN-ERR-11", "A post without action is a server error.", _breaking("")
        ),
        "action-recurring-debit-early": breaks(
            "S2C-ACT-22",
            "RECURRING_DEBIT is known before its release.",
            _known_before("RECURRING_DEBIT"),
            until="6.6.5",
        ),
        "action-update-schedule-server-error": breaks(
            "S2C-ACT-23",
            "UPDATE_SCHEDULE is a server error before its release.",
            _breaking("UPDATE_SCHEDULE"),
            until="6.6.5",
        ),
        "action-long-schedule-name-server-error": breaks(
            "S2C-ACT-24",
            "PAUSE_SCHEDULE and RUN_SCHEDULE are server errors.",
            _breaking("PAUSE_SCHEDULE", "RUN_SCHEDULE"),
        ),
        "action-unsupported-other-code": breaks(
            "S2C-ACT-25",
            "An action that is not served is refused with 100000.",
            lambda design: design.in_actions(unsupported=Refusal(Kind.ACTION, "Payment action not supported")),
        ),
    }
)
