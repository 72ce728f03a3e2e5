"""Ways to break Checkout payments: stages, signatures, answers, callbacks and states."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.accounts import ACCOUNTS, Account
from emulator.callbacks.notice import Fields, Notice
from emulator.checkout.conduct import Operation, PostAttempt, PostStage
from emulator.checkout.posts import check_signature, find_payment, find_refundable
from emulator.design import Change, Design
from emulator.payments.model import Payment, Protocol, State
from emulator.payments.moves import Move, Obstacle
from emulator.replies import Kind, Refusal, Reply
from emulator.rules.model import BreakdownError, Rule
from emulator.signing import equal, hex_digest, session_hash
from emulator.values import Object

ANY: Final = ("CHK-*", "CBK-*", "HPF-*", "HPP-*", "GEN-*")
"""Related to faults after which payments are of no use."""
CALLBACKS: Final = ("CBK-*",)

Applies = Callable[[PostAttempt], bool]
Handler = Callable[[PostAttempt], Reply]
Act = Callable[[Handler, PostAttempt], Reply]
ChangeBody = Callable[[Object], Object]
ChangeFields = Callable[[Fields], Fields]
Signed = Callable[[Object], str]


def all_of(*changes: Change) -> Change:
    """Several changes, one after the other."""

    def change(design: Design) -> Design:
        for one in changes:
            design = one(design)
        return design

    return change


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


def _staged(change: Callable[[tuple[PostStage, ...]], tuple[PostStage, ...]], *names: str) -> Change:
    return lambda design: design.in_operations(lambda one: replace(one, stages=change(one.stages)), *names)


def without(stage: PostStage, *names: str) -> Change:
    """Some addresses skip a stage."""
    return _staged(lambda stages: tuple(one for one in stages if one is not stage), *names)


def instead(stage: PostStage, other: PostStage, *names: str) -> Change:
    """Some addresses pass another stage in the place of one."""
    return _staged(lambda stages: tuple(other if one is stage else one for one in stages), *names)


def lately(applies: Applies, refusal: Refusal, *names: str) -> Change:
    """Some addresses refuse at the end what ``applies`` holds for."""
    return _staged(lambda stages: (*stages, lambda attempt: refusal if applies(attempt) else None), *names)


def first(applies: Applies, refusal: Refusal, *names: str) -> Change:
    """Some addresses refuse at the start what ``applies`` holds for."""
    return _staged(lambda stages: (lambda attempt: refusal if applies(attempt) else None, *stages), *names)


def breaking(applies: Applies, *names: str) -> Change:
    """What ``applies`` holds for is a server error at some addresses."""

    def stage(attempt: PostAttempt) -> Refusal | None:
        if applies(attempt):
            raise BreakdownError
        return None

    return _staged(lambda stages: (stage, *stages), *names)


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


def answering(change: ChangeBody, *kinds: Kind) -> Change:
    """What answers of some kinds say is changed; refusals are left alone."""

    def filtered(reply: Reply) -> Reply:
        if reply.kind not in kinds or reply.is_error:
            return reply
        listed = None if reply.listed is None else tuple(map(change, reply.listed))
        return replace(reply, body=change(reply.body) if reply.body else reply.body, listed=listed)

    return lambda design: design.filtering(filtered)


def leaving_out(name: str, *kinds: Kind) -> Change:
    """Answers of some kinds lack a member."""
    return answering(lambda body: {key: value for key, value in body.items() if key != name}, *kinds)


def saying(name: str, value: object, *kinds: Kind) -> Change:
    """A member of answers has always the same value, where it is there."""
    return answering(lambda body: body | {name: value} if name in body else body, *kinds)


def adding(members: Object, *kinds: Kind) -> Change:
    """Answers have further members."""
    return answering(lambda body: members | body, *kinds)


def telling(change: Callable[[Notice], Iterator[Notice]]) -> Change:
    """Notices of Checkout payments are changed before they are signed."""

    def changed(notice: Notice) -> list[Notice]:
        return list(change(notice)) if notice.payment.protocol is Protocol.CHECKOUT else [notice]

    return lambda design: design.in_callbacks(before=(*design.callbacks.before, changed))


def told(change: ChangeFields, *events: str) -> Change:
    """What is told of some events, of all where none is named, is changed before it is signed."""

    def changed(notice: Notice) -> Iterator[Notice]:
        applies = not events or notice.event in events
        yield replace(notice, fields=change(notice.fields)) if applies else notice

    return telling(changed)


def untold(applies: Callable[[Notice], bool]) -> Change:
    """Some notices are not sent."""
    return telling(lambda notice: iter(() if applies(notice) else (notice,)))


def telling_no(*names: str, of: Collection[str] = ()) -> Change:
    """What is told lacks fields; ``of`` are the events that it is told of."""
    return told(lambda fields: {name: value for name, value in fields.items() if name not in names}, *of)


def field_as(name: str, value: str, *events: str) -> Change:
    """A field has always the same value, where it is told."""
    return told(lambda fields: fields | {name: value} if name in fields else fields, *events)


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
    """An obstacle to a move of Checkout payments is not minded."""

    def changed(design: Design) -> Design:
        inner = design.moves.obstacle

        def obstacle(payment: Payment, wanted: Move, amount: Decimal) -> Obstacle | None:
            found = inner(payment, wanted, amount)
            return None if _of_checkout(payment) and wanted is move and found is allowed else found

        return replace(design, moves=replace(design.moves, obstacle=obstacle))

    return changed


def worded(name: str, **refusals: Refusal) -> Change:
    """Obstacles at an address are told otherwise."""
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
