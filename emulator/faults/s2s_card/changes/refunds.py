"""Faults of S2S CARD: refunds and releases."""

from decimal import Decimal
from typing import Final

from emulator.changes.s2s_card import answering, first, last, leaving_out, saying
from emulator.changes.s2s_card_moves import NO_AMOUNTS, carrying, ignoring_amounts, leading_to, lifting
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design, all_of
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.payment_behaviour import refund_refusal
from emulator.wire.replies import Kind, Refusal
from emulator.wire.values import Object

_OPERATIONS: Final = ("CAPTURE", "VOID", "CREDITVOID")
_REFUSED: Final = Refusal(Kind.STATE, "This is not possible now.")
_NOT_SETTLED: Final = Refusal(
    Kind.STATE, "Not acceptable to request the refund for payment not in settled or pending status.", code=208005
)


def _any_part(payment: Payment, move: Move, amount: Decimal, before: Decimal) -> None:
    if move is Move.REFUND and payment.state is State.SETTLED and amount > before >= 0:
        payment.state = State.REFUNDED


def _second_part(attempt: CardAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.refunded > 0


def _has_a_declined_capture(attempt: CardAttempt) -> bool:
    payment = attempt.payment
    return payment is not None and payment.state is State.AUTHORIZED and bool(payment.decline_reason)


def _names_the_first(design: Design) -> Design:
    seen: list[object] = []

    def noted(body: Object) -> Object:
        seen.append(body.get("trans_id"))
        return body

    def named(body: Object) -> Object:
        return body | {"trans_id": seen[0]} if seen else body

    return all_of(answering(noted, "SALE"), answering(named, "CREDITVOID"))(design)


def _refund_refusal(*kept: int) -> Change:
    def refusal_of(payment: Payment) -> Refusal | None:
        found = refund_refusal(payment)
        return found if found is not None and found.code in kept else None

    return lambda design: design.in_card(refund_refusal=refusal_of)


FAULTS: Final = faults(
    {
        **{
            f"creditvoid-amount-{name}-taken": breaks(
                "S2C-CVD-16",
                f"An amount that is {name} counts as the whole amount.",
                first(ignoring_amounts(is_one), "CREDITVOID"),
            )
            for name, is_one in NO_AMOUNTS.items()
        },
        **{
            f"creditvoid-answer-without-{name.replace('_', '-')}": breaks(
                "S2C-CVD-01", f"The answer to CREDITVOID lacks {name}.", leaving_out(name, "CREDITVOID")
            )
            for name in ("action", "result", "order_id", "trans_id")
        },
        "creditvoid-answer-names-no-payment": breaks(
            "S2C-CVD-01",
            "The answer to CREDITVOID has a trans_id that nothing has.",
            saying("trans_id", "00000000-0000-4000-8000-000000000000", "CREDITVOID"),
        ),
        "creditvoid-answer-names-another-payment": breaks(
            "S2C-CVD-01", "The answer to CREDITVOID has the trans_id of the first SALE of all.", _names_the_first
        ),
        "refund-leaves-settled": breaks(
            "S2C-CVD-02", "A payment that was given back stays SETTLED.", leading_to(Move.REFUND, State.SETTLED)
        ),
        "refund-of-part-is-whole": breaks(
            "S2C-CVD-03", "A payment of which a part was given back counts as refunded.", carrying(_any_part)
        ),
        "refund-once": breaks(
            "S2C-CVD-04", "A second part is not given back.", last(refusal_if(_second_part, _REFUSED), "CREDITVOID")
        ),
        "refund-of-more": breaks(
            "S2C-CVD-05", "More than is left is given back.", lifting(Obstacle.TOO_MUCH, Move.REFUND)
        ),
        "release-leaves-pending": breaks(
            "S2C-CVD-06",
            "An authorization that was released stays PENDING.",
            leading_to(Move.RELEASE, State.AUTHORIZED),
        ),
        "release-after-a-declined-capture-refused": breaks(
            "S2C-CVD-06",
            "A payment that is PENDING after a declined capture cannot be released.",
            last(refusal_if(_has_a_declined_capture, _NOT_SETTLED), "CREDITVOID"),
        ),
        "release-of-part": breaks(
            "S2C-CVD-07", "A part of an authorization is released.", lifting(Obstacle.PARTIAL, Move.RELEASE)
        ),
        "debit-refunded-not-reversed": breaks(
            "S2C-CVD-08",
            "A debit that was taken back counts as refunded.",
            lambda design: design.in_card(after_refund=lambda _payment: None),
        ),
        "refund-of-account-without-refunds": breaks(
            "S2C-CVD-12", "An account without refunds gives back.", _refund_refusal(210002)
        ),
        "refund-beside-portal": breaks(
            "S2C-CVD-13", "Refunds of the acquirer's portal are accepted.", _refund_refusal(100000)
        ),
        "operations-unsupported": breaks(
            "S2C-CAP-01 S2C-VOI-01 S2C-CVD-01",
            "No operation on a payment is supported.",
            first(
                refusal_if(lambda _: True, Refusal(Kind.ACTION, "Payment action not supported", code=204005)),
                *_OPERATIONS,
            ),
        ),
    }
)
