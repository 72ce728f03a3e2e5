"""Faults of Checkout that several steps show, and no single one: a ledger that is kept beside it finds them."""

import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.checkout import NOTICES, Handler, around, instead
from emulator.changes.checkout_sessions import instead as instead_in_session
from emulator.changes.interleaving import (
    IN_FLIGHT_SECONDS,
    mark,
    marked,
    odd_cents_lost,
    of,
    on_obstacle,
    opening,
    unbounded,
)
from emulator.changes.moves import parts_given_back
from emulator.design import Change, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt, PostStage
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.checkout.requests import find_payment, find_refundable
from emulator.protocols.checkout.session import Attempt, check_duplicate
from emulator.wire.replies import Kind, Refusal, Reply

CHECKOUT: Final = Protocol.CHECKOUT
_GONE: Final = (State.VOIDED, State.REFUNDED)
_ENDED: Final = Refusal(Kind.STATE, "Incorrect transaction")


def _is_checkout(payment: Payment) -> bool:
    return payment.protocol is CHECKOUT


def _was_held(payment: Payment) -> bool:
    return _is_checkout(payment) and payment.intended is State.AUTHORIZED


# --- too much is moved ---


def _whole_once_more(payment: Payment, amount: Decimal) -> bool:
    return _was_held(payment) and payment.refunded > 0 and amount <= payment.captured


def _held_and_not_captured(payment: Payment, amount: Decimal) -> bool:
    return _was_held(payment) and payment.captured < payment.amount and amount <= payment.amount


def _partly_refunded(payment: Payment) -> bool:
    return _was_held(payment) and payment.refunded > 0


def _too_much_remembered(payment: Payment, move: Move, obstacle: Obstacle) -> None:
    if _is_checkout(payment) and move is Move.CAPTURE and obstacle is Obstacle.TOO_MUCH:
        mark(payment)


def _asked_before(payment: Payment, _amount: Decimal) -> bool:
    return _is_checkout(payment) and bool(marked(payment))


def _racing(name: str, move: Move, before: State) -> Change:
    """While a move is being answered, another one finds the payment as it was before."""

    def remember(payment: Payment, made: Move, _amount: Decimal, returned: Decimal) -> None:
        if made is move and payment.state is not before:
            mark(payment, (time.monotonic(), returned))

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        payment = attempt.payment
        found = marked(payment) if payment is not None else None
        if payment is not None and isinstance(found, tuple) and time.monotonic() - found[0] < IN_FLIGHT_SECONDS * 0.9:
            payment.state, payment.refunded = before, found[1]
        reply = handler(attempt)
        return reply if reply.is_error else replace(reply, delay=IN_FLIGHT_SECONDS)

    return all_of(of(CHECKOUT, remember), around(act, name))


# --- merchants who use the same order number ---


def _anothers(attempt: PostAttempt) -> Payment | None:
    payments, account = attempt.gateway.payments, attempt.account
    for other in ACCOUNTS if account is not None else ():
        found = payments.find(other, str(attempt.body.get("payment_id")))
        if found is not None and account is not None and payments.of_order(account, found.order_number):
            return found
    return None


def _or_of_own_order(stage: PostStage) -> PostStage:
    def find(attempt: PostAttempt) -> Refusal | None:
        refusal = stage(attempt)
        if refusal is not None:
            attempt.payment = _anothers(attempt)
        return None if attempt.payment is not None else refusal

    return find


def _reaching_shared_orders(name: str) -> Change:
    return all_of(*(instead(stage, _or_of_own_order(stage), name) for stage in (find_payment, find_refundable)))


def _finding_shared_orders(handler: Handler, attempt: PostAttempt) -> Reply:
    reply, found = handler(attempt), _anothers(attempt)
    if not reply.is_error or found is None:
        return reply
    return Reply(Kind.CHECKOUT_STATUS, 200, payment_object(attempt.gateway, found))


def _free_once_gone(attempt: Attempt) -> Refusal | None:
    refusal = check_duplicate(attempt)
    earlier = attempt.gateway.payments.of_order(attempt.account, attempt.number) if attempt.account else []
    return None if earlier and earlier[0].state in _GONE else refusal


# --- what is reported ---


def _stale(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    payments, account = attempt.gateway.payments, attempt.account
    payment = payments.find(account, str(reply.body.get("payment_id"))) if account is not None else None
    is_stale = payment is not None and payment.state is State.SETTLED and len(parts_given_back(payment)) > 1
    return replace(reply, body=reply.body | {"status": "refund"}) if is_stale else reply


def _part_as_whole(notice: Notice) -> Iterator[Notice]:
    is_part = notice.event == "refund" and notice.payment.state is State.SETTLED and _was_held(notice.payment)
    yield replace(notice, fields=notice.fields | {"order_status": "refund"}) if is_part else notice


# --- challenges and chains ---


def _remembers_challenged(handler: Handler, attempt: PostAttempt) -> Reply:
    if attempt.payment is not None and attempt.payment.state is State.CHALLENGED:
        mark(attempt.payment)
    return handler(attempt)


def _declined_if_marked(payment: Payment, move: Move, _amount: Decimal, _before: Decimal) -> None:
    if move is Move.APPROVE and marked(payment):
        payment.state, payment.captured = State.DECLINED, Decimal(0)


def _ends_with_a_charge(handler: Handler, attempt: PostAttempt) -> Reply:
    first = attempt.payment
    others = attempt.gateway.payments.all() if first is not None else ()
    if first is not None and any(one.chain == first.id and one.state in _GONE for one in others):
        return attempt.gateway.answers.refuse(_ENDED)
    return handler(attempt)


FAULTS: Final = faults(
    {
        "whole-refunded-after-a-part": breaks(
            "CHK-RFD-09",
            "Once a part of a captured payment was refunded, the whole is refunded again.",
            unbounded(Move.REFUND, _whole_once_more),
            since="6.6.3",
        ),
        "refund-up-to-authorized": breaks(
            "CHK-RFD-09",
            "Of a payment that was captured in part as much as was held is refunded.",
            unbounded(Move.REFUND, _held_and_not_captured),
            since="6.6.3",
        ),
        "odd-cents-lost": breaks(
            "CHK-RFD-05",
            "Of a part with an odd number of cents one is lost when it is captured.",
            of(CHECKOUT, odd_cents_lost),
            since="6.6.3",
        ),
        "captured-again-after-refund": breaks(
            "CHK-CAP-05",
            "Once a part of a captured payment was refunded, it is captured again.",
            opening(State.SETTLED, Move.CAPTURE, State.SETTLED, _partly_refunded),
            since="6.6.3",
        ),
        "too-much-captured-the-second-time": breaks(
            "CHK-CAP-12",
            "The second time that more than was held is captured, it works.",
            all_of(unbounded(Move.CAPTURE, _asked_before), on_obstacle(_too_much_remembered)),
            since="6.6.3",
        ),
        "void-of-captured-twice": breaks(
            "CHK-RFD-18",
            "A captured payment is voided twice.",
            opening(State.VOIDED, Move.VOID, State.VOIDED, _was_held),
            since="6.6.3",
        ),
        "refunds-at-once": breaks(
            "CHK-RFD-09", "Of several refunds at once each succeeds.", _racing("refund", Move.REFUND, State.SETTLED)
        ),
        "captures-at-once": breaks(
            "CHK-CAP-05",
            "Of several captures at once each succeeds.",
            _racing("capture", Move.CAPTURE, State.AUTHORIZED),
            since="6.6.3",
        ),
        "voids-at-once": breaks(
            "CHK-RFD-18", "Of several voids at once each succeeds.", _racing("void", Move.VOID, State.SETTLED)
        ),
        "capture-of-shared-order": breaks(
            "CHK-CAP-13",
            "A merchant who uses the same order number captures another's payment.",
            _reaching_shared_orders("capture"),
            since="6.6.3",
        ),
        "refund-of-shared-order": breaks(
            "CHK-RFD-25",
            "A merchant who uses the same order number refunds another's payment.",
            _reaching_shared_orders("refund"),
        ),
        "look-up-of-shared-order": breaks(
            "CHK-STA-29",
            "A merchant who uses the same order number sees another merchant's payment.",
            around(_finding_shared_orders, "status"),
        ),
        "order-free-once-gone": breaks(
            "CHK-DUP-01",
            "The order number of a payment that was voided or refunded is free at once.",
            instead_in_session(check_duplicate, _free_once_gone),
        ),
        "status-stale-after-parts": breaks(
            "CHK-RFD-08",
            "After the second refund of a part a look-up says that all was refunded.",
            around(_stale, "status"),
        ),
        "part-reported-as-whole": breaks(
            "CBK-ATT-05",
            "The callback of a partial refund of a captured payment says that all was refunded.",
            NOTICES.changed(_part_as_whole),
            since="6.6.3",
        ),
        "declined-after-void": breaks(
            "CHK-TRN-06",
            "A payment that the merchant tried to void during the challenge is declined although its payer passes.",
            all_of(around(_remembers_challenged, "void"), of(CHECKOUT, _declined_if_marked)),
        ),
        "chain-ends-with-a-charge": breaks(
            "CHK-REC-01",
            "A chain of which a later charge was voided or refunded is charged no more.",
            around(_ends_with_a_charge, "recurring"),
        ),
    },
    prefix="checkout-lifecycle-",
    rare=True,
)
