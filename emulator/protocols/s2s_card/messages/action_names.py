"""Which S2S CARD actions there are, and how their names are read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from emulator.releases import holds
from emulator.wire.replies import Kind, Refusal

# Names of the platform for actions that the contract gives a shorter name.
ALIASES: Final[Mapping[str, str]] = {"PAUSE_SCHEDULE": "PAUSE", "RUN_SCHEDULE": "RUN"}
# Every action of the contract, with the release that brought it where one did.
ACTIONS: Final[Mapping[str, str | None]] = {
    "SALE": None,
    "DEBIT": None,
    "RECURRING_SALE": None,
    "RECURRING_DEBIT": "6.7.0",
    "CARD2CARD": None,
    "CREDIT2CARD": None,
    "CAPTURE": None,
    "VOID": None,
    "CREDITVOID": None,
    "RETRY": None,
    "GET_TRANS_STATUS": None,
    "GET_TRANS_STATUS_BY_ORDER": None,
    "GET_TRANS_DETAILS": None,
    "CREATE_SCHEDULE": None,
    "UPDATE_SCHEDULE": "6.7.0",
    "DELETE_SCHEDULE": None,
    "SCHEDULE_INFO": None,
    "PAUSE": None,
    "RUN": None,
    "DESCHEDULE": None,
    **dict.fromkeys(ALIASES),
}
# Names that merchants try, and that the contract lists as rejected.
REJECTED: Final = (
    "REFUND",
    "CREDIT",
    "REVERSAL",
    "REVERSE",
    "CHARGEBACK",
    "CANCEL_SCHEDULE",
    "STOP_SCHEDULE",
    "SCHEDULE_CANCEL",
    "CANCEL_RECURRING",
    "GET_SCHEDULE",
    "GET_SCHEDULE_STATUS",
    "RECURRING_PAYMENT",
    "REC_SALE",
    "REC_PAYMENT",
    "RECURRING_SALE_INIT",
)


def exactly(name: str) -> str:
    """The name as sent: action names are case-sensitive."""
    return name


def is_known(name: str, release: str) -> bool:
    """Whether ``release`` has the action ``name``."""
    return name in ACTIONS and holds(release, ACTIONS[name], None)


_UNKNOWN: Final = Refusal(Kind.ACTION, "Route or parameters is not supported", code=0, status=404)
_UNSUPPORTED: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)


@dataclass(frozen=True, slots=True)
class ActionNames:
    """How the name of an action is read, and what is said to one that is not known or not served."""

    read_name: Callable[[str], str] = exactly
    known: Callable[[str, str], bool] = is_known
    unknown: Refusal = _UNKNOWN
    missing: Refusal = _UNKNOWN
    unsupported: Refusal = _UNSUPPORTED
