"""Rows of the S2S APM actions that name a transaction: CAPTURE, CREDITVOID, VOID and GET_TRANS_STATUS."""

from collections.abc import Mapping
from typing import Final

from emulator.rules.model import Rule
from emulator.rules.s2s_apm.sale import LONGEST_AMOUNT, amount_positive

# Action, and the requirement that says that it needs trans_id.
_NAMES_ONE: Final = {
    "CAPTURE": "APM-CAP-10",
    "CREDITVOID": "APM-CVD-12",
    "VOID": "APM-VOI-14",
    "GET_TRANS_STATUS": "APM-STA-11",
}
_TAKES_PARTS: Final = frozenset({"CAPTURE", "CREDITVOID"})


def _identity(requirement: str) -> tuple[Rule, ...]:
    return (
        Rule("client_key", "required"),
        Rule("client_key", "type", "string"),
        Rule("client_key", "notBlank"),
        Rule("trans_id", "required", requirement=requirement),
        Rule("trans_id", "type", "string"),
        Rule("trans_id", "notBlank"),
        Rule("trans_id", "maxLength", 255),
        Rule("hash", "type", "string"),
    )


_PART: Final = (
    Rule("amount", "type", "string"),
    Rule("amount", "maxLength", LONGEST_AMOUNT),
    Rule("amount", "format", "decimal"),
    Rule("amount", "positive", amount_positive),
)
ROWS: Final[Mapping[str, tuple[Rule, ...]]] = {
    action: _identity(requirement) + (_PART if action in _TAKES_PARTS else ())
    for action, requirement in _NAMES_ONE.items()
}
