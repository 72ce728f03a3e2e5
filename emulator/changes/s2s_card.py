"""Ways to change S2S CARD actions: their stages, answers, signatures and callbacks."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.answers import AnswerBodies
from emulator.changes.notices import Notices
from emulator.changes.stages import Stages, StagesChange
from emulator.design import Change, Design
from emulator.engine.payments import Protocol
from emulator.engine.signing import FormValues
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt, CardHashTest, Perform, Values
from emulator.wire.replies import Kind, Refusal, Reply

Applies = Callable[[CardAttempt], bool]


def _reach(design: Design, change: StagesChange[CardAttempt], actions: tuple[str, ...]) -> Design:
    return design.in_posts(lambda one: replace(one, stages=change(one.stages)), *actions)


def _is_of(reply: Reply, actions: tuple[str, ...]) -> bool:
    named = not actions or reply.body.get("action") in actions
    return reply.kind in {Kind.SALE, Kind.CARD_ACTION, Kind.SCHEDULE} and named and not reply.is_error


_STAGES: Final[Stages[CardAttempt]] = Stages(_reach)
without, instead, unless, refused_as = _STAGES.without, _STAGES.instead, _STAGES.unless, _STAGES.refused_as
first, last = _STAGES.first, _STAGES.last
_ANSWERS: Final[AnswerBodies[str]] = AnswerBodies(_is_of)
answering, leaving_out, saying = _ANSWERS.changed, _ANSWERS.without, _ANSWERS.saying
answering_where, saying_where = _ANSWERS.where, _ANSWERS.saying_where
NOTICES: Final = Notices(Protocol.S2S_CARD)


def post(*actions: str, **changes: object) -> Change:
    """Another behaviour of some actions."""

    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        return replace(behaviour, **changes)  # type: ignore[arg-type]

    return lambda design: design.in_posts(changed, *actions)


def reading(name: str, tidy: Callable[[str], str], actions: tuple[str, ...]) -> Change:
    """Some actions see a field tidied up, before anything looks at it."""

    def stage(attempt: CardAttempt) -> Refusal | None:
        value = attempt.form.get(name)
        if value:
            attempt.form = {**attempt.form, name: tidy(value)}
        return None

    return first(stage, *actions)


def signed_by(change: Callable[[CardAttempt, FormValues], FormValues], *actions: str) -> Change:
    """Some actions are signed with other values than those of their formula."""

    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        values: Values = behaviour.values
        return replace(behaviour, values=lambda attempt: change(attempt, values(attempt)))

    return lambda design: design.in_posts(changed, *actions)


def also_hashed(accepts: Callable[[CardHashTest], bool], *actions: str) -> Change:
    """Some actions take further hashes."""

    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        before = behaviour.accepts_hash
        return replace(behaviour, accepts_hash=lambda test: before(test) or accepts(test))

    return lambda design: design.in_posts(changed, *actions)


def around(act: Callable[[Perform, CardAttempt], Reply], *actions: str) -> Change:
    """``act`` carries out some actions; it is given what did so before."""

    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        inner = behaviour.perform
        return replace(behaviour, perform=lambda attempt: act(inner, attempt))

    return lambda design: design.in_posts(changed, *actions)
