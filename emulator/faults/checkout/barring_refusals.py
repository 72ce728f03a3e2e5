"""Faults of Checkout: what was refused bars what is right for the same payment."""

from typing import Final

from emulator.changes.checkout import Act, Handler, around, instead, last
from emulator.design import Change, Design
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt, PostStage
from emulator.protocols.checkout.requests import check_signature, find_payment, find_refundable
from emulator.wire.replies import Kind, Refusal, Reply

_NOT_NOW: Final = Refusal(Kind.STATE, "This is not possible now.")


def _barring(stage: PostStage, name: str) -> Change:
    """What ``stage`` refuses of a payment is refused of it ever after."""

    def change(design: Design) -> Design:
        barred: set[str] = set()

        def noting(attempt: PostAttempt) -> Refusal | None:
            refusal = stage(attempt)
            if refusal is not None:
                barred.add(str(attempt.body.get("payment_id")))
            return refusal

        def refusing(attempt: PostAttempt) -> Refusal | None:
            return _NOT_NOW if attempt.body.get("payment_id") in barred else None

        return last(refusing, name)(instead(stage, noting, name)(design))

    return change


def _spending(*, given_back: bool = False, captured_in_part: bool = False) -> Act:
    """A refusal counts as if all that there is had been given back, or only where something happened before."""

    def is_concerned(payment: Payment) -> bool:
        return (not given_back or payment.refunded > 0) and (not captured_in_part or payment.captured < payment.amount)

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply, payment = handler(attempt), attempt.payment
        if reply.is_error and payment is not None and payment.state is State.SETTLED and is_concerned(payment):
            payment.refunded = payment.captured
        return reply

    return act


def _failing_later(handler: Handler, attempt: PostAttempt) -> Reply:
    """A refusal leaves a refund that is accepted and does nothing."""
    payment = attempt.payment
    if payment is not None and payment.extras.get("refused"):
        return Reply(Kind.CHECKOUT_REFUND, 200, {"payment_id": payment.id, "result": "accepted"})
    reply = handler(attempt)
    if reply.is_error and payment is not None:
        payment.extras["refused"] = True
    return reply


def _refused_refund_bars_captures(design: Design) -> Design:
    refused: set[str] = set()

    def noting(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        if reply.is_error:
            refused.add(str(attempt.body.get("payment_id")))
        return reply

    def refusing(attempt: PostAttempt) -> Refusal | None:
        return _NOT_NOW if attempt.body.get("payment_id") in refused else None

    return last(refusing, "capture")(around(noting, "refund")(design))


_POSITIVE: Final = (("capture", "CHK-CAP-01"), ("refund", "CHK-RFD-05"), ("void", "CHK-RFD-13"))
"""Each change, and the requirement by which it is made."""

FAULTS: Final = faults(
    {
        "refund-spends": breaks(
            "CHK-RFD-05",
            "After a refund of too much was refused nothing can be given back.",
            around(_spending(), "refund"),
        ),
        "refund-of-a-rest-spends": breaks(
            "CHK-RFD-05",
            "After a refund of more than is left was refused the rest cannot be given back.",
            around(_spending(given_back=True), "refund"),
        ),
        "refund-of-a-capture-spends": breaks(
            "CHK-RFD-05",
            "After a refund of more than was captured was refused nothing can be given back.",
            around(_spending(captured_in_part=True), "refund"),
        ),
        "refund-is-followed-by-none": breaks(
            "CHK-RFD-05",
            "After a refund was refused refunds of the payment are accepted and not made.",
            around(_failing_later, "refund"),
        ),
        "capture-spends": breaks(
            "CHK-RFD-05",
            "After the capture of a settled payment was refused nothing can be given back.",
            around(_spending(), "capture"),
        ),
        "refund-bars-captures": breaks(
            "CHK-CAP-01",
            "After a refund of an authorization was refused it is not captured.",
            _refused_refund_bars_captures,
        ),
        **{
            f"{name}-with-a-wrong-hash-bars-it": breaks(
                requirement,
                f"After a {name} with a wrong hash the payment takes no {name}.",
                _barring(check_signature, name),
            )
            for name, requirement in _POSITIVE
        },
        **{
            f"{name}-of-another-merchant-bars-it": breaks(
                requirement,
                f"After a {name} by another merchant the payment takes no {name}.",
                _barring(find_refundable if name == "refund" else find_payment, name),
            )
            for name, requirement in _POSITIVE
        },
    },
    prefix="checkout-refused-",
    since="6.7.0",
)
