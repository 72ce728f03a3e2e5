"""Captures of S2S CARD that are answered before they are carried out."""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_card import post
from emulator.design import Change
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardGateway
from emulator.protocols.s2s_card.captures_and_refunds import capture, shown
from emulator.protocols.s2s_card.charging import DECLINE_REASON
from emulator.protocols.s2s_card.messages import callback_bodies
from emulator.protocols.s2s_card.messages.answers import DESCRIPTOR, named, now
from emulator.wire.replies import Kind, Reply

_SECONDS: Final = 0.3
OnceMore = Callable[[CardGateway, Payment, str], None]
"""What becomes of a capture that was taken on before another one was carried out; given its amount, as it was sent."""


def captures_carried_out_later(once_more: OnceMore, *, seconds: float = _SECONDS) -> Change:
    """CAPTURE of a whole authorization is ACCEPTED and carried out some seconds later; until then it is PENDING."""

    def perform(attempt: CardAttempt) -> Reply:
        payment = attempt.payment
        if (
            payment is None
            or payment.state is not State.AUTHORIZED
            or not payment.captures
            or attempt.form.get("amount")
        ):
            return capture(attempt)
        attempt.gateway.agenda.after(seconds, lambda: _carry_out(attempt, payment, once_more))
        body = named(payment, "CAPTURE", "ACCEPTED", payment.status) | {
            "amount": shown(payment.amount, payment, attempt.gateway),
            "trans_date": now(attempt.gateway),
            "descriptor": DESCRIPTOR,
            "currency": payment.currency,
        }
        return Reply(Kind.CARD_ACTION, 200, body)

    return post("CAPTURE", perform=perform)


def _carry_out(attempt: CardAttempt, payment: Payment, once_more: OnceMore) -> None:
    if payment.state is State.AUTHORIZED:
        capture(attempt)
    else:
        once_more(attempt.gateway, payment, shown(payment.amount, payment, attempt.gateway))


def decline_it(gateway: CardGateway, payment: Payment, amount: str) -> None:
    """Line 455: a payment that is not pending any more is not captured."""
    payment.note(Move.CAPTURE.value, "fail", gateway.clock.now(), Decimal(amount))
    payment.decline_reason = DECLINE_REASON
    callback_bodies.notify_capture(gateway, payment, "DECLINED", amount)


def capture_it(gateway: CardGateway, payment: Payment, amount: str) -> None:
    """The amount is captured a second time."""
    payment.note(Move.CAPTURE.value, "success", gateway.clock.now(), Decimal(amount))
    callback_bodies.notify_capture(gateway, payment, "SUCCESS", amount)
