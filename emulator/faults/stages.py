"""Ways to break how a session request is looked at: rules that see another request, refuse too much, or give way."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from emulator.checkout.session import Attempt, Stage, check_fields
from emulator.design import Change, Design
from emulator.replies import INVALID_DATA, Kind, Refusal
from emulator.rules.model import BreakdownError
from emulator.values import Object

Applies = Callable[[Object], bool]
See = Callable[[Object], Object]


@dataclass(frozen=True, slots=True)
class _Seeing:
    """A look at the fields of what ``see`` makes of a request; several of them stand behind each other."""

    see: See
    look: Stage

    def __call__(self, attempt: Attempt) -> Refusal | None:
        return self.look(replace(attempt, body=self.see(attempt.body)))


def instead_of(stage: Stage, other: Stage) -> Change:
    """Sessions pass ``other`` where they passed ``stage``."""

    def change(design: Design) -> Design:
        return design.in_session(stages=tuple(other if one is stage else one for one in design.session.stages))

    return change


def rules_see(see: See) -> Change:
    """The field rules look at what ``see`` makes of the request; the signature is made over the request itself."""

    def change(design: Design) -> Design:
        stages = design.session.stages
        looks = (_Seeing(see, one) if one is check_fields or isinstance(one, _Seeing) else one for one in stages)
        return design.in_session(stages=tuple(looks))

    return change


def refusing(path: str, applies: Applies, text: str = "This value is not valid.") -> Change:
    """Requests that ``applies`` holds for are refused where they would open a session, naming ``path``."""

    def stage(attempt: Attempt) -> Refusal | None:
        return Refusal(Kind.FIELDS, INVALID_DATA, violations=((path, text),)) if applies(attempt.body) else None

    return lambda design: design.in_session(stages=(*design.session.stages, stage))


def breaking(applies: Applies) -> Change:
    """Requests that ``applies`` holds for are server errors."""

    def stage(attempt: Attempt) -> Refusal | None:
        if applies(attempt.body):
            raise BreakdownError
        return None

    return lambda design: design.in_session(stages=(stage, *design.session.stages))


def put(body: Object, value: object, *names: str) -> Object:
    """A copy of ``body`` with ``value`` at the path of ``names``; without a place for it, ``body`` itself."""
    name, *below = names
    if not below:
        return body | {name: value}
    inner = body.get(name)
    return body | {name: put(cast("Object", inner), value, *below)} if isinstance(inner, dict) else body
