"""Ways to change Checkout payments: stages, signatures, answers, callbacks and states."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.accounts import ACCOUNTS, Account
from emulator.changes.answers import AnswerBodies
from emulator.changes.notices import Notices
from emulator.changes.stages import Stages, StagesChange
from emulator.design import Change, Design, all_of
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import equal, hex_digest, session_hash
from emulator.protocols.checkout.behaviour import Operation, PostAttempt, PostStage
from emulator.protocols.checkout.requests import check_signature, find_payment, find_refundable
from emulator.rules.model import Rule
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

Applies = Callable[[PostAttempt], bool]
Handler = Callable[[PostAttempt], Reply]
Act = Callable[[Handler, PostAttempt], Reply]
Signed = Callable[[Object], str]


def _reach(design: Design, change: StagesChange[PostAttempt], names: tuple[str, ...]) -> Design:
    return design.in_operations(lambda one: replace(one, stages=change(one.stages)), *names)


_STAGES: Final[Stages[PostAttempt]] = Stages(_reach)
without, instead, unless, refused_as = _STAGES.without, _STAGES.instead, _STAGES.unless, _STAGES.refused_as
first, last = _STAGES.first, _STAGES.last
_ANSWERS: Final[AnswerBodies[Kind]] = AnswerBodies(lambda reply, kinds: reply.kind in kinds and not reply.is_error)
answering, leaving_out, saying, adding = _ANSWERS.changed, _ANSWERS.without, _ANSWERS.saying, _ANSWERS.adding
answering_where, saying_where = _ANSWERS.where, _ANSWERS.saying_where
NOTICES: Final = Notices(Protocol.CHECKOUT)


def operation(*names: str, **changes: object) -> Change:
    """Some addresses are served otherwise."""

    def changed(one: Operation) -> Operation:
        return replace(one, **changes)  # type: ignore[arg-type]

    return lambda design: design.in_operations(changed, *names)


def without_row(name: str, path: str, keyword: str, tag: str = "") -> Change:
    """An address does without a rule."""

    def kept(row: Rule) -> Rule | None:
        return None if (row.path, row.keyword, row.tag) == (path, keyword, tag) else row

    return lambda design: design.with_checkout_rows(name, kept)


def around(act: Act, *names: str) -> Change:
    """``act`` stands around the handlers of some addresses."""

    def changed(one: Operation) -> Operation:
        inner = one.handler
        return replace(one, handler=lambda attempt: act(inner, attempt))

    return lambda design: design.in_operations(changed, *names)


def always(_attempt: PostAttempt) -> bool:
    """Every request."""
    return True


def unsigned(*names: str) -> Change:
    """Some addresses take any hash."""
    return operation(*names, accepts_hash=lambda _attempt, _account: True)


def also_signed(signed: Signed, *names: str) -> Change:
    """Some addresses take hashes over other values as well."""

    def changed(one: Operation) -> Operation:
        before = one.accepts_hash

        def accepts(attempt: PostAttempt, account: Account) -> bool:
            wanted = session_hash(signed(attempt.body) + account.password, account.hash)
            return before(attempt, account) or equal(str(attempt.body.get("hash")), wanted)

        return replace(one, accepts_hash=accepts)

    return lambda design: design.in_operations(changed, *names)


def also_hashed(*names: str) -> Change:
    """Some addresses take hashes of the inner digest alone, and of texts that were not upper-cased."""

    def changed(one: Operation) -> Operation:
        before = one.accepts_hash

        def accepts(attempt: PostAttempt, account: Account) -> bool:
            text = attempt.operation.signed(attempt.body) + account.password
            inner = hex_digest(account.hash, text.upper())
            return before(attempt, account) or equal(str(attempt.body.get("hash")), inner)

        return replace(one, accepts_hash=accepts)

    return lambda design: design.in_operations(changed, *names)


def _anybodys(stage: PostStage) -> PostStage:
    def found(attempt: PostAttempt) -> Refusal | None:
        refusal = stage(attempt)
        for account in ACCOUNTS if refusal is not None else ():
            attempt.payment = attempt.gateway.payments.find(account, str(attempt.body.get("payment_id")))
            if attempt.payment is not None:
                return None
        return refusal

    return found


def reaching_others(name: str) -> Change:
    """An address reaches payments of other merchants."""
    return all_of(*(instead(stage, _anybodys(stage), name) for stage in (find_payment, find_refundable)))


def _of_checkout(payment: Payment) -> bool:
    return payment.protocol is Protocol.CHECKOUT


def carrying(change: Callable[[Payment, Move, State], None]) -> Change:
    """After a move of a Checkout payment, ``change`` sees the payment, the move, and where the payment stood."""

    def changed(design: Design) -> Design:
        inner = design.moves.carry_out

        def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
            before = payment.state
            inner(payment, move, amount, after)
            if _of_checkout(payment):
                change(payment, move, before)

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return changed


def lifting(allowed: Obstacle, move: Move) -> Change:
    """An obstacle to a move of Checkout payments is ignored."""

    def changed(design: Design) -> Design:
        inner = design.moves.obstacle

        def obstacle(payment: Payment, wanted: Move, amount: Decimal) -> Obstacle | None:
            found = inner(payment, wanted, amount)
            return None if _of_checkout(payment) and wanted is move and found is allowed else found

        return replace(design, moves=replace(design.moves, obstacle=obstacle))

    return changed


def worded(name: str, **refusals: Refusal) -> Change:
    """Obstacles at an address are refused in other words."""
    words = {Obstacle[one]: refusal for one, refusal in refusals.items()}
    return lambda design: design.in_operations(lambda one: replace(one, refusals={**one.refusals, **words}), name)


def in_state(*states: State) -> Applies:
    """The payment that the request names is in one of ``states``."""
    return lambda attempt: attempt.payment is not None and attempt.payment.state in states


def accepting(name: str, kind: Kind, *states: State) -> Change:
    """An address answers payments in ``states`` as if it had done what it was asked for."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        payment = attempt.payment
        if payment is None or payment.state not in states:
            return handler(attempt)
        return Reply(kind, 200, {"payment_id": payment.id, "result": "accepted", "status": "SUCCESS"})

    return around(act, name)


def accepting_unknown(name: str, kind: Kind) -> Change:
    """An address answers as if every payment existed."""

    def lenient(_attempt: PostAttempt) -> Refusal | None:
        return None

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        stage = find_refundable if name == "refund" else find_payment
        if stage(attempt) is None:
            return handler(attempt)
        return Reply(kind, 200, {"payment_id": str(attempt.body.get("payment_id")), "result": "accepted"})

    return all_of(instead(find_payment, lenient, name), instead(find_refundable, lenient, name), around(act, name))


def forged(name: str) -> Change:
    """An address does not look at the hash."""
    return without(check_signature, name)


def by_payment(attempt: PostAttempt) -> bool:
    """The look-up names a payment, not an order."""
    return attempt.body.get("payment_id") is not None


def looking_up(change: Callable[[PostAttempt, Reply], Reply]) -> Change:
    """What a look-up found is answered otherwise."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        return reply if reply.is_error else change(attempt, reply)

    return around(act, "status")
