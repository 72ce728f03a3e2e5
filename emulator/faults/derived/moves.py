"""Faults of S2S CARD operations on payments: states that allow what they should not, and ids that nobody knows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from emulator.changes.s2s_card import last
from emulator.changes.s2s_card_moves import allowing, in_state, lifting, reaching_others, unknown_as, unknown_as_forged
from emulator.changes.stages import refusal_if
from emulator.design import all_of
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import State
from emulator.faults.model import Fault, breaks, faults
from emulator.wire.replies import Kind, Refusal


@dataclass(frozen=True, slots=True)
class _Forbidden:
    """A move that no payment in one of ``states`` allows, each with its requirement and with what happened to it.

    ``lifted`` are obstacles that would prevent the move all the same; ``reworded`` are refusals that are wrong in one
    word, by that word.
    """

    name: str
    action: str
    move: Move
    after: State
    done: str
    states: tuple[tuple[str, State, str], ...]
    lifted: tuple[Obstacle, ...] = ()
    reworded: tuple[tuple[str, Refusal], ...] = ()


_NOT_PENDING: Final = "Not acceptable to request the capture for payment not in pending status"
_UNNAMED: Final = frozenset({State.CHALLENGED})
"""States in which a refusal may have any words: by line 309 such a payment may as well be pending."""
_FORBIDDEN: Final = (
    _Forbidden(
        "capture",
        "CAPTURE",
        Move.CAPTURE,
        State.SETTLED,
        "captured",
        (
            ("S2C-CAP-08", State.SETTLED, "captured twice"),
            ("S2C-CAP-09", State.SETTLED, "settled at once"),
            ("S2C-CAP-10", State.DECLINED, "declined"),
            ("S2C-CAP-11", State.VOIDED, "voided"),
            ("S2C-CAP-12", State.RELEASED, "released"),
            ("S2C-CAP-13", State.CHALLENGED, "challenged"),
            ("S2C-CAP-14", State.REFUNDED, "refunded"),
        ),
        reworded=(
            ("text", Refusal(Kind.STATE, "Payment is not pending.", code=208003)),
            ("code", Refusal(Kind.STATE, _NOT_PENDING, code=100000)),
        ),
    ),
    _Forbidden(
        "void",
        "VOID",
        Move.VOID,
        State.VOIDED,
        "voided",
        (
            ("S2C-VOI-04", State.VOIDED, "voided"),
            ("S2C-VOI-05", State.DECLINED, "declined"),
            ("S2C-VOI-08", State.CHALLENGED, "challenged"),
            ("S2C-VOI-09", State.REFUNDED, "refunded"),
        ),
        lifted=(Obstacle.NOT_POSITIVE,),
    ),
    _Forbidden(
        "refund",
        "CREDITVOID",
        Move.REFUND,
        State.REFUNDED,
        "given back",
        (
            ("S2C-CVD-09", State.DECLINED, "declined"),
            ("S2C-CVD-10 S2C-CVD-05", State.REFUNDED, "refunded"),
            ("S2C-CVD-11", State.VOIDED, "voided"),
        ),
        lifted=(Obstacle.TOO_MUCH, Obstacle.NOT_POSITIVE),
    ),
)


def _of_state(one: _Forbidden) -> Iterator[tuple[str, Fault]]:
    for requirement, state, what in one.states:
        name = f"{one.name}-of-{what.replace(' ', '-')}"
        allowed = allowing((state, one.move, one.after))
        change = all_of(allowed, *(lifting(obstacle, one.move) for obstacle in one.lifted))
        yield name, breaks(requirement, f"A payment that was {what} is {one.done}.", change)
        for word, refusal in one.reworded if state not in _UNNAMED else ():
            sentence = f"{one.action} of a payment that was {what} is refused with another {word}."
            yield (
                f"{name}-other-{word}",
                breaks(requirement, sentence, last(refusal_if(in_state(state), refusal), one.action)),
            )


@dataclass(frozen=True, slots=True)
class _Unknown:
    """An action on an id that nobody knows: what else it may be refused with, by name, and the requirement on it."""

    action: str
    requirement: str
    refusals: tuple[tuple[str, Refusal], ...]
    since: str | None = None
    hash_first: bool = True


_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_OTHER_CODE: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.")
_ORDER_OTHER_CODE: Final = Refusal(Kind.NOT_FOUND, "Order does not exist.")
_NOWHERE: Final = Refusal(Kind.NOT_FOUND, "Not found.", code=0, status=404)
_UNKNOWN: Final = {
    "capture": _Unknown("CAPTURE", "S2C-CAP-15", (("payment", _PAYMENT),), "6.7.0"),
    "void": _Unknown("VOID", "S2C-VOI-12", (("transaction", _TRANSACTION),)),
    "creditvoid": _Unknown("CREDITVOID", "S2C-CVD-14", (("transaction", _TRANSACTION),)),
    "get-trans-status": _Unknown(
        "GET_TRANS_STATUS",
        "S2C-STA-16",
        (("payment", _PAYMENT), ("100000", _OTHER_CODE), ("404", _NOWHERE)),
        "6.7.0",
    ),
    "get-trans-status-by-order": _Unknown(
        "GET_TRANS_STATUS_BY_ORDER",
        "S2C-STA-21",
        (("payment", _PAYMENT), ("100000", _ORDER_OTHER_CODE), ("transaction", _TRANSACTION)),
        "6.7.0",
    ),
    "get-trans-details": _Unknown("GET_TRANS_DETAILS", "S2C-STA-30", (("404", _NOWHERE),), "6.7.0", hash_first=False),
}


def _of_unknown(name: str, one: _Unknown) -> Iterator[tuple[str, Fault]]:
    for word, refusal in one.refusals:
        sentence = f"{one.action} of an unknown id is refused with {refusal.code}, {refusal.message}"
        yield f"{name}-unknown-as-{word}", breaks(one.requirement, sentence, unknown_as(one.action, refusal))
    if one.hash_first:
        sentence = f"{one.action} of an unknown id is refused for its signature."
        yield f"{name}-unknown-hash-first", breaks(one.requirement, sentence, unknown_as_forged(one.action))


_OF_OTHERS: Final = {
    "capture-of-anybodys": breaks(
        "S2C-CAP-18", "Authorizations of other merchants are captured.", reaching_others("CAPTURE")
    ),
    "void-of-anybodys": breaks("S2C-VOI-14", "Payments of other merchants are voided.", reaching_others("VOID")),
    "creditvoid-of-anybodys": breaks(
        "S2C-CVD-17", "Payments of other merchants are given back.", reaching_others("CREDITVOID")
    ),
    "look-up-of-anybodys": breaks(
        "S2C-STA-19", "GET_TRANS_STATUS reports payments of other merchants.", reaching_others("GET_TRANS_STATUS")
    ),
}

FAULTS: Final = (
    *(fault for one in _FORBIDDEN for fault in faults(dict(_of_state(one)))),
    *(
        fault
        for name, unknown in _UNKNOWN.items()
        for fault in faults(dict(_of_unknown(name, unknown)), since=unknown.since)
    ),
    *faults(_OF_OTHERS),
)
