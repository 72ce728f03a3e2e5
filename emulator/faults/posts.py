"""Ways to break S2S CARD actions: their stages, answers, signatures and callbacks."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from emulator.callbacks.notice import Fields, Notice
from emulator.design import Change, Design
from emulator.payments.model import Protocol
from emulator.replies import Kind, Refusal, Reply
from emulator.rules.model import BreakdownError
from emulator.s2s_card.conduct import CardAttempt, CardHashTest, PostConduct, Stage, Values
from emulator.signing import FormValues
from emulator.values import Object

ANY = ("S2C-*", "CBK-*", "GEN-*")
"""Related to faults after which an action is of no use."""

_ANSWERS = (Kind.SALE, Kind.CARD_ACTION, Kind.SCHEDULE)

Applies = Callable[[CardAttempt], bool]
ChangeBody = Callable[[Object], Object]
ChangeFields = Callable[[Fields], Fields]


def all_of(*changes: Change) -> Change:
    """Several changes, one after the other."""

    def change(design: Design) -> Design:
        for one in changes:
            design = one(design)
        return design

    return change


def post(*actions: str, **changes: object) -> Change:
    """Another conduct of some actions."""

    def changed(conduct: PostConduct) -> PostConduct:
        return replace(conduct, **changes)  # type: ignore[arg-type]

    return lambda design: design.in_posts(changed, *actions)


def staged(change: Callable[[tuple[Stage, ...]], tuple[Stage, ...]], *actions: str) -> Change:
    """Other stages of some actions."""
    return lambda design: design.in_posts(lambda one: replace(one, stages=change(one.stages)), *actions)


def without(stage: Stage, *actions: str) -> Change:
    """Some actions skip a stage."""
    return staged(lambda stages: tuple(one for one in stages if one is not stage), *actions)


def instead(stage: Stage, other: Stage, *actions: str) -> Change:
    """Some actions pass another stage in the place of one."""
    return staged(lambda stages: tuple(other if one is stage else one for one in stages), *actions)


def lately(stage: Stage, *actions: str) -> Change:
    """Some actions pass a further stage at the end."""
    return staged(lambda stages: (*stages, stage), *actions)


def first(stage: Stage, *actions: str) -> Change:
    """Some actions pass a further stage at the start."""
    return staged(lambda stages: (stage, *stages), *actions)


def refusing(applies: Applies, refusal: Refusal) -> Stage:
    """A stage that refuses what ``applies`` holds for."""
    return lambda attempt: refusal if applies(attempt) else None


def breaking(applies: Applies) -> Stage:
    """A stage at which what ``applies`` holds for ends as a server error."""

    def stage(attempt: CardAttempt) -> Refusal | None:
        if applies(attempt):
            raise BreakdownError
        return None

    return stage


def signed_by(change: Callable[[CardAttempt, FormValues], FormValues], *actions: str) -> Change:
    """Some actions are signed with other values than those of their formula."""

    def changed(conduct: PostConduct) -> PostConduct:
        values: Values = conduct.values
        return replace(conduct, values=lambda attempt: change(attempt, values(attempt)))

    return lambda design: design.in_posts(changed, *actions)


def also_hashed(accepts: Callable[[CardHashTest], bool], *actions: str) -> Change:
    """Some actions take further hashes."""

    def changed(conduct: PostConduct) -> PostConduct:
        before = conduct.accepts_hash
        return replace(conduct, accepts_hash=lambda test: before(test) or accepts(test))

    return lambda design: design.in_posts(changed, *actions)


def answering(change: ChangeBody, *actions: str) -> Change:
    """What some actions answer, all where none is named, is changed; refusals are left alone."""

    def filtered(reply: Reply) -> Reply:
        named = not actions or reply.body.get("action") in actions
        answers = reply.kind in _ANSWERS and named and not reply.is_error
        return replace(reply, body=change(reply.body)) if answers else reply

    return lambda design: design.filtering(filtered)


def leaving_out(names: Collection[str], *actions: str) -> Change:
    """What some actions answer lacks members."""
    return answering(lambda body: {name: value for name, value in body.items() if name not in names}, *actions)


def saying(name: str, value: object, *actions: str) -> Change:
    """A member that some actions answer has always the same value, where it is there."""
    return answering(lambda body: body | {name: value} if name in body else body, *actions)


def telling(change: Callable[[Notice], Iterator[Notice]]) -> Change:
    """Notices are changed before they are signed."""

    def changed(notice: Notice) -> list[Notice]:
        return list(change(notice))

    return lambda design: design.in_callbacks(before=(*design.callbacks.before, changed))


def _is_of(notice: Notice, events: Collection[str]) -> bool:
    return notice.payment.protocol is Protocol.S2S_CARD and (not events or notice.event in events)


def told(change: ChangeFields, *events: str) -> Change:
    """What is told of some events, of all where none is named, is changed before it is signed."""

    def changed(notice: Notice) -> Iterator[Notice]:
        yield replace(notice, fields=change(notice.fields)) if _is_of(notice, events) else notice

    return telling(changed)


def untold(*events: str) -> Change:
    """Some events are not told."""
    return telling(lambda notice: iter(() if _is_of(notice, events) else (notice,)))


def telling_no(*names: str, of: Collection[str] = ()) -> Change:
    """What is told lacks fields; ``of`` are the events that it is told of."""
    return told(lambda fields: {name: value for name, value in fields.items() if name not in names}, *of)
