"""Faults of the refund, void and retry addresses of Checkout."""

from typing import Final

from emulator.checkout.conduct import PostAttempt
from emulator.checkout.operations import joined
from emulator.checkout.posts import find_payment
from emulator.design import Change, Design
from emulator.faults.checkout_ways import (
    Handler,
    accepting,
    accepting_unknown,
    also_hashed,
    also_signed,
    always,
    around,
    carrying,
    lately,
    leaving_out,
    lifting,
    operation,
    saying,
    unsigned,
    without,
    worded,
)
from emulator.faults.model import Fault
from emulator.payments.model import Payment, State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import Kind, Refusal, Reply

_REFUND: Final = Kind.CHECKOUT_REFUND
_VOID: Final = Kind.CHECKOUT_VOID
_RETRY: Final = Kind.CHECKOUT_RETRY
_ON_REFUNDS: Final = ("CHK-RFD-*", "CBK-*")
_HASH: Final = Kind.SIGNATURE
_ON_ALL_REFUNDS: Final = (*_ON_REFUNDS, "S2C-VOI-*", "S2C-CVD-*", "APM-VOI-*", "APM-CVD-*", "APM-STA-*")
"""A move of a payment is the same in every protocol."""
_STATE: Final = Kind.STATE
_REFUSED: Final = Refusal(_STATE, "This is not possible.")


def _leading_to(move: Move, *states: tuple[State, State]) -> Change:
    """A move that leads to a state leads to another one."""
    others = dict(states)

    def change(payment: Payment, made: Move, _before: State) -> None:
        if made is move:
            payment.state = others.get(payment.state, payment.state)

    return carrying(change)


def _odd_outcome(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    if reply.is_error:
        return reply
    return Reply(reply.kind, reply.status, {"payment_id": reply.body["payment_id"], "status": "DONE"})


def _voids_declined(handler: Handler, attempt: PostAttempt) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is not State.DECLINED:
        return handler(attempt)
    payment.state = State.VOIDED
    return Reply(_VOID, 200, {"payment_id": payment.id, "status": "SUCCESS", "payment_status": "void"})


def _voids_again(handler: Handler, attempt: PostAttempt) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is not State.VOIDED:
        return handler(attempt)
    return Reply(_VOID, 200, {"payment_id": payment.id, "status": "SUCCESS", "payment_status": "void"})


def _finds_void(design: Design) -> Design:
    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        if find_payment(attempt) is None:
            return handler(attempt)
        named = str(attempt.body.get("payment_id"))
        return Reply(_VOID, 200, {"payment_id": named, "status": "SUCCESS", "payment_status": "void"})

    return around(act, "void")(without(find_payment, "void")(design))


def _hashes(name: str, requirement: str) -> tuple[Fault, ...]:
    title, related = name.capitalize(), ("CHK-RFD-*", "GEN-*")
    return (
        Fault(f"checkout-{name}-unsigned", (requirement,), f"{title}s take any hash.", unsigned(name), related),
        Fault(
            f"checkout-{name}-hash-other-text",
            (requirement,),
            f"{title}: a wrong hash is refused with other words.",
            operation(name, wrong_hash=Refusal(_HASH, "Signature mismatch")),
            related,
        ),
        Fault(
            f"checkout-{name}-inner-digest",
            (requirement,),
            f"{title}s take the inner digest.",
            also_hashed(name),
            related,
        ),
    )


FAULTS: Final = (
    Fault(
        "checkout-refund-refused",
        ("CHK-RFD-05",),
        "No refund is accepted.",
        lately(always, _REFUSED, "refund"),
        _ON_REFUNDS,
    ),
    Fault(
        "checkout-refund-without-payment-id",
        ("CHK-RFD-05",),
        "The answer lacks payment_id.",
        leaving_out("payment_id", _REFUND),
    ),
    Fault(
        "checkout-refund-without-result", ("CHK-RFD-05",), "The answer lacks result.", leaving_out("result", _REFUND)
    ),
    Fault(
        "checkout-refund-result-success",
        ("CHK-RFD-05",),
        "The result of a refund is success.",
        saying("result", "success", _REFUND),
    ),
    *_hashes("refund", "CHK-RFD-06"),
    Fault(
        "checkout-refund-amount-unsigned",
        ("CHK-RFD-06",),
        "A refund's hash may leave the amount out.",
        also_signed(joined("payment_id"), "refund"),
    ),
    Fault(
        "checkout-refund-in-full-stays-settled",
        ("CHK-RFD-07",),
        "What was refunded in full is settled.",
        _leading_to(Move.REFUND, (State.REFUNDED, State.SETTLED)),
        _ON_ALL_REFUNDS,
    ),
    Fault(
        "checkout-refund-in-part-ends",
        ("CHK-RFD-08",),
        "What was refunded in part is told as refunded.",
        _leading_to(Move.REFUND, (State.SETTLED, State.REFUNDED)),
        _ON_ALL_REFUNDS,
    ),
    Fault(
        "checkout-refund-of-too-much",
        ("CHK-RFD-09",),
        "More than was paid is refunded.",
        lifting(Obstacle.TOO_MUCH, Move.REFUND),
        _ON_REFUNDS,
    ),
    Fault(
        "checkout-refund-of-too-much-100000",
        ("CHK-RFD-09",),
        "A refund of too much is refused with 100000.",
        worded("refund", TOO_MUCH=_REFUSED),
    ),
    Fault(
        "checkout-refund-again",
        ("CHK-RFD-10",),
        "A second full refund is accepted.",
        accepting("refund", _REFUND, State.REFUNDED),
    ),
    Fault(
        "checkout-refund-of-declined",
        ("CHK-RFD-11",),
        "A declined payment is refunded.",
        accepting("refund", _REFUND, State.DECLINED),
    ),
    Fault(
        "checkout-refund-of-unknown",
        ("CHK-RFD-12",),
        "An unknown payment is refunded.",
        accepting_unknown("refund", _REFUND),
    ),
    Fault(
        "checkout-void-refused", ("CHK-RFD-13",), "No void is accepted.", lately(always, _REFUSED, "void"), _ON_REFUNDS
    ),
    Fault(
        "checkout-void-not-carried-out",
        ("CHK-RFD-15",),
        "A void leaves the payment settled.",
        _leading_to(Move.VOID, (State.VOIDED, State.SETTLED)),
        _ON_ALL_REFUNDS,
    ),
    *_hashes("void", "CHK-RFD-14"),
    Fault(
        "checkout-void-told-as-refund",
        ("CHK-RFD-15",),
        "What was voided is told as refunded.",
        _leading_to(Move.VOID, (State.VOIDED, State.REFUNDED)),
        _ON_ALL_REFUNDS,
    ),
    Fault(
        "checkout-void-odd-outcome",
        ("CHK-RFD-16",),
        "A void is answered with an outcome that nobody knows.",
        around(_odd_outcome, "void"),
        ("CHK-RFD-1*",),
    ),
    Fault(
        "checkout-void-of-declined",
        ("CHK-RFD-17",),
        "A declined payment is voided.",
        around(_voids_declined, "void"),
        ("CHK-RFD-1*",),
    ),
    Fault("checkout-void-again", ("CHK-RFD-18",), "A second void is accepted.", around(_voids_again, "void")),
    Fault("checkout-void-of-unknown", ("CHK-RFD-19",), "An unknown payment is voided.", _finds_void),
    Fault(
        "checkout-retry-refused",
        ("CHK-RFD-20",),
        "No retry is accepted.",
        lately(always, _REFUSED, "retry"),
        _ON_REFUNDS,
    ),
    Fault(
        "checkout-retry-without-payment-id",
        ("CHK-RFD-20",),
        "The answer lacks payment_id.",
        leaving_out("payment_id", _RETRY),
    ),
    Fault("checkout-retry-without-result", ("CHK-RFD-20",), "The answer lacks result.", leaving_out("result", _RETRY)),
    *_hashes("retry", "CHK-RFD-21"),
)
