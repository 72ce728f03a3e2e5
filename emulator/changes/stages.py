"""Other stages for requests to pass: the same changes for every protocol."""

from collections.abc import Callable
from typing import Generic, TypeVar

from emulator.design import Change, Design
from emulator.protocols.shared import Stage
from emulator.rules.model import BreakdownError
from emulator.wire.replies import Refusal

A = TypeVar("A")
Applies = Callable[[A], bool]
StagesChange = Callable[[tuple[Stage[A], ...]], tuple[Stage[A], ...]]


class Stages(Generic[A]):
    """The stages that requests of one kind pass.

    ``reach`` changes the stages of some of them in a design. Everywhere below, ``names`` are their actions or
    addresses, and stand for all where none is given.
    """

    def __init__(self, reach: Callable[[Design, StagesChange[A], tuple[str, ...]], Design]) -> None:
        self._reach = reach

    def changed(self, change: StagesChange[A], *names: str) -> Change:
        """Requests pass what ``change`` makes of their stages."""
        return lambda design: self._reach(design, change, names)

    def without(self, stage: Stage[A], *names: str) -> Change:
        """Requests do not pass ``stage``."""
        return self.changed(lambda stages: tuple(one for one in stages if one is not stage), *names)

    def instead(self, stage: Stage[A], other: Stage[A], *names: str) -> Change:
        """Requests pass ``other`` in the place of ``stage``."""
        return self.changed(lambda stages: tuple(other if one is stage else one for one in stages), *names)

    def unless(self, stage: Stage[A], applies: Applies[A], *names: str) -> Change:
        """Requests that ``applies`` holds for do not pass ``stage``."""
        return self.instead(stage, lambda attempt: None if applies(attempt) else stage(attempt), *names)

    def refused_as(self, refusal: Refusal | None, stage: Stage[A], *names: str) -> Change:
        """What ``stage`` refuses is refused with another answer, or let through."""
        return self.instead(stage, lambda attempt: refusal if stage(attempt) else None, *names)

    def first(self, stage: Stage[A], *names: str) -> Change:
        """Requests pass ``stage`` before all others."""
        return self.changed(lambda stages: (stage, *stages), *names)

    def last(self, stage: Stage[A], *names: str) -> Change:
        """Requests pass ``stage`` after all others."""
        return self.changed(lambda stages: (*stages, stage), *names)


def refusal_if(applies: Applies[A], refusal: Refusal) -> Stage[A]:
    """A stage that refuses what ``applies`` holds for."""
    return lambda attempt: refusal if applies(attempt) else None


def breakdown_if(applies: Applies[A]) -> Stage[A]:
    """A stage at which what ``applies`` holds for ends as a server error."""

    def stage(attempt: A) -> Refusal | None:
        if applies(attempt):
            raise BreakdownError
        return None

    return stage
