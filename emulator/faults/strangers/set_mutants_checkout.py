"""Faults of Checkout, its hosted page and hosted fields that come of one word changed, unnoticed at first."""

from dataclasses import replace
from typing import Final

from emulator.changes import checkout
from emulator.changes.stages import breakdown_if
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import card_credits, recurring
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.captures_and_refunds import refuses_refund
from emulator.protocols.checkout.lookups import payment_object
from emulator.rules.keywords import DECIMAL
from emulator.wire.replies import Refusal, Reply

_GIVEN_BACK: Final = {"refund": "CHK-RFD-05", "void": "CHK-RFD-13"}

_WITH_AMOUNTS: Final = (
    ("capture", "GEN-ERR-10", "6.6.3"),
    ("refund", "GEN-ERR-10", None),
    ("recurring", "GEN-ERR-10 CHK-REC-20", None),
    ("card_credit", "GEN-ERR-10 CHK-CRD-24", None),
)


def _declined_first(attempt: PostAttempt, number: object) -> Payment | None:
    """The first attempt at an order, where it was declined."""
    account = attempt.account
    found = attempt.gateway.payments.of_order(account, str(number)) if account else []
    own = [payment for payment in found if payment.protocol is Protocol.CHECKOUT]
    return own[-1] if own and own[-1].state is State.DECLINED else None


def _find_declined(attempt: PostAttempt) -> Refusal | None:
    """A card credit is about the attempt at its order that was declined, where there is one."""
    attempt.payment = _declined_first(attempt, attempt.body.get("order_id"))
    return card_credits.find_refunded(attempt) if attempt.payment is None else refuses_refund(attempt, attempt.payment)


def _refuse_after_a_decline(attempt: PostAttempt) -> Refusal | None:
    payment = attempt.payment
    is_meant = payment is not None and _declined_first(attempt, payment.order_number) is not None
    return attempt.operation.refusals[Obstacle.WRONG_STATE] if is_meant else None


def _shows_the_decline(attempt: PostAttempt, reply: Reply) -> Reply:
    payment = _declined_first(attempt, attempt.body.get("order_id"))
    is_meant = payment is not None and not checkout.by_payment(attempt) and reply.listed is None
    return replace(reply, body=payment_object(attempt.gateway, payment)) if is_meant and payment else reply


def _breaks_on_words(attempt: PostAttempt) -> bool:
    """An amount that is no number."""
    body, order = attempt.body, attempt.body.get("order")
    amounts = (body.get("amount"), body.get("order_amount"), order.get("amount") if isinstance(order, dict) else None)
    return any(isinstance(amount, str) and DECIMAL.fullmatch(amount) is None for amount in amounts)


FAULTS: Final = faults(
    {
        "mutants-credit-of-a-declined-attempt": breaks(
            "CHK-RFD-01",
            "An order whose first attempt was declined is not refunded by card credit, though it is paid (line 319).",
            checkout.instead(card_credits.find_refunded, _find_declined, "card_credit"),
        ),
        "mutants-capture-after-a-decline": breaks(
            "CHK-CAP-01",
            "An authorization is not captured where an attempt at its order was declined before (line 315).",
            checkout.last(_refuse_after_a_decline, "capture"),
            since="6.7.0",
        ),
        **{
            f"mutants-{name}-after-a-decline": breaks(
                requirement,
                f"There is no {name} of a payment where an attempt at its order was declined before.",
                checkout.last(_refuse_after_a_decline, name),
            )
            for name, requirement in _GIVEN_BACK.items()
        },
        "mutants-look-up-of-a-declined-attempt": breaks(
            "CHK-STA-04",
            "A look-up of an order shows the attempt that was declined first, and not the payment after it (line 344).",
            checkout.looking_up(_shows_the_decline),
        ),
        **{
            f"mutants-{name}-of-no-number": breaks(
                requirements,
                f"A {name} whose amount is no number is a server error.",
                checkout.first(breakdown_if(_breaks_on_words), name),
                since=since,
            )
            for name, requirements, since in _WITH_AMOUNTS
        },
        "mutants-charge-of-any-decimals": breaks(
            "CHK-REC-20",
            "A secondary charge takes an amount with other decimals than its currency has (line 87).",
            checkout.without(recurring.check_amount, "recurring"),
        ),
        "mutants-credit-of-any-decimals": breaks(
            "CHK-CRD-24",
            "A card credit takes an amount with other decimals than its currency has (line 87).",
            checkout.without_row("card_credit", "order_amount", "decimals"),
        ),
    }
)
