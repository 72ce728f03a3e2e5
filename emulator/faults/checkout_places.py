"""Faults of Checkout that show in one place only: of one kind of look-up, for another merchant, behind a refusal."""

from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS, Account
from emulator.checkout import payouts
from emulator.checkout.conduct import Operation, PostAttempt
from emulator.checkout.lookups import payment_object
from emulator.checkout.posts import check_signature
from emulator.design import Change, Design
from emulator.faults.checkout_ways import (
    ANY,
    CALLBACKS,
    Handler,
    around,
    field_as,
    first,
    instead,
    leaving_out,
    reaching_others,
    saying,
)
from emulator.faults.model import Fault
from emulator.payments.model import Payment, Protocol, State
from emulator.payments.moves import Move
from emulator.replies import Kind, Refusal, Reply
from emulator.signing import equal, session_hash

_NEW: Final = "6.7.0"
_STATUS: Final = Kind.CHECKOUT_STATUS
_ELSEWHERE: Final = Refusal(Kind.NOWHERE, "Route or parameters is not supported", code=0, status=404)
_LOOK_UPS: Final = ("CHK-STA-*", "GEN-*")


def _by_payment(attempt: PostAttempt) -> bool:
    return attempt.body.get("payment_id") is not None


def _listed(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    return replace(reply, listed=(reply.body,)) if _by_payment(attempt) and not reply.is_error else reply


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
    if _by_payment(attempt):
        named = book.of_order(account, str(attempt.body["payment_id"]))
        return _found(attempt, [one for one in named if one.protocol is Protocol.CHECKOUT], reply)
    payment = book.find(account, str(attempt.body.get("order_id")))
    return _found(attempt, [payment] if payment else [], reply)


def _by_beginning(handler: Handler, attempt: PostAttempt) -> Reply:
    reply, account, book = handler(attempt), attempt.account, attempt.gateway.payments
    number = str(attempt.body.get("order_id"))
    if not reply.is_error or account is None or _by_payment(attempt):
        return reply
    return _found(
        attempt, [one for end in range(1, len(number)) for one in book.of_order(account, number[:end])], reply
    )


def _sized(operation: Operation) -> Operation:
    def accepts(attempt: PostAttempt, account: Account) -> bool:
        size = attempt.body.get("size")
        if size is None or _by_payment(attempt):
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
                gateway.design.moves.make(payment, move, None, gateway.clock.now())
        return refusal

    return instead(check_signature, stage, name)


def _refunded_in_spite(attempt: PostAttempt) -> Refusal | None:
    refusal, gateway = payouts.find_refunded(attempt), attempt.gateway
    if refusal is not None and attempt.payment is not None:
        gateway.design.moves.make(attempt.payment, Move.REFUND, None, gateway.clock.now())
    return refusal


def _found_for_anybody(attempt: PostAttempt) -> Refusal | None:
    refusal, book = payouts.find_refunded(attempt), attempt.gateway.payments
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


FAULTS: Final = (
    Fault(
        "checkout-look-up-by-payment-always-in-array",
        ("CHK-STA-02",),
        "Every look-up by payment answers an array.",
        around(_listed, "status"),
        ANY,
    ),
    Fault(
        "checkout-look-up-never-status",
        ("CHK-STA-17",),
        "No look-up tells a status.",
        leaving_out("status", _STATUS),
        ANY,
    ),
    Fault(
        "checkout-look-up-every-declined-402",
        ("CHK-STA-19",),
        "Look-ups of declined payments are HTTP 402.",
        around(_declined_is_402, "status"),
        ANY,
    ),
    Fault(
        "checkout-look-up-by-payment-elsewhere",
        ("CHK-STA-01",),
        "Look-ups by payment have another address.",
        first(_by_payment, _ELSEWHERE, "status"),
        ANY,
    ),
    Fault(
        "checkout-look-up-other-currency-of-declined",
        ("CHK-STA-18",),
        "A declined payment is told in another currency.",
        around(_other_currency_of_declined, "status"),
    ),
    Fault(
        "checkout-look-up-by-either-identifier",
        ("CHK-STA-22", "CHK-STA-23"),
        "Either identifier is taken for the other.",
        around(_by_either, "status"),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-by-beginning-of-order",
        ("CHK-STA-23",),
        "An order is found by a number that only begins like its own.",
        around(_by_beginning, "status"),
        ("CHK-STA-*",),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-wallet-other-name",
        ("CHK-STA-43",),
        "digital_wallet names another wallet.",
        saying("digital_wallet", "paypal", _STATUS),
    ),
    Fault("checkout-look-up-size-signed", ("CHK-STA-32",), "size is signed.", _in_look_ups(_sized), ANY, since=_NEW),
    Fault(
        "checkout-look-up-size-may-be-signed",
        ("CHK-STA-32",),
        "Hashes that cover size are taken as well.",
        _in_look_ups(_sized_or_not),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-needs-no-hash",
        ("CHK-STA-30",),
        "With a size any hash is taken.",
        _in_look_ups(_unsigned_with_size),
        _LOOK_UPS,
        since=_NEW,
    ),
    Fault(
        "checkout-hash-by-any-password",
        ("CHK-STA-30", "CHK-CAP-09", "CHK-RFD-06", "CHK-RFD-14", "CHK-RFD-21", "CHK-REC-11", "CHK-CRD-18"),
        "The password of any merchant signs.",
        _passwords,
        ("CHK-CRD-20", "GEN-*"),
        since=_NEW,
    ),
    Fault(
        "checkout-capture-in-spite-of-hash",
        ("CHK-CAP-09",),
        "A capture with a wrong hash is refused and made.",
        _done_in_spite("capture", Move.CAPTURE),
        ANY,
        since="6.6.3",
    ),
    Fault(
        "checkout-refund-in-spite-of-hash",
        ("CHK-RFD-06",),
        "A refund with a wrong hash is refused and made.",
        _done_in_spite("refund", Move.REFUND),
        ANY,
    ),
    Fault(
        "checkout-void-in-spite-of-hash",
        ("CHK-RFD-14",),
        "A void with a wrong hash is refused and made.",
        _done_in_spite("void", Move.VOID),
        ANY,
    ),
    Fault(
        "checkout-refund-of-anybody",
        ("CHK-RFD-12",),
        "Payments of other merchants are refunded.",
        reaching_others("refund"),
        ("CHK-RFD-*",),
    ),
    Fault(
        "checkout-void-of-anybody",
        ("CHK-RFD-19",),
        "Payments of other merchants are voided.",
        reaching_others("void"),
        ("CHK-RFD-*",),
    ),
    Fault(
        "checkout-credit-refund-not-made",
        ("CHK-RFD-01",),
        "A refund by card credit is accepted and not made.",
        around(_refund_not_made, "card_credit"),
        ("CHK-RFD-*", "CBK-*"),
    ),
    Fault(
        "checkout-credit-refund-in-spite",
        ("CHK-RFD-03", "CHK-RFD-04"),
        "Refunds by card credit that are refused are made.",
        instead(payouts.find_refunded, _refunded_in_spite, "card_credit"),
        ("CHK-RFD-*",),
    ),
    Fault(
        "checkout-credit-refund-of-anybody",
        ("CHK-RFD-22",),
        "A card credit refunds whoever's payment has the order id.",
        instead(payouts.find_refunded, _found_for_anybody, "card_credit"),
        ("CHK-RFD-*",),
    ),
    Fault(
        "checkout-credit-as-text",
        ("CHK-CRD-02",),
        "A card credit is answered by plain text.",
        around(_credit_as_text, "card_credit"),
        ANY,
    ),
    Fault(
        "checkout-charge-answer-without-payment-id",
        ("CHK-REC-15",),
        "The answer to a charge names no payment.",
        leaving_out("payment_id", Kind.CHECKOUT_RECURRING),
        ANY,
    ),
    Fault(
        "checkout-callback-of-refund-other-amount",
        ("CBK-ATT-02",),
        "Callbacks of refunds tell another amount.",
        field_as("order_amount", "1.00", "refund"),
        CALLBACKS,
    ),
)
