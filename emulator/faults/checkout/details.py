"""Faults of Checkout in details beside a right answer: arrays, tokens of debits, amounts of charges, hosted fields."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.checkout import NOTICES, answering
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import Object

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
            returned = inner(parameters)
            return {**returned, name: returned[name][::-1]} if name in returned else returned

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


FAULTS: Final = faults(
    {
        "checkout-look-up-array-of-bare-ids": breaks(
            "CHK-STA-17",
            "The objects of an array hold payment_id only.",
            lambda design: design.filtering(_bare_arrays),
            since=_NEW,
        ),
        "checkout-look-up-number-beside-card": breaks(
            "CHK-STA-36",
            "The whole card number is reported beside the masked one.",
            answering(_with_number, _STATUS),
            since=_NEW,
        ),
        "checkout-refund-of-more-than-is-left": breaks(
            "CHK-RFD-09", "After a refund in part the whole is refunded.", _refunding_more
        ),
        "checkout-token-of-debit-of-63": breaks(
            "CHK-TOK-04", "Tokens of debits have 63 characters.", NOTICES.changed(_short_token_of_debit), since=_NEW
        ),
        "checkout-callback-declined-at-first": breaks(
            "CBK-ATT-05", "A settled payment is first reported as declined.", NOTICES.changed(_declined_at_first)
        ),
        "checkout-callback-settled-too-early": breaks(
            "CBK-ATT-06",
            "A challenged payment is reported as settled before its payer answered.",
            NOTICES.changed(_settled_too_early),
        ),
        "hosted-parameters-other-order-id": breaks("CHK-URL-04", "order_id is another one.", _hosted("order_id")),
        "hosted-parameters-other-hash": breaks("CHK-URL-07", "The hash is wrong.", _hosted("hash")),
        "hosted-parameters-other-payment-id": breaks("CHK-STA-21", "payment_id is another one.", _hosted("payment_id")),
    }
)
