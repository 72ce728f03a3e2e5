"""Faults of Checkout that show in one place only: of one kind of look-up, for another merchant, behind a refusal."""

from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS, Account
from emulator.changes.checkout import (
    Handler,
    around,
    by_payment,
    first,
    instead,
    reaching_others,
)
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import equal, session_hash
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import card_credits
from emulator.protocols.checkout.behaviour import Operation, PostAttempt
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.checkout.requests import check_signature
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_STATUS: Final = Kind.CHECKOUT_STATUS
_ELSEWHERE: Final = Refusal(Kind.NOWHERE, "Route or parameters is not supported", code=0, status=404)


def _listed(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    return replace(reply, listed=(reply.body,)) if by_payment(attempt) and not reply.is_error else reply


def _declined_is_402(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    return replace(reply, status=402) if "reason" in reply.body and not reply.is_error else reply


def _other_currency_of_declined(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    order = reply.body.get("order")
    if "reason" not in reply.body or not isinstance(order, dict):
        return reply
    return replace(reply, body=reply.body | {"order": order | {"currency": "XTS"}})


def _found(attempt: PostAttempt, payments: list[Payment], refused: Reply) -> Reply:
    return Reply(_STATUS, 200, payment_object(attempt.gateway, payments[0])) if payments else refused


def _by_either(handler: Handler, attempt: PostAttempt) -> Reply:
    reply, account, book = handler(attempt), attempt.account, attempt.gateway.payments
    if not reply.is_error or account is None:
        return reply
    if by_payment(attempt):
        named = book.of_order(account, str(attempt.body["payment_id"]))
        return _found(attempt, [one for one in named if one.protocol is Protocol.CHECKOUT], reply)
    payment = book.find(account, str(attempt.body.get("order_id")))
    return _found(attempt, [payment] if payment else [], reply)


def _by_beginning(handler: Handler, attempt: PostAttempt) -> Reply:
    reply, account, book = handler(attempt), attempt.account, attempt.gateway.payments
    number = str(attempt.body.get("order_id"))
    if not reply.is_error or account is None or by_payment(attempt):
        return reply
    return _found(
        attempt, [one for end in range(1, len(number)) for one in book.of_order(account, number[:end])], reply
    )


def _sized(operation: Operation) -> Operation:
    def accepts(attempt: PostAttempt, account: Account) -> bool:
        size = attempt.body.get("size")
        if size is None or by_payment(attempt):
            return operation.accepts_hash(attempt, account)
        wanted = session_hash(f"{attempt.body.get('order_id')}{size}{account.password}", account.hash)
        return equal(str(attempt.body.get("hash")), wanted)

    return replace(operation, accepts_hash=accepts)


def _sized_or_not(operation: Operation) -> Operation:
    sized = _sized(operation).accepts_hash
    plain = operation.accepts_hash
    return replace(operation, accepts_hash=lambda attempt, account: plain(attempt, account) or sized(attempt, account))


def _unsigned_with_size(operation: Operation) -> Operation:
    plain = operation.accepts_hash
    return replace(operation, accepts_hash=lambda attempt, account: "size" in attempt.body or plain(attempt, account))


def _by_any_password(operation: Operation) -> Operation:
    def accepts(attempt: PostAttempt, account: Account) -> bool:
        text, given = operation.signed(attempt.body), str(attempt.body.get("hash"))
        return any(equal(given, session_hash(text + one.password, account.hash)) for one in ACCOUNTS)

    return replace(operation, accepts_hash=accepts)


def _in_look_ups(change: object) -> Change:
    return lambda design: design.in_operations(change, "status")  # type: ignore[arg-type]


def _done_in_spite(name: str, move: Move) -> Change:
    """What is not signed is refused, and carried out all the same."""

    def stage(attempt: PostAttempt) -> Refusal | None:
        refusal, gateway = check_signature(attempt), attempt.gateway
        if refusal is not None and attempt.account is not None:
            payment = gateway.payments.find(attempt.account, str(attempt.body.get("payment_id")))
            if payment is not None:
                gateway.moves.make(payment, move, None, gateway.clock.now())
        return refusal

    return instead(check_signature, stage, name)


def _refunded_in_spite(attempt: PostAttempt) -> Refusal | None:
    refusal, gateway = card_credits.find_refunded(attempt), attempt.gateway
    if refusal is not None and attempt.payment is not None:
        gateway.moves.make(attempt.payment, Move.REFUND, None, gateway.clock.now())
    return refusal


def _found_for_anybody(attempt: PostAttempt) -> Refusal | None:
    refusal, book = card_credits.find_refunded(attempt), attempt.gateway.payments
    if attempt.payment is None:
        number = str(attempt.body.get("order_id"))
        named = [payment for account in ACCOUNTS for payment in book.of_order(account, number)]
        attempt.payment = next((one for one in named if one.state is State.SETTLED and one.action != "credit"), None)
    return refusal


def _refund_not_made(handler: Handler, attempt: PostAttempt) -> Reply:
    payment = attempt.payment
    if payment is None:
        return handler(attempt)
    return Reply(Kind.CHECKOUT_CREDIT, 200, {"payment_id": payment.id, "result": "accepted"})


def _credit_as_text(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    return reply if reply.is_error else replace(reply, content_type="text/plain", text="accepted")


def _passwords(design: Design) -> Design:
    return design.in_operations(_by_any_password)


FAULTS: Final = faults(
    {
        "checkout-look-up-by-payment-always-in-array": breaks(
            "CHK-STA-02", "Every look-up by payment answers an array.", around(_listed, "status")
        ),
        "checkout-look-up-every-declined-402": breaks(
            "CHK-STA-19", "Look-ups of declined payments are HTTP 402.", around(_declined_is_402, "status")
        ),
        "checkout-look-up-by-payment-elsewhere": breaks(
            "CHK-STA-01",
            "Look-ups by payment have another address.",
            first(refusal_if(by_payment, _ELSEWHERE), "status"),
        ),
        "checkout-look-up-other-currency-of-declined": breaks(
            "CHK-STA-18",
            "A declined payment is reported in another currency.",
            around(_other_currency_of_declined, "status"),
        ),
        "checkout-look-up-by-either-identifier": breaks(
            "CHK-STA-22 CHK-STA-23",
            "Either identifier is taken for the other.",
            around(_by_either, "status"),
            since=_NEW,
        ),
        "checkout-look-up-by-beginning-of-order": breaks(
            "CHK-STA-23",
            "An order is found by a number that only begins like its own.",
            around(_by_beginning, "status"),
            since=_NEW,
        ),
        "checkout-look-up-size-signed": breaks("CHK-STA-32", "size is signed.", _in_look_ups(_sized), since=_NEW),
        "checkout-look-up-size-may-be-signed": breaks(
            "CHK-STA-32", "Hashes that cover size are taken as well.", _in_look_ups(_sized_or_not), since=_NEW
        ),
        "checkout-look-up-size-needs-no-hash": breaks(
            "CHK-STA-30", "With a size any hash is taken.", _in_look_ups(_unsigned_with_size), since=_NEW
        ),
        "checkout-hash-by-any-password": breaks(
            "CHK-STA-30 CHK-CAP-09 CHK-RFD-06 CHK-RFD-14 CHK-RFD-21 CHK-REC-11 CHK-CRD-18",
            "The password of any merchant signs.",
            _passwords,
            since=_NEW,
        ),
        "checkout-capture-in-spite-of-hash": breaks(
            "CHK-CAP-09",
            "A capture with a wrong hash is refused and made.",
            _done_in_spite("capture", Move.CAPTURE),
            since="6.6.3",
        ),
        "checkout-refund-in-spite-of-hash": breaks(
            "CHK-RFD-06", "A refund with a wrong hash is refused and made.", _done_in_spite("refund", Move.REFUND)
        ),
        "checkout-void-in-spite-of-hash": breaks(
            "CHK-RFD-14", "A void with a wrong hash is refused and made.", _done_in_spite("void", Move.VOID)
        ),
        "checkout-refund-of-anybody": breaks(
            "CHK-RFD-25", "Payments of other merchants are refunded.", reaching_others("refund")
        ),
        "checkout-void-of-anybody": breaks(
            "CHK-RFD-26", "Payments of other merchants are voided.", reaching_others("void")
        ),
        "checkout-credit-refund-not-made": breaks(
            "CHK-RFD-01", "A refund by card credit is accepted and not made.", around(_refund_not_made, "card_credit")
        ),
        "checkout-credit-refund-in-spite": breaks(
            "CHK-RFD-03 CHK-RFD-04",
            "Refunds by card credit that are refused are made.",
            instead(card_credits.find_refunded, _refunded_in_spite, "card_credit"),
        ),
        "checkout-credit-refund-of-anybody": breaks(
            "CHK-RFD-22",
            "A card credit refunds whoever's payment has the order id.",
            instead(card_credits.find_refunded, _found_for_anybody, "card_credit"),
        ),
        "checkout-credit-as-text": breaks(
            "CHK-CRD-02", "A card credit is answered by plain text.", around(_credit_as_text, "card_credit")
        ),
    }
)
