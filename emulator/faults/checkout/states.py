"""Faults of the states of Checkout payments, and of captures."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import (
    Handler,
    accepting,
    accepting_unknown,
    also_signed,
    around,
    carrying,
    first,
    last,
    lifting,
    operation,
    reaching_others,
    worded,
)
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.operations import OPERATIONS, joined
from emulator.protocols.checkout.payment_record import record_of
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_CAPTURE: Final = Kind.CHECKOUT_CAPTURE
_QR: Final = "instant-qr"
_SINCE: Final = "6.6.3"
_NEW: Final = "6.7.0"
_OTHER_CODE: Final = Refusal(
    Kind.STATE, "Not acceptable to request the capture for payment not in pending status", code=100000
)
_NOT_NOW: Final = Refusal(Kind.STATE, "Capture is not possible now.", code=208003)
_TOO_MUCH: Final = Refusal(Kind.STATE, "Capture amount is too large.", code=100000)

Is = Callable[[Payment], bool]


def _reported(is_meant: Is, word: str) -> Change:
    """Payments that ``is_meant`` holds for are reported as ``word`` by look-ups."""

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


FAULTS: Final = faults(
    {
        "checkout-state-settled-reported-pending": breaks(
            "CHK-TRN-01",
            "A settled purchase is reported as pending.",
            _reported(_is("purchase", State.SETTLED), "pending"),
        ),
        "checkout-state-settled-other-word": breaks(
            "CHK-TRN-01", "A settled purchase is reported as paid.", _reported(_is("purchase", State.SETTLED), "paid")
        ),
        "checkout-state-declined-reported-settled": breaks(
            "CHK-TRN-02",
            "A declined purchase is reported as settled.",
            _reported(_is("purchase", State.DECLINED), "settled"),
        ),
        "checkout-state-declined-other-word": breaks(
            "CHK-TRN-02",
            "A declined purchase is reported as failed.",
            _reported(_is("purchase", State.DECLINED), "failed"),
        ),
        "checkout-state-authorized-reported-settled": breaks(
            "CHK-TRN-03",
            "An authorization is reported as settled.",
            _reported(_is("purchase", State.AUTHORIZED), "settled"),
            since=_NEW,
        ),
        "checkout-authorization-of-nothing-settled": breaks(
            "CHK-TRN-03",
            "An authorization of nothing is reported as settled, and captured.",
            _reported(lambda payment: _is("purchase", State.AUTHORIZED)(payment) and not payment.amount, "settled"),
            since=_NEW,
        ),
        "checkout-state-authorized-other-word": breaks(
            "CHK-TRN-03",
            "An authorization is reported as authorized.",
            _reported(_is("purchase", State.AUTHORIZED), "authorized"),
            since=_NEW,
        ),
        "checkout-state-authorization-lapses": breaks(
            "CHK-TRN-04", "An authorization lapses after some seconds.", _expiring, since=_NEW
        ),
        "checkout-state-challenged-reported-settled": breaks(
            "CHK-TRN-05",
            "A challenged payment is reported as settled.",
            _reported(_is("purchase", State.CHALLENGED, challenged=True), "settled"),
        ),
        "checkout-state-challenged-reported-declined": breaks(
            "CHK-TRN-05",
            "A challenged payment is reported as declined.",
            _reported(_is("purchase", State.CHALLENGED, challenged=True), "decline"),
        ),
        "checkout-state-passed-reported-3ds": breaks(
            "CHK-TRN-06",
            "A passed challenge is not noticed.",
            _reported(_is("purchase", State.SETTLED, challenged=True), "3ds"),
        ),
        "checkout-state-failed-reported-3ds": breaks(
            "CHK-TRN-07",
            "A failed challenge is not noticed.",
            _reported(_is("purchase", State.DECLINED, challenged=True), "3ds"),
        ),
        "checkout-state-failed-reported-settled": breaks(
            "CHK-TRN-07",
            "A failed challenge settles.",
            _reported(_is("purchase", State.DECLINED, challenged=True), "settled"),
        ),
        "checkout-qr-executed-reported-pending": breaks(
            "CHK-TRN-08", "An executed QR payment is reported as pending.", _reported(_qr(State.SETTLED), "pending")
        ),
        "checkout-qr-rejected-reported-pending": breaks(
            "CHK-TRN-09", "A rejected QR payment is reported as pending.", _reported(_qr(State.DECLINED), "pending")
        ),
        "checkout-qr-pending-reported-settled": breaks(
            "CHK-TRN-10", "A pending QR payment is reported as settled.", _reported(_qr(State.AWAITING_BANK), "settled")
        ),
        "checkout-capture-refused": breaks(
            "CHK-CAP-01", "No capture is accepted.", last(refusal_if(_stale, _NOT_NOW), "capture"), since=_SINCE
        ),
        "checkout-capture-before-its-release": breaks(
            "CHK-CAP-02", "There are captures before 6.6.3.", _too_early, until="6.6.2"
        ),
        "checkout-capture-not-carried-out": breaks(
            "CHK-CAP-03", "A capture leaves the payment pending.", carrying(_stays_pending), since=_SINCE
        ),
        "checkout-capture-reported-pending": breaks(
            "CHK-CAP-03", "A captured payment is reported as pending.", _reported(_captured, "pending"), since=_SINCE
        ),
        "checkout-capture-other-word": breaks(
            "CHK-CAP-04", "A captured payment is reported as captured.", _reported(_captured, "captured"), since=_SINCE
        ),
        "checkout-capture-again": breaks(
            "CHK-CAP-05 CHK-CAP-06",
            "A settled payment is captured.",
            accepting("capture", _CAPTURE, State.SETTLED),
            since=_SINCE,
        ),
        "checkout-capture-of-declined": breaks(
            "CHK-CAP-07",
            "A declined payment is captured.",
            accepting("capture", _CAPTURE, State.DECLINED),
            since=_SINCE,
        ),
        "checkout-capture-refused-with-100000": breaks(
            "CHK-CAP-05 CHK-CAP-06 CHK-CAP-07",
            "A capture of what is not pending is refused with 100000.",
            worded("capture", WRONG_STATE=_OTHER_CODE),
            since=_SINCE,
        ),
        "checkout-capture-of-unknown": breaks(
            "CHK-CAP-08", "An unknown payment is captured.", accepting_unknown("capture", _CAPTURE), since=_SINCE
        ),
        "checkout-capture-amount-unsigned": breaks(
            "CHK-CAP-10",
            "A capture's hash may leave the amount out.",
            also_signed(joined("payment_id"), "capture"),
            since=_SINCE,
        ),
        "checkout-capture-signed-in-other-order": breaks(
            "CHK-CAP-10",
            "A capture is signed over the amount first.",
            operation("capture", signed=joined("amount", "payment_id")),
            since=_SINCE,
        ),
        "checkout-capture-of-too-much": breaks(
            "CHK-CAP-12",
            "More than was authorized is captured.",
            lifting(Obstacle.TOO_MUCH, Move.CAPTURE),
            since=_SINCE,
        ),
        "checkout-capture-of-too-much-100000": breaks(
            "CHK-CAP-14",
            "A capture of too much is refused with 100000.",
            worded("capture", TOO_MUCH=_TOO_MUCH),
            since=_SINCE,
        ),
        "checkout-capture-of-anybody": breaks(
            "CHK-CAP-13", "Payments of other merchants are captured.", reaching_others("capture"), since=_SINCE
        ),
        "checkout-capture-path-moved": breaks(
            "CHK-CAP-01",
            "Captures have another address.",
            operation("capture", path="/api/v1/payment/settle"),
            since=_SINCE,
        ),
        "checkout-capture-refused-to-dms": breaks(
            "CHK-MID-04",
            "Accounts of mode DMS cannot capture.",
            first(
                refusal_if(lambda attempt: attempt.account is not None and attempt.account.mode == "DMS", _NOT_NOW),
                "capture",
            ),
            since=_SINCE,
        ),
    }
)
