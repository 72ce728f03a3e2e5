"""Faults that a reader of a gateway saw and the suite did not: money given back twice, callbacks given up in time."""

import unicodedata
from collections.abc import Callable
from typing import Final

from emulator.changes import checkout, checkout_sessions, s2s_apm, s2s_card
from emulator.changes.checkout import Handler
from emulator.changes.checkout_sessions import put
from emulator.design import Change
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
from emulator.wire.values import Object, child

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


# --- readers that take any digit, or a value for a list ---


def _after_the_first(text: str) -> str:
    """Digits of other scripts are read as well, but not as the first one."""
    is_read = text[:1].isascii() and any(digit.isdecimal() and not digit.isascii() for digit in text)
    return "".join(str(unicodedata.digit(one)) if one.isdecimal() else one for one in text) if is_read else text


def _read_so(*names: str) -> Change:
    def seen(body: Object) -> Object:
        value = child(body, *names)
        return put(body, _after_the_first(value), *names) if isinstance(value, str) else body

    return checkout_sessions.rules_see(seen)


def _is_no_list(*names: str) -> Callable[[Object], bool]:
    """Whether there is a number or a boolean where a list belongs."""
    return lambda body: isinstance(child(body, *names), int)


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
        **{
            f"card-{name.replace('_', '-')}-with-a-full-width-digit": breaks(
                f"{sale} S2C-DEB-09",
                f"{name} may have a full-width digit behind the first (lines 84, 270 and 272).",
                s2s_card.reading(name, _after_the_first, ("SALE", "DEBIT")),
            )
            for name, sale in (
                ("order_amount", "S2C-SAL-12"),
                ("card_exp_year", "S2C-SAL-21"),
                ("card_cvv2", "S2C-SAL-23"),
            )
        },
        "apm-order-amount-with-a-full-width-digit": breaks(
            "APM-SAL-14",
            "order_amount may have a full-width digit behind the first (line 84).",
            s2s_apm.reading("order_amount", _after_the_first, ("SALE",)),
        ),
        "session-amount-with-a-full-width-digit": breaks(
            "CHK-ORD-08",
            "order.amount may have a full-width digit behind the first (line 84).",
            _read_so("order", "amount"),
        ),
        "installments-with-a-full-width-digit": breaks(
            "CHK-PRM-02",
            "bnrg_installm_def may have a full-width digit behind the first (line 133).",
            _read_so("parameters", "card", "bnrg_installm_def"),
        ),
        "shipping-cost-with-a-full-width-digit": breaks(
            "CHK-SHP-08",
            "shipping.cost may have a full-width digit behind the first (line 163).",
            _read_so("parameters", "card", "shipping", "cost"),
        ),
        **{
            f"number-for-{names[-1].lower()}-breaks-the-gateway": breaks(
                "GEN-ERR-10",
                f"A number or boolean in the place of {'.'.join(names)} is a server error (line 431).",
                checkout_sessions.breaking(_is_no_list("parameters", "card", *names)),
            )
            for names in (("cart", "items"), ("cart", "payments"), ("marketPlace", "sellers"))
        },
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
