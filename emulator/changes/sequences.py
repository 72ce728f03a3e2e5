"""Ways to do something wrong once something else was done to the payment before, in any protocol."""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from emulator.changes import checkout, s2s_apm, s2s_card, s2s_card_moves
from emulator.changes.stages import refusal_if
from emulator.design import Change, all_of
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.wire.replies import Refusal, Reply

Applies = Callable[[Payment], bool]
CHECKOUT, CARD, APM = Protocol.CHECKOUT, Protocol.S2S_CARD, Protocol.S2S_APM
_AT_THE_BEGINNING: Final = (Move.APPROVE.value, Move.DECLINE.value)


def moves_of(payment: Payment) -> tuple[str, ...]:
    """What was done to a payment after it was made, one after the other."""
    return tuple(
        step.type for step in payment.transactions if step.type not in _AT_THE_BEGINNING and step.status == "success"
    )


def after(*moves: Move, held: bool | None = None) -> Applies:
    """Exactly these moves were made; ``held`` says whether the payment was an authorization, where that counts."""
    wanted = tuple(move.value for move in moves)

    def applies(payment: Payment) -> bool:
        was_held = payment.intended is State.AUTHORIZED
        return moves_of(payment) == wanted and (held is None or held is was_held)

    return applies


def both(*conditions: Applies) -> Applies:
    """All conditions hold."""
    return lambda payment: all(one(payment) for one in conditions)


def in_part(payment: Payment) -> bool:
    """A part of an authorization was captured."""
    return payment.captured < payment.amount


def something_left(payment: Payment) -> bool:
    """Something can be given back."""
    return payment.held > 0


def _wrapped(protocol: Protocol, name: str, act: Callable[[Payment, Callable[[], Reply]], Reply]) -> Change:
    """``act`` is given the payment of an operation, and what carries it out."""

    def is_one(payment: Payment | None) -> bool:
        return payment is not None and payment.protocol is protocol

    def of_checkout(handler: Callable[[PostAttempt], Reply], attempt: PostAttempt) -> Reply:
        payment = attempt.payment
        if payment is None and name == "status" and attempt.account is not None:
            payment = attempt.gateway.payments.find(attempt.account, str(attempt.body.get("payment_id")))
        if payment is None or not is_one(payment):
            return handler(attempt)
        return act(payment, lambda: handler(attempt))

    def of_card(perform: Perform, attempt: CardAttempt) -> Reply:
        payment = attempt.payment
        if payment is None or not is_one(payment):
            return perform(attempt)
        return act(payment, lambda: perform(attempt))

    def of_apm(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment = attempt.payment
        if payment is None or not is_one(payment):
            return handler(attempt, gateway)
        return act(payment, lambda: handler(attempt, gateway))

    if protocol is CHECKOUT:
        return checkout.around(of_checkout, name)
    return s2s_card.around(of_card, name) if protocol is CARD else s2s_apm.around(of_apm, name)


def mistaken(protocol: Protocol, name: str, applies: Applies, state: State) -> Change:
    """An operation takes payments for ones in another state; those that it refuses stay in their own.

    Args:
        protocol: whose operation it is.
        name: of it, in the words of its protocol.
        applies: which payments are taken for others.
        state: that they are taken to be in.
    """

    def act(payment: Payment, carry_out: Callable[[], Reply]) -> Reply:
        if not applies(payment):
            return carry_out()
        before = payment.state, payment.captured, payment.refunded
        payment.state = state
        if state is State.SETTLED:
            # Nothing of it counts as given back.
            payment.captured, payment.refunded = payment.captured or payment.amount, Decimal(0)
        reply = carry_out()
        if reply.is_error:
            payment.state, payment.captured, payment.refunded = before
        return reply

    return _wrapped(protocol, name, act)


def chains_ended(protocol: Protocol, name: str, move: Move, refusal: Refusal) -> Change:
    """A chain is charged no more once a move was made of one of its charges."""
    ended: set[str] = set()

    def note(payment: Payment, moved: Move, _amount: Decimal, _before: Decimal) -> None:
        if payment.protocol is protocol and payment.chain and moved is move:
            ended.add(payment.chain)

    stage = checkout.last if protocol is CHECKOUT else s2s_card.last

    def applies(attempt: PostAttempt | CardAttempt) -> bool:
        return attempt.payment is not None and attempt.payment.id in ended

    return all_of(s2s_card_moves.carrying(note), stage(refusal_if(applies, refusal), name))


def tokens_forgotten(protocol: Protocol, move: Move, refusing: Callable[[Callable[[str], bool]], Change]) -> Change:
    """The card token that a payment gave is known no more once a move was made of that payment.

    Args:
        protocol: of the payments.
        move: that ends it.
        refusing: makes the change by which tokens are refused; it is given which.
    """
    gone: set[str] = set()

    def note(payment: Payment, moved: Move, _amount: Decimal, _before: Decimal) -> None:
        if payment.protocol is protocol and payment.card_token and moved is move:
            gone.add(payment.card_token)

    return all_of(s2s_card_moves.carrying(note), refusing(gone.__contains__))


def once_charged(protocol: Protocol, charge: str, name: str, state: State) -> Change:
    """An operation takes the first payment of a chain for one in another state once the chain was charged."""
    charged: set[str] = set()

    def act(payment: Payment, carry_out: Callable[[], Reply]) -> Reply:
        charged.add(payment.id)
        return carry_out()

    return all_of(
        _wrapped(protocol, charge, act), mistaken(protocol, name, lambda payment: payment.id in charged, state)
    )


def charges_shown_with_the_first(protocol: Protocol, name: str, move: Move, state: State) -> Change:
    """A look-up shows charges as given back once the payment that started their chain was."""
    first: set[str] = set()

    def note(payment: Payment, moved: Move, _amount: Decimal, _before: Decimal) -> None:
        if moved is move:
            first.add(payment.id)

    shown = shown_as(protocol, name, lambda payment: payment.chain in first, state)
    return all_of(s2s_card_moves.carrying(note), shown)


def shown_as(protocol: Protocol, name: str, applies: Applies, state: State) -> Change:
    """A look-up shows payments in another state than theirs."""

    def act(payment: Payment, carry_out: Callable[[], Reply]) -> Reply:
        if not applies(payment):
            return carry_out()
        before, payment.state = payment.state, state
        try:
            return carry_out()
        finally:
            payment.state = before

    return _wrapped(protocol, name, act)


def of_schedules(action: str, before: tuple[str, ...], reply: Callable[[Perform, CardAttempt], Reply]) -> Change:
    """Once exactly these actions were carried out of a schedule, ``reply`` answers another one of it."""
    done: dict[str, tuple[str, ...]] = {}

    def note(perform: Perform, attempt: CardAttempt) -> Reply:
        answer = perform(attempt)
        if attempt.schedule is not None and not answer.is_error:
            done[attempt.schedule.id] = (*done.get(attempt.schedule.id, ()), attempt.action)
        return answer

    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        is_one = attempt.schedule is not None and done.get(attempt.schedule.id) == before
        return reply(perform, attempt) if is_one else perform(attempt)

    changes = tuple(s2s_card.around(note, name) for name in ("PAUSE", "RUN", "UPDATE_SCHEDULE"))
    return all_of(*changes, s2s_card.around(act, action))


def of_another_of_the_order(protocol: Protocol, name: str, state: State, turn: int) -> Change:
    """What is asked of a payment is done to one of the same order in a state: that of ``turn``, the newest being 0."""

    def find(attempt: PostAttempt | CardAttempt) -> None:
        named = attempt.payment
        if named is None:
            return
        of_order = attempt.gateway.payments.of_order(named.account, named.order_number)
        same = [one for one in of_order if one.protocol is named.protocol and one.state is state]
        attempt.payment = same[turn] if same else named

    def of_checkout(handler: Callable[[PostAttempt], Reply], attempt: PostAttempt) -> Reply:
        find(attempt)
        return handler(attempt)

    def of_card(perform: Perform, attempt: CardAttempt) -> Reply:
        find(attempt)
        return perform(attempt)

    return checkout.around(of_checkout, name) if protocol is CHECKOUT else s2s_card.around(of_card, name)
