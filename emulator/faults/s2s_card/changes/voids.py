"""Faults of S2S CARD: voids."""

from typing import Final

from emulator.changes.s2s_card import last, post
from emulator.changes.s2s_card_moves import in_state, leading_to
from emulator.changes.stages import breakdown_if, refusal_if
from emulator.engine.moves import Move
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.captures_and_refunds import void
from emulator.protocols.s2s_card.messages.answers import named, now
from emulator.wire.replies import Kind, Refusal, Reply

_REFUSED: Final = Refusal(Kind.STATE, "This is not possible now.")


def _void_part(attempt: CardAttempt) -> Reply:
    """A void of a part is answered like one of the whole, and leaves the payment as it was."""
    payment = attempt.payment
    if payment is None or not attempt.form.get("amount"):
        return void(attempt)
    body = named(payment, "VOID", "SUCCESS", "VOID") | {"trans_date": now(attempt.gateway)}
    return Reply(Kind.CARD_ACTION, 200, body)


def _void_only_in_words_later(attempt: CardAttempt) -> Reply:
    payment, gateway = attempt.payment, attempt.gateway
    late = payment is not None and gateway.card.day_is_over(payment, gateway.clock.now())
    if payment is None or not late or payment.state is not State.SETTLED:
        return void(attempt)
    return Reply(Kind.CARD_ACTION, 200, named(payment, "VOID", "SUCCESS", "VOID") | {"trans_date": now(gateway)})


FAULTS: Final = faults(
    {
        "void-refused": breaks(
            "S2C-VOI-01", "Every void is refused.", last(refusal_if(in_state(State.SETTLED), _REFUSED), "VOID")
        ),
        "void-leaves-settled": breaks(
            "S2C-VOI-02", "A voided payment stays SETTLED.", leading_to(Move.VOID, State.SETTLED)
        ),
        "void-of-pending-server-error": breaks(
            "S2C-VOI-06",
            "A void of an authorization is a server error.",
            last(breakdown_if(in_state(State.AUTHORIZED)), "VOID"),
        ),
        "void-of-captured-refused": breaks(
            "S2C-VOI-07",
            "A captured authorization cannot be voided.",
            last(
                refusal_if(
                    lambda attempt: attempt.payment is not None and attempt.payment.intended is State.AUTHORIZED,
                    _REFUSED,
                ),
                "VOID",
            ),
        ),
        "void-on-a-later-day-without-effect": breaks(
            "S2C-VOI-10",
            "A void on a later day is answered as done, and the payment stays SETTLED.",
            post("VOID", perform=_void_only_in_words_later),
        ),
        "void-in-parts": breaks(
            "S2C-VOI-11", "A void with an amount leaves the payment SETTLED.", post("VOID", perform=_void_part)
        ),
        "void-of-recurring-refused": breaks(
            "S2C-VOI-15",
            "A recurring payment cannot be voided.",
            last(
                refusal_if(lambda attempt: attempt.payment is not None and bool(attempt.payment.chain), _REFUSED),
                "VOID",
            ),
        ),
    }
)
