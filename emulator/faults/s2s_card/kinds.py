"""Faults of S2S CARD that show on payments of one kind only: challenged, by token, by wallet, of a chain, in yen."""

from collections.abc import Callable, Mapping
from typing import Final

from emulator.changes.moves import of_decimals, parts_given_back, unlimited
from emulator.changes.s2s_card import last
from emulator.changes.stages import refusal_if
from emulator.design import Change
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.s2s_card.captures_and_refunds import CAPTURE_REFUSALS, REFUND_REFUSALS, VOID_REFUSALS
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.wire.replies import Refusal

Kind = Callable[[Payment], bool]

_WRONG: Final = Obstacle.WRONG_STATE


_SALES: Final[Mapping[str, Kind]] = {
    "challenged": lambda payment: record_of(payment).challenged,
    "redirected": lambda payment: bool(record_of(payment).challenge) and not record_of(payment).challenged,
    "paid-by-token": lambda payment: record_of(payment).by_token,
    "paid-by-wallet": lambda payment: bool(record_of(payment).wallet),
    "initial": lambda payment: bool(payment.recurring_token),
    "with-schedule": lambda payment: bool(payment.schedule_id),
}
_CURRENCIES: Final[Mapping[str, Kind]] = {"without-decimals": of_decimals(0), "in-three-decimals": of_decimals(3)}
_CHARGES: Final[Mapping[str, Kind]] = {"recurring-sale": lambda payment: payment.action == "RECURRING_SALE"}
_DEBITS: Final[Mapping[str, Kind]] = {
    "debit": lambda payment: payment.action == "DEBIT",
    "recurring-debit": lambda payment: payment.action == "RECURRING_DEBIT",
}
KINDS: Final[Mapping[str, Kind]] = {**_SALES, **_CHARGES, **_DEBITS}
"""Kinds of payment that the signature of an operation does not depend on."""
_GIVEN_BACK_TWICE: Final[Mapping[str, Kind]] = {"given-back-twice": lambda payment: len(parts_given_back(payment)) > 1}
_HELD: Final[Mapping[str, Kind]] = {
    "by-token": _SALES["paid-by-token"],
    "by-wallet": _SALES["paid-by-wallet"],
    "initial": lambda payment: record_of(payment).recurring,
}
_RELEASED: Final[Mapping[str, Kind]] = {**_HELD, "challenged": _SALES["challenged"], **_CURRENCIES, **_CHARGES}
_OF_NOTHING: Final[Mapping[str, Kind]] = {"of-nothing": lambda payment: payment.amount == 0}


def _refusing(move: str, kind: Kind, refusal: Refusal, state: State) -> Change:
    """Payments of a kind are never in the right state for a request."""

    def is_one(payment: Payment | None) -> bool:
        return payment is not None and payment.state is state and kind(payment)

    return last(refusal_if(lambda attempt: is_one(attempt.payment), refusal), move)


def _refused(
    slug: str, requirement: str, kinds: Mapping[str, Kind], change: Callable[[Kind], Change]
) -> dict[str, Fault]:
    return {
        f"card-{slug}-of-{name}-refused": breaks(
            requirement, f"A {slug} of a payment of the kind {name} is refused.", change(kind)
        )
        for name, kind in kinds.items()
    }


def _beyond(slug: str, requirement: str, kinds: Mapping[str, Kind], move: Move) -> dict[str, Fault]:
    return {
        f"card-{slug}-of-{name}-unlimited": breaks(
            requirement,
            f"A {slug} of a payment of the kind {name} may be of any amount.",
            unlimited(Protocol.S2S_CARD, move, kind),
        )
        for name, kind in kinds.items()
    }


_LIMITED: Final = {**_SALES, **_CURRENCIES, **_CHARGES, **_DEBITS, **_GIVEN_BACK_TWICE}
_TABLE: Final[Mapping[str, Fault]] = {
    **_refused(
        "void",
        "S2C-VOI-01",
        {**_SALES, **_CURRENCIES},
        lambda kind: _refusing("VOID", kind, VOID_REFUSALS[_WRONG], State.SETTLED),
    ),
    **_refused(
        "refund",
        "S2C-CVD-03",
        {**_SALES, **_CHARGES},
        lambda kind: _refusing("CREDITVOID", kind, REFUND_REFUSALS[_WRONG], State.SETTLED),
    ),
    **_refused(
        "release",
        "S2C-CVD-06",
        _RELEASED,
        lambda kind: _refusing("CREDITVOID", kind, REFUND_REFUSALS[_WRONG], State.AUTHORIZED),
    ),
    **_refused(
        "capture",
        "S2C-CAP-01",
        _HELD,
        lambda kind: _refusing("CAPTURE", kind, CAPTURE_REFUSALS[_WRONG], State.AUTHORIZED),
    ),
    **_beyond("refund", "S2C-CVD-05", _LIMITED, Move.REFUND),
    **_beyond("capture", "S2C-CAP-06", {**_RELEASED, **_OF_NOTHING}, Move.CAPTURE),
}
FAULTS: Final = faults(_TABLE, since="6.7.0")
