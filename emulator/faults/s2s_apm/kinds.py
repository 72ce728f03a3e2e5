"""Faults of S2S APM that show on payments of one kind only: paid elsewhere, by QR, in yen, in dinars."""

from collections.abc import Callable, Mapping
from typing import Final

from emulator.changes.moves import of_decimals, parts_given_back, unlimited
from emulator.changes.s2s_apm_payments import HELD, PAID, Applies, parts_refused, refusing
from emulator.design import Change
from emulator.engine.moves import Move
from emulator.engine.payments import Protocol
from emulator.faults.model import Fault, breaks, faults

_CURRENCIES: Final[Mapping[str, Applies]] = {"without-decimals": of_decimals(0), "in-three-decimals": of_decimals(3)}
_KINDS: Final[Mapping[str, Applies]] = {
    "elsewhere": lambda payment: str(payment.request.get("identifier", "")).startswith("redirect"),
    "by-qr": lambda payment: payment.brand == "instant-qr",
    **_CURRENCIES,
}


def _both(first: Applies, second: Applies) -> Applies:
    return lambda payment: first(payment) and second(payment)


def _each(
    kinds: Mapping[str, Applies], slug: str, requirement: str, fault: str, change: Callable[[Applies], Change]
) -> dict[str, Fault]:
    return {slug.format(name): breaks(requirement, fault.format(name), change(kind)) for name, kind in kinds.items()}


FAULTS: Final = faults(
    {
        **_each(
            {**_KINDS, "given-back-twice": lambda payment: len(parts_given_back(payment)) > 1},
            "refund-of-{}-unlimited",
            "APM-CVD-08",
            "A refund of a payment of the kind {} may be of any amount.",
            lambda kind: unlimited(Protocol.S2S_APM, Move.REFUND, kind),
        ),
        **_each(
            _KINDS,
            "refund-of-a-part-of-{}-refused",
            "APM-CVD-07",
            "A part of a payment of the kind {} is not given back.",
            lambda kind: parts_refused("CREDITVOID", _both(PAID, kind)),
        ),
        **_each(
            _KINDS,
            "void-of-{}-refused",
            "APM-VOI-02",
            "A payment of the kind {} is not voided.",
            lambda kind: refusing("VOID", _both(PAID, kind)),
        ),
        **_each(
            _CURRENCIES,
            "capture-of-a-part-{}-refused",
            "APM-CAP-11",
            "A part of an authorization {} is not captured.",
            lambda kind: parts_refused("CAPTURE", _both(HELD, kind)),
        ),
        **_each(
            _CURRENCIES,
            "capture-{}-unlimited",
            "APM-CAP-12",
            "An authorization {} is captured with any amount.",
            lambda kind: unlimited(Protocol.S2S_APM, Move.CAPTURE, kind),
        ),
    },
    prefix="apm-kind-",
    since="6.7.0",
)
