"""Faults of S2S CARD: voids."""

from typing import Final

from emulator.faults.model import Fault
from emulator.faults.moves import (
    allowing,
    in_state,
    leading_to,
    lifting,
    reaching_others,
    unknown_as,
    unknown_as_forged,
)
from emulator.faults.posts import all_of, breaking, lately, post, refusing, saying
from emulator.payments.model import State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import Kind, Refusal, Reply
from emulator.s2s_card.afterwards import void
from emulator.s2s_card.answers import named, now
from emulator.s2s_card.conduct import CardAttempt

_REFUSED: Final = Refusal(Kind.STATE, "This is not possible now.")
_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_VOIDED: Final = ("S2C-ANS-1?", "S2C-VOI-*", "S2C-CAP-11", "S2C-CVD-11", "CBK-*", "S2C-SIG-*")


def _void_part(attempt: CardAttempt) -> Reply:
    """A void of a part is answered like one of the whole, and leaves the payment as it was."""
    payment = attempt.payment
    if payment is None or not attempt.form.get("amount"):
        return void(attempt)
    body = named(payment, "VOID", "SUCCESS", "VOID") | {"trans_date": now(attempt.gateway)}
    return Reply(Kind.CARD_ACTION, 200, body)


FAULTS: Final = (
    Fault(
        "void-refused",
        ("S2C-VOI-01",),
        "Every void is refused.",
        lately(refusing(in_state(State.SETTLED), _REFUSED), "VOID"),
        _VOIDED,
    ),
    Fault(
        "void-leaves-settled",
        ("S2C-VOI-02",),
        "A voided payment stays SETTLED.",
        leading_to(Move.VOID, State.SETTLED),
        (*_VOIDED, "CHK-RFD-*", "APM-*"),
    ),
    Fault(
        "void-answer-erased",
        ("S2C-VOI-03",),
        "A void is answered with the status ERASED.",
        saying("status", "ERASED", "VOID"),
        _VOIDED,
    ),
    *(
        Fault(
            f"void-of-{what}",
            (requirement,),
            f"A payment that was {what} is voided.",
            all_of(allowing((state, Move.VOID, State.VOIDED)), lifting(Obstacle.NOT_POSITIVE, Move.VOID)),
            ("APM-*", "CHK-*", "S2C-VOI-*"),
        )
        for requirement, state, what in (
            ("S2C-VOI-04", State.VOIDED, "voided"),
            ("S2C-VOI-05", State.DECLINED, "declined"),
            ("S2C-VOI-08", State.CHALLENGED, "challenged"),
            ("S2C-VOI-09", State.REFUNDED, "refunded"),
        )
    ),
    Fault(
        "void-of-pending-server-error",
        ("S2C-VOI-06",),
        "A void of an authorization is a server error.",
        lately(breaking(in_state(State.AUTHORIZED)), "VOID"),
    ),
    Fault(
        "void-of-captured-refused",
        ("S2C-VOI-07",),
        "A captured authorization cannot be voided.",
        lately(
            refusing(
                lambda attempt: attempt.payment is not None and attempt.payment.intended is State.AUTHORIZED, _REFUSED
            ),
            "VOID",
        ),
        ("S2C-VOI-06",),
    ),
    Fault(
        "void-on-any-day",
        ("S2C-VOI-10",),
        "A payment is voided on any later day.",
        lambda design: design.in_card(day_is_over=lambda _payment, _now: False),
    ),
    Fault(
        "void-in-parts",
        ("S2C-VOI-11",),
        "A void with an amount leaves the payment SETTLED.",
        post("VOID", perform=_void_part),
    ),
    Fault(
        "void-unknown-as-transaction",
        ("S2C-VOI-12",),
        "VOID of an unknown id is refused like one of a transaction.",
        unknown_as("VOID", _TRANSACTION),
    ),
    Fault(
        "void-unknown-hash-first",
        ("S2C-VOI-12",),
        "VOID of an unknown id is refused for its signature.",
        unknown_as_forged("VOID"),
    ),
    Fault(
        "void-of-anybodys",
        ("S2C-VOI-14",),
        "Payments of other merchants are voided.",
        reaching_others("VOID"),
        ("S2C-SIG-*", "GEN-*"),
    ),
    Fault(
        "void-of-recurring-refused",
        ("S2C-VOI-15",),
        "A recurring payment cannot be voided.",
        lately(refusing(lambda attempt: attempt.payment is not None and bool(attempt.payment.chain), _REFUSED), "VOID"),
    ),
)
