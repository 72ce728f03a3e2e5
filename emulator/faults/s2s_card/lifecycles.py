"""Faults of S2S CARD that several steps show, and no single one: a ledger beside the gateway finds them."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.interleaving import mark, marked, odd_cents_lost, of, on_obstacle, racing, unbounded
from emulator.changes.moves import parts_given_back
from emulator.changes.notices import EVERY_NOTICE
from emulator.changes.s2s_card import instead, post
from emulator.design import Change, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.messages import lookups
from emulator.protocols.s2s_card.stages import check_duplicate, check_signature, find_payment
from emulator.wire.replies import Refusal, Reply

CARD: Final = Protocol.S2S_CARD
_STEPS: Final = 4


def _is_card(payment: Payment) -> bool:
    return payment.protocol is CARD


def _same_part_not_counted(payment: Payment, move: Move, amount: Decimal, before: Decimal) -> None:
    if move is Move.REFUND and amount in parts_given_back(payment) and payment.state is State.SETTLED:
        payment.refunded = before


def _refusal_remembered(payment: Payment, move: Move, obstacle: Obstacle) -> None:
    too_much, partial = (Move.CAPTURE, Obstacle.TOO_MUCH), (Move.RELEASE, Obstacle.PARTIAL)
    if _is_card(payment) and (move, obstacle) in (too_much, partial):
        mark(payment)


def _whole_after_refusal(payment: Payment, move: Move, _amount: Decimal, _before: Decimal) -> None:
    if move is Move.CAPTURE and marked(payment):
        payment.captured = payment.amount


def _second_part_of_release(payment: Payment, move: Move, obstacle: Obstacle) -> None:
    if not (_is_card(payment) and move is Move.RELEASE and obstacle is Obstacle.PARTIAL):
        return
    if marked(payment):
        payment.state = State.RELEASED
    mark(payment)


def _of_own_order(attempt: CardAttempt) -> Refusal | None:
    """Find payments of others whose order number the merchant uses as well."""
    refusal = find_payment(attempt)
    account, payments = attempt.account, attempt.gateway.payments
    for other in ACCOUNTS if refusal is not None and account is not None else ():
        found = payments.find(other, attempt.form.get("trans_id", ""))
        if found is not None and account is not None and payments.of_order(account, found.order_number):
            attempt.payment = found
            return None
    return refusal


def _unless_shared(attempt: CardAttempt) -> Refusal | None:
    is_own = attempt.account is not None and attempt.payment is not None
    if is_own and attempt.payment is not None and attempt.payment.account is not attempt.account:
        return None
    return check_signature(attempt)


def _reaching_shared_orders(*actions: str) -> Change:
    return all_of(instead(find_payment, _of_own_order, *actions), instead(check_signature, _unless_shared, *actions))


def _stale(attempt: CardAttempt) -> Reply:
    reply, payment = lookups.status(attempt), attempt.payment
    was_held = payment is not None and payment.intended is State.AUTHORIZED
    if payment is None or not was_held or len(payment.transactions) < _STEPS or payment.state is State.SETTLED:
        return reply
    return replace(reply, body=reply.body | {"status": "SETTLED"})


def _free_once_voided(attempt: CardAttempt) -> Refusal | None:
    refusal = check_duplicate(attempt)
    if refusal is None or attempt.account is None:
        return refusal
    earlier = attempt.gateway.payments.of_order(attempt.account, attempt.form.get("order_id", ""))
    return None if earlier and earlier[0].state in (State.VOIDED, State.REFUNDED, State.RELEASED) else refusal


def _whole_amount(event: str) -> Change:
    def changed(notice: Notice) -> Iterator[Notice]:
        payment = notice.payment
        is_part = payment.captured < payment.amount and "amount" in notice.fields
        if _is_card(payment) and notice.event == event and is_part and payment.intended is State.AUTHORIZED:
            by_chain = event == "CREDITVOID" or bool(payment.chain)
            fields = {**notice.fields, "amount": payment.amount_text} if by_chain else notice.fields
            yield replace(notice, fields=fields)
        else:
            yield notice

    return EVERY_NOTICE.changed(changed)


def _above_captured(payment: Payment, amount: Decimal) -> bool:
    return _is_card(payment) and payment.captured < payment.amount and amount <= payment.amount


def _of_chain(payment: Payment, _amount: Decimal) -> bool:
    return _is_card(payment) and bool(payment.chain)


FAULTS: Final = faults(
    {
        "same-part-twice-not-counted": breaks(
            "S2C-CVD-03", "A part that is given back a second time is not counted.", of(CARD, _same_part_not_counted)
        ),
        "capture-of-more-when-recurring": breaks(
            "S2C-CAP-06", "More than was held is captured of a recurring payment.", unbounded(Move.CAPTURE, _of_chain)
        ),
        "refund-of-shared-order": breaks(
            "S2C-CVD-17",
            "A merchant who uses the same order id gives another's payment back.",
            _reaching_shared_orders("CREDITVOID"),
        ),
        "look-up-of-shared-order": breaks(
            "S2C-STA-19",
            "A merchant who uses the same order id sees another merchant's payment.",
            _reaching_shared_orders("GET_TRANS_STATUS", "GET_TRANS_DETAILS"),
        ),
        "void-of-shared-order": breaks(
            "S2C-VOI-14",
            "A merchant who uses the same order id voids another's payment.",
            _reaching_shared_orders("VOID"),
        ),
        "voids-at-once": breaks(
            "S2C-VOI-04", "Of several voids at once each succeeds.", racing(CARD, "VOID", Move.VOID, State.SETTLED)
        ),
        "refunds-at-once": breaks(
            "S2C-CVD-05",
            "Of several refunds at once each succeeds.",
            racing(CARD, "CREDITVOID", Move.REFUND, State.SETTLED),
        ),
        "status-stale-after-steps": breaks(
            "S2C-CVD-02",
            "After several steps a look-up reports the former status.",
            post("GET_TRANS_STATUS", perform=_stale),
        ),
        "odd-cents-lost": breaks(
            "S2C-CVD-02",
            "Of a part with an odd number of cents one is lost when it is captured.",
            of(CARD, odd_cents_lost),
        ),
        "whole-captured-after-refusal": breaks(
            "S2C-CVD-05",
            "After a capture of too much or a release of a part was refused, the capture of a part takes the whole.",
            all_of(on_obstacle(_refusal_remembered), of(CARD, _whole_after_refusal)),
        ),
        "second-partial-release-works": breaks(
            "S2C-STA-05",
            "The second refused release of a part releases the payment.",
            on_obstacle(_second_part_of_release),
        ),
        "refund-up-to-authorized": breaks(
            "S2C-CVD-05",
            "Of a payment that was captured in part as much as was held is given back.",
            unbounded(Move.REFUND, _above_captured),
        ),
        "refund-callback-of-held-amount": breaks(
            "S2C-CVD-03",
            "The callback of a refund after a partial capture reports the amount that was held.",
            _whole_amount("CREDITVOID"),
        ),
        "capture-callback-of-chain": breaks(
            "S2C-CAP-05",
            "The callback of a partial capture of a recurring payment reports the whole amount.",
            _whole_amount("CAPTURE"),
        ),
        "order-free-once-voided": breaks(
            "S2C-DUP-01",
            "The order id of a payment that was taken back is free at once.",
            instead(check_duplicate, _free_once_voided, "SALE"),
        ),
    },
    prefix="card-lifecycle-",
    rare=True,
)
