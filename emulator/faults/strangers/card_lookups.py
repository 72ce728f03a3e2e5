"""Faults of S2S CARD look-ups that show for one action, one spelling, or one kind of payment.

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import instead
from emulator.design import Design
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt
from emulator.protocols.s2s_card.stages import find_order, find_payment
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_NOT_CORRECT: Final = Refusal(Kind.NOT_FOUND, "This value is not correct.")
_BY_ORDER: Final = "GET_TRANS_STATUS_BY_ORDER"


def _trans_id_in_any_case(attempt: CardAttempt) -> Refusal | None:
    seen = replace(attempt, form={**attempt.form, "trans_id": attempt.form.get("trans_id", "").lower()})
    refusal = find_payment(seen)
    attempt.payment = seen.payment
    return refusal


def _no_transfers(attempt: CardAttempt) -> Refusal | None:
    refusal = find_order(attempt)
    is_transfer = attempt.payment is not None and attempt.payment.action == "CARD2CARD"
    return attempt.behaviour.unknown if is_transfer else refusal


def _digits_not_correct(attempt: CardAttempt) -> Refusal | None:
    refusal = find_order(attempt)
    return _NOT_CORRECT if refusal is not None and attempt.form.get("order_id", "").isdecimal() else refusal


def _arn_of_charges_empty(design: Design) -> Design:
    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        perform = behaviour.perform

        def act(attempt: CardAttempt) -> Reply:
            reply, payment = perform(attempt), attempt.payment
            if payment is None or payment.action != "RECURRING_SALE" or reply.is_error:
                return reply
            return replace(reply, body={"ARN": ""} | reply.body)

        return replace(behaviour, perform=act)

    return design.in_posts(changed, "GET_TRANS_STATUS")


def _first_of_chain(attempt: CardAttempt) -> Refusal | None:
    """A recurring charge is looked up by the order of the payment that started its chain."""
    refusal = find_order(attempt)
    payment = attempt.payment
    first = attempt.gateway.payments.find(payment.account, payment.chain) if payment and payment.chain else None
    attempt.payment = first or payment
    return refusal


FAULTS: Final = faults(
    {
        "order-look-up-of-digits-not-correct": breaks(
            "S2C-STA-21",
            "An unknown order_id of digits alone is refused as it was before 6.7.0 (lines 449 and 451).",
            instead(find_order, _digits_not_correct, _BY_ORDER),
            since=_NEW,
        ),
        "order-look-up-of-transfers-unknown": breaks(
            "S2C-STA-20",
            "GET_TRANS_STATUS_BY_ORDER does not find the orders of CARD2CARD (line 357).",
            instead(find_order, _no_transfers, _BY_ORDER),
        ),
        "look-up-of-charges-with-empty-arn": breaks(
            "S2C-STA-12",
            "GET_TRANS_STATUS of a RECURRING_SALE reports ARN empty while there is none (line 422).",
            _arn_of_charges_empty,
            since=_NEW,
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "trans-id-in-capitals-found": breaks(
            "S2C-STA-16",
            "GET_TRANS_STATUS finds a payment by its trans_id in capitals, which is that of none (line 450).",
            instead(find_payment, _trans_id_in_any_case, "GET_TRANS_STATUS"),
        ),
        "order-look-up-of-charge-names-first": breaks(
            "S2C-STA-20",
            "GET_TRANS_STATUS_BY_ORDER of a charge reports the payment that started its chain (line 357).",
            instead(find_order, _first_of_chain, _BY_ORDER),
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
