"""Faults of Checkout in details beside a right answer: arrays, tokens of debits, amounts of charges, hosted fields."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.callbacks.notice import Notice
from emulator.design import Change, Design
from emulator.faults.checkout_ways import answering, field_as, telling
from emulator.faults.model import Fault
from emulator.hosted_page.outcomes import Parameters
from emulator.payments.model import Payment, Protocol, State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import Kind, Reply
from emulator.values import Object

_STATUS: Final = Kind.CHECKOUT_STATUS
_NEW: Final = "6.7.0"
_TEST_CARD: Final = "4111111111111111"


def _bare_arrays(reply: Reply) -> Reply:
    if reply.kind is not _STATUS or not reply.listed:
        return reply
    return replace(reply, listed=tuple({"payment_id": one.get("payment_id")} for one in reply.listed))


def _with_number(body: Object) -> Object:
    return body | {"customer": {"account": _TEST_CARD}} if "card" in body else body


def _refunding_more(design: Design) -> Design:
    """A refund is compared with the whole payment, not with what is left of it."""
    inner = design.moves.obstacle

    def obstacle(payment: Payment, move: Move, amount: Decimal) -> Obstacle | None:
        found = inner(payment, move, amount)
        in_checkout = payment.protocol is Protocol.CHECKOUT and move is Move.REFUND
        return None if in_checkout and found is Obstacle.TOO_MUCH and amount <= payment.amount else found

    return replace(design, moves=replace(design.moves, obstacle=obstacle))


def _hosted(name: str) -> Change:
    def change(design: Design) -> Design:
        inner = design.hosted_fields.return_parameters

        def changed(parameters: Parameters) -> Parameters:
            told = inner(parameters)
            return {**told, name: told[name][::-1]} if name in told else told

        return design.in_hosted_fields(return_parameters=changed)

    return change


def _short_token_of_debit(notice: Notice) -> Iterator[Notice]:
    token = notice.fields.get("card_token")
    is_debit = notice.payment.action == "debit" and isinstance(token, str)
    yield replace(notice, fields=notice.fields | {"card_token": str(token)[:63]}) if is_debit else notice


def _declined_at_first(notice: Notice) -> Iterator[Notice]:
    if notice.event == "sale" and notice.payment.state is State.SETTLED:
        yield replace(
            notice, fields=notice.fields | {"status": "fail", "order_status": "decline", "reason": "Declined"}
        )
    yield notice


def _settled_too_early(notice: Notice) -> Iterator[Notice]:
    if notice.event == "3ds":
        early = {"type": "sale", "status": "success", "order_status": "settled"}
        yield replace(notice, event="sale", fields=notice.fields | early)
    yield notice


FAULTS: Final = (
    Fault(
        "checkout-look-up-array-of-bare-ids",
        ("CHK-STA-17",),
        "The objects of an array hold payment_id only.",
        lambda design: design.filtering(_bare_arrays),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-number-beside-card",
        ("CHK-STA-36",),
        "The whole card number is told beside the masked one.",
        answering(_with_number, _STATUS),
        ("CHK-STA-43",),
        since=_NEW,
    ),
    Fault(
        "checkout-refund-of-more-than-is-left",
        ("CHK-RFD-09",),
        "After a refund in part the whole is refunded.",
        _refunding_more,
        ("CHK-RFD-*",),
    ),
    Fault(
        "checkout-token-of-debit-of-63",
        ("CHK-TOK-04",),
        "Tokens of debits have 63 characters.",
        telling(_short_token_of_debit),
        ("CHK-TOK-*", "CBK-*"),
        since=_NEW,
    ),
    Fault(
        "checkout-charge-callback-other-amount",
        ("CBK-ATT-02",),
        "Callbacks of charges tell another amount.",
        field_as("order_amount", "99.00", "recurring"),
        ("CBK-*", "CHK-SCH-*"),
    ),
    Fault(
        "checkout-callback-declined-at-first",
        ("CBK-ATT-05",),
        "A settled payment is first told as declined.",
        telling(_declined_at_first),
        ("CBK-*", "CHK-*"),
    ),
    Fault(
        "checkout-callback-settled-too-early",
        ("CBK-ATT-06",),
        "A challenged payment is told as settled before its payer answered.",
        telling(_settled_too_early),
        ("CBK-*", "CHK-*"),
    ),
    Fault("hosted-parameters-other-order-id", ("CHK-URL-04",), "order_id is another one.", _hosted("order_id")),
    Fault("hosted-parameters-other-hash", ("CHK-URL-07",), "The hash is wrong.", _hosted("hash")),
    Fault(
        "hosted-parameters-other-payment-id",
        ("CHK-STA-21",),
        "payment_id is another one.",
        _hosted("payment_id"),
        ("CHK-URL-07",),
    ),
)
