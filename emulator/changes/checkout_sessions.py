"""Ways to change how a session request is looked at: rules that see another request, refuse too much, or give way."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, cast

from emulator.changes.stages import Stages, StagesChange, breakdown_if, refusal_if
from emulator.design import Change, Design
from emulator.protocols.checkout.session import Attempt, HashTest, SessionStage, check_fields
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object

Applies = Callable[[Object], bool]
See = Callable[[Object], Object]


@dataclass(frozen=True, slots=True)
class _Seeing:
    """A look at the fields of what ``see`` makes of a request; several of them stand behind each other."""

    see: See
    look: SessionStage

    def __call__(self, attempt: Attempt) -> Refusal | None:
        return self.look(replace(attempt, body=self.see(attempt.body)))


def _reach(design: Design, change: StagesChange[Attempt], _names: tuple[str, ...]) -> Design:
    return design.in_session(stages=change(design.session.stages))


_STAGES: Final[Stages[Attempt]] = Stages(_reach)
without, instead, unless = _STAGES.without, _STAGES.instead, _STAGES.unless
first, last = _STAGES.first, _STAGES.last


def rules_see(see: See) -> Change:
    """The field rules look at what ``see`` makes of the request; the signature is made over the request itself."""

    def change(design: Design) -> Design:
        stages = design.session.stages
        looks = (_Seeing(see, one) if one is check_fields or isinstance(one, _Seeing) else one for one in stages)
        return design.in_session(stages=tuple(looks))

    return change


def refusing(path: str, applies: Applies, text: str = "This value is not valid.") -> Change:
    """Requests that ``applies`` holds for are refused where they would open a session, naming ``path``."""
    refusal = Refusal(Kind.FIELDS, INVALID_DATA, violations=((path, text),))
    return last(refusal_if(lambda attempt: applies(attempt.body), refusal))


def breaking(applies: Applies) -> Change:
    """Requests that ``applies`` holds for are server errors."""
    return first(breakdown_if(lambda attempt: applies(attempt.body)))


def also_hashed(accepts: Callable[[HashTest], bool]) -> Change:
    """Sessions may have further hashes."""

    def change(design: Design) -> Design:
        before = design.session.accepts_hash
        return design.in_session(accepts_hash=lambda test: before(test) or accepts(test))

    return change


def put(body: Object, value: object, *names: str) -> Object:
    """A copy of ``body`` with ``value`` at the path of ``names``; without a place for it, ``body`` itself."""
    name, *below = names
    if not below:
        return body | {name: value}
    inner = body.get(name)
    return body | {name: put(cast("Object", inner), value, *below)} if isinstance(inner, dict) else body
