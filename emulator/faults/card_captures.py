"""Faults of S2S CARD: captures."""

from typing import Final

from emulator.faults.model import Fault
from emulator.faults.moves import (
    NO_AMOUNTS,
    allowing,
    ignoring_amounts,
    in_state,
    leading_to,
    lifting,
    reaching_others,
    unknown_as,
    unknown_as_forged,
)
from emulator.faults.posts import answering, breaking, first, instead, lately, refusing, saying
from emulator.payments.model import State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import INVALID_DATA, Kind, Refusal
from emulator.s2s_card.conduct import CardAttempt
from emulator.s2s_card.stages import find_payment
from emulator.values import Object

_REFUSED: Final = Refusal(Kind.STATE, "This is not possible now.")
_OTHER_STATE: Final = Refusal(Kind.STATE, "Payment is not pending.", code=208003)
_OTHER_CODE: Final = Refusal(
    Kind.STATE, "Not acceptable to request the capture for payment not in pending status", code=100000
)
_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_BAD_AMOUNT: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("amount", "This value is not valid."),))
_CAPTURED: Final = (
    "S2C-ANS-1?",
    "S2C-REQ-13",
    "S2C-CAP-*",
    "S2C-VOI-07",
    "S2C-STA-29",
    "S2C-TDS-08",
    "S2C-REC-19",
    "CBK-*",
    "S2C-SIG-*",
)


def _with_amount(attempt: CardAttempt) -> bool:
    return bool(attempt.form.get("amount"))


def _without_amount(attempt: CardAttempt) -> bool:
    return not _with_amount(attempt)


def _whole(body: Object) -> Object:
    return body | {"amount": "10.00"} if "amount" in body else body


def _captures(attempt: CardAttempt) -> Refusal | None:
    if attempt.payment is not None:
        attempt.payment.captures = True
    return None


_STATES: Final = (
    ("S2C-CAP-08", State.SETTLED, "captured twice", ("S2C-CAP-09", "S2C-CAP-20")),
    ("S2C-CAP-09", State.SETTLED, "settled at once", ("S2C-CAP-08", "S2C-CAP-20")),
    ("S2C-CAP-10", State.DECLINED, "declined", ()),
    ("S2C-CAP-11", State.VOIDED, "voided", ()),
    ("S2C-CAP-12", State.RELEASED, "released", ()),
    ("S2C-CAP-13", State.CHALLENGED, "challenged", ("S2C-TDS-*",)),
    ("S2C-CAP-14", State.REFUNDED, "refunded", ()),
)

FAULTS: Final = (
    *(
        Fault(
            f"capture-amount-{name}-taken",
            ("S2C-CAP-07",),
            f"An amount that is {name} counts as the whole amount.",
            first(ignoring_amounts(is_one), "CAPTURE"),
        )
        for name, is_one in NO_AMOUNTS.items()
    ),
    Fault(
        "capture-refused",
        ("S2C-CAP-01",),
        "Every capture is refused.",
        lately(refusing(in_state(State.AUTHORIZED), _REFUSED), "CAPTURE"),
        _CAPTURED,
    ),
    Fault(
        "capture-leaves-pending",
        ("S2C-CAP-02",),
        "A captured payment stays PENDING.",
        leading_to(Move.CAPTURE, State.AUTHORIZED),
        (*_CAPTURED, "APM-CAP-*", "CHK-CAP-*", "CHK-MID-04"),
    ),
    Fault(
        "capture-answer-captured",
        ("S2C-CAP-03",),
        "A capture is answered with the status CAPTURED.",
        saying("status", "CAPTURED", "CAPTURE"),
        _CAPTURED,
    ),
    Fault(
        "capture-needs-amount",
        ("S2C-CAP-04",),
        "A capture without amount is refused.",
        first(refusing(_without_amount, _BAD_AMOUNT), "CAPTURE"),
        (*_CAPTURED, "GEN-*", "S2C-REQ-12"),
    ),
    Fault(
        "capture-in-parts-refused",
        ("S2C-CAP-05",),
        "A capture of a part is refused.",
        first(refusing(_with_amount, _BAD_AMOUNT), "CAPTURE"),
        ("S2C-CAP-*",),
    ),
    Fault(
        "capture-answer-whole",
        ("S2C-CAP-05",),
        "A capture of a part is answered with the whole amount.",
        answering(_whole, "CAPTURE"),
        ("S2C-CAP-*", "CBK-S2C-05"),
    ),
    Fault(
        "capture-of-more",
        ("S2C-CAP-06",),
        "More than was held is captured.",
        lifting(Obstacle.TOO_MUCH, Move.CAPTURE),
        ("S2C-CAP-*",),
    ),
    *(
        Fault(
            f"capture-of-{what.replace(' ', '-')}",
            (requirement,),
            f"A payment that was {what} is captured.",
            allowing((state, Move.CAPTURE, State.SETTLED)),
            ("S2C-CAP-*", "APM-*", "CHK-*", *related),
        )
        for requirement, state, what, related in _STATES
    ),
    *(
        Fault(
            f"capture-of-{what.replace(' ', '-')}-other-{word}",
            (requirement,),
            f"A capture of a payment that was {what} is refused with another {word}.",
            lately(refusing(in_state(state), refusal), "CAPTURE"),
            related,
        )
        for requirement, state, what, related in _STATES
        for word, refusal in (("text", _OTHER_STATE), ("code", _OTHER_CODE))
    ),
    Fault(
        "capture-unknown-as-payment",
        ("S2C-CAP-15",),
        "CAPTURE of an unknown id is refused like one of a payment.",
        unknown_as("CAPTURE", _PAYMENT),
        since="6.7.0",
    ),
    Fault(
        "capture-unknown-hash-first",
        ("S2C-CAP-15",),
        "CAPTURE of an unknown id is refused for its signature.",
        unknown_as_forged("CAPTURE"),
        since="6.7.0",
    ),
    Fault(
        "capture-unknown-server-error",
        ("S2C-CAP-16",),
        "CAPTURE of an unknown id is a server error.",
        instead(find_payment, breaking(lambda attempt: find_payment(attempt) is not None), "CAPTURE"),
        ("GEN-*",),
        until="6.6.5",
    ),
    Fault(
        "capture-of-anybodys",
        ("S2C-CAP-18",),
        "Authorizations of other merchants are captured.",
        reaching_others("CAPTURE"),
        ("S2C-SIG-*", "GEN-*"),
    ),
    Fault(
        "capture-declined-settles",
        ("S2C-CAP-19",),
        "A capture that the acquirer refuses settles.",
        lately(_captures, "CAPTURE"),
    ),
    Fault(
        "capture-again-and-again",
        ("S2C-CAP-08", "S2C-CAP-20"),
        "A capture can be repeated.",
        allowing((State.SETTLED, Move.CAPTURE, State.SETTLED)),
        ("S2C-CAP-09", "APM-*", "CHK-*"),
    ),
)
