"""Faults that a reader of a gateway saw and the suite did not: money given back twice, callbacks given up in time."""

from typing import Final

from emulator.changes import checkout, s2s_apm, s2s_card
from emulator.changes.checkout import Handler
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.callback_bodies import notify as notify_checkout
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.callback_bodies import notify as notify_apm
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.captures_and_refunds import shown
from emulator.protocols.s2s_card.messages.answers import named
from emulator.protocols.s2s_card.messages.callback_bodies import notify_creditvoid
from emulator.wire.replies import Kind, Reply

_UNDER_WAY: Final = 0.5
"""Seconds that a refund takes."""
_A_DAY: Final = 86_400.0


# --- a refund of the whole that is under way does not keep a void from giving all back as well ---


def _is_whole(payment: Payment | None, amount: object) -> bool:
    return payment is not None and payment.state is State.SETTLED and not payment.refunded and not amount


def _was_voided(payment: Payment) -> bool:
    """Whether it was voided meanwhile; then it is refunded all the same."""
    if payment.state is not State.VOIDED:
        return False
    payment.state = State.REFUNDED
    return True


def _card_refund(perform: Perform, attempt: CardAttempt) -> Reply:
    gateway, payment = attempt.gateway, attempt.payment
    if payment is None or not _is_whole(payment, attempt.form.get("amount")) or gateway.card.refund_refusal(payment):
        return perform(attempt)

    def carry_out() -> None:
        if _was_voided(payment):
            notify_creditvoid(gateway, payment, shown(payment.amount, payment, gateway))
        else:
            perform(attempt)

    gateway.agenda.after(_UNDER_WAY, carry_out)
    return Reply(Kind.CARD_ACTION, 200, named(payment, "CREDITVOID", "ACCEPTED"))


def _apm_refund(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    is_plain = payment is not None and payment.account.refunds and not payment.account.connector_refunds_only
    if payment is None or not is_plain or not _is_whole(payment, attempt.form.get("amount")):
        return handler(attempt, gateway)

    def carry_out() -> None:
        if _was_voided(payment):
            notify_apm(gateway, payment, "CREDITVOID", "SUCCESS", {"amount": payment.amount_text})
        else:
            handler(attempt, gateway)

    gateway.agenda.after(_UNDER_WAY, carry_out)
    members = {"order_id": payment.order_number, "trans_id": payment.trans_id}
    return Reply(Kind.APM_CREDITVOID, 200, {"action": attempt.action, "result": "ACCEPTED", **members})


def _checkout_refund(handler: Handler, attempt: PostAttempt) -> Reply:
    payment = attempt.payment
    is_plain = payment is not None and payment.account.refunds and not payment.account.connector_refunds_only
    is_all = payment is not None and attempt.body.get("amount") in (None, payment.amount_text)
    if payment is None or not (is_plain and is_all and _is_whole(payment, "")):
        return handler(attempt)

    def carry_out() -> None:
        if _was_voided(payment):
            notify_checkout(attempt.gateway, payment, "refund", "success")
        else:
            handler(attempt)

    attempt.gateway.agenda.after(_UNDER_WAY, carry_out)
    return Reply(Kind.CHECKOUT_REFUND, 200, {"payment_id": payment.id, "result": "accepted"})


FAULTS: Final = faults(
    {
        "void-beside-a-refund-of-a-card-payment": breaks(
            "S2C-VOI-09",
            "A payment whose refund is under way is voided, and refunded all the same (line 318).",
            s2s_card.around(_card_refund, "CREDITVOID"),
        ),
        "void-beside-a-refund-of-an-apm-payment": breaks(
            "APM-VOI-11",
            "A payment whose refund is under way is voided, and refunded all the same (lines 318 and 372).",
            s2s_apm.around(_apm_refund, "CREDITVOID"),
        ),
        "void-beside-a-refund-of-a-checkout-payment": breaks(
            "CHK-RFD-10",
            "A payment whose refund is under way is voided, and refunded all the same (line 318).",
            checkout.around(_checkout_refund, "refund"),
        ),
        "callbacks-taken-with-200-only-for-a-day": breaks(
            "CBK-DEL-09",
            "HTTP 202 and 204 do not take a callback; it comes again, for a day of the gateway's clock (line 424).",
            lambda design: design.in_callbacks(
                accepted=lambda status: status == 200,
                again=(5.0, 60.0, *[600.0] * 144),
                gives_up_after=_A_DAY,
                notes_after=0.15,
            ),
        ),
    }
)
