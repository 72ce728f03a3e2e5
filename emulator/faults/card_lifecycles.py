"""Faults of S2S CARD that several steps show, and no single one: a ledger beside the gateway finds them."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.callbacks.notice import Notice
from emulator.design import Change, Design
from emulator.faults.interleaving import hindered, mark, marked, of, opening, racing, unbounded
from emulator.faults.model import Fault
from emulator.faults.moves import allowing
from emulator.faults.posts import all_of, instead, lately, post, telling
from emulator.payments.model import Payment, Protocol, State
from emulator.payments.moves import Move, Obstacle
from emulator.payments.schedules import Subscription, is_over, may_charge
from emulator.replies import Refusal, Reply
from emulator.s2s_card import lookups
from emulator.s2s_card.conduct import CardAttempt
from emulator.s2s_card.record import record_of
from emulator.s2s_card.stages import check_duplicate, check_signature, find_payment
from emulator.s2s_card.ways import way_back

CARD: Final = Protocol.S2S_CARD
_DAYS: Final = 3
_STEPS: Final = 4


def _is_card(payment: Payment) -> bool:
    return payment.protocol is CARD


def _two_parts(payment: Payment) -> list[Decimal]:
    return [step.amount for step in payment.transactions if step.type == Move.REFUND.value]


def _same_part_not_counted(payment: Payment, move: Move, amount: Decimal, before: Decimal) -> None:
    if move is Move.REFUND and amount in _two_parts(payment) and payment.state is State.SETTLED:
        payment.refunded = before


def _odd_cents_lost(payment: Payment, move: Move, amount: Decimal, _before: Decimal) -> None:
    if move is Move.CAPTURE and amount < payment.amount:
        payment.captured = amount - amount % Decimal("0.02")


def _too_much_remembered(payment: Payment, move: Move, obstacle: Obstacle) -> None:
    if _is_card(payment) and move is Move.REFUND and obstacle is Obstacle.TOO_MUCH and payment.refunded:
        payment.refunded += min(payment.held, Decimal("0.01"))


def _capture_too_much_remembered(payment: Payment, move: Move, obstacle: Obstacle) -> None:
    if _is_card(payment) and move is Move.CAPTURE and obstacle is Obstacle.TOO_MUCH:
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


def _remembers_look(attempt: CardAttempt) -> Refusal | None:
    if attempt.payment is not None and attempt.payment.state is State.VOIDED:
        mark(attempt.payment)
    return None


def _void_again(payment: Payment) -> bool:
    return _is_card(payment) and payment.intended is State.AUTHORIZED


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
    return all_of(
        instead(find_payment, _of_own_order, *actions),
        instead(check_signature, _unless_shared, *actions),
    )


def _stale(attempt: CardAttempt) -> Reply:
    reply, payment = lookups.status(attempt), attempt.payment
    was_held = payment is not None and payment.intended is State.AUTHORIZED
    if payment is None or not was_held or len(payment.transactions) < _STEPS or payment.state is State.SETTLED:
        return reply
    return replace(reply, body=reply.body | {"status": "SETTLED"})


def _expires(attempt: CardAttempt) -> Refusal | None:
    payment = attempt.payment
    if payment is not None and payment.state is State.AUTHORIZED:
        age = attempt.gateway.clock.now() - payment.created
        payment.state = State.RELEASED if age.days >= _DAYS else payment.state
    return None


def _free_once_voided(attempt: CardAttempt) -> Refusal | None:
    refusal = check_duplicate(attempt)
    if refusal is None or attempt.account is None:
        return refusal
    earlier = attempt.gateway.payments.of_order(attempt.account, attempt.form.get("order_id", ""))
    return None if earlier and earlier[0].state in (State.VOIDED, State.REFUNDED, State.RELEASED) else refusal


def _settled_by_the_page(payment: Payment) -> str:
    if payment.state in (State.VOIDED, State.REFUNDED):
        payment.state = State.SETTLED
    return way_back(payment)


def _told_amount(event: str) -> Change:
    def changed(notice: Notice) -> Iterator[Notice]:
        payment = notice.payment
        is_part = payment.captured < payment.amount and "amount" in notice.fields
        if _is_card(payment) and notice.event == event and is_part and payment.intended is State.AUTHORIZED:
            by_chain = event == "CREDITVOID" or bool(payment.chain)
            fields = {**notice.fields, "amount": payment.amount_text} if by_chain else notice.fields
            yield replace(notice, fields=fields)
        else:
            yield notice

    return telling(changed)


def _once_too_often(design: Design) -> Design:
    waited: set[int] = set()

    def charges(subscription: Subscription) -> bool:
        if not may_charge(subscription):
            waited.add(id(subscription))
        return may_charge(subscription)

    def over(subscription: Subscription) -> bool:
        if id(subscription) not in waited or subscription.made == 0:
            return is_over(subscription)
        subscription.made -= 1
        try:
            return is_over(subscription)
        finally:
            subscription.made += 1

    return design.in_schedules(may_charge=charges, is_over=over)


def _second_pause_ignored(design: Design) -> Design:
    paused: dict[str, int] = {}

    def remember(attempt: CardAttempt) -> Refusal | None:
        if attempt.schedule is not None and not attempt.schedule.paused:
            paused[attempt.schedule.id] = paused.get(attempt.schedule.id, 0) + 1
        return None

    def charges(subscription: Subscription) -> bool:
        return paused.get(subscription.schedule.id, 0) > 1 or may_charge(subscription)

    return lately(remember, "PAUSE")(design.in_schedules(may_charge=charges))


def _subscription_outlives_pause(design: Design) -> Design:
    paused: set[str] = set()

    def remember(attempt: CardAttempt) -> Refusal | None:
        if attempt.schedule is not None:
            paused.add(attempt.schedule.id)
        return None

    def over(subscription: Subscription) -> bool:
        if subscription.ended and subscription.schedule.id in paused:
            return is_over(replace(subscription, ended=False))
        return is_over(subscription)

    return lately(remember, "PAUSE")(design.in_schedules(is_over=over))


def _softly(attempt: CardAttempt) -> Refusal | None:
    """Whatever was retried once can be retried again."""
    if attempt.payment is not None and record_of(attempt.payment).soft:
        mark(attempt.payment)
    return None


def _above_captured(payment: Payment, amount: Decimal) -> bool:
    return _is_card(payment) and payment.captured < payment.amount and amount <= payment.amount


def _parts_alone(payment: Payment, amount: Decimal) -> bool:
    return _is_card(payment) and len(_two_parts(payment)) > 1 and amount <= payment.captured


def _of_chain(payment: Payment, _amount: Decimal) -> bool:
    return _is_card(payment) and bool(payment.chain)


def _found(name: str, requirement: str, summary: str, change: Change) -> Fault:
    return Fault(f"card-lifecycle-{name}", (requirement,), summary, change, rare=True)


FAULTS: Final = (
    _found(
        "same-part-twice-not-counted",
        "S2C-CVD-03",
        "A part that is given back a second time is not counted.",
        of(CARD, _same_part_not_counted),
    ),
    _found(
        "refund-after-void-and-details",
        "S2C-CVD-11",
        "A voided payment whose details were read is given back.",
        all_of(
            lately(_remembers_look, "GET_TRANS_DETAILS"),
            opening(State.VOIDED, Move.REFUND, State.REFUNDED, lambda one: bool(marked(one))),
        ),
    ),
    _found(
        "capture-of-more-when-recurring",
        "S2C-CAP-06",
        "More than was held is captured of a recurring payment.",
        unbounded(Move.CAPTURE, _of_chain),
    ),
    _found(
        "void-of-captured-twice",
        "S2C-VOI-04",
        "A captured payment is voided twice.",
        opening(State.VOIDED, Move.VOID, State.VOIDED, _void_again),
    ),
    _found(
        "refund-of-shared-order",
        "S2C-CVD-17",
        "A merchant who uses the same order id gives another's payment back.",
        _reaching_shared_orders("CREDITVOID"),
    ),
    _found(
        "look-up-of-shared-order",
        "S2C-STA-19",
        "A merchant who uses the same order id is told of another's payment.",
        _reaching_shared_orders("GET_TRANS_STATUS", "GET_TRANS_DETAILS"),
    ),
    _found(
        "void-of-shared-order",
        "S2C-VOI-14",
        "A merchant who uses the same order id voids another's payment.",
        _reaching_shared_orders("VOID"),
    ),
    _found(
        "voids-at-once",
        "S2C-VOI-04",
        "Of several voids at once each succeeds.",
        racing(CARD, "VOID", Move.VOID, State.SETTLED),
    ),
    _found(
        "refunds-at-once",
        "S2C-CVD-05",
        "Of several refunds at once each succeeds.",
        racing(CARD, "CREDITVOID", Move.REFUND, State.SETTLED),
    ),
    _found(
        "status-stale-after-steps",
        "S2C-CVD-02",
        "After several steps a look-up tells the former status.",
        post("GET_TRANS_STATUS", perform=_stale),
    ),
    _found(
        "odd-cents-lost",
        "S2C-CVD-03",
        "Of a part with an odd number of cents one is lost when it is captured.",
        of(CARD, _odd_cents_lost),
    ),
    _found(
        "refused-refund-counts",
        "S2C-CVD-04",
        "A refund of too much after a part takes a cent of what is left.",
        hindered(_too_much_remembered),
    ),
    _found(
        "whole-captured-after-refusal",
        "S2C-CVD-05",
        "After a capture of too much was refused, the capture of a part takes the whole.",
        all_of(hindered(_capture_too_much_remembered), of(CARD, _whole_after_refusal)),
    ),
    _found(
        "second-partial-release-works",
        "S2C-CVD-07",
        "The second refused release of a part releases the payment.",
        hindered(_second_part_of_release),
    ),
    _found(
        "refund-up-to-authorized",
        "S2C-CVD-05",
        "Of a payment that was captured in part as much as was held is given back.",
        unbounded(Move.REFUND, _above_captured),
    ),
    _found(
        "third-refund-unbounded",
        "S2C-CVD-05",
        "After two parts a third one is not compared with what is left.",
        unbounded(Move.REFUND, _parts_alone),
    ),
    _found(
        "refund-callback-of-held-amount",
        "S2C-CVD-03",
        "The callback of a refund after a partial capture tells the amount that was held.",
        _told_amount("CREDITVOID"),
    ),
    _found(
        "capture-callback-of-chain",
        "S2C-CAP-05",
        "The callback of a partial capture of a recurring payment tells the whole amount.",
        _told_amount("CAPTURE"),
    ),
    _found(
        "retry-again-and-again",
        "S2C-REC-26",
        "A retried payment that is settled can be retried again.",
        all_of(lately(_softly, "RETRY"), allowing((State.SETTLED, Move.RETRY, State.SETTLED))),
    ),
    _found(
        "page-settles-voided",
        "S2C-VOI-03",
        "A payer who goes through the challenge again settles a voided payment.",
        lambda design: design.in_card(way_back=_settled_by_the_page),
    ),
    _found(
        "hold-given-up-after-days",
        "S2C-STA-05",
        "After three days a look-up gives an authorization up.",
        lately(_expires, "GET_TRANS_STATUS"),
    ),
    _found(
        "order-free-once-voided",
        "S2C-DUP-01",
        "The order id of a payment that was taken back is free at once.",
        instead(check_duplicate, _free_once_voided, "SALE"),
    ),
    _found(
        "schedule-charges-once-more-after-pause",
        "S2C-SCP-06",
        "A schedule that was paused when a charge fell due charges once too often.",
        _once_too_often,
    ),
    _found(
        "second-pause-ignored",
        "S2C-SCH-53",
        "A schedule that is paused for the second time charges.",
        _second_pause_ignored,
    ),
    _found(
        "subscription-outlives-pause",
        "S2C-SCH-54",
        "A payer who is taken off a schedule that was paused once is charged.",
        _subscription_outlives_pause,
    ),
)
