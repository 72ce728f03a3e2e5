"""The addresses of Checkout that concern payments: their rules, stages, signatures and handlers."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.protocols.checkout import behaviour, captures_and_refunds, card_credits, recurring
from emulator.protocols.checkout.behaviour import Operation
from emulator.protocols.checkout.lookups import look_up
from emulator.protocols.checkout.requests import FIRST, find_payment, find_refundable
from emulator.releases import holds
from emulator.rules.checkout.payments import ROWS
from emulator.wire.replies import Kind
from emulator.wire.values import Object, child, text_of


def joined(*paths: str) -> Callable[[Object], str]:
    """The values at dotted paths as sent, one after the other; what was not sent adds nothing."""
    places = tuple(tuple(path.split(".")) for path in paths)

    def signed(body: Object) -> str:
        values = (child(body, *place) for place in places)
        return "".join(text_of(value) for value in values if value is not None)

    signed.__doc__ = ", ".join(paths)
    return signed


def signed_look_up(body: Object) -> str:
    """A look-up is signed over the identifier that decides."""
    return joined("order_id" if body.get("payment_id") is None else "payment_id")(body)


OPERATIONS: Final[Mapping[str, Operation]] = {
    "status": Operation(
        "/api/v1/payment/status",
        ROWS["status"],
        FIRST,
        look_up,
        signed_look_up,
        Kind.CHECKOUT_STATUS,
        not_found=behaviour.NO_PAYMENT,
    ),
    "capture": Operation(
        "/api/v1/payment/capture",
        ROWS["capture"],
        (*FIRST, find_payment),
        captures_and_refunds.capture,
        joined("payment_id", "amount"),
        Kind.CHECKOUT_CAPTURE,
        since="6.6.3",
        not_found=behaviour.NO_TRANSACTION,
        refusals=behaviour.CAPTURE_REFUSALS,
    ),
    "void": Operation(
        "/api/v1/payment/void",
        ROWS["void"],
        (*FIRST, find_payment),
        captures_and_refunds.void,
        joined("payment_id"),
        Kind.CHECKOUT_VOID,
        refusals=behaviour.VOID_REFUSALS,
    ),
    "refund": Operation(
        "/api/v1/payment/refund",
        ROWS["refund"],
        (*FIRST, find_refundable),
        captures_and_refunds.refund,
        joined("payment_id", "amount"),
        Kind.CHECKOUT_REFUND,
        refusals=behaviour.REFUND_REFUSALS,
    ),
    "retry": Operation(
        "/api/v1/payment/retry",
        ROWS["retry"],
        (*FIRST, find_payment),
        captures_and_refunds.retry,
        joined("payment_id"),
        Kind.CHECKOUT_RETRY,
        refusals=behaviour.RETRY_REFUSALS,
    ),
    "recurring": Operation(
        "/api/v1/payment/recurring",
        ROWS["recurring"],
        (*FIRST, recurring.find_chain, recurring.check_amount, recurring.check_duplicate),
        recurring.charge_again,
        joined("recurring_init_trans_id", "recurring_token", "order.number", "order.amount", "order.description"),
        Kind.CHECKOUT_RECURRING,
    ),
    "card_credit": Operation(
        "/api/v1/payment/card/credit",
        ROWS["card_credit"],
        (*FIRST, card_credits.check_duplicate, card_credits.find_refunded, card_credits.check_token),
        card_credits.credit,
        joined("order_id", "order_amount", "order_currency", "order_description"),
        Kind.CHECKOUT_CREDIT,
        refusals=behaviour.REFUND_REFUSALS,
    ),
}


def operations_of(release: str) -> Mapping[str, Operation]:
    """The addresses that ``release`` has, with its rules."""
    found = {name: each for name, each in OPERATIONS.items() if holds(release, each.since, None)}
    if release < "6.7.0":
        found["status"] = replace(found["status"], not_found=behaviour.NOT_CORRECT)
    return {
        name: replace(each, rows=tuple(row for row in each.rows if holds(release, row.since, row.until)))
        for name, each in found.items()
    }
