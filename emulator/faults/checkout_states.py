"""Faults of the states of Checkout payments, and of captures."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.checkout.conduct import PostAttempt
from emulator.checkout.operations import OPERATIONS, joined
from emulator.checkout.record import record_of
from emulator.design import Change, Design
from emulator.faults.checkout_ways import (
    ANY,
    Handler,
    accepting,
    accepting_unknown,
    also_hashed,
    also_signed,
    around,
    carrying,
    first,
    lately,
    lifting,
    operation,
    reaching_others,
    unsigned,
    worded,
)
from emulator.faults.model import Fault
from emulator.payments.model import Payment, State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import Kind, Refusal, Reply
from emulator.values import Object

_CAPTURE: Final = Kind.CHECKOUT_CAPTURE
_QR: Final = "instant-qr"
_ON_STATES: Final = ("CHK-*", "CBK-*", "HPF-*", "HPP-*")
_ON_CAPTURES: Final = ("CHK-CAP-*", "CHK-MID-*", "CBK-ATT-08")
_SINCE: Final = "6.6.3"
_NEW: Final = "6.7.0"
_OTHER_CODE: Final = Refusal(
    Kind.STATE, "Not acceptable to request the capture for payment not in pending status", code=100000
)
_NOT_NOW: Final = Refusal(Kind.STATE, "Capture is not possible now.", code=208003)
_TOO_MUCH: Final = Refusal(Kind.STATE, "Capture amount is too large.", code=100000)
_HASH: Final = Kind.SIGNATURE

Is = Callable[[Payment], bool]


def _told(is_meant: Is, word: str) -> Change:
    """Payments that ``is_meant`` holds for are told as ``word`` by look-ups."""

    def seen(attempt: PostAttempt, body: Object) -> Object:
        account = attempt.account
        payment = attempt.gateway.payments.find(account, str(body.get("payment_id"))) if account else None
        return body | {"status": word} if payment is not None and is_meant(payment) else body

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        if reply.is_error:
            return reply
        listed = None if reply.listed is None else tuple(seen(attempt, one) for one in reply.listed)
        return replace(reply, body=seen(attempt, reply.body) if reply.body else {}, listed=listed)

    return around(act, "status")


def _is(operation_: str, *states: State, challenged: bool = False) -> Is:
    def meant(payment: Payment) -> bool:
        same = payment.action == operation_ and payment.state in states and record_of(payment).method != _QR
        return same and record_of(payment).challenged is challenged

    return meant


def _qr(state: State) -> Is:
    return lambda payment: record_of(payment).method == _QR and payment.state is state


def _captured(payment: Payment) -> bool:
    return payment.state is State.SETTLED and any(step.type == Move.CAPTURE.value for step in payment.transactions)


def _stale(attempt: PostAttempt) -> bool:
    payment = attempt.payment
    return payment is not None and payment.state is State.AUTHORIZED


def _expiring(design: Design) -> Design:
    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        account, identifier = attempt.account, str(reply.body.get("payment_id"))
        payment = attempt.gateway.payments.find(account, identifier) if account else None
        old = payment is not None and (attempt.gateway.clock.now() - payment.created).total_seconds() > 5
        lapsed = payment is not None and payment.state is State.AUTHORIZED and old
        return replace(reply, body=reply.body | {"status": "reversal"}) if lapsed else reply

    return around(act, "status")(design)


def _stays_pending(payment: Payment, move: Move, _before: State) -> None:
    if move is Move.CAPTURE:
        payment.state = State.AUTHORIZED


def _too_early(design: Design) -> Design:
    """There is a capture, and it takes everything."""
    capture = replace(OPERATIONS["capture"], stages=(), handler=_captures_anything)
    return design.in_checkout(operations={**design.checkout.operations, "capture": capture})


def _captures_anything(attempt: PostAttempt) -> Reply:
    return Reply(_CAPTURE, 200, {"payment_id": str(attempt.body.get("payment_id")), "result": "accepted"})


FAULTS: Final = (
    Fault(
        "checkout-state-settled-told-pending",
        ("CHK-TRN-01",),
        "A settled purchase is told as pending.",
        _told(_is("purchase", State.SETTLED), "pending"),
        _ON_STATES,
    ),
    Fault(
        "checkout-state-settled-other-word",
        ("CHK-TRN-01",),
        "A settled purchase is told as paid.",
        _told(_is("purchase", State.SETTLED), "paid"),
        _ON_STATES,
    ),
    Fault(
        "checkout-state-declined-told-settled",
        ("CHK-TRN-02",),
        "A declined purchase is told as settled.",
        _told(_is("purchase", State.DECLINED), "settled"),
        _ON_STATES,
    ),
    Fault(
        "checkout-state-declined-other-word",
        ("CHK-TRN-02",),
        "A declined purchase is told as failed.",
        _told(_is("purchase", State.DECLINED), "failed"),
        _ON_STATES,
    ),
    Fault(
        "checkout-state-authorized-told-settled",
        ("CHK-TRN-03",),
        "An authorization is told as settled.",
        _told(_is("purchase", State.AUTHORIZED), "settled"),
        _ON_STATES,
        since=_NEW,
    ),
    Fault(
        "checkout-state-authorized-other-word",
        ("CHK-TRN-03",),
        "An authorization is told as authorized.",
        _told(_is("purchase", State.AUTHORIZED), "authorized"),
        _ON_STATES,
        since=_NEW,
    ),
    Fault(
        "checkout-state-authorization-lapses",
        ("CHK-TRN-04",),
        "An authorization lapses after some seconds.",
        _expiring,
        since=_NEW,
    ),
    Fault(
        "checkout-state-challenged-told-settled",
        ("CHK-TRN-05",),
        "A challenged payment is told as settled.",
        _told(_is("purchase", State.CHALLENGED, challenged=True), "settled"),
        _ON_STATES,
    ),
    Fault(
        "checkout-state-challenged-told-declined",
        ("CHK-TRN-05",),
        "A challenged payment is told as declined.",
        _told(_is("purchase", State.CHALLENGED, challenged=True), "decline"),
        _ON_STATES,
    ),
    Fault(
        "checkout-state-passed-told-3ds",
        ("CHK-TRN-06",),
        "A passed challenge is not noticed.",
        _told(_is("purchase", State.SETTLED, challenged=True), "3ds"),
        _ON_STATES,
    ),
    Fault(
        "checkout-state-failed-told-3ds",
        ("CHK-TRN-07",),
        "A failed challenge is not noticed.",
        _told(_is("purchase", State.DECLINED, challenged=True), "3ds"),
        _ON_STATES,
    ),
    Fault(
        "checkout-state-failed-told-settled",
        ("CHK-TRN-07",),
        "A failed challenge settles.",
        _told(_is("purchase", State.DECLINED, challenged=True), "settled"),
        _ON_STATES,
    ),
    Fault(
        "checkout-qr-executed-told-pending",
        ("CHK-TRN-08",),
        "An executed QR payment is told as pending.",
        _told(_qr(State.SETTLED), "pending"),
        _ON_STATES,
    ),
    Fault(
        "checkout-qr-rejected-told-pending",
        ("CHK-TRN-09",),
        "A rejected QR payment is told as pending.",
        _told(_qr(State.DECLINED), "pending"),
        _ON_STATES,
    ),
    Fault(
        "checkout-qr-pending-told-settled",
        ("CHK-TRN-10",),
        "A pending QR payment is told as settled.",
        _told(_qr(State.AWAITING_BANK), "settled"),
        _ON_STATES,
    ),
    Fault(
        "checkout-capture-refused",
        ("CHK-CAP-01",),
        "No capture is accepted.",
        lately(_stale, _NOT_NOW, "capture"),
        _ON_STATES,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-before-its-release",
        ("CHK-CAP-02",),
        "There are captures before 6.6.3.",
        _too_early,
        until="6.6.2",
    ),
    Fault(
        "checkout-capture-not-carried-out",
        ("CHK-CAP-03",),
        "A capture leaves the payment pending.",
        carrying(_stays_pending),
        _ON_STATES,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-told-pending",
        ("CHK-CAP-03",),
        "A captured payment is told as pending.",
        _told(_captured, "pending"),
        _ON_STATES,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-other-word",
        ("CHK-CAP-04",),
        "A captured payment is told as captured.",
        _told(_captured, "captured"),
        _ON_STATES,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-again",
        ("CHK-CAP-05", "CHK-CAP-06"),
        "A settled payment is captured.",
        accepting("capture", _CAPTURE, State.SETTLED),
        _ON_CAPTURES,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-of-declined",
        ("CHK-CAP-07",),
        "A declined payment is captured.",
        accepting("capture", _CAPTURE, State.DECLINED),
        _ON_CAPTURES,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-refused-with-100000",
        ("CHK-CAP-05", "CHK-CAP-06", "CHK-CAP-07"),
        "A capture of what is not pending is refused with 100000.",
        worded("capture", WRONG_STATE=_OTHER_CODE),
        _ON_CAPTURES,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-of-unknown",
        ("CHK-CAP-08",),
        "An unknown payment is captured.",
        accepting_unknown("capture", _CAPTURE),
        ("CHK-CAP-13",),
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-unsigned",
        ("CHK-CAP-09",),
        "Captures take any hash.",
        unsigned("capture"),
        ("CHK-CAP-*", "GEN-*"),
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-hash-other-text",
        ("CHK-CAP-09",),
        "A wrong hash is refused with other words.",
        operation("capture", wrong_hash=Refusal(_HASH, "Signature mismatch")),
        ("CHK-CAP-*", "GEN-*"),
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-hash-401",
        ("CHK-CAP-09",),
        "A wrong hash is refused with HTTP 401.",
        operation("capture", wrong_hash=Refusal(_HASH, "Hash is not valid", status=401)),
        ("CHK-CAP-*", "GEN-*"),
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-amount-unsigned",
        ("CHK-CAP-10",),
        "A capture's hash may leave the amount out.",
        also_signed(joined("payment_id"), "capture"),
        ("CHK-CAP-09",),
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-inner-digest",
        ("CHK-CAP-10",),
        "The inner digest alone is taken.",
        also_hashed("capture"),
        ("CHK-CAP-09",),
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-signed-in-other-order",
        ("CHK-CAP-10",),
        "A capture is signed over the amount first.",
        operation("capture", signed=joined("amount", "payment_id")),
        _ON_STATES,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-of-too-much",
        ("CHK-CAP-12",),
        "More than was authorized is captured.",
        lifting(Obstacle.TOO_MUCH, Move.CAPTURE),
        _ON_CAPTURES,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-of-too-much-100000",
        ("CHK-CAP-12",),
        "A capture of too much is refused with 100000.",
        worded("capture", TOO_MUCH=_TOO_MUCH),
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-of-anybody",
        ("CHK-CAP-13",),
        "Payments of other merchants are captured.",
        reaching_others("capture"),
        ("CHK-CAP-*",),
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-path-moved",
        ("CHK-CAP-01",),
        "Captures have another address.",
        operation("capture", path="/api/v1/payment/settle"),
        ANY,
        since=_SINCE,
    ),
    Fault(
        "checkout-capture-refused-to-dms",
        ("CHK-MID-04",),
        "Accounts of mode DMS cannot capture.",
        first(lambda attempt: attempt.account is not None and attempt.account.mode == "DMS", _NOT_NOW, "capture"),
        ("CHK-MID-*",),
        since=_SINCE,
    ),
)
