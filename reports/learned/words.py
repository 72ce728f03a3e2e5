"""States of payments in the contract's table, by the words that a target uses for them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from contract.transitions import load_transitions

_SAME_WORD: Mapping[str, str] = MappingProxyType({"DECLINE": "DECLINED", "FAIL": "DECLINED", "REFUNDED": "REFUND"})
"""Words of callbacks and of older answers, by that of look-ups."""
_BY_TRIGGER: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("capture", "SETTLED"): "captured",
        ("void", "REVERSAL"): "released",
        ("credit_void", "REFUND"): "refunded",
        ("pass_challenge", "PENDING"): "authorized",
    }
)
_FROM_STATE: Mapping[tuple[str, str], str] = MappingProxyType(
    {("authorized", "REVERSAL"): "released", ("settled", "REVERSAL"): "reversed", ("captured", "REVERSAL"): "reversed"}
)
_BY_ITSELF: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("challenged", "settled"): "pass_challenge",
        ("challenged", "authorized"): "pass_challenge",
        ("challenged", "declined"): "fail_challenge",
        ("awaiting_bank", "settled"): "bank_executes",
        ("awaiting_bank", "declined"): "bank_rejects",
    }
)
"""What payer or bank must have done where no request of the merchant explains the new state."""
BY_ITSELF, BY_PAYER = "by itself", "payer"
"""The triggers where the table names none."""
BEGUN = "begun"
"""The state of a payment that nobody was asked about yet."""


FINAL = frozenset({"declined", "voided", "released", "refunded", "reversed"})
"""States from which nothing leads on."""

UNDECIDED = frozenset({"challenged", "redirected", "awaiting_bank", "authorized"})
"""States to which no later step leads back, but for a payment that waits on."""


def is_word(text: str) -> bool:
    """Return whether the table has a state with this word."""
    return _usual(text) in _states_by_word()


def state_of(word: str, *, before: str, trigger: str, held: bool) -> str:
    """Return the state that a word stands for, as several states share some.

    Args:
        word: as the target wrote it.
        before: the state of the payment so far.
        trigger: what was done to it; empty: nothing by the merchant.
        held: the merchant asked for an authorization without capture.
    """
    usual = _usual(word)
    candidates = _states_by_word()[usual]
    if before in candidates and trigger in {"", "credit_void", "refund", "card_credit_refund", "void", "retry"}:
        return before
    named = _BY_TRIGGER.get((trigger, usual)) or _FROM_STATE.get((before, usual))
    if named in candidates:
        return named
    if usual == "PENDING":
        return "authorized" if held else "awaiting_bank"
    return "settled" if usual == "SETTLED" else candidates[0]


def first_state(word: str, *, held: bool) -> str:
    """Return the state in which a payment begins.

    Args:
        word: as the target wrote it.
        held: the merchant asked for an authorization without capture.
    """
    usual = _usual(word)
    if usual == "PENDING":
        return "authorized" if held else "awaiting_bank"
    return {"SETTLED": "settled", "REVERSAL": "reversed"}.get(usual, _states_by_word()[usual][0])


def meant(state: str, trigger: str) -> str:
    """Return the state of a Checkout payment once a trigger shows which of two with the same word it was."""
    return "authorized" if state == "awaiting_bank" and trigger in {"capture", "card_credit_refund"} else state


def trigger_between(before: str, after: str) -> str:
    """Return what must have happened where no request of the merchant explains a new state."""
    return BY_PAYER if before == "redirected" else _BY_ITSELF.get((before, after), BY_ITSELF)


def _usual(word: str) -> str:
    upper = word.upper()
    return _SAME_WORD.get(upper, upper)


def _states_by_word() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for state in load_transitions().states.values():
        if state.status:
            found[state.status.upper()] = (*found.get(state.status.upper(), ()), state.name)
    return found
