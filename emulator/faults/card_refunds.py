"""Faults of S2S CARD: refunds and releases."""

from decimal import Decimal
from typing import Final

from emulator.design import Change
from emulator.faults.model import Fault
from emulator.faults.moves import (
    NO_AMOUNTS,
    allowing,
    carrying,
    ignoring_amounts,
    leading_to,
    lifting,
    reaching_others,
    unknown_as,
    unknown_as_forged,
    worded,
)
from emulator.faults.posts import ANY, all_of, answering, first, lately, leaving_out, refusing, saying
from emulator.payments.model import Payment, State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import Kind, Refusal
from emulator.s2s_card.conduct import CardAttempt
from emulator.s2s_card.ways import refund_refusal

_OPERATIONS: Final = ("CAPTURE", "VOID", "CREDITVOID")
_UNSUPPORTED: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)
_REFUSED: Final = Refusal(Kind.STATE, "This is not possible now.")
_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_RETURNED: Final = ("S2C-ANS-*", "S2C-CVD-*", "S2C-CAP-12", "S2C-CAP-14", "S2C-VOI-09", "CBK-*", "S2C-SIG-*")


def _any_part(payment: Payment, move: Move, amount: Decimal, before: Decimal) -> None:
    if move is Move.REFUND and payment.state is State.SETTLED and amount > before >= 0:
        payment.state = State.REFUNDED


def _second_part(attempt: CardAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.refunded > 0


def _refund_refusal(*kept: int) -> Change:
    def refusal_of(payment: Payment) -> Refusal | None:
        found = refund_refusal(payment)
        return found if found is not None and found.code in kept else None

    return lambda design: design.in_card(refund_refusal=refusal_of)


def _again(state: State) -> Change:
    return all_of(
        allowing((state, Move.REFUND, State.REFUNDED)),
        lifting(Obstacle.TOO_MUCH, Move.REFUND),
        lifting(Obstacle.NOT_POSITIVE, Move.REFUND),
    )


FAULTS: Final = (
    *(
        Fault(
            f"creditvoid-amount-{name}-taken",
            ("S2C-CVD-16",),
            f"An amount that is {name} counts as the whole amount.",
            first(ignoring_amounts(is_one), "CREDITVOID"),
        )
        for name, is_one in NO_AMOUNTS.items()
    ),
    Fault(
        "creditvoid-answer-success",
        ("S2C-CVD-01",),
        "CREDITVOID is answered with SUCCESS.",
        saying("result", "SUCCESS", "CREDITVOID"),
        _RETURNED,
    ),
    Fault(
        "creditvoid-answer-with-status",
        ("S2C-CVD-01",),
        "CREDITVOID is answered with a status.",
        answering(lambda body: body | {"status": "REFUND"}, "CREDITVOID"),
    ),
    *(
        Fault(
            f"creditvoid-answer-without-{name.replace('_', '-')}",
            ("S2C-CVD-01",),
            f"The answer to CREDITVOID lacks {name}.",
            leaving_out((name,), "CREDITVOID"),
            _RETURNED,
        )
        for name in ("action", "result", "order_id", "trans_id")
    ),
    Fault(
        "refund-leaves-settled",
        ("S2C-CVD-02",),
        "A payment that was given back stays SETTLED.",
        leading_to(Move.REFUND, State.SETTLED),
        (*_RETURNED, "CHK-*", "APM-*"),
    ),
    Fault(
        "refund-of-part-is-whole",
        ("S2C-CVD-03",),
        "A payment of which a part was given back counts as refunded.",
        carrying(_any_part),
        (*_RETURNED, "CHK-*", "APM-*"),
    ),
    Fault(
        "refund-once",
        ("S2C-CVD-04",),
        "A second part is not given back.",
        lately(refusing(_second_part, _REFUSED), "CREDITVOID"),
        ("S2C-CVD-10", "S2C-CVD-05"),
    ),
    Fault(
        "refund-of-more",
        ("S2C-CVD-05",),
        "More than is left is given back.",
        lifting(Obstacle.TOO_MUCH, Move.REFUND),
        ("S2C-CVD-*", "CHK-*", "APM-*"),
    ),
    Fault(
        "release-leaves-pending",
        ("S2C-CVD-06",),
        "An authorization that was released stays PENDING.",
        leading_to(Move.RELEASE, State.AUTHORIZED),
        ("S2C-CAP-12", "CHK-RFD-*", "APM-*", "CBK-*"),
    ),
    Fault(
        "release-of-part",
        ("S2C-CVD-07",),
        "A part of an authorization is released.",
        lifting(Obstacle.PARTIAL, Move.RELEASE),
        ("APM-*",),
    ),
    Fault(
        "debit-refunded-not-reversed",
        ("S2C-CVD-08",),
        "A debit that was taken back counts as refunded.",
        lambda design: design.in_card(after_refund=lambda _payment: None),
    ),
    Fault(
        "refund-of-declined",
        ("S2C-CVD-09",),
        "A declined payment is given back.",
        _again(State.DECLINED),
        ("APM-*", "CHK-*"),
    ),
    Fault(
        "refund-of-declined-other-code",
        ("S2C-CVD-09",),
        "CREDITVOID of a declined payment is refused with another code.",
        worded("CREDITVOID", WRONG_STATE=_REFUSED),
    ),
    Fault(
        "refund-of-refunded",
        ("S2C-CVD-10", "S2C-CVD-05"),
        "A payment is given back again.",
        _again(State.REFUNDED),
        ("S2C-CVD-*", "APM-*", "CHK-*"),
    ),
    Fault(
        "refund-of-voided",
        ("S2C-CVD-11",),
        "A voided payment is given back.",
        _again(State.VOIDED),
        ("S2C-CVD-*", "APM-*", "CHK-*"),
    ),
    Fault(
        "refund-of-account-without-refunds",
        ("S2C-CVD-12",),
        "An account without refunds gives back.",
        _refund_refusal(210002),
    ),
    Fault(
        "refund-beside-portal",
        ("S2C-CVD-13",),
        "Refunds of the acquirer's portal are accepted.",
        _refund_refusal(100000),
    ),
    Fault(
        "creditvoid-unknown-as-transaction",
        ("S2C-CVD-14",),
        "CREDITVOID of an unknown id is refused like one of a transaction.",
        unknown_as("CREDITVOID", _TRANSACTION),
    ),
    Fault(
        "creditvoid-unknown-hash-first",
        ("S2C-CVD-14",),
        "CREDITVOID of an unknown id is refused for its signature.",
        unknown_as_forged("CREDITVOID"),
    ),
    Fault(
        "creditvoid-of-anybodys",
        ("S2C-CVD-17",),
        "Payments of other merchants are given back.",
        reaching_others("CREDITVOID"),
        ("S2C-SIG-*", "GEN-*"),
    ),
    Fault(
        "operations-unsupported",
        ("S2C-CAP-01", "S2C-VOI-01", "S2C-CVD-01"),
        "No operation on a payment is supported.",
        first(
            refusing(lambda _: True, Refusal(Kind.ACTION, "Payment action not supported", code=204005)), *_OPERATIONS
        ),
        ANY,
    ),
)
