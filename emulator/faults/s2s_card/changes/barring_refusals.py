"""Faults of S2S CARD: what was refused bars what is right for the same payment."""

from typing import Final

from emulator.changes.s2s_card import around, instead, last
from emulator.design import Change, Design
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.stages import find_payment
from emulator.wire.replies import Kind, Refusal, Reply

_NOT_NOW: Final = Refusal(Kind.STATE, "This is not possible now.")


def _unfound_bars(action: str) -> Change:
    """An action that is refused because the payment is not of who asks is refused ever after."""

    def change(design: Design) -> Design:
        barred: set[str] = set()

        def noting(attempt: CardAttempt) -> Refusal | None:
            refusal = find_payment(attempt)
            if refusal is not None:
                barred.add(attempt.form.get("trans_id", ""))
            return refusal

        def refusing(attempt: CardAttempt) -> Refusal | None:
            return _NOT_NOW if attempt.form.get("trans_id") in barred else None

        return last(refusing, action)(instead(find_payment, noting, action)(design))

    return change


def _refusal_spends(perform: Perform, attempt: CardAttempt) -> Reply:
    reply, payment = perform(attempt), attempt.payment
    if reply.is_error and payment is not None and payment.state is State.SETTLED and not payment.refunded:
        payment.refunded = payment.captured
    return reply


def _refusal_bars_releases(design: Design) -> Design:
    refused: set[str] = set()

    def noting(perform: Perform, attempt: CardAttempt) -> Reply:
        reply = perform(attempt)
        if reply.is_error:
            refused.add(attempt.form.get("trans_id", ""))
        return reply

    def refusing(attempt: CardAttempt) -> Refusal | None:
        payment = attempt.payment
        is_held = payment is not None and payment.state is State.AUTHORIZED
        return _NOT_NOW if is_held and attempt.form.get("trans_id") in refused else None

    return last(refusing, "CREDITVOID")(around(noting, "CAPTURE")(design))


FAULTS: Final = faults(
    {
        "refund-of-more-than-the-whole-spends": breaks(
            "S2C-CVD-02",
            "After a CREDITVOID of too much was refused nothing is taken back.",
            around(_refusal_spends, "CREDITVOID"),
        ),
        "capture-bars-the-release": breaks(
            "S2C-CVD-06", "After a CAPTURE of too much was refused the hold is not released.", _refusal_bars_releases
        ),
        **{
            f"{action.lower()}-of-another-merchant-bars-it": breaks(
                requirement,
                f"After a {action} by another merchant the payment takes no {action}.",
                _unfound_bars(action),
            )
            for action, requirement in (("CAPTURE", "S2C-CAP-18"), ("VOID", "S2C-VOI-14"), ("CREDITVOID", "S2C-CVD-17"))
        },
    },
    prefix="refused-",
)
